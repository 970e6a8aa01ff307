"""Makes the worksheet of a page for a visitor's choices; called when somebody asks for it, not before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.explanation.explain import explain
from explorer.components.explain_panel import ExplanationData, Role
from explorer.depth import WITHOUT_BRANCH
from explorer.explaining import explanation_data
from explorer.explaining_words import symbol_text
from explorer.explanations.formulas import Sizes, latex
from explorer.explanations.ideas import IDEAS
from explorer.explanations.page_formulas import formula_of
from explorer.explanations.page_numbers import numbers_of
from explorer.explanations.scene import Piece, Scene, Side
from explorer.model_store.decodings import recorded_of
from explorer.model_store.runs import loaded_run
from explorer.state import ExplorerState
from explorer.task_facts import run_title
from explorer.theme import format_count
from explorer.token_text import visible
from explorer.worksheet.decoding import visible_text
from explorer.worksheet.document import (
    Block,
    Formula,
    Heading,
    Paragraph,
    Sheet,
    Table,
    html_of,
    said,
)
from explorer.worksheet.views import VIEWS, View


def worksheet_of(page: str, title: str, state: ExplorerState, address: str) -> str:
    """The HTML of a page's worksheet.

    Args:
        page: Address of the page, a key of `VIEWS`.
        title: As the sidebar calls it.
        state: The visitor's choices.
        address: Of the live view.

    Raises:
        ExplorerError: when the model cannot be loaded, or the sentence not be read.
    """
    block = page or "home"
    seen = replace(state, prefix=()) if block in WITHOUT_BRANCH else state
    run = loaded_run(seen.run, seen.updates)
    recorded = recorded_of(run, seen.sentence, seen.prefix)
    view = View(recorded, seen)
    moment = f", after {format_count(seen.updates)} updates" if seen.updates is not None else ""
    facts = [
        ("Model", f"{run_title(seen.run, run)}{moment}"),
        ("Source", visible_text(seen.sentence)),
        ("Output", " ".join(map(visible, recorded.outputs))),
    ]
    if seen.prefix:
        facts.append(("Forced", " ".join(map(visible, recorded.outputs[: len(seen.prefix)]))))
    blocks = (*_words(block, view), *VIEWS[page](view), *_formula(block, view), *_explained(view))
    return html_of(Sheet(title, tuple(facts), blocks, address))


def _words(block: str, view: View) -> Iterator[Block]:
    """The idea of a page and its sentences with numbers; the inspector is about no block."""
    if block not in IDEAS:
        return
    yield said(IDEAS[block])
    yield Paragraph(numbers_of(block, Scene(view.recorded, view.state)).pieces)


def _formula(block: str, view: View) -> Iterator[Block]:
    if block not in IDEAS:
        return
    recorded = view.recorded
    formula = formula_of(
        block, Sizes(recorded.run.config, len(recorded.source), len(recorded.outputs)), view.state
    )
    yield Heading("The formula")
    yield said(formula.reference, quiet=True)
    yield Formula(latex(formula.letters))
    yield said("With the sizes of this model and sentence:", quiet=True)
    yield Formula(latex(formula.sizes))


def _explained(view: View) -> Iterator[Block]:
    """The number that the panel explains, if one is open."""
    if not view.state.trail:
        return
    cell = view.state.trail[-1]
    explanation = explain(view.recorded.run, view.recorded.trace, cell.site, cell.index)
    data = explanation_data(explanation, view.recorded, view.state.trail)
    yield Heading("One number explained")
    yield Paragraph(tuple(Piece(word.text, _side(word.role)) for word in data.words))
    yield Paragraph((Piece(f"{data.site}{data.index} = "), Piece(data.value, "number")))
    for formula in (data.formula, data.numbers):
        if formula:
            yield Formula(formula)
    if data.terms:
        yield _terms(data)


def _terms(data: ExplanationData) -> Table:
    """Its terms in the order of their places: what each is made of, and what it gives."""
    rows = (
        (
            " ".join(filter(None, (term.place, visible(term.token.text) if term.token.text else ""))),
            "  ·  ".join(f"{symbol_text(each.symbol)} = {each.text}" for each in term.numbers),
            term.value,
        )
        for term in data.terms
    )
    count = (
        f"{len(data.terms)} of {data.n_terms}" if len(data.terms) < data.n_terms else f"All {data.n_terms}"
    )
    return Table(
        ("", "operands", data.value_name or "value"),
        tuple(rows),
        (0, 1),
        f"{count} terms; they give {data.result}, recorded is {data.recorded}",
    )


def _side(role: Role) -> Side:
    return role if role in ("source", "target") else ""
