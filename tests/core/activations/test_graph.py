"""With the graph, the gradient of a logit by any recorded tensor is what a small change of it does."""

from dataclasses import replace

import pytest
import torch

from core.activations.record import edit, record
from core.activations.sites import DERIVED
from tests.core.conftest import TINY, random_model

STEP = 1e-5


def _logit(model, src, tgt_in):
    return model(src, tgt_in)[0, 3, 7]


@pytest.mark.sweep
@pytest.mark.proof
@pytest.mark.parametrize("positional", ["sinusoidal", "learned"])
def test_gradients_are_those_of_finite_differences(positional, src, tgt_in):
    model = random_model(replace(TINY, positional=positional)).requires_grad_(False)
    with record(model, with_graph=True) as activations:
        logit = _logit(model, src, tgt_in)
    names = [
        site.name
        for site in model.sites()
        if site.operation not in DERIVED and site.operation != "mask" and site.name in activations
    ]
    generator = torch.Generator().manual_seed(4)
    assert len(names) > 60
    for name in names:
        (gradient,) = torch.autograd.grad(logit, activations[name], retain_graph=True, allow_unused=True)
        value = activations[name].detach()
        direction = torch.randn(value.shape, generator=generator, dtype=value.dtype)
        if not bool(value.isfinite().all()):
            direction = direction.masked_fill(~value.isfinite(), 0.0)
        logits = []
        for sign in (1, -1):
            change = sign * STEP * direction
            with edit(model, {name: change.add}), torch.no_grad():
                logits.append(float(_logit(model, src, tgt_in)))
        expected = (logits[0] - logits[1]) / (2 * STEP)
        assert float((gradient * direction).sum()) == pytest.approx(expected, rel=1e-4, abs=1e-7), name


def test_recording_with_the_graph_changes_no_value_and_leaves_the_model_alone(tiny_model, src, tgt_in):
    tiny_model.requires_grad_(False)
    before = tiny_model(src, tgt_in)
    with torch.no_grad(), record(tiny_model, "*.positions", "*.weights", with_graph=True) as activations:
        logits = tiny_model(src, tgt_in)
    with record(tiny_model, "*.weights") as plain:
        tiny_model(src, tgt_in)
    torch.testing.assert_close(logits.detach(), before, rtol=1e-12, atol=1e-12)
    assert logits.requires_grad
    assert not any(parameter.requires_grad for parameter in tiny_model.parameters())
    for name in plain:
        torch.testing.assert_close(activations[name].detach(), plain[name], rtol=1e-12, atol=1e-12)
        assert not plain[name].requires_grad
    logits.sum().backward()
    with torch.no_grad():
        # What was recorded is the reader's own: the positions too, which the model looks up in a table.
        for name in activations:
            if activations.site(name).value == "positions":
                activations[name].zero_()
    assert torch.equal(tiny_model(src, tgt_in), before)
    assert not tiny_model(src, tgt_in).requires_grad


def test_weights_in_training_have_their_gradients_too(tiny_model, src, tgt_in):
    name = "decoder.layers.1.cross_attn.context"
    with record(tiny_model, name, with_graph=True) as activations:
        logit = _logit(tiny_model, src, tgt_in)
    parameter = tiny_model.encoder.layers[0].feed_forward.linear1.weight
    by_site, by_weight = torch.autograd.grad(logit, [activations[name], parameter])
    assert by_site.shape == activations[name].shape
    assert float(by_weight.abs().sum()) > 0


def test_a_derived_site_is_no_way_to_the_logits(tiny_model, src, tgt_in):
    name = next(site.name for site in tiny_model.sites() if site.operation == "normalize")
    with record(tiny_model, name, with_graph=True) as activations:
        logit = _logit(tiny_model, src, tgt_in)
    assert activations[name].requires_grad
    assert torch.autograd.grad(logit, activations[name], allow_unused=True, retain_graph=True) == (None,)
    (by_input,) = torch.autograd.grad(logit, activations._values[activations.site(name).inputs[0]])
    assert float(by_input.abs().sum()) > 0
