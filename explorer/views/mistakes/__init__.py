"""Mistakes: every held-out pair of a run, what the model wrote for it, and what its mistakes have in common."""

from explorer.view import View, never

VIEW = View(
    key="mistakes",
    title="Mistakes",
    section="Training",
    page="pages/training/mistakes.py",
    parts={"view": "mistakes", "controls": "mistakes_progress"},
    explains=False,
    prints=never,
)
