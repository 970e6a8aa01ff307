"""A trace that takes the encoder's values from another one of the same source."""

import pytest
import torch

from core.activations.trace import trace
from core.errors import InputError
from core.model.encoder import Encoder
from tests.core.conftest import random_model
from tests.core.variants import EXACT


@pytest.mark.sweep
@pytest.mark.parametrize("config", EXACT.values(), ids=EXACT)
def test_trace_with_known_encoder_equals_one_of_its_own(config, src):
    model, (one, other) = random_model(config), (torch.tensor([5, 7, 4]), torch.tensor([8, 6, 4, 5]))
    whole, known = trace(model, src[0], other), trace(model, src[0], one)
    found = trace(model, src[0], other, encoded=known)
    assert list(found.activations) == list(whole.activations)
    for name, values in whole.activations.items():
        torch.testing.assert_close(found.activations[name], values, rtol=0, atol=1e-12)
    torch.testing.assert_close(found.logits, whole.logits, rtol=0, atol=1e-12)


def test_known_encoder_is_reused_for_the_requested_sites(tiny_model, src, monkeypatch):
    known = trace(tiny_model, src[0], torch.tensor([5, 7]))
    monkeypatch.setattr(Encoder, "forward", lambda *given: pytest.fail("the encoder is computed"))
    sites = ("encoder.layers.0.self_attn.weights", "decoder.output")
    found = trace(tiny_model, src[0], torch.tensor([5, 8]), *sites, encoded=known)
    assert tuple(found.activations) == sites


def test_trace_refuses_encoder_of_another_source(tiny_model, src):
    known = trace(tiny_model, src[0], torch.tensor([5, 7]))
    with pytest.raises(InputError, match="the trace of the same source"):
        trace(tiny_model, src[0].flip(0), torch.tensor([5, 7]), encoded=known)
