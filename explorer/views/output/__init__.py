"""The output: logits, probabilities and the loss of every label."""

from explorer.view import SENTENCE_PARTS, Contents, Subject, View
from explorer.views.output import data, sheet, words

VIEW = View(
    key="output",
    title="Output",
    place="Watch",
    line="logits, softmax, next token",
    page="pages/model/output.py",
    parts={
        **SENTENCE_PARTS,
        "view": "output",
        "last-row": "last_row",
        "loss": "loss",
        "smoothing": "smoothed_target",
    },
    subject=Subject(("generator", "hypothesis")),
    is_block=True,
    contents=Contents(words, data.output_view, sheet.blocks),
)
