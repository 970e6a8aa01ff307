"""Rows of recorded numbers cut out of their picture: large before an audience, or a whole matrix as a thumbnail."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_json

Scale = Literal["weight", "signed"]

_component = KeptView(__file__, "cut", pack_json)


@dataclass(frozen=True)
class CutRow:
    """A row that is drawn large.

    Attributes:
        title: What is recorded there.
        name: Whose row it is.
        side: Whose token that is; empty where it is none.
        labels: Of its numbers.
        label_side: Whose tokens these are.
        values: None for each that is not to be seen yet.
        texts: The same as they are written.
        framed: Places of those that are framed.
        scale: How values become colours.
    """

    title: str
    name: str
    side: str
    labels: tuple[str, ...]
    label_side: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    framed: tuple[int, ...]
    scale: Scale


def cut(rows: Sequence[CutRow], *, said: str, key: str) -> None:
    """Draw rows as large as the place allows.

    Args:
        rows: From above.
        said: The same in words.
        key: Of the component in the session.
    """
    sent = [{**vars(row), "values": [_in_json(value) for value in row.values]} for row in rows]
    _component({"rows": sent, "said": said}, key=key)


def thumbnail(values: np.ndarray, row: int, *, scale: Scale, said: str, key: str) -> None:
    """Draw a small matrix with one of its rows framed.

    Args:
        values: Its numbers.
        row: Which is framed.
        scale: How values become colours.
        said: What it shows, in words.
        key: Of the component in the session.
    """
    lines = [[_in_json(value) for value in line] for line in np.round(values.astype(float), 4).tolist()]
    small = {"values": lines, "row": row, "scale": scale}
    _component({"small": small, "said": said}, key=key)


def _in_json(value: float | None) -> float | str | None:
    """A number as JSON has it: one that is not finite, as behind a mask, is the word that JavaScript has for it."""
    if value is None or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
