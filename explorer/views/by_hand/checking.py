"""What is said of an answer: that it is right, or the row of terms that leads to the number."""

from __future__ import annotations

from core.explanation.explain import explain_by_hand
from explorer.views.by_hand.answers import SLACK, is_right, shown
from explorer.views.by_hand.data import Computed, asked, label_of
from explorer.visitor.by_hand import COMPUTED

ROUNDING = (
    f"Whole numbers are exact; of the others an answer is right within {SLACK}, or 1 % of a larger number, so two "
    "decimals are enough."
)
FIRST = f"Fill in the dashed cells. {ROUNDING}"


def remark(found: Computed, checked: str) -> str:
    """The sentence about the answer that was given last, or about what there is to do.

    Args:
        found: The computation.
        checked: The cell of that answer, such as ``q-0-1``; empty where none was given.
    """
    answers, blank = dict(found.hand.answers), [name for name in COMPUTED if name in asked(found.hand)]
    name, row, column = place_of(checked)
    text = answers.get(checked, "")
    if name not in blank or not text or not found.is_known(name):
        return FIRST
    left = sum(len(found.open_cells(each)) for each in blank)
    label = label_of(found.hand, name, row, column)
    number = float(found.values(name)[row, column])
    terms = terms_of(found, name, row, column)
    if not is_right(name, number, text):
        return f"{label} is not {text}. It comes from {terms}. Work it out once more."
    rest = f"{left} to go." if left else "That was the last one: all of it is right."
    return f"Right: {label} is {terms} = {shown(number)}. {rest}"


def place_of(cell: str) -> tuple[str, int, int]:
    """The matrix, row and column of a cell as answers name it."""
    name, _, rest = cell.partition("-")
    row, _, column = rest.partition("-")
    return name, int(row or 0), int(column or 0)


def terms_of(found: Computed, name: str, row: int, column: int) -> str:
    """What a number is made of, as somebody would write it down who computes it."""
    if name == "scores":
        return f"{shown(float(found.values('products')[row, column]))} ÷ √{found.hand.size[2]}"
    if name == "weights":
        exps = [float(value) for value in found.values("exps")[row]]
        return f"{shown(exps[column])} ÷ ({' + '.join(map(shown, exps))})"
    explanation = explain_by_hand(found.trace, f"by_hand.{name}", (0, 0, row, column))
    return " + ".join(
        " · ".join(bracketed(operand.value) for operand in term.operands) for term in explanation.terms
    )


def bracketed(value: float) -> str:
    """A number as a factor."""
    return f"({shown(value)})" if value < 0 else shown(value)
