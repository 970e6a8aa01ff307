"""Experiments: one part is taken away, and the rest trained beside its control."""

from explorer.view import Contents, View
from explorer.views.experiments import sheet

VIEW = View(
    key="experiments",
    title="Experiments",
    section="Training",
    page="pages/training/experiments.py",
    explains=False,
    contents=Contents(document=sheet.document),
)
