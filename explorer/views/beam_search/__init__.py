"""Beam search: several hypotheses at a time, as a tree."""

from explorer.view import SENTENCE_PARTS, Contents, View
from explorer.views.beam_search import sheet, words

VIEW = View(
    key="beams",
    title="Beam search",
    place="Decode",
    line="keep several beginnings",
    lead="Beam search keeps several hypotheses, extends each, and keeps the best.",
    page="pages/generation/beam_search.py",
    parts={**SENTENCE_PARTS, "controls": "beam_settings", "verdict": "beam_verdict", "view": "beam_view"},
    forks=False,
    contents=Contents(words, sheet=sheet.blocks),
)
