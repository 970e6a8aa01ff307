"""One update, taken apart down to each gradient."""

from explorer.view import Contents, Subject, View
from explorer.views.update import panel, sheet

VIEW = View(
    key="one-update",
    title="One update",
    place="Train",
    line="the gradients of one batch",
    lead="Training repeats this step: a batch, a loss, its gradient, a small change.",
    page="pages/training/one_update.py",
    subject=Subject(("update",)),
    contents=Contents(document=sheet.document, explanation=panel.shown_update),
)
