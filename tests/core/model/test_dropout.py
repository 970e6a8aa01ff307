"""Dropout: each of the three rates at its own places, in training mode only."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
import torch
from torch import Tensor

from core.activations.record import record
from core.config import TransformerConfig
from core.model.attention import SelfAttention
from core.model.dropout import LEVELS, dropout
from core.model.transformer import Transformer
from tests.core.conftest import BOS, TINY, random_model
from tests.optional import unwrap

# Three rates, each far from the others and from 1 minus any, so that none can stand for another; 64ths, which the
# CPU need not round.
RESIDUAL, WEIGHTS, HIDDEN = 20 / 64, 10 / 64, 29 / 64
DROPPING = replace(TINY, dropout=RESIDUAL, attention_dropout=WEIGHTS, ffn_dropout=HIDDEN)
NORMS = pytest.mark.parametrize("norm_position", ["post", "pre"])
BACKENDS = pytest.mark.parametrize("backend", ["eager", "auto"])


@pytest.fixture
def ids() -> tuple[Tensor, Tensor]:
    """Sources [8, 13] and shifted targets [8, 11] without padding."""
    generator = torch.Generator().manual_seed(3)
    src = torch.randint(3, 19, (8, 13), generator=generator)
    tgt_in = torch.randint(3, 19, (8, 11), generator=generator)
    tgt_in[:, 0] = BOS
    return src, tgt_in


def training_model(config: TransformerConfig) -> Transformer:
    model = random_model(config).train()
    torch.manual_seed(9)
    return model


def assert_dropped(before: Tensor, after: Tensor, rate: float) -> None:
    """Each number is 0 or 1/(1 - rate) times what it was, and about the share `rate` of them is 0."""
    counts = before.abs() > 1e-9
    dropped = after.abs() < 1e-12
    kept = torch.where(dropped, 0.0, before / (1 - rate))
    torch.testing.assert_close(after, kept, rtol=0, atol=1e-10)
    share, n = dropped[counts].double().mean().item(), int(counts.sum())
    # Five standard errors; the draws have a fixed seed.
    assert abs(share - rate) < 5 * (rate * (1 - rate) / n) ** 0.5


@NORMS
def test_every_sub_layers_output_is_dropped_before_it_is_added(norm_position, ids):
    model = training_model(replace(DROPPING, norm_position=norm_position))
    with torch.no_grad(), record(model) as seen:
        model(*ids)
    summed = [site for site in model.sites() if site.operation == "add" and "layers" in site.name]
    assert len(summed) == 2 * 2 + 3 * 3
    for site in summed:
        stream, sublayer = site.inputs
        assert_dropped(seen[sublayer], seen[site.name] - seen[stream], RESIDUAL)


def test_both_sums_of_embedding_and_position_are_dropped(ids):
    model = training_model(DROPPING)
    with torch.no_grad(), record(model, "*_embed.*") as seen:
        model(*ids)
    for path in ("src_embed", "tgt_embed"):
        assert_dropped(seen[f"{path}.tokens"] + seen[f"{path}.positions"], seen[f"{path}.output"], RESIDUAL)


def test_the_hidden_units_of_every_feed_forward_network_are_dropped(ids):
    model = training_model(DROPPING)
    read = {}
    for name, module in model.named_modules():
        if name.endswith("feed_forward.linear2"):
            module.register_forward_pre_hook(lambda _, args, name=name: read.update({name: args[0]}))
    with torch.no_grad(), record(model, "*.feed_forward.hidden") as seen:
        model(*ids)
    assert len(read) == 2 + 3
    for name, value in read.items():
        assert_dropped(seen[name.replace("linear2", "hidden")], value, HIDDEN)


@BACKENDS
def test_attention_weights_are_dropped_before_they_weigh_the_values(backend):
    torch.manual_seed(9)
    attention = SelfAttention(replace(DROPPING, attention_backend=backend)).double().train()
    joined = []
    attention.out_proj.register_forward_pre_hook(lambda _, args: joined.append(args[0]))
    # Equal scores give the weight 1/6 everywhere, and values that are the identity show every weight.
    zeros = torch.zeros(5, 4, 11, 6, dtype=torch.float64)
    identity = torch.eye(6, dtype=torch.float64).expand(5, 4, 6, 6)
    with torch.no_grad():
        attention.attend(zeros, zeros[:, :, :6], identity, None, causal=False)
    assert_dropped(torch.full((5, 11, 24), 1 / 6, dtype=torch.float64), joined[0], WEIGHTS)


@BACKENDS
@NORMS
def test_nothing_is_dropped_in_evaluation_mode(norm_position, backend, ids):
    config = replace(DROPPING, norm_position=norm_position, attention_backend=backend)
    dropping = random_model(config)
    without = Transformer(replace(config, dropout=0.0, attention_dropout=0.0, ffn_dropout=0.0)).eval()
    without.load_state_dict(dropping.state_dict())
    state = torch.get_rng_state()
    assert torch.equal(dropping(*ids), without(*ids))
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("rate", ["dropout", "attention_dropout", "ffn_dropout"])
@BACKENDS
def test_each_rate_by_itself_changes_the_logits_of_training(rate, backend, ids):
    without = replace(TINY, dropout=0.0, attention_dropout=0.0, ffn_dropout=0.0, attention_backend=backend)
    rates: dict[str, Any] = {rate: 0.3}
    model = training_model(replace(without, **rates))
    calm = training_model(without)
    assert torch.equal(calm(*ids), calm.eval()(*ids))
    first, second = model(*ids), model(*ids)
    assert not torch.allclose(first, second)
    torch.testing.assert_close(model.eval()(*ids), calm(*ids), rtol=0, atol=0)


@pytest.mark.parametrize("rate", [1 / 64, 0.1, 0.5, 0.9, 0.99999])
def test_dropout_keeps_the_mean_and_drops_the_share_it_is_told(rate):
    torch.manual_seed(1)
    n = 1_000_003
    dropped = dropout(torch.ones(n, dtype=torch.float64), rate)
    rounded = round(rate * LEVELS) / LEVELS
    assert abs(rounded - rate) <= 0.5 / LEVELS
    assert set(dropped.unique().tolist()) <= {0.0, 1 / (1 - rounded)}
    share = (dropped == 0).double().mean().item()
    # Five standard errors; of the mean as many, since it is (1 - share) / (1 - rounded).
    assert abs(share - rounded) < 5 * (rounded * (1 - rounded) / n) ** 0.5


def test_the_four_elements_of_one_draw_are_dropped_independently():
    torch.manual_seed(1)
    n = 250_000
    lanes = (dropout(torch.ones(n, 4), 0.25) == 0).double()
    deviations = (lanes - 0.25) / (0.25 * 0.75) ** 0.5
    correlations = deviations.T @ deviations / n
    torch.testing.assert_close(correlations, torch.eye(4, dtype=torch.float64), rtol=0, atol=6 / n**0.5)
    neighbours = (deviations[:-1] * deviations[1:]).mean()
    assert abs(neighbours) < 5 / (4 * n) ** 0.5


def test_dropout_repeats_with_torchs_seed_and_differs_from_draw_to_draw():
    x = torch.ones(5, 7)
    torch.manual_seed(3)
    first, second = dropout(x, 0.5), dropout(x, 0.5)
    torch.manual_seed(3)
    assert torch.equal(dropout(x, 0.5), first)
    assert torch.equal(dropout(x, 0.5), second)
    assert not torch.equal(first, second)


def test_dropout_of_nothing_is_the_value_itself_and_draws_nothing():
    x = torch.ones(5)
    state = torch.get_rng_state()
    assert dropout(x, 0.0) is x
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_dropouts_gradient_is_dropped_and_scaled_as_its_value_is(dtype):
    torch.manual_seed(1)
    # Neither contiguous nor a multiple of four elements.
    x = torch.ones(7, 9, dtype=dtype).T.requires_grad_()
    dropped = dropout(x, 0.25)
    dropped.sum().backward()
    assert dropped.dtype == unwrap(x.grad).dtype == dtype
    assert torch.equal(unwrap(x.grad), dropped)
    assert 0 < (dropped == 0).sum() < 63


def test_a_device_other_than_the_cpu_drops_as_torch_does():
    with patch("core.model.dropout.F.dropout") as torchs:
        x = torch.empty(3, device="meta")
        assert dropout(x, 0.25) is torchs.return_value
    torchs.assert_called_once_with(x, 0.25)


def test_recording_in_training_drops_the_same_numbers(ids):
    model = training_model(DROPPING)
    with torch.no_grad():
        torch.manual_seed(9)
        alone = model(*ids)
        torch.manual_seed(9)
        with record(model, "*.weights"):
            watched = model(*ids)
    assert torch.equal(watched, alone)
