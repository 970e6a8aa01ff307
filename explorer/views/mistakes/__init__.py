"""Mistakes: every held-out pair of a run, what the model wrote for it, and what its mistakes have in common."""

from explorer.view import MISTAKES_PAGE, View, never

VIEW = View(
    key="mistakes",
    title="Mistakes",
    place="Change",
    line="pairs that the model gets wrong",
    lead="Every held-out pair: what it should be, what the model wrote, and where they part; a click opens "
    "it there.",
    page=MISTAKES_PAGE,
    parts={"view": "mistakes_place"},
    explains=False,
    prints=never,
)
