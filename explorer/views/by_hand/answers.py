"""Answers that somebody fills in: whether each is right, and the terms that lead to it where it is not."""

from __future__ import annotations

from explorer.visitor.by_hand import answer_value, is_answer

WHOLE = ("q", "k", "v", "products")
"""What is made of whole numbers alone; an answer there is exact."""
SLACK, SHARE = 0.01, 0.01
"""How far another answer may be off: by so much, or by that share of the number, whichever is more."""


def is_right(name: str, value: float, text: str) -> bool:
    """Whether an answer is the number, within rounding.

    Args:
        name: Of the matrix.
        value: The number.
        text: As it was filled in.
    """
    if not text or not is_answer(text):
        return False
    slack = 1e-6 if name in WHOLE else max(SLACK, SHARE * abs(value)) + 1e-9
    return abs(answer_value(text) - value) <= slack


def shown(value: float) -> str:
    """A number as people write it: whole, or with up to three decimals."""
    return f"{value:.0f}".replace("-", "−") if value == round(value) else f"{value:.3f}".replace("-", "−")
