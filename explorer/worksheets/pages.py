"""Makes the worksheet of a page for a visitor's choices; called when somebody asks for it, not before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from explorer.explaining.changed import changes_words
from explorer.explaining.chosen import numbers_of, scene_of
from explorer.explaining.explained import shown_explanation
from explorer.explaining.formula import Sizes, latex
from explorer.explaining.marked import marked_at_first
from explorer.explaining.scene import Scene
from explorer.look.theme import format_count
from explorer.models.task_facts import run_title
from explorer.view import Registry, View, Words
from explorer.visitor.running import recorded_run, run_of
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import (
    Block,
    Formula,
    Heading,
    Paragraph,
    Sheet,
    html_of,
    paragraph,
    visible_text,
)
from explorer.worksheets.number import explained_blocks
from explorer.worksheets.questions import arranged


def worksheet_of(view: View, state: ExplorerState, address: str, views: Registry) -> str:
    """The HTML of a page's worksheet.

    Args:
        view: One that has a sheet.
        state: The visitor's choices.
        address: Of the live view.
        views: All of them.

    Raises:
        ExplorerError: when the model cannot be loaded, or the sentence not be read.
    """
    seen = state if view.forks else replace(state, decoding=replace(state.decoding, prefix=()))
    recorded = recorded_run(seen)
    contents = view.contents
    scene = scene_of(view, recorded, seen, marked_at_first(contents.stages, recorded, seen))
    assert contents.sheet is not None, view.key
    moment = f", after {format_count(seen.updates)} updates" if seen.updates is not None else ""
    tokenizer, written = recorded.run.tgt_tokenizer, recorded.trace.tgt_out.tolist()
    facts = [
        ("Model", f"{run_title(seen.run, run_of(seen))}{moment}"),
        ("Source", visible_text(seen.sentence)),
        ("Output", visible_text(tokenizer.decode(written))),
    ]
    if seen.changes:
        facts.append(("Changed model", changes_words(seen.changes, recorded.source)))
    if seen.decoding.prefix:
        facts.append(("Forced", visible_text(tokenizer.decode(written[: len(seen.decoding.prefix)]))))
    idea: tuple[Block, ...] = ()
    spoken: tuple[Block, ...] = ()
    if contents.words is not None:
        idea, spoken = (paragraph(contents.words.IDEA),), tuple(_spoken(contents.words, scene))
    front, behind = arranged(contents.sheet(scene))
    blocks = (
        *idea,
        *front,
        *behind,
        *spoken,
        *explained_blocks(shown_explanation(seen, views) if seen.look.trail else None),
    )
    return html_of(Sheet(view.title, tuple(facts), blocks, address))


def _spoken(words: Words, scene: Scene) -> Iterator[Block]:
    """A view's sentences with numbers, which may tell what a question asks for, and its formula."""
    yield Heading("In numbers")
    yield Paragraph(numbers_of(words, scene).pieces)
    formula = words.formula(Sizes.of(scene))
    yield Heading("The formula")
    yield paragraph(formula.reference, quiet=True)
    yield Formula(latex(formula.letters))
    yield paragraph("With the sizes of this model and sentence:", quiet=True)
    yield Formula(latex(formula.sizes))
