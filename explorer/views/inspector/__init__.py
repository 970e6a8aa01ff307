"""The tensor inspector: every recorded value and every parameter."""

from explorer.view import INSPECTOR, SENTENCE_PARTS, Contents, View
from explorer.views.inspector import sheet

VIEW = View(
    key=INSPECTOR,
    title="Tensor inspector",
    place="Watch",
    line="every number, as a table",
    lead="Every number, computed or learned.",
    page="pages/model/tensors.py",
    parts={
        **SENTENCE_PARTS,
        "view": "tensors",
        "statistics": "tensor_statistics",
        "histogram": "tensor_histogram",
    },
    contents=Contents(sheet=sheet.blocks),
)
