"""Checkpoints give back everything to the bit, and take nothing from a file that does not fit."""

from itertools import islice

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.config import TrainConfig
from core.data.batching import EncodedPairs, batches
from core.errors import RunError
from core.evaluation.figures import Evaluation
from core.model.transformer import Transformer
from core.training import checkpoint
from core.training.checkpoint import Checkpoint, Machine, Origin, load_checkpoint, save_checkpoint
from core.training.checkpoint_files import checkpoint_path, checkpoints
from core.training.progress import Progress
from core.training.records import Validation
from core.training.trainer import Trainer
from tests.core.conftest import TINY

CONFIG = TrainConfig(steps=9, warmup_steps=2, batch_size=4)
ORIGIN = Origin("settings", "data")
PAIRS = EncodedPairs(
    tuple((5, 6 + row % 7) for row in range(20)), tuple((7, 8 + row % 5, 9) for row in range(20))
)


def trainer(seed: int = 0) -> Trainer:
    torch.manual_seed(seed)
    return Trainer(Transformer(TINY), CONFIG)


def train(trainer: Trainer, count: int) -> list[float]:
    stream = batches(PAIRS, CONFIG.batch_size, seed=0, start=trainer.updates)
    return [trainer.update(batch).loss for batch in islice(stream, count)]


BEST = Validation(2, Evaluation(n_pairs=4, loss=0.1, exact_match=0.5, token_accuracy=0.75))
PROGRESS = Progress(0.1, 2, 0.5, 2, 0.1, 1)
MACHINE = Machine.of(torch.device("cpu"), 1)


def held() -> Checkpoint:
    return Checkpoint([{"cpu": torch.get_rng_state()}], BEST, PROGRESS, MACHINE)


@pytest.fixture
def saved(tmp_path):
    first = trainer()
    train(first, 3)
    save_checkpoint(tmp_path, first, held(), ORIGIN)
    return first, tmp_path


def test_training_goes_on_to_the_bit(saved):
    first, folder = saved
    expected = train(first, 4)
    second = trainer(seed=99)
    found = load_checkpoint(checkpoint_path(folder, 3), second, ORIGIN)
    torch.set_rng_state(found.generators[0]["cpu"])
    assert (found.best, found.progress, found.machine) == (BEST, PROGRESS, MACHINE)
    assert second.updates == 3
    assert train(second, 4) == expected
    for name, value in first.model.state_dict().items():
        assert torch.equal(value, second.model.state_dict()[name]), name
    for name, value in first.state().items():
        assert torch.equal(value, second.state()[name]), name


def test_a_checkpoint_of_an_earlier_version_says_nothing_of_progress_and_is_gone_on_from(saved):
    _, folder = saved
    rewritten(lambda tensors: None)(checkpoint_path(folder, 3))
    assert load_checkpoint(checkpoint_path(folder, 3), trainer(), ORIGIN).progress == Progress()


def test_a_checkpoint_before_the_first_update_has_no_moments(tmp_path):
    save_checkpoint(tmp_path, trainer(), held(), ORIGIN)
    names = load_file(checkpoint_path(tmp_path, 0))
    assert not any(name.startswith("exp_avg") for name in names)
    again = trainer(seed=5)
    load_checkpoint(checkpoint_path(tmp_path, 0), again, ORIGIN)
    assert torch.equal(again.model.src_embed.weight, trainer().model.src_embed.weight)


def test_only_the_newest_are_kept_and_files_of_others_are_left_alone(saved):
    first, folder = saved
    (folder / "checkpoints" / "mine.safetensors").touch()
    for _ in range(3):
        train(first, 1)
        save_checkpoint(folder, first, held(), ORIGIN)
    assert [path.name for path in checkpoints(folder)] == ["000000006.safetensors", "000000005.safetensors"]
    assert sorted(folder.rglob("*")) == sorted(
        [folder / "checkpoints", folder / "checkpoints" / "mine.safetensors", *checkpoints(folder)]
    )


def rewritten(change, facts=None):
    """Damage a checkpoint by changing its tensors or what its header says."""

    def damage(path):
        tensors = load_file(path)
        change(tensors)
        known = {"kind": "training checkpoint", "settings": "settings", "data": "data"}
        save_file(tensors, path, {**known, **(facts or {})})

    return damage


def cut(path):
    path.write_bytes(path.read_bytes()[:-1000])


def lying_header(path):
    stored = bytearray(path.read_bytes())
    stored[:8] = (2**40).to_bytes(8, "little")
    path.write_bytes(stored)


def grown(path):
    path.write_bytes(path.read_bytes() + b"\0" * 100)


W = "weight.encoder.layers.0.self_attn.in_proj.weight"


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("damage", "sentence"), [
        (cut, "damaged"),
        (lying_header, "damaged"),
        (grown, "damaged"),
        (lambda path: path.write_bytes(b""), "damaged"),
        (lambda path: path.unlink(), "damaged"),
        (rewritten(lambda t: t.pop(W)), "lacks weight.encoder"),
        (rewritten(lambda t: t.pop("updates")), "lacks updates"),
        (rewritten(lambda t: t.update({W: t[W][:-1].clone()})), "has the shape"),
        (rewritten(lambda t: t.update({W: t[W].float()})), "is stored as torch.float32"),
        (rewritten(lambda t: t[W].fill_(float("nan"))), "not finite"),
        (rewritten(lambda t: t["exp_avg.generator.weight"].fill_(1) if "exp_avg.generator.weight" in t else
                   t["exp_avg.src_embed.weight"].fill_(float("inf"))), "not finite"),
        (rewritten(lambda t: t.update(updates=torch.tensor(10))), "claims 10 updates of 9"),
        (rewritten(lambda t: t.update(updates=torch.tensor(-1))), "claims -1 updates"),
        (rewritten(lambda t: t.pop("generator.0.cpu")), "random generator"),
        (rewritten(lambda t: t.update({"generator.2.cpu": t["generator.0.cpu"].clone()})), "random generator"),
        (rewritten(lambda t: t.update({"generator.0.cpu": torch.zeros(3)})), "random generator"),
        (rewritten(lambda t: None, {"best": "[1]"}), "best weights"),
        (rewritten(lambda t: None, {"best": '{"updates": 1, "figures": {"loss": NaN}}'}), "best weights"),
        (rewritten(lambda t: None, {"progress": '{"stale": -1}'}), "the progress so far"),
        (rewritten(lambda t: None, {"progress": '{"patience": 1}'}), "the progress so far"),
        (rewritten(lambda t: None, {"machine": '{"abacus": 3}'}), "its machine"),
        (rewritten(lambda t: None, {"kind": "model"}), "model for use"),
        (rewritten(lambda t: None, {"settings": "others"}), "other settings"),
        (rewritten(lambda t: None, {"data": "others"}), "other pairs"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_changes_nothing(saved, damage, sentence):
    _, folder = saved
    path = checkpoint_path(folder, 3)
    damage(path)
    other = trainer(seed=7)
    before = {name: value.clone() for name, value in other.model.state_dict().items()}
    with pytest.raises(RunError, match=sentence):
        load_checkpoint(path, other, ORIGIN)
    assert other.updates == 0
    assert all(torch.equal(before[name], value) for name, value in other.model.state_dict().items())


def test_a_file_too_large_for_the_model_is_not_read(saved, monkeypatch):
    _, folder = saved
    monkeypatch.setattr(checkpoint, "MAX_OTHER_BYTES", -(10**9))
    monkeypatch.setattr(checkpoint, "safe_open", lambda *_, **__: pytest.fail("it was opened"))
    with pytest.raises(RunError, match="larger than"):
        load_checkpoint(checkpoint_path(folder, 3), trainer(), ORIGIN)
