"""One update, taken apart down to each gradient."""

from explorer.view import Contents, Subject, View


def _load() -> Contents:
    from explorer.views.update import panel, sheet

    return Contents(document=sheet.document, explanation=panel.shown_update)


VIEW = View(
    key="one-update",
    title="One update",
    section="Training",
    page="pages/training/one_update.py",
    subject=Subject(("update",)),
    own_explanation=True,
    load=_load,
)
