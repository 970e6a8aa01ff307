"""The lines of core/ that compute a block, read from the source that runs."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

import core
from core.activations.trace import trace
from core.config import TransformerConfig
from core.decoding import autoregressive, beam, sampling
from core.model import attention, masks, positional_encoding
from core.model.add_norm import Add, AddNorm, LayerNorm
from core.model.decoder import Decoder, PostNormDecoderLayer, PreNormDecoderLayer
from core.model.embedding import Embedding
from core.model.encoder import PostNormEncoderLayer, PreNormEncoderLayer
from core.model.feed_forward import FeedForward
from core.model.generator import Generator
from core.model.transformer import Transformer

ROOT = Path(core.__file__).resolve().parent.parent
"""The project's folder."""


@dataclass(frozen=True)
class Source:
    """A function or method of the project.

    Attributes:
        name: With its class.
        path: Of its file, from the project's folder.
        first: Its first line in the file, from 1; and so is last.
        text: Its lines, indented as if it stood alone.
    """

    name: str
    path: str
    first: int
    last: int
    text: str


def sources_of(block: str, config: TransformerConfig) -> tuple[Source, ...]:
    """What a model with this configuration runs for a block or a page, in the order of the computation."""
    return tuple(map(read_source, functions_of(block, config)))


def functions_of(block: str, config: TransformerConfig) -> tuple[Callable, ...]:
    """The functions and methods themselves."""
    post = config.norm_position == "post"
    decoder_layer = PostNormDecoderLayer if post else PreNormDecoderLayer
    encoder_layer = PostNormEncoderLayer if post else PreNormEncoderLayer
    table: dict[str, tuple[Callable, ...]] = {
        "tokens": (Embedding.forward,),
        "positions": _positions(config),
        "self-attention": (attention.SelfAttention.forward, *_heads(hides=False)),
        "masked-self-attention": (attention.SelfAttention.forward, *_heads(hides=config.causal)),
        "cross-attention": (attention.CrossAttention.forward, *_heads(hides=False)),
        "masks": (
            masks.padding_mask,
            *((masks.causal_mask,) if config.causal else ()),
            masks.combine_masks,
            *((attention.masked_softmax,) if config.causal else ()),
        ),
        "add-norm": (AddNorm.forward, LayerNorm.forward) if post else (LayerNorm.forward, Add.forward),
        "feed-forward": (FeedForward.forward,),
        "output": (Generator.forward,),
        "map": (
            Transformer.forward,
            Transformer.encode,
            Transformer.decode,
            encoder_layer.forward,
            decoder_layer.forward,
        ),
        "step-by-step": (
            autoregressive.decode_steps,
            autoregressive._Decoding.advance,
            autoregressive._Decoding._choose,
        ),
        "sampling-lab": (sampling.sampling_pipeline, sampling._softmax),
        "beams": (
            beam._BeamSearch.advance,
            beam._BeamSearch.expand,
            beam._SourceSearch.prune,
            beam.length_penalty,
        ),
        "home": (autoregressive._Decoding.advance, autoregressive._Decoding._choose, trace, Decoder.forward),
    }
    return table[block]


def _heads(*, hides: bool) -> tuple[Callable, ...]:
    """The steps that all three attentions share; the softmax with a mask only where something is hidden."""
    shared = attention.MultiHeadAttention
    masked = (attention.masked_softmax,) if hides else ()
    return (shared.split_heads, shared.attend, shared._attend_eager, *masked)


def _positions(config: TransformerConfig) -> tuple[Callable, ...]:
    if config.positional == "none":
        return (Embedding.forward,)
    if config.positional == "learned":
        return (positional_encoding.LearnedPositionalEncoding.forward, Embedding.forward)
    return (
        positional_encoding.sinusoidal_table,
        positional_encoding.SinusoidalPositionalEncoding.forward,
        Embedding.forward,
    )


def read_source(function: Callable) -> Source:
    """The lines of a function or method of the project."""
    plain = inspect.unwrap(function)
    assert isinstance(plain, FunctionType)
    lines, first = inspect.getsourcelines(plain)
    path = Path(inspect.getfile(plain)).resolve().relative_to(ROOT)
    text = textwrap.dedent("".join(lines)).rstrip("\n")
    return Source(plain.__qualname__, path.as_posix(), first, first + len(lines) - 1, text)
