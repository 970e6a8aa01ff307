"""What one number of the model is called: in a breadcrumb, with its tokens, as a column of a table."""

from __future__ import annotations

from core.activations.location import locate
from core.activations.sites import Site
from core.config import TransformerConfig
from core.errors import ExplorerError
from core.explanation.formula import Expression, Symbol
from explorer.browser.explain_panel import Column, Role, Words
from explorer.explaining.text import symbol_text
from explorer.look.token_text import twin_place
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace

_NAMES = {
    "tokens": "embedding",
    "positions": "positional encoding",
    "q": "query",
    "k": "key",
    "v": "value",
    "products": "dot product",
    "scores": "score",
    "mask": "mask",
    "masked_scores": "masked score",
    "weights": "weight",
    "context": "context",
    "sum": "residual sum",
    "mean": "mean",
    "variance": "variance",
    "normalized": "normalised value",
    "pre_activation": "pre-activation",
    "hidden": "hidden unit",
    "logits": "logit",
    "log_probs": "log P",
}
_OUTPUTS = {
    "embedding": "embedded input",
    "attention": "attention output",
    "feed_forward": "feed-forward output",
    "add": "residual sum",
    "norm": "norm output",
    "add_norm": "norm output",
    "final_norm": "norm output",
}
_PARAMETERS = {
    "weight": "embedding entry",
    "positional.weight": "positional entry",
    "out_proj.weight": "W_O entry",
    "linear1.weight": "W₁ entry",
    "linear2.weight": "W₂ entry",
    "in_proj.weight": "W_Q, W_K, W_V entry",
    "in_proj.bias": "bias",
    "out_proj.bias": "bias",
    "linear1.bias": "bias",
    "linear2.bias": "bias",
    "w_q": "W_Q entry",
    "w_k": "W_K entry",
    "w_v": "W_V entry",
    "b_q": "bias",
    "b_k": "bias",
    "b_v": "bias",
}
_SCALES = {"weight": "γ", "bias": "β"}
"""What a norm has learned."""
_HYPOTHESIS = {
    "hypothesis.prob": "P",
    "hypothesis.token_loss": "token loss",
    "hypothesis.loss": "loss",
    "hypothesis.log_prob": "log P of the output",
    "hypothesis.score": "beam score",
}
_MAX_UNKNOWN = 24
"""Characters of a site that the model does not have, as a link may name one."""


def name_of(site: str, config: TransformerConfig) -> str:
    """A short noun: ``score``, ``W_Q entry``, ``token id``; of what nobody has named the end of its own name."""
    if is_own_generator(site, config):
        return "generator entry"
    if site in ("src", "tgt_in"):
        return "token id"
    if site in _HYPOTHESIS:
        return _HYPOTHESIS[site]
    where = locate(site)
    value = where.value
    if where.kind == "unknown":
        return value[:_MAX_UNKNOWN]
    if value == "output":
        return f"{where.stack} output" if where.kind == "stack" else _OUTPUTS[where.kind]
    if where.normalizes and value in _SCALES:
        return _SCALES[value]
    return _NAMES.get(value) or _PARAMETERS.get(value) or value


def is_own_generator(site: str, config: TransformerConfig) -> bool:
    """Whether a parameter is a matrix of the generator's own; a tied one is the table of the embeddings."""
    return site == "generator.weight" and not config.tie_embeddings


def crumb_of(cell: CellPlace, recorded: Recorded) -> str:
    """A number in the breadcrumb: its noun, for a probability with its token."""
    if cell.site in ("hypothesis.prob", "generator.log_probs") and len(cell.index) >= 2:
        tokens = recorded.run.tgt_tokenizer.vocabulary.tokens
        if cell.index[-1] < len(tokens):
            return f"{name_of(cell.site, recorded.run.config)}({tokens[cell.index[-1]]})"
    return name_of(cell.site, recorded.run.config)


def where_of(site: str, index: tuple[int, ...], entry: Site | None) -> str:
    """Stack, layer and head: ``decoder layer 1, head 2``; empty outside of the stacks."""
    where = locate(site)
    if where.layer is None:
        return ""
    head = f", head {index[1]}" if entry is not None and "head" in entry.axes else ""
    return f"{where.stack} layer {where.layer}{head}"


def entry_of(site: str, recorded: Recorded) -> Site | None:
    """The catalogue's entry of a recorded site; None for parameters, ids and what concerns the whole output."""
    try:
        return recorded.trace.activations.site(site)
    except ExplorerError:
        return None


def twins_at(cell: CellPlace, recorded: Recorded) -> dict[str, tuple[Words, ...]]:
    """Return the place of each token of `tokens_at`, in words; none for a token whose text stands once."""
    site, index = cell.site, cell.index
    if site in ("src", "tgt_in"):
        read = {"position": (recorded.source if site == "src" else recorded.inputs, index[1])}
    elif (entry := entry_of(site, recorded)) is None:
        return {}
    else:
        axes = zip(recorded.axes(entry), index[1:], strict=True)
        read = {axis.name: (axis.labels, at) for axis, at in axes if axis.labels and axis.name != "vocab"}
    found = {name: twin_place(tokens, at) for name, (tokens, at) in read.items()}
    return {name: (Words(twin),) if twin else () for name, twin in found.items()}


def tokens_at(cell: CellPlace, recorded: Recorded) -> dict[str, Words]:
    """The tokens that a cell's index stands for, by the names of the axes."""
    site, index = cell.site, cell.index
    vocabulary = recorded.run.tgt_tokenizer.vocabulary.tokens
    if site == "src":
        return {"position": Words(recorded.source[index[1]], "source")}
    if site == "tgt_in":
        return {"position": Words(recorded.inputs[index[1]], "target")}
    if site == "hypothesis.prob":
        return {"vocab": Words(vocabulary[index[1]], "target")}
    if site == "hypothesis.token_loss":
        return {"position": Words(recorded.outputs[index[0]], "target")}
    if site == "src_embed.weight":
        return {"vocab": Words(recorded.run.src_tokenizer.vocabulary.token(index[0]), "source")}
    if site in ("tgt_embed.weight", "generator.weight"):
        return {"vocab": Words(vocabulary[index[0]], "target")}
    entry = entry_of(site, recorded)
    if entry is None:
        return {}
    return {
        axis.name: Words(axis.labels[place], axis.side)
        for axis, place in zip(recorded.axes(entry), index[1:], strict=True)
        if axis.labels
    }


def role_of(site: str) -> Role:
    """Whose colour a number has: of queries, keys, values, or of its side; none for learned ones."""
    where = locate(site)
    letters: dict[str, Role] = {"q": "q", "k": "k", "v": "v"}
    if where.kind == "attention" and where.value in letters:
        return letters[where.value]
    recorded = where.value in _NAMES or where.value == "output" or where.kind == "ids"
    return where.side if recorded else ""


def column_of(symbol: Expression, site: str, token: Words | None) -> Column:
    """The head of an operand's column: its letter, and under it the token that all of them belong to."""
    under = token.text if token else symbol.mark if isinstance(symbol, Symbol) else ""
    return Column(symbol_text(symbol), under, role_of(site) if site else "")
