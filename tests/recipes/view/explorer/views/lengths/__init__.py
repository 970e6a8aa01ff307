"""Lengths: how long the vector of each source token is when it leaves the encoder."""

from explorer.views.lengths import sheet

from explorer.view import SENTENCE_PARTS, Contents, View

VIEW = View(
    key="lengths",
    title="Vector lengths",
    place="Watch",
    line="how long each vector is",
    lead="The encoder leaves one vector for each source token.",
    page="pages/model/lengths.py",
    parts={**SENTENCE_PARTS, "table": "lengths"},
    contents=Contents(sheet=sheet.blocks),
)
