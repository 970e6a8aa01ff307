"""Lessons: all of this in small steps, with questions."""

from explorer.view import LEARN, View, never

VIEW = View(
    key="lessons",
    title="Lessons",
    place=LEARN,
    line="questions first, then the model’s answer",
    lead="A lesson walks through views of the live model and asks before it tells.",
    page="pages/learn/lessons.py",
    explains=False,
    prints=never,
)
