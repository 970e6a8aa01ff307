"""The card under a view: what is said of a block, at the depth that the visitor chose for the whole app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from explorer.look.theme import format_signed
from explorer.visitor.state import Depth, ExplorerState

if TYPE_CHECKING:
    from explorer.explaining.code import Source
    from explorer.explaining.formula import Formula
    from explorer.explaining.scene import Scene
    from explorer.models.recorded import Recorded
    from explorer.tensors import TensorViewData
    from explorer.view import View, Words
    from explorer.views.update.scene import UpdateScene

TITLES: Mapping[Depth, str] = {
    "idea": "The idea",
    "numbers": "The numbers",
    "formula": "The formula",
    "code": "The code",
}


def show_depth(
    view: View, recorded: Recorded, state: ExplorerState, data: TensorViewData | None = None
) -> None:
    """Draw the card of a page at the visitor's depth. Call it after the view, outside of `loading`.

    Args:
        view: One that has words.
        recorded: What the model computed for the visitor's sentence and branch.
        state: The visitor's choices: depth, layer, head, step and position.
        data: What the page's view of stages was fed, for the words are about the cell that it marks; None without.
    """
    from explorer.explaining.marked import marked_cell
    from explorer.explaining.scene import Scene

    words = view.load().words
    assert words is not None, view.key
    seen = state if view.forks else replace(state, decoding=replace(state.decoding, prefix=()))
    scene = Scene(recorded, seen, None if data is None else marked_cell(data))
    with st.container(border=True, key="depth_card", gap="xsmall"):
        st.subheader(TITLES[state.depth], anchor=False)
        {"idea": _idea, "numbers": _numbers, "formula": _formula, "code": _code}[state.depth](words, scene)


def show_update_depth(scene: UpdateScene, state: ExplorerState) -> None:
    """Draw the card of one update at the visitor's depth. Call it after the view, outside of `loading`."""
    from explorer.browser.sentence_view import sentence_view
    from explorer.look.pieces import Piece
    from explorer.views.update import words as update

    with st.container(border=True, key="depth_card", gap="xsmall"):
        st.subheader(TITLES[state.depth], anchor=False)
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


def _idea(words: Words, scene: Scene) -> None:
    from explorer.browser.sentence_view import sentence_view
    from explorer.look.pieces import Piece

    sentence_view((Piece(words.idea),), key="depth_idea")


def _numbers(words: Words, scene: Scene) -> None:
    from explorer.browser.sentence_view import sentence_view

    sentence_view(words.numbers(scene).pieces, key="depth_numbers")


def _formula(words: Words, scene: Scene) -> None:
    from explorer.explaining.formula import Sizes

    _formula_card(words.formula(Sizes.of(scene)), "With the sizes of this model and sentence")


def _formula_card(formula: Formula, with_sizes: str) -> None:
    from explorer.explaining.formula import latex

    with st.container(key="depth_formula"):
        letters, numbers = st.columns(2)
        with letters:
            st.caption(formula.reference)
            st.latex(latex(formula.letters))
        with numbers:
            st.caption(with_sizes)
            st.latex(latex(formula.sizes))
        st.markdown(_symbols(formula))


def _symbols(formula: Formula) -> str:
    return "\n".join(f"- ${symbol}$: {meaning}" for symbol, meaning in formula.symbols)


def _code(words: Words, scene: Scene) -> None:
    from explorer.explaining.code import read_source
    from explorer.explaining.snippets import block_snippet

    shown = words.numbers(scene).shown
    sources = tuple(map(read_source, words.functions(scene.recorded.run.config)))
    _code_card(sources, f"the number of the sentences, {shown.text}", block_snippet(scene, shown))


def _code_card(sources: Sequence[Source], printed: str, snippet: str) -> None:
    with st.container(key="depth_code"):
        for source in sources:
            st.caption(f"`{source.name}` in {source.path}, lines {source.first} to {source.last}")
            st.code(source.text, language="python", wrap_lines=True)
        st.caption(f"Pasted into Python in the project’s folder, this prints {printed}:")
        st.code(snippet, language="python", wrap_lines=True)
