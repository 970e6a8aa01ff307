"""Makes the worksheet of a page for a visitor's choices; called when somebody asks for it, not before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from explorer.depth import WITHOUT_BRANCH
from explorer.explanations.formulas import Sizes, latex
from explorer.explanations.ideas import IDEAS
from explorer.explanations.page_formulas import formula_of
from explorer.explanations.page_numbers import numbers_of
from explorer.explanations.scene import Scene
from explorer.lessons.views import stages_of
from explorer.model_store.decodings import recorded_of
from explorer.model_store.runs import loaded_run
from explorer.stages.marked import marked_cell
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
    html_of,
    said,
)
from explorer.worksheet.number import explained_blocks
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
    blocks = (*_words(block, view), *VIEWS[page](view), *_formula(block, view), *explained_blocks(seen))
    return html_of(Sheet(title, tuple(facts), blocks, address))


def _words(block: str, view: View) -> Iterator[Block]:
    """The idea of a page and its sentences with numbers; the inspector is about no block."""
    if block not in IDEAS:
        return
    yield said(IDEAS[block])
    data = stages_of(block, view.recorded, view.state)
    scene = Scene(view.recorded, view.state, None if data is None else marked_cell(data))
    yield Paragraph(numbers_of(block, scene).pieces)


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
