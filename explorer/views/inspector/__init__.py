"""The tensor inspector: every recorded value and every parameter."""

from explorer.view import INSPECTOR, SENTENCE_PARTS, Contents, View


def _load() -> Contents:
    from explorer.views.inspector import sheet

    return Contents(sheet=sheet.blocks)


VIEW = View(
    key=INSPECTOR,
    title="Tensor inspector",
    section="Tools",
    page="pages/model/tensors.py",
    parts={
        **SENTENCE_PARTS,
        "view": "tensors",
        "statistics": "tensor_statistics",
        "histogram": "tensor_histogram",
    },
    load=_load,
)
