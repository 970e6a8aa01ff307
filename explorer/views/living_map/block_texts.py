"""What each block of the map is called and what it does, in one or two sentences."""

from collections.abc import Callable

from core.activations.location import Location
from core.config import TransformerConfig
from core.numbers import counted

_ACTIVATIONS = {"relu": "a ReLU", "gelu": "a GELU", "silu": "a SiLU"}


def block_title(where: Location) -> str:
    """A block's name for the visitor."""
    side = "Source" if where.stack == "encoder" else "Target"
    return {"embedding": f"{side} embedding", "generator": "Output"}.get(where.kind, where.title)


def block_note(where: Location, config: TransformerConfig) -> str:
    """A few words beside the title."""
    if where.kind == "feed_forward":
        return f"{config.d_model} → {config.d_ff} → {config.d_model}"
    if config.tie_embeddings and where.kind == "generator":
        return "tied to the embedding"
    return (
        "shared" if config.tie_embeddings and where.kind == "embedding" and where.stack == "decoder" else ""
    )


def block_text(where: Location, config: TransformerConfig) -> str:
    """One or two sentences on what it does."""
    texts: dict[str, Callable[[Location, TransformerConfig], str]] = {
        "attention": _attention_text,
        "feed_forward": _feed_forward_text,
        "embedding": _embedding_text,
        "generator": _generator_text,
        "add": lambda where, config: "The sub-layer’s output is added to what went in: the residual stream.",
    }
    if where.kind in texts:
        return texts[where.kind](where, config)
    if not where.joins:
        return "Each vector is normalised to mean 0 and variance 1, then times γ plus β."
    return (
        "What went into the sub-layer is added to what came out. Each vector is then normalised to mean 0 and "
        "variance 1, times γ plus β."
    )


def _attention_text(where: Location, config: TransformerConfig) -> str:
    heads = f"{counted(config.n_heads, 'head')} of size {config.d_head}"
    if where.crosses:
        return f"Each output position asks the encoder’s memory, in {heads}."
    if not where.causal:
        return f"Each source position gathers what it needs from all positions, in {heads}."
    later = "Later ones are masked." if config.causal else "Nothing is masked in this model."
    return f"Each position gathers from itself and the positions before it, in {heads}. {later}"


def _feed_forward_text(where: Location, config: TransformerConfig) -> str:
    return (
        f"Two linear maps with {_ACTIVATIONS[config.activation]} between them, at every position alike: "
        f"{config.d_model} numbers become {config.d_ff} and {config.d_model} again."
    )


def _embedding_text(where: Location, config: TransformerConfig) -> str:
    row = f"Each token picks its row of the table, times √{config.d_model}."
    positions = {
        "sinusoidal": " A vector of sines and cosines says where it stands; nothing in that is learned.",
        "learned": " A learned vector says where it stands.",
        "none": " Nothing says where it stands.",
    }
    shared = (
        " It is the source embedding’s own table."
        if config.tie_embeddings and where.stack == "decoder"
        else ""
    )
    return row + positions[config.positional] + shared


def _generator_text(where: Location, config: TransformerConfig) -> str:
    own = " Its matrix is the embedding’s table, so it adds no parameters." if config.tie_embeddings else ""
    return (
        f"One score for each of the {config.tgt_vocab_size:,} tokens, the logit; the softmax makes probabilities "
        f"of them that sum to 1.{own}"
    )
