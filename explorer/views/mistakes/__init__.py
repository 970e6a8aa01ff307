"""Mistakes: every held-out pair of a run, what the model wrote for it, and what its mistakes have in common."""

from explorer.view import MISTAKES_PAGE, View, never

VIEW = View(
    key="mistakes",
    title="Mistakes",
    place="Change",
    line="pairs that the model gets wrong",
    lead="Every held-out pair: the right answer, what was written, where they part.",
    page=MISTAKES_PAGE,
    parts={"view": "mistakes_place"},
    explains=False,
    prints=never,
)
