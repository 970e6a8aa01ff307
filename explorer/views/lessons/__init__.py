"""Lessons: all of this in small steps, with questions."""

from explorer.view import LEARN, View, never

VIEW = View(
    key="lessons",
    title="Lessons",
    section=LEARN,
    page="pages/learn/lessons.py",
    explains=False,
    prints=never,
)
