"""Decoding: one token at a time, forwards and backwards, and in branches."""

from explorer.view import SENTENCE_PARTS, Contents, View
from explorer.views.decoding import sheet, words

STEP_BY_STEP = View(
    key="step-by-step",
    title="Step by step",
    place="Decode",
    line="one token at a time, with every candidate",
    lead="The decoder writes one token at a time; force another and compare the branches.",
    page="pages/generation/step_by_step.py",
    parts={**SENTENCE_PARTS, "view": "step_by_step", "vary": "vary_token", "cost": "cost"},
    contents=Contents(words, sheet=sheet.blocks),
)
