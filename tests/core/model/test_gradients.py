"""Gradients against finite differences, in float64: attention with masks, add-norm, the smoothed loss."""

from dataclasses import replace

import pytest
import torch
from torch.autograd import gradcheck
from torch.func import functional_call

from core.model.add_norm import AddNorm
from core.model.attention import CrossAttention, SelfAttention, masked_softmax
from core.training.loss import label_smoothed_cross_entropy
from tests.core.conftest import PAD, TINY

SMALL = replace(TINY, d_model=4, n_heads=2, dropout=0.0, attention_backend="eager")
FIRST_KEY_HIDDEN = torch.tensor([[False, True, True], [True, True, False]])[:, None, None, :]
"""With the causal mask beside it, the first sentence's first query sees nothing."""


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def numbers(*shape):
    return torch.randn(shape, dtype=torch.float64, requires_grad=True)


def parameters(module):
    """Each random, by name: a bias of 0 or a gain of 1 would hide a term."""
    return {name: numbers(*value.shape) for name, value in module.named_parameters()}


def gradients_are_right(module, *inputs, **options):
    """Of every input and every parameter."""
    names, values = zip(*parameters(module).items(), strict=True)

    def output(*tensors):
        given, weights = tensors[: len(inputs)], tensors[len(inputs) :]
        return functional_call(module, dict(zip(names, weights, strict=True)), given, options)

    return gradcheck(output, (*inputs, *values))


def test_masked_softmax_also_where_a_row_sees_nothing():
    mask = torch.tensor([[True, True, False], [False, False, False]])
    assert gradcheck(masked_softmax, (numbers(1, 2, 2, 3), mask))


@pytest.mark.parametrize(
    ("mask", "causal"),
    [(None, True), (FIRST_KEY_HIDDEN, False), (FIRST_KEY_HIDDEN, True)],
    ids=["causal", "masked", "both"],
)
def test_self_attention(mask, causal):
    assert gradients_are_right(SelfAttention(SMALL), numbers(2, 3, 4), mask=mask, causal=causal)


@pytest.mark.parametrize("hidden", [False, True], ids=["a row sees nothing", "each sees some"])
def test_cross_attention(hidden):
    mask = torch.tensor([[[[True, False, True], [hidden] * 3]]])
    assert gradients_are_right(CrossAttention(SMALL), numbers(2, 2, 4), numbers(2, 3, 4), mask=mask)


def test_a_hidden_key_gets_no_gradient():
    x, memory = numbers(2, 2, 4), numbers(2, 3, 4)
    attention = CrossAttention(SMALL).double()
    (attention(x, memory, FIRST_KEY_HIDDEN) * torch.randn(2, 2, 4)).sum().backward()
    assert torch.equal(memory.grad.any(dim=-1), FIRST_KEY_HIDDEN[:, 0, 0])


def test_add_norm():
    assert gradients_are_right(AddNorm(SMALL), numbers(2, 3, 4), numbers(2, 3, 4))


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])
def test_the_label_smoothed_loss_and_padding_gets_no_gradient(smoothing):
    logits, labels = numbers(2, 3, 5), torch.tensor([[4, 1, PAD], [2, PAD, PAD]])

    def loss(logits):
        return label_smoothed_cross_entropy(logits, labels, smoothing=smoothing, pad_id=PAD)

    assert gradcheck(loss, (logits,))
    loss(logits).backward()
    assert torch.equal(logits.grad.any(dim=-1), labels != PAD)
