"""What a visitor has written down for an attention by hand, and how the next number or answer changes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from explorer.visitor.declared import choice
from explorer.visitor.forms import FLAG, Form, Unusable, pairs, text_of
from explorer.visitor.scope import Scope

MOST = 9
"""The largest number that is written down, and with a minus the smallest: what people multiply in their heads."""
MOST_TOKENS, MOST_WIDTH, LEAST = 3, 4, 2
"""Tokens and widths that there can be."""
MAX_TOKEN = 16
"""Letters of a token's name."""

Given = Literal["x", "w_q", "w_k", "w_v"]
Computed = Literal["q", "k", "v", "products", "scores", "weights", "context"]
GIVEN: tuple[Given, ...] = get_args(Given)
"""What is written down, in the order of the page."""
COMPUTED: tuple[Computed, ...] = get_args(Computed)
"""What can be left blank for somebody to compute, in the order of the computation."""
Flat = tuple[int, ...]

_DIGITS = "0123456789"
_BELOW = "abcdefghi"
_ANSWER = r"[-+−]?[0-9]{1,7}([.,][0-9]{0,8})?|[-+−]?[.,][0-9]{1,8}"
_CELL = rf"({'|'.join(COMPUTED)})-([0-{MOST_TOKENS - 1}])-([0-{MOST_WIDTH - 1}])"
_MOST_ANSWERS = 80


def _digits(count: int) -> Form[Flat]:
    """So many numbers from −9 to 9, a letter each: a to i are −1 to −9."""

    def read(text: str, scope: Scope) -> Flat:
        if len(text) != count or not set(text) <= set(_DIGITS + _BELOW):
            raise Unusable(
                "The link's numbers cannot be read; those of the first example stand in their place."
            )
        return tuple(
            _DIGITS.index(letter) if letter in _DIGITS else -1 - _BELOW.index(letter) for letter in text
        )

    return Form(read, lambda flat: "".join(_DIGITS[n] if n >= 0 else _BELOW[-1 - n] for n in flat))


def _read_size(text: str, scope: Scope) -> tuple[int, int, int]:
    if not re.fullmatch(r"[0-9]x[0-9]x[0-9]", text):
        raise Unusable()
    size = (int(text[0]), int(text[2]), int(text[4]))
    if not all(
        LEAST <= n <= most for n, most in zip(size, (MOST_TOKENS, MOST_WIDTH, MOST_WIDTH), strict=True)
    ):
        raise Unusable(
            "The link's sizes are not among those of this page: 2 or 3 tokens, and widths from 2 to 4."
        )
    return size


def _read_tokens(text: str, scope: Scope) -> tuple[str, ...]:
    names = tuple(text.split(";"))
    if len(names) > MOST_TOKENS or any(token_name(name) != name or not name for name in names):
        raise Unusable()
    return names


def _read_blanks(text: str, scope: Scope) -> tuple[Computed, ...]:
    named = text.split("-")
    if not set(named) <= set(COMPUTED):
        raise Unusable()
    return tuple(name for name in COMPUTED if name in named)


def _flat(*rows: str) -> Flat:
    return tuple(int(digit) for row in rows for digit in row)


@dataclass(frozen=True)
class ByHand:
    """What is written down. Every number that a page of other sizes had is kept, so no choice of sizes loses one.

    Attributes:
        size: Tokens, d_model and d_k.
        tokens: Their names.
        x: MOST_TOKENS rows of MOST_WIDTH numbers, one after the other, of which the page has its sizes.
        w_q: MOST_WIDTH rows of as many, likewise the others.
        w_k: Of the keys.
        w_v: Of the values.
        causal: Whether a token looks only at itself and what stands before it.
        scaled: Whether scores are divided by √d_k.
        blanks: What somebody computes by hand.
        answers: What they have filled in, by the cell, such as ``q-0-1``.
    """

    size: tuple[int, int, int] = choice(
        (3, 4, 4), link="hand_size", form=Form(_read_size, lambda size: "x".join(map(str, size)))
    )
    tokens: tuple[str, ...] = choice(
        ("I", "love", "transformers"), link="hand_tokens", form=Form(_read_tokens, ";".join)
    )
    x: Flat = choice(_flat("0122", "1001", "2220"), link="hand_x", form=_digits(MOST_TOKENS * MOST_WIDTH))
    w_q: Flat = choice(_flat("1000", "0000", "0010", "0000"), link="hand_q", form=_digits(MOST_WIDTH**2))
    w_k: Flat = choice(_flat("0000", "0010", "1000", "0000"), link="hand_k", form=_digits(MOST_WIDTH**2))
    w_v: Flat = choice(_flat("1101", "0010", "1010", "0230"), link="hand_v", form=_digits(MOST_WIDTH**2))
    causal: bool = choice(False, link="hand_causal", form=FLAG)
    scaled: bool = choice(True, link="hand_scaled", form=FLAG)
    blanks: tuple[Computed, ...] = choice((), link="hand_blank", form=Form(_read_blanks, "-".join))
    answers: tuple[tuple[str, str], ...] = choice(
        (), link="hand_answers", form=pairs(text_of(_CELL), text_of(_ANSWER), _MOST_ANSWERS)
    )

    @property
    def n_tokens(self) -> int:
        """How many tokens there are."""
        return self.size[0]

    @property
    def names(self) -> tuple[str, ...]:
        """What each of them is called."""
        rest = tuple(f"token {place + 1}" for place in range(len(self.tokens), self.n_tokens))
        return (*self.tokens, *rest)[: self.n_tokens]

    def shape(self, name: Given) -> tuple[int, int]:
        """Rows and columns of one of the matrices that are written down."""
        n_tokens, d_model, d_k = self.size
        return (n_tokens, d_model) if name == "x" else (d_model, d_k)

    def matrix(self, name: Given) -> tuple[tuple[int, ...], ...]:
        """The numbers of one of them, row by row."""
        flat, (rows, columns) = getattr(self, name), self.shape(name)
        return tuple(flat[row * MOST_WIDTH :][:columns] for row in range(rows))


def with_number(hand: ByHand, name: Given, row: int, column: int, value: int) -> ByHand:
    """Another number at a place of a matrix."""
    flat = list(getattr(hand, name))
    flat[row * MOST_WIDTH + column] = value
    changed: dict[str, Flat] = {name: tuple(flat)}
    return replace(hand, **changed)  # type: ignore[arg-type]


def with_token(hand: ByHand, place: int, text: str) -> ByHand:
    """Another name of a token; an empty one changes nothing."""
    name = token_name(text)
    if not name:
        return hand
    # The names of places that are not there now are kept as well.
    names = [*hand.names, *hand.tokens[hand.n_tokens :]]
    names[place] = name
    return replace(hand, tokens=tuple(names))


def with_answer(hand: ByHand, cell: str, text: str) -> ByHand:
    """Another answer in a blank cell; an empty one takes it back, and what is no number changes nothing."""
    held = dict(hand.answers)
    if not text.strip():
        held.pop(cell, None)
    elif is_answer(text):
        held[cell] = text.strip()
    return replace(hand, answers=tuple(held.items())[-_MOST_ANSWERS:])


def with_blanks(hand: ByHand, blanks: tuple[Computed, ...]) -> ByHand:
    """Other blanks; the answers of what is no longer blank are forgotten."""
    kept = tuple(name for name in COMPUTED if name in blanks)
    answers = tuple((cell, text) for cell, text in hand.answers if cell.split("-")[0] in kept)
    return replace(hand, blanks=kept, answers=answers)


def is_answer(text: str) -> bool:
    """Whether a text is a number that somebody may answer with."""
    return re.fullmatch(_ANSWER, text.strip()) is not None


def answer_value(text: str) -> float:
    """The number that an answer says, with a point or a comma, and any sign for minus."""
    return float(text.strip().replace("−", "-").replace(",", "."))


def number_of(text: str) -> int | None:
    """The whole number from −9 to 9 that a text says; None where it says none."""
    found = re.fullmatch(r"([-−+]?)([0-9])", text.strip())
    if not found:
        return None
    return -int(found[2]) if found[1] in ("-", "−") else int(found[2])


def token_name(text: str) -> str:
    """What a text is as the name of a token: one line without what a link needs for itself."""
    plain = "".join(letter for letter in text if letter.isprintable() and letter != ";")
    return " ".join(plain.split())[:MAX_TOKEN].strip()
