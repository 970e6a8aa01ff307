"""Attention by hand: two or three tokens and matrices of small numbers, every stage computed while somebody types."""

from explorer.view import LEARN, Contents, Subject, View
from explorer.views.by_hand import panel, sheet

VIEW = View(
    key="attention-by-hand",
    title="Attention by hand",
    place=LEARN,
    line="one head, with numbers that you type",
    lead="Type small numbers and follow attention from the vectors X to the output.",
    page="pages/learn/by_hand.py",
    parts={"view": "by_hand"},
    subject=Subject(("by_hand",)),
    contents=Contents(document=sheet.document, explanation=panel.explained_number),
)
