"""Add & norm: a sub-layer's output is added to its input, and each vector is normalised."""

from explorer.view import SENTENCE_PARTS, STOP, Contents, Subject, View
from explorer.views.add_norm import data, sheet, words
from explorer.visitor.sublayers import chosen_side

VIEW = View(
    key="add-norm",
    title="Add & norm",
    place="Watch",
    line="sums that keep the lane, mean and spread",
    lead="A sub-layer adds to what went in; a norm then gives each token mean 0 and variance 1, then scales "
    "it by γ and shifts it by β.",
    page="pages/model/add_norm.py",
    parts={
        **SENTENCE_PARTS,
        "view": STOP,
        "statistics": "norm_statistics",
        "stream": "norm_stream",
        "untrained": "norm_untrained",
    },
    subject=Subject(("norm", "add", "add_norm", "final_norm", "stack")),
    is_block=True,
    row_side=chosen_side,
    contents=Contents(words, data.add_norm_view, sheet.blocks),
)
