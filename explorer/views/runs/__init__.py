"""All runs: compared, renamed, downloaded and taken up."""

from explorer.view import Contents, View
from explorer.views.runs import sheet

VIEW = View(
    key="runs",
    title="Runs",
    place="Train",
    line="every model that you trained",
    lead="Every model here; look inside one, or compare how several learned.",
    page="pages/training/runs.py",
    explains=False,
    contents=Contents(sheet=sheet.blocks),
)
