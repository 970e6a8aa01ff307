"""Parity with torch's own layers in float64, values and gradients: an independent reference."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.activations.record import record
from core.model.attention import CrossAttention, SelfAttention
from core.model.encoder import PostNormEncoderLayer, PreNormEncoderLayer
from core.model.positional_encoding import sinusoidal_table
from core.training.loss import label_smoothed_cross_entropy
from tests.core.conftest import PAD, TINY, random_model

CLOSE: dict[str, Any] = {"rtol": 0, "atol": 1e-10}
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": nn.functional.relu,
    "gelu": nn.functional.gelu,
    "silu": nn.functional.silu,
}
BACKENDS = ["eager", "auto"]


def later(length: int) -> torch.Tensor:
    """torch's mask: True where a key is later than the query. Built without our own, which is on trial."""
    return torch.ones(length, length).triu(1).bool()


def copy_attention(ours, theirs: nn.MultiheadAttention) -> None:
    with torch.no_grad():
        theirs.in_proj_weight.copy_(ours.in_proj.weight)
        theirs.in_proj_bias.copy_(ours.in_proj.bias)
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


def copy_layer(ours, theirs) -> None:
    """Into nn.TransformerEncoderLayer or nn.TransformerDecoderLayer; their norms are numbered in order."""
    decoder = hasattr(ours, "cross_attn")
    suffix = "_add_norm" if hasattr(ours, "self_attn_add_norm") else "_norm"
    names = ["self_attn", "cross_attn", "feed_forward"] if decoder else ["self_attn", "feed_forward"]
    copy_attention(ours.self_attn, theirs.self_attn)
    if decoder:
        copy_attention(ours.cross_attn, theirs.multihead_attn)
    for index, name in enumerate(names, start=1):
        getattr(theirs, f"norm{index}").load_state_dict(getattr(ours, name + suffix).state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward.linear1.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.linear2.state_dict())


def paired_gradients(ours, theirs):
    """Every parameter's gradient of a layer beside that of torch's layer, which copy_layer has made equal."""
    decoder = hasattr(ours, "cross_attn")
    suffix = "_add_norm" if hasattr(ours, "self_attn_add_norm") else "_norm"
    names = ["self_attn", "cross_attn", "feed_forward"] if decoder else ["self_attn", "feed_forward"]
    pairs = [(ours.self_attn, theirs.self_attn)]
    pairs += [(ours.cross_attn, theirs.multihead_attn)] if decoder else []
    for own, other in pairs:
        yield own.in_proj.weight.grad, other.in_proj_weight.grad
        yield own.in_proj.bias.grad, other.in_proj_bias.grad
    blocks = [(own.out_proj, other.out_proj) for own, other in pairs]
    blocks += [
        (getattr(ours, name + suffix), getattr(theirs, f"norm{i}")) for i, name in enumerate(names, start=1)
    ]
    blocks += [(ours.feed_forward.linear1, theirs.linear1), (ours.feed_forward.linear2, theirs.linear2)]
    for own, other in blocks:
        yield own.weight.grad, other.weight.grad
        yield own.bias.grad, other.bias.grad


def torch_transformer(ours) -> nn.Transformer:
    """torch's stacks with our weights; without the last norms that the paper does not have."""
    config = ours.config
    theirs = nn.Transformer(
        config.d_model,
        config.n_heads,
        config.n_encoder_layers,
        config.n_decoder_layers,
        config.d_ff,
        dropout=0.0,
        activation=ACTIVATIONS[config.activation],
        batch_first=True,
        norm_first=config.norm_position == "pre",
        dtype=torch.float64,
    )
    for mine, other in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        for own_layer, other_layer in zip(mine.layers, other.layers, strict=True):
            copy_layer(own_layer, other_layer)
        if mine.final_norm is None:
            other.norm = None
        else:
            other.norm.load_state_dict(mine.final_norm.state_dict())
    return theirs


@pytest.mark.parametrize("backend", BACKENDS)
def test_self_attention_equals_torchs_multihead_attention(backend):
    torch.manual_seed(0)
    ours = SelfAttention(replace(TINY, attention_backend=backend)).double()
    nn.init.normal_(ours.in_proj.bias)
    theirs = nn.MultiheadAttention(24, 4, batch_first=True, dtype=torch.float64)
    copy_attention(ours, theirs)
    x = torch.randn(2, 7, 24, dtype=torch.float64, requires_grad=True)
    y = x.detach().clone().requires_grad_()
    mask = torch.ones(2, 7, dtype=torch.bool)
    mask[1, 5:] = False
    mine = ours(x, mask[:, None, None, :], causal=True)
    other, _ = theirs(y, y, y, key_padding_mask=~mask, attn_mask=later(7))
    torch.testing.assert_close(mine, other, **CLOSE)
    mine.square().sum().backward()
    other.square().sum().backward()
    torch.testing.assert_close(x.grad, y.grad, **CLOSE)
    torch.testing.assert_close(ours.in_proj.weight.grad, theirs.in_proj_weight.grad, **CLOSE)


def test_recorded_weights_are_those_of_torchs_multihead_attention(tiny_model, src, tgt_in):
    with record(tiny_model) as activations:
        tiny_model(src, tgt_in)
    name = "decoder.layers.1.cross_attn"
    theirs = nn.MultiheadAttention(24, 4, batch_first=True, dtype=torch.float64)
    copy_attention(tiny_model.decoder.layers[1].cross_attn, theirs)
    queries = activations["decoder.layers.1.self_attn_add_norm.output"]
    memory = activations["encoder.output"]
    output, weights = theirs(queries, memory, memory, key_padding_mask=src == PAD, average_attn_weights=False)
    torch.testing.assert_close(activations[f"{name}.weights"], weights, **CLOSE)
    torch.testing.assert_close(activations[f"{name}.output"], output, **CLOSE)


@pytest.mark.parametrize("backend", BACKENDS)
def test_cross_attention_equals_torchs_multihead_attention(backend):
    torch.manual_seed(0)
    ours = CrossAttention(replace(TINY, attention_backend=backend)).double()
    theirs = nn.MultiheadAttention(24, 4, batch_first=True, dtype=torch.float64)
    copy_attention(ours, theirs)
    x, memory = torch.randn(2, 5, 24, dtype=torch.float64), torch.randn(2, 7, 24, dtype=torch.float64)
    torch.testing.assert_close(ours(x, memory), theirs(x, memory, memory)[0], **CLOSE)


@pytest.mark.parametrize("norm_first", [False, True])
def test_an_encoder_layer_equals_torchs(norm_first):
    torch.manual_seed(0)
    layer = PreNormEncoderLayer if norm_first else PostNormEncoderLayer
    ours = layer(TINY).double().eval()
    theirs = nn.TransformerEncoderLayer(
        24, 4, 36, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=torch.float64
    )
    copy_layer(ours, theirs)
    x = torch.randn(2, 7, 24, dtype=torch.float64)
    torch.testing.assert_close(ours(x, None), theirs(x), **CLOSE)


@pytest.mark.sweep
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("activation", ["relu", "gelu", "silu"])
@pytest.mark.parametrize(("norm_position", "final_norm"), [("post", None), ("post", True), ("pre", None)])
def test_the_whole_model_equals_torchs_stacks_in_values_and_gradients(
    norm_position, final_norm, activation, backend, src, tgt_in
):
    config = replace(
        TINY,
        norm_position=norm_position,
        final_norm=final_norm,
        activation=activation,
        attention_backend=backend,
        dropout=0.0,
    )
    ours = random_model(config)
    theirs = torch_transformer(ours)
    weight = ours.src_embed.weight.detach().clone().requires_grad_()
    scale, table = 24**0.5, sinusoidal_table(0, 7, 24)
    hidden = theirs(
        nn.functional.embedding(src, weight, padding_idx=PAD) * scale + table,
        nn.functional.embedding(tgt_in, weight, padding_idx=PAD) * scale + table[:5],
        tgt_mask=later(5),
        src_key_padding_mask=src == PAD,
        tgt_key_padding_mask=tgt_in == PAD,
        memory_key_padding_mask=src == PAD,
    )
    reference, mine = hidden @ weight.T, ours(src, tgt_in)
    torch.testing.assert_close(mine, reference, **CLOSE)
    mine.square().sum().backward()
    reference.square().sum().backward()
    torch.testing.assert_close(ours.src_embed.weight.grad, weight.grad, rtol=1e-10, atol=1e-10)
    for own_layers, other_layers in (
        (ours.encoder.layers, theirs.encoder.layers),
        (ours.decoder.layers, theirs.decoder.layers),
    ):
        for own_layer, other_layer in zip(own_layers, other_layers, strict=True):
            compared = list(paired_gradients(own_layer, other_layer))
            assert len(compared) == len(list(own_layer.parameters()))
            for own_gradient, other_gradient in compared:
                torch.testing.assert_close(own_gradient, other_gradient, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])
def test_the_loss_equals_torchs_cross_entropy(smoothing, tgt_in):
    torch.manual_seed(0)
    logits = torch.randn(2, 5, 19, dtype=torch.float64, requires_grad=True)
    twin = logits.detach().clone().requires_grad_()
    labels = tgt_in.clone()
    mine = label_smoothed_cross_entropy(logits, labels, smoothing=smoothing, pad_id=PAD)
    other = nn.functional.cross_entropy(
        twin.flatten(0, 1), labels.flatten(), label_smoothing=smoothing, ignore_index=PAD
    )
    torch.testing.assert_close(mine, other, **CLOSE)
    mine.backward()
    other.backward()
    torch.testing.assert_close(logits.grad, twin.grad, **CLOSE)


def test_sinusoids_are_the_papers_formula_written_out():
    table = sinusoidal_table(3, 4, 6)
    for row, position in enumerate(range(3, 7)):
        for i in range(3):
            angle = torch.tensor(position / 10000 ** (2 * i / 6), dtype=torch.float64)
            torch.testing.assert_close(table[row, 2 * i], angle.sin(), **CLOSE)
            torch.testing.assert_close(table[row, 2 * i + 1], angle.cos(), **CLOSE)
