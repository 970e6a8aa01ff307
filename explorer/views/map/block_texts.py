"""What each block of the map is called and what it does, in one or two sentences."""

from core.activations.location import locate
from core.config import TransformerConfig
from explorer.views.map.component.data import Kind


def block_title(block: str, kind: Kind, config: TransformerConfig) -> str:
    """A block's name for the visitor."""
    where = locate(block)
    encoder = where.stack == "encoder"
    titles: dict[Kind, str] = {
        "tokens": "Source tokens" if encoder else "Tokens so far",
        "embedding": f"Embedding × √{config.d_model}",
        "positions": "Positions",
        "sum": "Sum of token and position",
        "value": "Memory" if encoder else "Decoder output",
        "linear": "Linear",
        "softmax": "Softmax",
        "token": "Next token",
    }
    return titles.get(kind, where.title)


def block_note(block: str, kind: Kind, config: TransformerConfig) -> str:
    """A few words beside the title."""
    if kind == "feed-forward":
        return f"{config.d_model}→{config.d_ff}→{config.d_model}"
    if config.tie_embeddings and kind == "linear":
        return "tied to the embedding"
    return "shared" if config.tie_embeddings and block == "tgt_embed" else ""


def block_text(block: str, kind: Kind, config: TransformerConfig) -> str:
    """One or two sentences on what it does."""
    if kind == "attention":
        return _attention_text(block, config)
    where = locate(block)
    encoder = where.stack == "encoder"
    shared = " It is the source embedding's own table." if config.tie_embeddings and not encoder else ""
    texts: dict[Kind, str] = {
        "tokens": "The source as token ids, with the end token. The encoder reads all of them at once."
        if encoder
        else "What the decoder reads at this step: the start mark, then every token that it has produced.",
        "embedding": f"Each token picks its row of the table, times √{config.d_model}.{shared}",
        "positions": "A learned vector for each position."
        if config.positional == "learned"
        else "A vector of sines and cosines for each position. Nothing in it is learned.",
        "sum": "Token and position, added: what the first layer reads.",
        "norm": "Each vector is normalised to mean 0 and variance 1, then times γ plus β.",
        "add": "What went into the sub-layer is added to what came out. Each vector is then normalised to "
        "mean 0 and variance 1, times γ plus β."
        if where.normalizes
        else "The sub-layer’s output is added to what went in: the residual stream.",
        "feed-forward": f"Two linear maps with {_ACTIVATIONS[config.activation]} between them, "
        f"{config.d_model}→{config.d_ff}→{config.d_model}, at every position alike.",
        "value": "The encoder’s output, computed once for the sentence. Every cross-attention makes its keys and "
        "values from it."
        if encoder
        else "The decoder’s output: one vector for each position, from which the next token is read.",
        "linear": f"One score for each of the {config.tgt_vocab_size:,} tokens, the logit."
        + (
            " Its matrix is the embedding’s table, so it adds no parameters." if config.tie_embeddings else ""
        ),
        "softmax": "Turns the scores into probabilities that sum to 1. Recorded is their logarithm.",
        "token": "The token that comes out at this step. At the next step the decoder reads it, too.",
    }
    return texts[kind]


_ACTIVATIONS = {"relu": "a ReLU", "gelu": "a GELU", "silu": "a SiLU"}


def _attention_text(block: str, config: TransformerConfig) -> str:
    heads = f"{config.n_heads} head{'' if config.n_heads == 1 else 's'} of size {config.d_head}"
    where = locate(block)
    if where.crosses:
        return f"Each output position asks the encoder’s memory, in {heads}."
    if not where.causal:
        return f"Each source position gathers what it needs from all positions, in {heads}."
    later = "Later ones are masked." if config.causal else "Nothing is masked in this model."
    return f"Each position gathers from itself and the positions before it, in {heads}. {later}"
