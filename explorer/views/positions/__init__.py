"""Positions: a vector for each place, added to the token's."""

from core.activations.location import Location
from explorer.view import SENTENCE_PARTS, Contents, View, Words


def _owns(where: Location) -> bool:
    return where.kind == "embedding" and where.value == "positions"


def _load() -> Contents:
    from explorer.views.positions import data, sheet, words

    return Contents(
        Words(words.IDEA, words.numbers, words.formula, words.functions), data.first_view, sheet.blocks
    )


VIEW = View(
    key="positions",
    title="Positions",
    section="Model",
    page="pages/model/positions.py",
    parts={
        **SENTENCE_PARTS,
        "controls": "position_controls",
        "view": "positions",
        "waves": "waves",
        "products": "products",
        "kinds": "kinds",
    },
    owns=_owns,
    is_block=True,
    load=_load,
)
