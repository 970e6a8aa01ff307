"""Sentences in pieces: plain words, numbers, and tokens in the colour of their side."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Side = Literal["", "number", "source", "target"]


@dataclass(frozen=True)
class Piece:
    """A part of a sentence: plain words, a number, or a token of the source or the target side."""

    text: str
    kind: Side = ""


def number(text: str) -> Piece:
    """A number in a sentence."""
    return Piece(text, "number")


def text_of(pieces: Iterable[Piece]) -> str:
    """A sentence as plain text."""
    return "".join(piece.text for piece in pieces)
