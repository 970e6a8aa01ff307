"""The terms of an explanation as the panel shows them: places, tokens, operands and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from core.activations.location import locate
from core.config import TransformerConfig
from core.explanation.evaluation import operand_of
from core.explanation.explanation import Explanation
from core.explanation.formula import Negative, Product, Sum, walk
from core.explanation.operand import Operand, Term
from core.explanation.origin import origin
from explorer.browser.explain_panel import LARGEST, MAX_SENT, Column, ShownNumber, ShownTerm, Words
from explorer.explaining.names import column_of, entry_of, name_of, role_of, tokens_at
from explorer.explaining.text import plain, symbol_text
from explorer.look.numbers import brief, exact
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace

_PARTS = {
    "above": "numerator",
    "below": "denominator",
    "the same number": "copied from",
    "row times scale": "row × scale",
    "the key is not padding": "key is a token",
    "the key is not later": "key is not later",
}

Place: TypeAlias = tuple[str, tuple[int, ...]]
LeadsTo: TypeAlias = Callable[[str, tuple[int, ...]], Place]


def _itself(site: str, index: tuple[int, ...]) -> Place:
    return site, index


def value_name(explanation: Explanation) -> str:
    """What the column of values is called; empty where a term is its one operand."""
    formula, bound = explanation.formula, explanation.bound
    sums = [part for part in walk(formula.right) if isinstance(part, Sum)] if formula else []
    for summand in (part.summand for part in sums if operand_of(part.summand, bound) is None):
        if not isinstance(summand, Product) or isinstance(summand.factors[0], Negative):
            return plain(summand)
    return "product" if any(len(term.operands) > 1 for term in explanation.terms) else ""


def columns_of(explanation: Explanation, recorded: Recorded) -> tuple[Column, ...]:
    """One for each operand of a term, named after the token that all terms have in common there."""
    fullest = max(explanation.terms, key=lambda term: len(term.operands))
    full = [term for term in explanation.terms if len(term.operands) == len(fullest.operands)]
    columns = []
    for place, operand in enumerate(fullest.operands):
        cells = [term.operands[place] for term in full]
        columns.append(column_of(operand.symbol, operand.site, _common_token(cells, recorded)))
    return tuple(columns)


def _common_token(operands: Sequence[Operand], recorded: Recorded) -> Words | None:
    first, last = operands[0], operands[-1]
    if not first.site or locate(first.site).kind in ("generator", "hypothesis") or first.site != last.site:
        return None
    here, there = (tokens_at(CellPlace(o.site, o.index), recorded) for o in (first, last))
    places = _token_places(first, recorded)
    common = [
        token
        for axis, token in here.items()
        if there.get(axis) == token and first.index[places[axis]] == last.index[places[axis]]
    ]
    return common[0] if common else None


def _token_places(operand: Operand, recorded: Recorded) -> dict[str, int]:
    """Which number of the index each axis of tokens is."""
    entry = entry_of(operand.site, recorded)
    if entry is None:
        return {"vocab": 0, "position": len(operand.index) - 1}
    return {name: place for place, name in enumerate(entry.axes)}


def shown_terms(explanation: Explanation, recorded: Recorded) -> tuple[ShownTerm, ...]:
    """All terms, or of very many the largest, in their own order."""
    places = [_place(term, explanation, recorded.run.config) for term in explanation.terms]
    leads_to = partial(origin, recorded.run, recorded.trace)
    return arranged_terms(explanation, places, _row_tokens(explanation, recorded), leads_to)


def arranged_terms(
    explanation: Explanation,
    places: Sequence[str],
    tokens: Sequence[Words],
    leads_to: LeadsTo = _itself,
) -> tuple[ShownTerm, ...]:
    """All terms, or of very many the largest, in their own order.

    Args:
        explanation: Whose terms they are.
        places: What tells each term from the others.
        tokens: The token that stands at each; without a text where none does.
        leads_to: Of an operand's place the one that is explained in its stead.
    """
    terms = explanation.terms
    if not terms:
        return ()
    sizes = [abs(term.value) for term in terms]
    by_size = sorted(range(len(terms)), key=lambda i: -sizes[i])
    rank = {i: place for place, i in enumerate(by_size)}
    largest = sizes[by_size[0]]
    own = _own_place(explanation)
    kept = [i for i in range(len(terms)) if rank[i] < MAX_SENT or i == own]
    return tuple(
        ShownTerm(
            place=places[i],
            token=tokens[i],
            numbers=tuple(shown_number(each, leads_to) for each in terms[i].operands),
            value=_term_text(terms[i]),
            exact=exact(terms[i].value),
            share=_share(terms[i].value, largest),
            rank=rank[i],
            own=i == own,
        )
        for i in kept
    )


def _place(term: Term, explanation: Explanation, config: TransformerConfig) -> str:
    if explanation.counted and term.place is not None:
        return str(term.place)
    label = term.label
    return _PARTS.get(label) or (name_of(label, config) if "." in label else label)


def _share(value: float, largest: float) -> float:
    if not math.isfinite(value):
        return math.copysign(1.0, value) if value == value else 0.0
    return round(value / largest, 4) if largest and math.isfinite(largest) else 0.0


def _row_tokens(explanation: Explanation, recorded: Recorded) -> list[Words]:
    """The tokens that tell the terms from each other; for the numbers of joined heads their heads."""
    terms = explanation.terms
    axis = {"j": "key", "v": "vocab", "t": "step", "u": "head"}.get(explanation.counted)
    if axis is None:
        return [Words("")] * len(terms)
    operands = [term.operands[-1] for term in terms]
    if axis == "step":
        return [Words(token, "target") for token in recorded.outputs]
    if axis == "vocab":
        return [Words(token, "target") for token in recorded.run.tgt_tokenizer.vocabulary.tokens]
    if axis == "head":
        cells = [term.operands[0].index for term in terms if len(term.operands) > 1]
        heads = [Words(f"head {index[1]}, {index[3]}") for index in cells]
        return heads + [Words("")] * (len(terms) - len(heads))
    # Along the keys: both the weights and the values that they weigh name their keys.
    entry = entry_of(operands[0].site, recorded)
    if entry is None:
        return [Words("")] * len(terms)
    keys = next(each for each in recorded.axes(entry) if each.name == "key")
    return [Words(token, keys.side) for token in keys.labels]


def _is_whole(operand: Operand) -> bool:
    """Ids, yes and no, and whole constants are written without decimals."""
    counts = operand.site in ("src", "tgt_in", "") or locate(operand.site).value == "mask"
    return counts and operand.value == round(operand.value)


def _term_text(term: Term) -> str:
    whole = all(map(_is_whole, term.operands)) and term.value == round(term.value)
    return f"{term.value:.0f}" if whole else brief(term.value)


def shown_number(operand: Operand, leads_to: LeadsTo = _itself) -> ShownNumber:
    """An operand, with a link where it has a place."""
    place = (operand.site, operand.index)
    return ShownNumber(
        symbol_text(operand.symbol),
        f"{operand.value:.0f}" if _is_whole(operand) else brief(operand.value),
        exact(operand.value),
        role_of(operand.site) if operand.site else "",
        CellPlace(*leads_to(*place)) if operand.site else None,
        CellPlace(*place) if operand.site else None,
    )


def beyond_the_largest(explanation: Explanation) -> list[list[Term]]:
    """Return the terms that a panel shows as one sum, for each number of largest terms that it shows, from 0."""
    terms, own = explanation.terms, _own_place(explanation)
    by_size = sorted(range(len(terms)), key=lambda i: -abs(terms[i].value))
    return [[terms[i] for i in by_size[shown:] if i != own] for shown in range(LARGEST + 1)]


def _own_place(explanation: Explanation) -> int:
    """Which of the exponentials is this number's own; -1 where the terms are no exponentials."""
    exponentials = locate(explanation.site).value in ("weights", "log_probs", "prob")
    return explanation.index[-1] if exponentials else -1


def divisor_text(explanation: Explanation) -> str:
    """What the sum of the terms is divided by: ``÷ √16``."""
    divisor = explanation.divisor
    return "" if divisor is None else f"÷ {plain(divisor, explanation.bound)}"
