"""From an explanation of core to what the panel “Explain this number” shows of it; pure, and without Streamlit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from core.activations.location import locate
from core.explanation.explanation import Explanation
from core.explanation.origin import origin
from core.model.parameters import find_parameter
from explorer.browser.explain_panel import MAX_CRUMBS, Crumb, ExplanationData, ShownTerm, Use, Words
from explorer.explaining.changed import changes_words
from explorer.explaining.latex import letters, numbers
from explorer.explaining.names import crumb_of, entry_of, name_of, where_of
from explorer.explaining.sentence import sentence_of
from explorer.explaining.terms import (
    beyond_the_largest,
    columns_of,
    divisor_text,
    shown_number,
    shown_terms,
    value_name,
)
from explorer.look.numbers import brief, exact, value_text
from explorer.look.theme import format_probability, format_signed
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace
from explorer.view import Registry


def printed(
    explanation: Explanation,
    terms: tuple[ShownTerm, ...],
    trail: Sequence[CellPlace],
    key: str,
    names: Sequence[str],
    value: Callable[[float], str],
) -> ExplanationData:
    """What the panel shows of any number, whether of a run or of an update; words, columns and links are still to come.

    Args:
        explanation: Of the last cell of the trail.
        terms: Its terms as they are shown.
        trail: The way to the number.
        key: Names what it is a number of.
        names: Of the numbers on the way.
        value: Writes a number of this kind.
    """
    index = f"[{', '.join(map(str, explanation.index))}]" if explanation.index else ""
    return ExplanationData(
        key=f"{key}|{_address(trail)}",
        crumbs=shortened(names),
        value=value(explanation.recorded),
        exact=exact(explanation.recorded),
        site=explanation.site,
        index=index,
        formula=letters(explanation.formula),
        numbers=numbers(explanation),
        value_name=value_name(explanation),
        terms=terms,
        n_terms=len(explanation.terms),
        rests=tuple(
            (len(beyond), brief(math.fsum(term.value for term in beyond)))
            for beyond in beyond_the_largest(explanation)
        ),
        total="" if explanation.total is None else brief(explanation.total),
        factor=divisor_text(explanation),
        result=value(explanation.result),
        recorded=exact(explanation.recorded),
        difference=format_signed(abs(explanation.difference)) if explanation.difference else "",
        agrees=explanation.agrees,
    )


def explanation_data(
    explanation: Explanation,
    recorded: Recorded,
    trail: Sequence[CellPlace],
    *,
    views: Registry,
    code: str = "",
) -> ExplanationData:
    """What the panel shows of one number.

    Args:
        explanation: Of the last cell of the trail.
        recorded: What it was computed with.
        trail: The way to the number.
        views: All of them, for the page where a number is shown.
        code: Python that prints the number; empty for none.
    """
    cell = CellPlace(explanation.site, explanation.index)
    entry = entry_of(cell.site, recorded)
    operation = entry.operation if entry else cell.site
    terms = shown_terms(explanation, recorded)
    columns = bool(terms) and (bool(explanation.counted) or operation == "add")
    view = views.showing(locate(cell.site))
    names = [crumb_of(each, recorded) for each in trail]
    return replace(
        printed(explanation, terms, trail, recorded.key, names, partial(value_text, cell.site)),
        words=_ended(sentence_of(cell, recorded)),
        shape=_shape(cell, recorded),
        note=" ".join(
            filter(None, (_note(explanation, operation, recorded), _passed_on(cell, trail, recorded)))
        ),
        layout=("terms" if columns else "parts") if terms else "none",
        letter=explanation.counted,
        columns=columns_of(explanation, recorded) if columns else (),
        selected_by=shown_number(explanation.selected_by) if explanation.selected_by else None,
        used_by=_uses(explanation, recorded, views),
        page=view.key if view else "",
        page_title=view.title if view else "",
        code=code,
    )


def _ended(sentence: tuple[Words, ...]) -> tuple[Words, ...]:
    return sentence if sentence[-1].text.endswith("?") else (*sentence, Words("."))


def problem_data(problem: str, trail: Sequence[CellPlace], recorded: Recorded | None) -> ExplanationData:
    """The panel in place of a number that is not there: one sentence, the way back, and a way to close."""
    names = [] if recorded is None else [crumb_of(cell, recorded) for cell in trail]
    key = "" if recorded is None else recorded.key
    return ExplanationData(f"{key}|{_address(trail)}", shortened(names), problem)


def shortened(names: Sequence[str]) -> tuple[Crumb, ...]:
    """The numbers of a way by their names, the middle of a long one left out."""
    crumbs = [Crumb(name, place) for place, name in enumerate(names)]
    if len(crumbs) <= MAX_CRUMBS:
        return tuple(crumbs)
    return (*crumbs[:2], Crumb("…", None), *crumbs[2 - MAX_CRUMBS :])


def _address(trail: Sequence[CellPlace]) -> str:
    """Names a way."""
    return ";".join(f"{cell.site}{list(cell.index)}" for cell in trail)


def _shape(cell: CellPlace, recorded: Recorded) -> str:
    entry = entry_of(cell.site, recorded)
    sizes: Sequence[int] = ()
    dtype: str = recorded.run.config.dtype
    if entry is not None:
        sizes = recorded.trace.activations[cell.site].shape
        dtype = "bool" if entry.value == "mask" else dtype
    elif cell.site in ("src", "tgt_in"):
        sizes, dtype = (1, len(getattr(recorded.trace, cell.site))), "int64"
    elif locate(cell.site).kind != "hypothesis":
        sizes = _parameter_shape(cell.site, recorded)
    shape = f"{'×'.join(map(str, sizes))} {dtype}" if sizes else ""
    return ", ".join(filter(None, (shape, where_of(cell.site, cell.index, entry))))


def _parameter_shape(name: str, recorded: Recorded) -> Sequence[int]:
    parameter = find_parameter(recorded.run.model, name)
    return () if parameter is None else parameter.shape


def _note(explanation: Explanation, operation: str, recorded: Recorded) -> str:
    if explanation.set_by:
        return _set_note(explanation, recorded)
    if not explanation.terms:
        return explanation.meaning
    if explanation.kind == "masked":
        return f"{_reason(explanation, recorded)}, so its score is replaced by −∞ and its weight will be 0."
    if operation == "softmax" and not any(term.value for term in explanation.terms):
        return "Every key is masked, so all weights of this query are 0."
    if operation in ("softmax", "log_softmax", "hypothesis.prob"):
        name = "score" if operation == "softmax" else "logit"
        largest = max(term.operands[0].value for term in explanation.terms)
        return f"The largest {name}, {brief(largest)}, is subtracted from each first; that changes only the rounding."
    if operation == "apply_mask":
        return "The query may look there, so the score stays as it is."
    if operation == "embed":
        return "The token's id picks the row of the table."
    return ""


def _set_note(explanation: Explanation, recorded: Recorded) -> str:
    """Which change has set a number, and what the model would have computed there."""
    said = f"This number was set: {changes_words(explanation.set_by, recorded.source)}."
    computed = explanation.computed
    if computed is None or math.isnan(computed):
        return said
    if value_text(explanation.site, computed) == value_text(explanation.site, explanation.recorded):
        return f"{said} What stands before it gives the same."
    return f"{said} What stands before it gives {value_text(explanation.site, computed)}."


def _reason(explanation: Explanation, recorded: Recorded) -> str:
    """Why a query may not look at a key."""
    _, _, query, key = explanation.index
    causal = locate(explanation.site).causal and recorded.run.config.causal
    return "The key stands later than the query" if causal and key > query else "The key is padding"


def _passed_on(cell: CellPlace, trail: Sequence[CellPlace], recorded: Recorded) -> str:
    """For whoever came here by a link: under which name the number went on, where that name was jumped over."""
    _, copies = _readers(cell, recorded)
    if len(trail) < 2 or not copies:
        return ""
    is_score = any(locate(name).value == "masked_scores" for name in copies)
    return "The mask leaves it as it is." if is_score else f"Read on as {', '.join(copies)}, unchanged."


def _readers(cell: CellPlace, recorded: Recorded) -> tuple[list[str], list[str]]:
    """The sites that compute something with this number, and those between that only pass it on."""
    run, trace, readers, copies = recorded.run, recorded.trace, list[str](), list[str]()
    passed = [cell.site]
    for name in passed:
        for site in run.model.sites():
            if name not in site.inputs:
                continue
            index = cell.index if len(site.axes) == len(cell.index) else ()
            is_copy = bool(index) and origin(run, trace, site.name, index) == (cell.site, cell.index)
            (passed if is_copy else readers).append(site.name)
            copies += [site.name] if is_copy else []
    return readers, copies


def _uses(explanation: Explanation, recorded: Recorded, views: Registry) -> tuple[Use, ...]:
    """What reads this number: the cell where it is the same place, else the page of its block."""
    cell = CellPlace(explanation.site, explanation.index)
    catalogued = entry_of(cell.site, recorded) is not None
    names = _readers(cell, recorded)[0] if catalogued else explanation.used_by
    uses = [_use(name, explanation, recorded, views) for name in names]
    if cell.site == "generator.logits":
        _, step, token = cell.index
        probability = math.exp(float(recorded.trace.activations["generator.log_probs"][cell.index]))
        uses.append(Use(f"P {format_probability(probability)}", CellPlace("hypothesis.prob", (step, token))))
    return tuple(dict.fromkeys(uses))


def _use(name: str, explanation: Explanation, recorded: Recorded, views: Registry) -> Use:
    if locate(name).kind == "hypothesis":
        # What becomes of a number of the whole output is a number of the whole output.
        return Use(name_of(name, recorded.run.config), CellPlace(name, ()))
    entry, reader = entry_of(explanation.site, recorded), entry_of(name, recorded)
    text = name_of(name, recorded.run.config)
    if entry is not None and reader is not None:
        index = _same_place(entry.axes, reader.axes, explanation.index)
        values = recorded.trace.activations[name]
        if index and all(i < n for i, n in zip(index, values.shape, strict=True)):
            return Use(f"{text} {value_text(name, float(values[index]))}", CellPlace(name, index))
    view = views.showing(locate(name))
    key = view.key if view else ""
    where = where_of(name, (), None)
    return Use(f"{text}, {where}" if where else text, None, name if key else "", key)


def _same_place(
    axes: tuple[str, ...], reader: tuple[str, ...], index: tuple[int, ...]
) -> tuple[int, ...] | None:
    """The reader's index where it runs along the same axes, or along all of them but the last."""
    # A query of the attention is a position of what it reads and of what it writes.
    mine, other = (tuple("position" if axis == "query" else axis for axis in each) for each in (axes, reader))
    return index[: len(other)] if mine[: len(other)] == other else None
