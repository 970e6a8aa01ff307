"""Lengths: how long the vector of each source token is when it leaves the encoder."""

from explorer.view import SENTENCE_PARTS, Contents, View


def _load() -> Contents:
    from explorer.views.lengths import sheet

    return Contents(sheet=sheet.blocks)


VIEW = View(
    key="lengths",
    title="Vector lengths",
    section="Model",
    page="pages/model/lengths.py",
    parts={**SENTENCE_PARTS, "table": "lengths"},
    load=_load,
)
