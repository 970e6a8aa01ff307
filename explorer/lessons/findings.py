"""What a fact turned out to be: the value for comparing, the words for showing, the place for clicking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import ExplorerError
from core.numbers import is_whole
from explorer.lessons.lesson import Value
from explorer.look.pieces import Piece, Side, number, text_of
from explorer.look.theme import format_count, format_log_prob, format_probability, format_signed
from explorer.look.token_text import twin_place
from explorer.tensors import Axis

_MINUS = "\N{MINUS SIGN}"


class FactError(ExplorerError, ValueError):
    """A question that this run cannot answer; the sentence says why, the caller says where it was asked."""


@dataclass(frozen=True)
class Finding:
    """The answer of the recorded run to a fact.

    Attributes:
        value: A token or other text, a number, or whether something is so.
        pieces: The same as it is shown.
        axes: Of what was searched; empty where nothing was.
        place: Where on these axes it was found.
    """

    value: Value
    pieces: tuple[Piece, ...]
    axes: tuple[Axis, ...] = ()
    place: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The finding's text as it is shown, without colours."""
        return text_of(self.pieces)


def counted(value: int) -> Finding:
    """A finding that is a whole number, with its thousands apart."""
    return Finding(float(value), (number(format_count(value)),))


def words(text: str, side: Side = "") -> Finding:
    """A token or another text."""
    return Finding(text, (Piece(text, side),))


def phrase(text: str) -> Finding:
    """An output: its words as tokens of the target side, with plain spaces between them."""
    pieces = [piece for word in text.split(" ") for piece in (Piece(" "), Piece(word, "target"))]
    return Finding(text, tuple(pieces[1:]))


def measured(value: float, form: str, decimals: object = None) -> Finding:
    """A number in the form of its kind.

    Args:
        value: The number.
        form: The last part of its site's name, or ``probability``, ``log_prob`` or ``count``.
        decimals: How many are shown; None for the form's own.

    Raises:
        FactError: when there can be no such number of decimals.
    """
    if decimals is not None:
        if not is_whole(decimals, 0, 6):
            raise FactError("'decimals' is a whole number from 0 to 6.")
        return Finding(value, (number(_fixed(value, decimals)),))
    if form == "count" or (form == "mask" and value == int(value)):
        return Finding(value, (number(format_count(int(value))),))
    forms: dict[str, Callable[[], str]] = {
        "weights": lambda: f"{value:.4f}",
        "probability": lambda: format_probability(value),
        "log_prob": lambda: format_log_prob(value),
        "log_probs": lambda: format_log_prob(value),
        "ratio": lambda: _fixed(value, 2),
    }
    shown = forms.get(form, lambda: format_signed(value))
    return Finding(value, (number(shown().replace("-", _MINUS)),))


def _fixed(value: float, decimals: int) -> str:
    """With so many decimals; what they round to 0 has no sign."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", _MINUS)


def found_at(axes: Sequence[Axis], place: tuple[int, ...]) -> Finding:
    """A place, by the labels of its axes."""
    text: list[str] = []
    pieces: list[Piece] = []
    for axis, at in zip(axes, place, strict=True):
        text.append(label(axis, at))
        pieces += [Piece(", "), Piece(text[-1], axis.side or "number")]
        if axis.labels and (twin := twin_place(axis.labels, at)):
            pieces.append(Piece(twin))
    return Finding(",".join(text), tuple(pieces[1:]), tuple(axes), place)


def label(axis: Axis, place: int) -> str:
    """What a place of an axis is called: a token, or its number."""
    return axis.labels[place] if axis.labels else str(place)


def filled(text: str, findings: Mapping[str, Finding]) -> tuple[Piece, ...]:
    """A text of a lesson with what was found in place of the names in braces."""
    pieces: list[Piece] = []
    for part in text.split("{"):
        name, closing, rest = part.partition("}")
        if closing:
            pieces += [*findings[name].pieces, Piece(rest)]
        else:
            pieces.append(Piece(part))
    return tuple(piece for piece in pieces if piece.text)
