"""All runs: compared, renamed, downloaded and taken up."""

from explorer.view import Contents, View


def _load() -> Contents:
    from explorer.views.runs import sheet

    return Contents(sheet=sheet.blocks)


VIEW = View(
    key="runs",
    title="Runs",
    section="Training",
    page="pages/training/runs.py",
    explains=False,
    load=_load,
)
