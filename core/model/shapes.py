"""Name and shape of every learned tensor, from the configuration alone: no module is made, and no torch is needed."""

import math
from collections.abc import Iterator

from core.activations.location import Stack, locate
from core.activations.sites import sublayers
from core.config import TransformerConfig

Named = Iterator[tuple[str, tuple[int, ...]]]


def parameter_shapes(config: TransformerConfig) -> dict[str, tuple[int, ...]]:
    """Shapes by name, as `Transformer(config).named_parameters()` has them, in its order; a shared tensor once."""
    return dict(_model(config))


def _model(config: TransformerConfig) -> Named:
    yield "src_embed.weight", (config.src_vocab_size, config.d_model)
    yield from _positions("src_embed", config)
    yield from _stack("encoder", config)
    # Of tied matrices only the first name is there.
    if not config.tie_embeddings:
        yield "tgt_embed.weight", (config.tgt_vocab_size, config.d_model)
    yield from _positions("tgt_embed", config)
    yield from _stack("decoder", config)
    if not config.tie_embeddings:
        yield "generator.weight", (config.tgt_vocab_size, config.d_model)


def _positions(path: str, config: TransformerConfig) -> Named:
    if config.positional == "learned":
        yield f"{path}.positional.weight", (config.max_len, config.d_model)


def _stack(stack: Stack, config: TransformerConfig) -> Named:
    """The sub-layers, each with its norm before or after it."""
    for path in sublayers(config, stack):
        if config.norm_position == "pre":
            yield from _norm(f"{path}_norm", config)
        is_attention = locate(path).kind == "attention"
        yield from _attention(path, config) if is_attention else _feed_forward(path, config)
        if config.norm_position == "post":
            yield from _norm(f"{path}_add_norm", config)
    if config.has_final_norm:
        yield from _norm(f"{stack}.final_norm", config)


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
