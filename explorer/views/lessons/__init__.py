"""Lessons: all of this in small steps, with questions."""

from explorer.view import LEARN, View, never

VIEW = View(
    key="lessons",
    title="Lessons",
    place=LEARN,
    line="questions first, then the model’s answer",
    page="pages/learn/lessons.py",
    explains=False,
    prints=never,
)
