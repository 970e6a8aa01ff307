"""The catalogue: every value of a model that can be recorded, with its axes and its meaning."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.config import TransformerConfig


@dataclass(frozen=True)
class Site:
    """One recordable value.

    Attributes:
        name: Module path and value, such as ``decoder.layers.1.cross_attn.weights``.
        axes: The name of each axis, outermost first.
        meaning: One sentence.
        derived_from: Sites of which this one is a function; empty for a value on a tap, which can be edited.
    """

    name: str
    axes: tuple[str, ...]
    meaning: str
    derived_from: tuple[str, ...] = ()

    @property
    def editable(self) -> bool:
        """Whether `edit` can change the value on its way."""
        return not self.derived_from

    @property
    def value(self) -> str:
        """The last part of the name: which value of its module this is."""
        return self.name.rpartition(".")[2]


MODEL = ("batch", "position", "d_model")
HIDDEN = ("batch", "position", "d_ff")
PER_POSITION = ("batch", "position")
QUERIES = ("batch", "head", "query", "d_head")
KEYS = ("batch", "head", "key", "d_head")
PAIRS = ("batch", "head", "query", "key")


def sites(config: TransformerConfig) -> tuple[Site, ...]:
    """All sites of a model with this configuration, in the order of the computation."""
    return (
        *_embedding("src_embed", config),
        *_stack("encoder", config),
        *_embedding("tgt_embed", config),
        *_stack("decoder", config),
        Site("generator.logits", ("batch", "position", "vocab"), "Score of every token as the next one."),
        Site(
            "generator.log_probs",
            ("batch", "position", "vocab"),
            "Log-probability of every token as the next one: log softmax of the logits.",
            ("generator.logits",),
        ),
    )


def _embedding(path: str, config: TransformerConfig) -> Iterator[Site]:
    yield Site(f"{path}.tokens", MODEL, "The token's row of the embedding table, times √d_model.")
    if config.positional != "none":
        yield Site(f"{path}.positions", MODEL, "The vector of the position.")
    yield Site(f"{path}.output", MODEL, "Token and position added: what the first layer reads.")


def _stack(stack: str, config: TransformerConfig) -> Iterator[Site]:
    """The layers of one side; `stream` is the site that holds the residual stream so far."""
    stream = f"{'src' if stack == 'encoder' else 'tgt'}_embed.output"
    n_layers = config.n_encoder_layers if stack == "encoder" else config.n_decoder_layers
    sublayers = (
        ("self_attn", "feed_forward") if stack == "encoder" else ("self_attn", "cross_attn", "feed_forward")
    )
    for index in range(n_layers):
        for sublayer in sublayers:
            path = f"{stack}.layers.{index}.{sublayer}"
            if config.norm_position == "pre":
                yield from _norm(f"{path}_norm", stream)
            yield from _feed_forward(path) if sublayer == "feed_forward" else _attention(path)
            if config.norm_position == "pre":
                stream = f"{path}_add.output"
                yield Site(stream, MODEL, "The residual stream with the sub-layer's output added.")
            else:
                summed = f"{path}_add_norm.sum"
                yield Site(summed, MODEL, "The sub-layer's input plus its output, before the norm.")
                yield from _norm(f"{path}_add_norm", summed)
                stream = f"{path}_add_norm.output"
    if config.has_final_norm:
        yield from _norm(f"{stack}.final_norm", stream)
    purpose = (
        "the memory that every decoder layer reads" if stack == "encoder" else "what the generator reads"
    )
    yield Site(f"{stack}.output", MODEL, f"The {stack}'s output: {purpose}.")


def _norm(path: str, operand: str) -> Iterator[Site]:
    yield Site(f"{path}.mean", PER_POSITION, "μ of the vector, over d_model.", (operand,))
    yield Site(f"{path}.variance", PER_POSITION, "σ² of the vector, over d_model, biased.", (operand,))
    yield Site(f"{path}.normalized", MODEL, "(x - μ)/√(σ² + ε), before γ and β.", (operand,))
    yield Site(f"{path}.output", MODEL, "γ times the normalised vector plus β.")


def _attention(path: str) -> Iterator[Site]:
    yield Site(f"{path}.q", QUERIES, "Queries: what each position asks for.")
    yield Site(f"{path}.k", KEYS, "Keys: what each position offers to be found by.")
    yield Site(f"{path}.v", KEYS, "Values: what each position hands over when it is attended to.")
    yield Site(f"{path}.scores", PAIRS, "q·k/√d_head of every query with every key, before the mask.")
    yield Site(f"{path}.mask", ("batch", "query", "key"), "True where a query may look.")
    yield Site(
        f"{path}.masked_scores",
        PAIRS,
        "The scores with -inf where a query may not look.",
        (f"{path}.scores", f"{path}.mask"),
    )
    yield Site(f"{path}.weights", PAIRS, "Softmax of the masked scores over the keys, before dropout.")
    yield Site(f"{path}.context", QUERIES, "The weighted sum of the values, head by head.")
    yield Site(f"{path}.output", ("batch", "query", "d_model"), "The heads joined, times W_O.")


def _feed_forward(path: str) -> Iterator[Site]:
    yield Site(f"{path}.pre_activation", HIDDEN, "x·W₁ + b₁, before the non-linearity.")
    yield Site(f"{path}.hidden", HIDDEN, "The hidden units, after the non-linearity.")
    yield Site(f"{path}.output", MODEL, "The hidden units times W₂ plus b₂.")
