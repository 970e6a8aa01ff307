"""A lesson's own part of its column: its keys, the light on what a stop speaks of, and the line that leads there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_json

_component = KeptView(__file__, "lesson", pack_json)


@dataclass(frozen=True)
class LitRow:
    """A row of recorded or learned numbers that is in the light.

    Attributes:
        site: Whose row.
        index: Of its first number; None on an axis that is averaged.
        size: How many numbers it has.
        columns: Which of them are framed.
    """

    site: str
    index: tuple[int | None, ...]
    size: int
    columns: tuple[int, ...] = ()


def lesson_light(
    *,
    stop: str,
    lesson: str,
    part: str,
    rows: Sequence[LitRow],
    said: str,
    line: str,
    key: str,
) -> None:
    """Listen to the keys, draw the line that names them, and light what a stop speaks of.

    Args:
        stop: Names the stop; where it is another one, what it speaks of is brought into view.
        lesson: Its name, for those who do not see the column.
        part: Key of the container or view that the stop is about; empty for none.
        rows: What is lit in it; none for the whole part.
        said: What was said to the last answer, for those who do not see it.
        line: Which keys there are.
        key: Of the component in the session.
    """
    message = {"stop": stop, "lesson": lesson, "part": part, "rows": rows, "said": said, "line": line}
    _component(message, key=key)
