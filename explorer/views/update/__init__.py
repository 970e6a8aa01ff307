"""One update, taken apart down to each gradient."""

from core.activations.location import Location
from explorer.view import Contents, View


def _owns(where: Location) -> bool:
    return where.kind == "update"


def _load() -> Contents:
    from explorer.views.update import panel, sheet

    return Contents(document=sheet.document, explanation=panel.shown_update)


VIEW = View(
    key="one-update",
    title="One update",
    section="Training",
    page="pages/training/one_update.py",
    owns=_owns,
    load=_load,
)
