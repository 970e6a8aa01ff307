"""Experiments: one part is taken away, and the rest trained beside its control."""

from explorer.view import Contents, View
from explorer.views.experiments import sheet

VIEW = View(
    key="experiments",
    title="Experiments",
    place="Train",
    line="the same model with and without a part",
    lead="Each takes one part away and trains beside a control; predict what happens.",
    page="pages/training/experiments.py",
    explains=False,
    contents=Contents(document=sheet.document),
)
