"""The note beside a view: what is said of a block, at the depth that the visitor chose for the whole app."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import streamlit as st

from explorer.browser import note
from explorer.explaining.chosen import numbers_of, scene_of
from explorer.explaining.code import read_source
from explorer.explaining.formula import Sizes
from explorer.explaining.marked import marked_cell
from explorer.explaining.scene import Scene
from explorer.explaining.snippets import block_snippet
from explorer.look.pieces import Piece
from explorer.look.theme import format_signed
from explorer.models.recorded import Recorded
from explorer.shell.covering import end_under_cover
from explorer.shell.page_style import NOTE_KEY
from explorer.tensors import TensorViewData
from explorer.view import View, Words
from explorer.views.update import words as update
from explorer.views.update.scene import UpdateScene
from explorer.visitor.reports import pending
from explorer.visitor.scope import Runs
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState
from explorer.visitor.values import SessionValue

COMPONENT_KEY, MENU_KEY = "note", "words_menu"
LEAD, IN_MENU = SessionValue("lead", ""), SessionValue("words_in_menu", False)
"""Lead of the open page, which a phone shows in the note; and whether its words are in a menu."""


def show_depth(
    view: View,
    recorded: Recorded,
    state: ExplorerState,
    data: TensorViewData | None = None,
) -> None:
    """Draw the words of a page at the visitor's depth. Call it right after the view, outside of `loading`.

    They stand in a note at the right of the view, or below it where the window is narrow; or in a menu, where the
    page's head says so. Who follows a lesson reads that instead; where its question is open, and what follows would
    tell, the page ends here.

    Args:
        view: One that has words.
        recorded: What the model computed for the visitor's sentence and branch.
        state: The visitor's choices: depth, layer, head, step and position.
        data: What the page's view of stages was fed, for the words are about the cell that it marks; None without.
    """
    end_under_cover()
    if state.learning.lesson:
        return
    _draw(note_of(view, recorded, state, data))


def note_of(
    view: View, recorded: Recorded, state: ExplorerState, data: TensorViewData | None = None
) -> note.Note:
    """Return the words of a page at the visitor's depth; the arguments are those of `show_depth`."""
    words = view.contents.words
    assert words is not None, view.key
    seen = state if view.forks else replace(state, decoding=replace(state.decoding, prefix=()))
    scene = scene_of(view, recorded, seen, None if data is None else marked_cell(data))
    return note.Note(state.depth, _said(words, scene))


def _said(words: Words, scene: Scene) -> note.Said:
    match scene.state.depth:
        case "idea":
            return note.sentences((Piece(words.IDEA),))
        case "numbers":
            return note.sentences(numbers_of(words, scene).pieces)
        case "formula":
            return note.formula(**vars(words.formula(Sizes.of(scene))))
        case "code":
            shown = numbers_of(words, scene).shown
            sources = tuple(map(read_source, words.functions(scene.recorded.run.config)))
            printed = f"the number of the sentences, {shown.text}"
            return note.code(sources, printed, block_snippet(scene, shown))


def show_update_depth(scene: UpdateScene, state: ExplorerState) -> None:
    """Draw the words of one update at the visitor's depth. Call it right after the view, outside of `loading`."""
    if not state.learning.lesson:
        _draw(note.Note(state.depth, _said_of_update(scene, state)))


def _said_of_update(scene: UpdateScene, state: ExplorerState) -> note.Said:
    match state.depth:
        case "idea":
            return note.sentences((Piece(update.IDEA),))
        case "numbers":
            return note.sentences((Piece(update.numbers_sentence(scene)),))
        case "formula":
            formula = vars(update.update_formula(scene))
            return note.formula(**formula, sized_by="With the numbers of this update")
        case "code":
            printed = f"the gradient’s norm, {format_signed(scene.update.step.grad_norm)}"
            return note.code(update.update_sources(), printed, update.norm_snippet(scene, state.run))


def _draw(shown: note.Note) -> None:
    with (
        st.popover("Words", icon=":material/more_horiz:", type="tertiary", key=MENU_KEY)
        if IN_MENU.value
        else nullcontext(),
        st.container(key=NOTE_KEY),
    ):
        note.draw_note(shown, LEAD.value, key=COMPONENT_KEY)


def take_depth(runs: Runs) -> None:
    """Act on the choice of another depth since the last run. Call it before anything is drawn."""
    for depth in pending(COMPONENT_KEY, None, (note.CHOSEN,)):
        store_state(replace(visitor_state(runs), depth=depth), runs)
