"""The note beside a view: what is said of a block, at the depth that the visitor chose for the whole app."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import get_args

import streamlit as st

from explorer.browser.depth_keys import depth_keys, pressed_key
from explorer.browser.page_head import page_lead
from explorer.browser.sentence_view import sentence_view
from explorer.explaining.chosen import numbers_of, scene_of
from explorer.explaining.code import Source, read_source
from explorer.explaining.formula import Formula, Sizes, latex
from explorer.explaining.marked import marked_cell
from explorer.explaining.scene import Scene
from explorer.explaining.snippets import block_snippet
from explorer.look.pieces import Piece
from explorer.look.theme import format_signed
from explorer.models.known import known_runs
from explorer.models.recorded import Recorded
from explorer.shell.covering import end_under_cover
from explorer.shell.page_style import NOTE_KEY
from explorer.tensors import TensorViewData
from explorer.view import View, Words
from explorer.views.update import words as update
from explorer.views.update.scene import UpdateScene
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import Depth, ExplorerState
from explorer.visitor.values import SessionValue

DEPTH_KEYS_KEY, MENU_KEY = "depth_keys", "words_menu"
DEPTH = SessionValue[Depth]("depth", "numbers")
LEAD, IN_MENU = SessionValue("lead", b""), SessionValue("words_in_menu", False)
"""Message with the lead of the open page, which a phone shows in the note; and whether its words are in a menu."""
DEPTHS: tuple[Depth, ...] = get_args(Depth)


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
    words, scene = _about(view, recorded, state, data)
    with _note(state):
        if state.depth == "formula":
            _formula(words, scene)
        elif state.depth == "code":
            _code(words, scene)
        else:
            sentence_view(_sentences(words, scene), key=f"depth_{state.depth}")


def note_pieces(
    view: View, recorded: Recorded, state: ExplorerState, data: TensorViewData | None = None
) -> Sequence[Piece] | None:
    """Return the sentences of the note at the visitor's depth; None at the depths that have more than sentences."""
    if state.depth in ("formula", "code"):
        return None
    return _sentences(*_about(view, recorded, state, data))


def _about(
    view: View, recorded: Recorded, state: ExplorerState, data: TensorViewData | None
) -> tuple[Words, Scene]:
    """Return the words of a view, and what they are about."""
    words = view.contents.words
    assert words is not None, view.key
    seen = state if view.forks else replace(state, decoding=replace(state.decoding, prefix=()))
    return words, scene_of(view, recorded, seen, None if data is None else marked_cell(data))


def _sentences(words: Words, scene: Scene) -> Sequence[Piece]:
    return (Piece(words.IDEA),) if scene.state.depth == "idea" else numbers_of(words, scene).pieces


def show_update_depth(scene: UpdateScene, state: ExplorerState) -> None:
    """Draw the words of one update at the visitor's depth. Call it right after the view, outside of `loading`."""
    if state.learning.lesson:
        return
    with _note(state):
        if state.depth in ("idea", "numbers"):
            text = update.IDEA if state.depth == "idea" else update.numbers_sentence(scene)
            sentence_view((Piece(text),), key=f"depth_{state.depth}")
        elif state.depth == "formula":
            _formula_card(update.update_formula(scene), "With the numbers of this update")
        else:
            shown = format_signed(scene.update.step.grad_norm)
            _code_card(
                update.update_sources(),
                f"the gradient’s norm, {shown}",
                update.norm_snippet(scene, state.run),
            )


@contextmanager
def _note(state: ExplorerState) -> Iterator[None]:
    """The place of the words, with the choice of their depth above them and the keys for it below."""

    def take_depth() -> None:
        _store_depth(DEPTH.value)

    def take_key() -> None:
        pressed = pressed_key(len(DEPTHS), key=DEPTH_KEYS_KEY)
        if pressed is not None:
            _store_depth(DEPTHS[pressed])

    with (
        st.popover("Words", icon=":material/more_horiz:", type="tertiary", key=MENU_KEY)
        if IN_MENU.value
        else nullcontext(),
        st.container(key=NOTE_KEY),
    ):
        DEPTH.set(state.depth)
        st.segmented_control(
            "Depth of the words",
            DEPTHS,
            key=DEPTH.key,
            required=True,
            format_func=str.capitalize,
            on_change=take_depth,
            label_visibility="collapsed",
            width="stretch",
            wrap=False,
        )
        if LEAD.value:
            page_lead(LEAD.value)
        yield
        depth_keys(len(DEPTHS), key=DEPTH_KEYS_KEY, on_press=take_key)


def _store_depth(depth: Depth) -> None:
    runs = known_runs()
    store_state(replace(visitor_state(runs), depth=depth), runs)


def _formula(words: Words, scene: Scene) -> None:
    _formula_card(words.formula(Sizes.of(scene)), "With the sizes of this model and sentence")


def _formula_card(formula: Formula, with_sizes: str) -> None:
    with st.container(key="depth_formula"):
        st.caption(formula.reference)
        st.latex(latex(formula.letters))
        st.caption(with_sizes)
        st.latex(latex(formula.sizes))
        st.markdown(_symbols(formula))


def _symbols(formula: Formula) -> str:
    return "\n".join(f"- ${symbol}$: {meaning}" for symbol, meaning in formula.symbols)


def _code(words: Words, scene: Scene) -> None:
    shown = numbers_of(words, scene).shown
    sources = tuple(map(read_source, words.functions(scene.recorded.run.config)))
    _code_card(sources, f"the number of the sentences, {shown.text}", block_snippet(scene, shown))


def _code_card(sources: Sequence[Source], printed: str, snippet: str) -> None:
    with st.container(key="depth_code"):
        for source in sources:
            st.caption(f"`{source.name}` in {source.path}, lines {source.first} to {source.last}")
            st.code(source.text, language="python", wrap_lines=True)
        st.caption(f"Pasted into Python in the project’s folder, this prints {printed}:")
        st.code(snippet, language="python", wrap_lines=True)
