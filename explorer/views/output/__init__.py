"""The output: logits, probabilities and the loss of every label."""

from core.activations.location import Location
from explorer.view import SENTENCE_PARTS, Contents, View, Words


def _owns(where: Location) -> bool:
    return where.kind in ("generator", "hypothesis")


def _load() -> Contents:
    from explorer.views.output import data, sheet, words

    return Contents(
        Words(words.IDEA, words.numbers, words.formula, words.functions), data.output_view, sheet.blocks
    )


VIEW = View(
    key="output",
    title="Output",
    section="Model",
    page="pages/model/output.py",
    parts={
        **SENTENCE_PARTS,
        "controls": "step_choice",
        "view": "output",
        "last-row": "last_row",
        "loss": "loss",
        "smoothing": "smoothed_target",
    },
    owns=_owns,
    is_block=True,
    load=_load,
)
