"""Train: a model learns before one's eyes, and its training is looked back at."""

from explorer.view import Contents, View
from explorer.views.training import sheet
from explorer.visitor.state import ExplorerState


def _is_begun(state: ExplorerState) -> bool:
    # Before a training is begun there is nothing to print of it.
    return bool(state.training)


VIEW = View(
    key="train",
    title="Train",
    place="Train",
    line="watch a model learn",
    page="pages/training/train.py",
    parts={"form": "train_form"},
    explains=False,
    prints=_is_begun,
    contents=Contents(document=sheet.document),
)
