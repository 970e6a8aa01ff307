"""Sentences in pieces: plain words, numbers, and tokens in the colour of their side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    pass


Side = Literal["", "number", "source", "target"]


@dataclass(frozen=True)
class Piece:
    """A part of a sentence: plain words, a number, or a token of the source or the target side."""

    text: str
    kind: Side = ""


def number(text: str) -> Piece:
    """A number in a sentence."""
    return Piece(text, "number")
