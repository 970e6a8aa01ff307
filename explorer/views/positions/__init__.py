"""Positions: a vector for each place, added to the token's."""

from explorer.view import SENTENCE_PARTS, STOP, Contents, Subject, View
from explorer.views.positions import data, sheet, words

VIEW = View(
    key="positions",
    title="Positions",
    place="Watch",
    line="sine waves that say where a token stands",
    lead="Attention does not know where a token stands, so each position adds a vector of its own.",
    page="pages/model/positions.py",
    parts={
        **SENTENCE_PARTS,
        "controls": "position_controls",
        "view": STOP,
        "waves": "waves",
        "products": "products",
        "kinds": "kinds",
    },
    subject=Subject(("embedding",), only=("positions",)),
    is_block=True,
    row_side=lambda _: "source",
    contents=Contents(words, data.chosen_view, sheet.blocks),
)
