"""What a server computes draws from generators of its own: threads beside each other change nobody's numbers."""

import ast
from functools import cache, wraps
from pathlib import Path
from threading import Thread

import pytest
import torch
from torch import Tensor, nn

from core.analysis.initial_logits import initial_logit_variance
from core.analysis.position_geometry import order_difference
from core.analysis.residual_stream import untrained_model
from core.config import TransformerConfig
from core.run import load_run
from core.training.expected_time import part_times
from core.training.trainer import Trainer
from explorer.views.positions.rows import learned_table
from tests.explorer.random_recording import random_recording
from tests.source_rules import parsed

ROOT = Path(__file__).parent.parent
SMALL = TransformerConfig(
    src_vocab_size=11, tgt_vocab_size=13, d_model=16, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, d_ff=32,
    max_len=8, positional="learned", tie_embeddings=False, attention_dropout=0.1, ffn_dropout=0.1,
)  # fmt: skip


def weights_of(model: nn.Module) -> list[float]:
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()]).tolist()


recording = cache(random_recording)

COMPUTED = {
    "initial logits": lambda: initial_logit_variance(SMALL, seed=1),
    "order difference": lambda: order_difference(SMALL, seed=1),
    "untrained model": lambda: weights_of(untrained_model(SMALL, seed=1)),
    "fresh positions": lambda: weights_of(learned_table(recording())),
}


@pytest.fixture
def between(monkeypatch):
    """Have something done, in a thread of its own, before each draw of first weights, tokens and dropout."""

    def arrange(disturb) -> None:
        def after(draw):
            @wraps(draw)
            def drawn(*args, **kwargs):
                other = Thread(target=disturb)
                other.start()
                other.join()
                return draw(*args, **kwargs)

            return drawn

        for place, name in (
            (nn.init, "normal_"), (nn.init, "xavier_uniform_"), (nn.init, "kaiming_uniform_"),
            (torch, "randint"), (Tensor, "random_"), (Trainer, "update"),
        ):  # fmt: skip
            monkeypatch.setattr(place, name, after(getattr(place, name)))

    return arrange


@pytest.mark.parametrize("compute", COMPUTED.values(), ids=COMPUTED)
def test_a_thread_that_seeds_and_draws_meanwhile_changes_no_number(compute, between):
    alone = compute()
    disturbed = []

    def disturb() -> None:
        torch.manual_seed(99)
        disturbed.append(torch.rand(3))

    between(disturb)
    assert compute() == alone
    assert disturbed


@pytest.mark.parametrize(
    "compute",
    [
        *COMPUTED.values(),
        lambda: part_times(SMALL, 2, n_validation=2, n_test=2, source_tokens=5, target_tokens=4),
        lambda: load_run(ROOT / "checkpoints" / "copy"),
    ],
    ids=[*COMPUTED, "expected time", "loaded run"],
)
def test_at_no_moment_are_the_numbers_of_others_changed(compute, between):
    compute()  # What is needed for it is there now.
    torch.manual_seed(5)
    before, seen = torch.get_rng_state(), []
    between(lambda: seen.append(torch.get_rng_state()))
    compute()
    assert seen
    assert all(torch.equal(state, before) for state in (*seen, torch.get_rng_state()))


SERVED = (
    "explorer", "pages", "core/run.py", "core/training/expected_time.py", "core/training/history.py",
    *(f"core/{folder}" for folder in ("activations", "analysis", "decoding", "experiments", "explanation")),
)  # fmt: skip
GLOBAL_STATE = {"fork_rng", "get_rng_state", "initial_seed", "seed", "set_rng_state"}


@pytest.mark.parametrize("place", SERVED)
def test_nothing_that_a_server_computes_uses_torchs_global_generator(place):
    files = [ROOT / place] if place.endswith(".py") else list((ROOT / place).rglob("*.py"))
    assert files
    for path in files:
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            owner, _, name = called.rpartition(".")
            assert called != "torch.manual_seed", path
            assert not (owner.startswith("torch") and name in GLOBAL_STATE), (path, called)
            if owner == "torch" and name.startswith(("rand", "normal", "multinomial", "bernoulli")):
                assert "generator" in {keyword.arg for keyword in node.keywords}, (path, called)
