"""What if: the running model with something in it changed, beside what it is as it was trained."""

from explorer.view import SENTENCE_PARTS, WHAT_IF, Contents, View
from explorer.views.what_if import sheet, words

VIEW = View(
    key=WHAT_IF,
    title="What if",
    place="Change",
    line="switch off, borrow, edit",
    lead="Change one thing inside the running model, and see what it writes then.",
    page="pages/generation/what_if.py",
    parts={**SENTENCE_PARTS, "view": "what_if"},
    forks=False,
    row_side=lambda state: "source" if state.look.attention == "encoder" else "target",
    contents=Contents(words, sheet=sheet.blocks),
)
