"""The feed-forward network: the same two matrices at every position."""

from core.activations.location import Location
from explorer.view import SENTENCE_PARTS, Contents, View, Words


def _owns(where: Location) -> bool:
    return where.kind == "feed_forward"


def _load() -> Contents:
    from explorer.views.feed_forward import data, sheet, words

    return Contents(
        Words(words.IDEA, words.numbers, words.formula, words.functions), data.feed_forward_view, sheet.blocks
    )


VIEW = View(
    key="feed-forward",
    title="Feed-forward",
    section="Model",
    page="pages/model/feed_forward.py",
    parts={
        **SENTENCE_PARTS,
        "controls": "network_choice",
        "view": "feed_forward",
        "strongest": "strongest",
        "silent": "silent",
    },
    owns=_owns,
    is_block=True,
    load=_load,
)
