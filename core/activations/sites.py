"""The catalogue: every value of a model that can be recorded, with its axes, its meaning and its operands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from core.activations.location import EMBEDDINGS, Location, Side, Stack, locate
from core.config import TransformerConfig
from core.notebook import html_table

Operation = Literal[
    "embed",
    "position",
    "add",
    "project_to_heads",
    "dot_product",
    "scaled_dot_product",
    "mask",
    "apply_mask",
    "exponential",
    "total",
    "softmax",
    "weighted_sum",
    "join_heads",
    "mean",
    "variance",
    "normalize",
    "scale_and_shift",
    "linear",
    "activation",
    "copy",
    "log_softmax",
    "given",
]
"""How a value comes from its inputs; `explain` has one function for each."""

DERIVED: frozenset[Operation] = frozenset(
    {"dot_product", "apply_mask", "exponential", "total", "mean", "variance", "normalize", "log_softmax"}
)
"""Operations whose results nothing reads in a forward pass: computed from recorded values on first look."""


@dataclass(frozen=True)
class Site:
    """One recordable value.

    Attributes:
        name: Module path and value, such as ``decoder.layers.1.cross_attn.weights``.
        axes: The name of each axis, outermost first.
        meaning: One sentence.
        operation: How it comes from its inputs.
        inputs: The sites, or ids (``src``, ``tgt_in``), that it is computed from.
    """

    name: str
    axes: tuple[str, ...]
    meaning: str
    operation: Operation
    inputs: tuple[str, ...]

    def __repr__(self) -> str:
        """The site by its name and axes."""
        return f"<Site {self.name} [{', '.join(self.axes)}]>"

    def _repr_html_(self) -> str:
        """The whole entry."""
        rows = [
            ("axes", " × ".join(self.axes)),
            ("operation", self.operation),
            ("inputs", ", ".join(self.inputs)),
        ]
        return html_table(f"{self.name}: {self.meaning}", rows)

    @property
    def derived(self) -> bool:
        """Whether it is computed on first look, from recorded inputs, rather than seen on a tap."""
        return self.operation in DERIVED

    @property
    def editable(self) -> bool:
        """Whether `edit` can change the value on its way."""
        return not self.derived

    @property
    def location(self) -> Location:
        """Where in the model it stands: its stack, layer, sub-layer and side."""
        return locate(self.name)

    @property
    def path(self) -> str:
        """The module that the value belongs to."""
        return self.location.path

    @property
    def value(self) -> str:
        """Which value of its module this is: ``weights``."""
        return self.location.value

    @property
    def rows_axis(self) -> int:
        """Which axis is the first of those that have one place for each token."""
        return next(place for place, axis in enumerate(self.axes) if axis in TOKEN_AXES)

    @property
    def rows_side(self) -> Side:
        """The side whose tokens that axis runs over."""
        return self.side(self.axes[self.rows_axis])

    def side(self, axis: str) -> Side:
        """The side whose tokens an axis of positions, queries or keys runs over."""
        return self.location.key_side if axis == "key" else self.location.side

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The sizes of its axes, from `axis_sizes`."""
        return tuple(sizes[self.side(axis) if axis in TOKEN_AXES else axis] for axis in self.axes)


TOKEN_AXES = frozenset({"position", "query", "key"})
"""Axes that have one place for each token of a side."""
MODEL = ("batch", "position", "d_model")
HIDDEN = ("batch", "position", "d_ff")
PER_POSITION = ("batch", "position")
QUERIES = ("batch", "head", "query", "d_head")
KEYS = ("batch", "head", "key", "d_head")
PAIRS = ("batch", "head", "query", "key")
VOCAB = ("batch", "position", "vocab")


class _Catalogue(tuple[Site, ...]):
    """Sites whose hash is computed once: they are looked up in every step of a decoding."""

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        return self._hash


@lru_cache(maxsize=64)
def sites(config: TransformerConfig) -> tuple[Site, ...]:
    """All sites of a model with this configuration, in the order of the computation."""
    return _Catalogue(_sites(config))


def _sites(config: TransformerConfig) -> tuple[Site, ...]:
    logits = "generator.logits"
    return (
        *_embedding("src_embed", "src", config),
        *_stack("encoder", config),
        *_embedding("tgt_embed", "tgt_in", config),
        *_stack("decoder", config),
        Site(logits, VOCAB, "Score of every token as the next one.", "linear", ("decoder.output",)),
        Site(
            "generator.log_probs",
            VOCAB,
            "Log-probability of every token as the next one: log softmax of the logits.",
            "log_softmax",
            (logits,),
        ),
    )


def sublayers(config: TransformerConfig, stack: Stack) -> tuple[str, ...]:
    """Paths of a stack's sub-layers in the order of the computation."""
    encoder = stack == "encoder"
    n_layers = config.n_encoder_layers if encoder else config.n_decoder_layers
    names = ("self_attn", "feed_forward") if encoder else ("self_attn", "cross_attn", "feed_forward")
    return tuple(f"{stack}.layers.{index}.{name}" for index in range(n_layers) for name in names)


def axis_sizes(config: TransformerConfig, *, batch: int, src_length: int, tgt_length: int) -> dict[str, int]:
    """The size of every axis that a site can have, for inputs of these lengths."""
    return {
        "batch": batch,
        "source": src_length,
        "target": tgt_length,
        "head": config.n_heads,
        "d_head": config.d_head,
        "d_model": config.d_model,
        "d_ff": config.d_ff,
        "vocab": config.tgt_vocab_size,
    }


def _embedding(path: str, ids: str, config: TransformerConfig) -> Iterator[Site]:
    tokens, positions = f"{path}.tokens", f"{path}.positions"
    yield Site(tokens, MODEL, "The token's row of the embedding table, times √d_model.", "embed", (ids,))
    summands: tuple[str, ...] = (tokens,)
    if config.positional != "none":
        yield Site(positions, MODEL, "The vector of the position.", "position", ())
        summands = (tokens, positions)
    yield Site(
        f"{path}.output", MODEL, "Token and position added: what the first layer reads.", "add", summands
    )


def _stack(stack: Stack, config: TransformerConfig) -> Iterator[Site]:
    """The layers of one side; `stream` is the site that holds the residual stream so far."""
    stream = f"{EMBEDDINGS[stack]}.output"
    pre = config.norm_position == "pre"
    for path in sublayers(config, stack):
        if pre:
            yield from _norm(f"{path}_norm", stream)
        x = f"{path}_norm.output" if pre else stream
        place = locate(path)
        memory = "encoder.output" if place.crosses else x
        yield from _attention(path, x, memory) if place.kind == "attention" else _feed_forward(path, x)
        summands = (stream, f"{path}.output")
        if pre:
            stream = f"{path}_add.output"
            meaning = "The residual stream with the sub-layer's output added."
            yield Site(stream, MODEL, meaning, "add", summands)
        else:
            summed, stream = f"{path}_add_norm.sum", f"{path}_add_norm.output"
            meaning = "The sub-layer's input plus its output, before the norm."
            yield Site(summed, MODEL, meaning, "add", summands)
            yield from _norm(f"{path}_add_norm", summed)
    if config.has_final_norm:
        yield from _norm(f"{stack}.final_norm", stream)
        stream = f"{stack}.final_norm.output"
    reader = "every decoder layer reads" if stack == "encoder" else "the generator reads"
    yield Site(f"{stack}.output", MODEL, f"The {stack}'s output: what {reader}.", "copy", (stream,))


def _norm(path: str, x: str) -> Iterator[Site]:
    mean, variance, normalized = f"{path}.mean", f"{path}.variance", f"{path}.normalized"
    yield Site(mean, PER_POSITION, "μ of the vector, over d_model.", "mean", (x,))
    yield Site(variance, PER_POSITION, "σ² of the vector, over d_model, biased.", "variance", (x,))
    yield Site(normalized, MODEL, "(x - μ)/√(σ² + ε), before γ and β.", "normalize", (x,))
    meaning = "γ times the normalised vector plus β."
    yield Site(f"{path}.output", MODEL, meaning, "scale_and_shift", (normalized,))


def _attention(path: str, x: str, memory: str) -> Iterator[Site]:
    q, k, v, scores, mask = (f"{path}.{value}" for value in ("q", "k", "v", "scores", "mask"))
    masked, weights, context = (f"{path}.{value}" for value in ("masked_scores", "weights", "context"))
    to_heads: Operation = "project_to_heads"
    yield Site(q, QUERIES, "Queries: what each position asks for.", to_heads, (x,))
    yield Site(k, KEYS, "Keys: what each position offers to be found by.", to_heads, (memory,))
    yield Site(v, KEYS, "Values: what each position hands over when attended to.", to_heads, (memory,))
    meaning = "q·k, the dot product of every query with every key, before it is scaled."
    yield Site(f"{path}.products", PAIRS, meaning, "dot_product", (q, k))
    meaning = "q·k/√d_k of every query with every key, before the mask."
    yield Site(scores, PAIRS, meaning, "scaled_dot_product", (q, k))
    yield Site(mask, ("batch", "query", "key"), "True where a query may look.", "mask", ())
    meaning = "The scores with -inf where a query may not look."
    yield Site(masked, PAIRS, meaning, "apply_mask", (scores, mask))
    meaning = "Softmax of the masked scores over the keys, before dropout."
    yield Site(weights, PAIRS, meaning, "softmax", (masked,))
    meaning = "The weighted sum of the values, head by head."
    yield Site(context, QUERIES, meaning, "weighted_sum", (weights, v))
    axes = ("batch", "query", "d_model")
    yield Site(f"{path}.output", axes, "The heads joined, times W_O.", "join_heads", (context,))


def _feed_forward(path: str, x: str) -> Iterator[Site]:
    before, hidden = f"{path}.pre_activation", f"{path}.hidden"
    yield Site(before, HIDDEN, "x W₁ + b₁, before the non-linearity.", "linear", (x,))
    yield Site(hidden, HIDDEN, "The hidden units, after the non-linearity.", "activation", (before,))
    yield Site(f"{path}.output", MODEL, "The hidden units times W₂ plus b₂.", "linear", (hidden,))
