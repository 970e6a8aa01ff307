"""The feed-forward network: the same two matrices at every position."""

from explorer.view import SENTENCE_PARTS, STOP, Contents, Subject, View
from explorer.views.feed_forward import data, sheet, words
from explorer.visitor.sublayers import chosen_side

VIEW = View(
    key="feed-forward",
    title="Feed-forward",
    place="Watch",
    line="each token by itself, through its neurons",
    lead="Each position by itself goes through the same small network: wider, a non-linearity, and back.",
    page="pages/model/feed_forward.py",
    parts={
        **SENTENCE_PARTS,
        "view": STOP,
        "unit": "unit_story",
        "strongest": "strongest",
        "silent": "silent",
    },
    subject=Subject(("feed_forward",)),
    is_block=True,
    row_side=chosen_side,
    contents=Contents(words, data.feed_forward_view, sheet.blocks),
)
