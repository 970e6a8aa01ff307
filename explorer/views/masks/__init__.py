"""Masks: who may look at whom."""

from explorer.view import SENTENCE_PARTS, STOP, Contents, Subject, View
from explorer.views.masks import data, sheet, words

VIEW = View(
    key="masks",
    title="Masks",
    place="Watch",
    line="who may read whom",
    lead="Nobody may look at padding, and the decoder hides what comes later; switch either mask off to see "
    "why.",
    page="pages/model/masks.py",
    parts={
        **SENTENCE_PARTS,
        "controls": "masks_head",
        "findings": "masks_findings",
        "view": STOP,
        "batch": "masked_batch",
    },
    subject=Subject(("attention",), stack="decoder", only=("mask", "masked_scores", "weights")),
    is_block=True,
    contents=Contents(words, data.first_view, sheet.blocks),
)
