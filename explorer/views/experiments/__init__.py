"""Experiments: one part is taken away, and the rest trained beside its control."""

from explorer.view import Contents, View


def _load() -> Contents:
    from explorer.views.experiments import sheet

    return Contents(document=sheet.document)


VIEW = View(
    key="experiments",
    title="Experiments",
    section="Training",
    page="pages/training/experiments.py",
    explains=False,
    load=_load,
)
