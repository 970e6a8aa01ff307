"""“Explain this number” for a number that is computed by hand."""

from __future__ import annotations

from dataclasses import replace

from core.activations.location import locate
from core.explanation.explain import explain_by_hand
from core.explanation.explanation import Explanation
from core.explanation.operand import Operand
from explorer.browser.explain_panel import Column, ExplanationData, Role, Words
from explorer.explaining.panel_data import printed, problem_data
from explorer.explaining.terms import arranged_terms
from explorer.explaining.text import symbol_text
from explorer.look.theme import format_signed
from explorer.tensors import CellPlace
from explorer.views.by_hand.data import TITLES, Computed, computed, view_of
from explorer.visitor.by_hand import ByHand
from explorer.visitor.state import ExplorerState

_ROLES: dict[str, Role] = {"q": "q", "k": "k", "v": "v"}
_OF_PAIRS = ("products", "scores", "masked_scores", "exps", "weights", "mask")


def explained_number(state: ExplorerState) -> ExplanationData:
    """What the panel shows of the last number of a visitor's way, be it that it is not there.

    Raises:
        ExplorerError: when there is no such number.
    """
    cell, found = state.look.trail[-1], computed(state.by_hand)
    if not _is_shown(found, cell):
        return problem_data("This number is still to be computed by hand.", state.look.trail, None)
    explanation = explain_by_hand(found.trace, cell.site, cell.index)
    return _data(explanation, found.hand, state)


def _is_shown(found: Computed, cell: CellPlace) -> bool:
    """Whether nobody is to compute it first."""
    name = locate(cell.site).value
    if name not in view_of(found).tensors:
        return True
    is_open = tuple(cell.index[-2:]) in found.open_cells(name)
    return found.is_known(name) and not is_open


def _data(explanation: Explanation, hand: ByHand, state: ExplorerState) -> ExplanationData:
    trail, name = state.look.trail, locate(explanation.site).value
    by_keys = explanation.counted == "j"
    places = [
        str(term.place + 1) if explanation.counted and term.place is not None else term.label
        for term in explanation.terms
    ]
    tokens = [
        Words(hand.names[place], "source") if by_keys else Words("")
        for place in range(len(explanation.terms))
    ]
    terms = arranged_terms(explanation, places, tokens)
    names = [_noun(cell.site) for cell in trail]
    return replace(
        printed(explanation, terms, trail, f"by-hand/{hash(hand)}", names, format_signed),
        words=_words(name, explanation.index, hand),
        shape="×".join(map(str, view_of(computed(hand)).tensors[name].values.shape)),
        note=_note(explanation, name),
        layout=("terms" if explanation.counted else "parts") if terms else "none",
        letter=explanation.counted,
        columns=_columns(explanation, hand) if explanation.counted else (),
        code=_code(explanation, hand),
    )


def _noun(site: str) -> str:
    name = locate(site).value
    return {"q": "query", "k": "key", "v": "value"}.get(name) or TITLES.get(name, name)


def _words(name: str, index: tuple[int, ...], hand: ByHand) -> tuple[Words, ...]:
    """What the number is, with its tokens."""
    if name in _OF_PAIRS:
        query, key = (Words(hand.names[place], "source") for place in index[-2:])
        if name == "weights":
            return query, Words(" reads "), key, Words(" with this weight.")
        if name == "mask":
            return Words("May "), query, Words(" look at "), key, Words("?")
        if name == "exps":
            return Words("e to the power of the score of "), query, Words(" and "), key, Words(".")
        meets = (Words("The "), Words("query", "q"), Words(" of "), query, Words(" meets the "))
        return *meets, Words("key", "k"), Words(" of "), key, Words(".")
    if name == "total":
        return Words("The sum of the row of "), Words(hand.names[index[-1]], "source"), Words(".")
    if name in ("w_q", "w_k", "w_v"):
        # The model keeps a row for each output.
        return (Words(f"{TITLES[name]} row {index[1] + 1} column {index[0] + 1}."),)
    row, column = index[-2:]
    what = Words(_noun(f"by_hand.{name}").lower() if name != "x" else "vector", _ROLES.get(name, ""))
    return (
        Words("The "),
        what,
        Words(" of "),
        Words(hand.names[row], "source"),
        Words(f", place {column + 1}."),
    )


def _note(explanation: Explanation, name: str) -> str:
    if not explanation.terms:
        return explanation.meaning
    if explanation.kind == "masked":
        return "The key stands later than the query, so its score is replaced by −∞ and its weight will be 0."
    if name == "masked_scores":
        return "The query may look there, so the score stays as it is."
    if name == "weights":
        return "The largest score of the row is subtracted from each first; that changes only the rounding."
    return ""


def _columns(explanation: Explanation, hand: ByHand) -> tuple[Column, ...]:
    """One for each operand of a term: its letter, and the token or the matrix that all of them belong to."""
    return tuple(_column(operand, hand) for operand in explanation.terms[0].operands)


def _column(operand: Operand, hand: ByHand) -> Column:
    name = locate(operand.site).value
    # The numbers of a row of X, Q or K belong to its token; along the other axis the rows of the table are named.
    under = hand.names[operand.index[-2]] if name in ("x", "q", "k") else TITLES[name] if "w_" in name else ""
    return Column(symbol_text(operand.symbol), under, _ROLES.get(name, ""))


def _code(explanation: Explanation, hand: ByHand) -> str:
    """Python that prints the number."""
    if explanation.site not in {f"by_hand.{name}" for name in TITLES if not name.startswith(("x", "w_"))}:
        return ""
    given = ",\n    ".join(
        str([list(row) for row in hand.matrix(name)]) for name in ("x", "w_q", "w_k", "w_v")
    )
    place = ", ".join(map(str, explanation.index))
    return (
        "from core.model.by_hand import attend_by_hand\n\n"
        f"found = attend_by_hand(\n    {given},\n    causal={hand.causal},\n    scaled={hand.scaled},\n)\n"
        f'print(found.activations["{explanation.site}"][{place}].item())\n'
    )
