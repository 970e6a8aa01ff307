"""The output: logits, probabilities and the loss of every label."""

from explorer.view import SENTENCE_PARTS, STOP, Contents, Subject, View
from explorer.views.output import data, sheet, words

VIEW = View(
    key="output",
    title="Output",
    place="Watch",
    line="logits, softmax, next token",
    lead="The output matrix gives every token a score, its logit, and the softmax makes probabilities of "
    "the logits.",
    page="pages/model/output.py",
    parts={
        **SENTENCE_PARTS,
        "view": STOP,
        "last-row": "last_row",
        "loss": "loss",
        "smoothing": "smoothed_target",
    },
    subject=Subject(("generator", "hypothesis")),
    is_block=True,
    contents=Contents(words, data.output_view, sheet.blocks),
)
