"""Name and shape of every learned tensor, from the configuration alone: no module is made, and no torch is needed."""

import math
from collections.abc import Iterator, Sequence

from core.config import TransformerConfig

Named = Iterator[tuple[str, tuple[int, ...]]]


def parameter_shapes(config: TransformerConfig) -> dict[str, tuple[int, ...]]:
    """Shapes by name, as `Transformer(config).named_parameters()` has them, in its order; a shared tensor once."""
    return dict(_model(config))


def _model(config: TransformerConfig) -> Named:
    yield "src_embed.weight", (config.src_vocab_size, config.d_model)
    yield from _positions("src_embed", config)
    yield from _stack("encoder", config.n_encoder_layers, ("self_attn",), config)
    # Of tied matrices only the first name is there.
    if not config.tie_embeddings:
        yield "tgt_embed.weight", (config.tgt_vocab_size, config.d_model)
    yield from _positions("tgt_embed", config)
    yield from _stack("decoder", config.n_decoder_layers, ("self_attn", "cross_attn"), config)
    if not config.tie_embeddings:
        yield "generator.weight", (config.tgt_vocab_size, config.d_model)


def _positions(path: str, config: TransformerConfig) -> Named:
    if config.positional == "learned":
        yield f"{path}.positional.weight", (config.max_len, config.d_model)


def _stack(path: str, n_layers: int, attentions: Sequence[str], config: TransformerConfig) -> Named:
    for layer in range(n_layers):
        here = f"{path}.layers.{layer}"
        for attention in attentions:
            yield from _with_norm(f"{here}.{attention}", _attention(f"{here}.{attention}", config), config)
        yield from _with_norm(f"{here}.feed_forward", _feed_forward(f"{here}.feed_forward", config), config)
    if config.has_final_norm:
        yield from _norm(f"{path}.final_norm", config)


def _with_norm(path: str, sublayer: Named, config: TransformerConfig) -> Named:
    """A sub-layer with its norm before or after it."""
    if config.norm_position == "pre":
        yield from _norm(f"{path}_norm", config)
    yield from sublayer
    if config.norm_position == "post":
        yield from _norm(f"{path}_add_norm", config)


def _attention(path: str, config: TransformerConfig) -> Named:
    yield from _linear(f"{path}.in_proj", 3 * config.d_model, config.d_model, bias=config.attention_bias)
    yield from _linear(f"{path}.out_proj", config.d_model, config.d_model, bias=config.attention_bias)


def _feed_forward(path: str, config: TransformerConfig) -> Named:
    yield from _linear(f"{path}.linear1", config.d_ff, config.d_model)
    yield from _linear(f"{path}.linear2", config.d_model, config.d_ff)


def _linear(path: str, outputs: int, inputs: int, *, bias: bool = True) -> Named:
    yield f"{path}.weight", (outputs, inputs)
    if bias:
        yield f"{path}.bias", (outputs,)


def _norm(path: str, config: TransformerConfig) -> Named:
    yield f"{path}.weight", (config.d_model,)
    yield f"{path}.bias", (config.d_model,)


def expected_parameters(config: TransformerConfig) -> int:
    """How many learned numbers a model with this configuration has, counted without making it.

    The same as ``count_parameters(Transformer(config))``.
    """
    return sum(map(math.prod, parameter_shapes(config).values()))
