"""Tokens and embeddings: text becomes ids, ids become vectors."""

from explorer.tensors import Side
from explorer.view import SENTENCE_PARTS, Contents, Subject, View
from explorer.visitor.state import ExplorerState
from explorer.visitor.sublayers import chosen_side

SOURCE_STAGES = ("source-rows", "source-scaled", "source-sum")
TARGET_STAGES = ("target-rows", "target-scaled", "target-sum")
"""Keys of the stages of what the decoder reads; so of the source above."""


def open_side(state: ExplorerState) -> Side:
    """Whose tokens the open stage is about, or else the chosen stack reads; the source's where neither is chosen."""
    if state.look.stage in (*SOURCE_STAGES, *TARGET_STAGES):
        return "target" if state.look.stage in TARGET_STAGES else "source"
    return chosen_side(state) if state.look.block else "source"


def _load() -> Contents:
    from explorer.views.embedding import data, sheet, words

    return Contents(words, data.tokens_view, sheet.blocks)


VIEW = View(
    key="tokens",
    title="Tokens and embeddings",
    section="Model",
    page="pages/model/tokens.py",
    parts={
        **SENTENCE_PARTS,
        "cuts": "token_view",
        "view": "tokens",
        "geometry": "geometry",
        "sharing": "sharing",
    },
    subject=Subject(("ids", "embedding"), but=("positions",)),
    is_block=True,
    row_side=open_side,
    load=_load,
)
