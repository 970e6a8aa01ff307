"""The card under a view: what is said of a block, at the depth that the visitor chose for the whole app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from explorer.state import Depth, ExplorerState
from explorer.theme import format_signed

if TYPE_CHECKING:
    from explorer.explanations.code import Source
    from explorer.explanations.formulas import Formula
    from explorer.explanations.scene import Scene
    from explorer.recorded import Recorded
    from explorer.tensors import TensorViewData
    from explorer.update_scene import UpdateScene

TITLES: Mapping[Depth, str] = {
    "idea": "The idea",
    "numbers": "The numbers",
    "formula": "The formula",
    "code": "The code",
}

WITHOUT_BRANCH = ("beams",)
"""Pages that show what the model says by itself, whatever is forced elsewhere."""


def show_depth(
    block: str, recorded: Recorded, state: ExplorerState, data: TensorViewData | None = None
) -> None:
    """Draw the card of a page at the visitor's depth. Call it after the view, outside of `loading`.

    Args:
        block: Key of one of `explorer.blocks.BLOCKS`, or of a page: map, step-by-step, sampling-lab, beams, home.
        recorded: What the model computed for the visitor's sentence and branch.
        state: The visitor's choices: depth, layer, head, step and position.
        data: What the page's view of stages was fed, for the words are about the cell that it marks; None without.

    Raises:
        KeyError: when there is no such block or page.
    """
    from explorer.explanations.scene import Scene
    from explorer.stages.marked import marked_cell

    seen = replace(state, prefix=()) if block in WITHOUT_BRANCH else state
    scene = Scene(recorded, seen, None if data is None else marked_cell(data))
    with st.container(border=True, key="depth_card", gap="xsmall"):
        st.subheader(TITLES[state.depth], anchor=False)
        {"idea": _idea, "numbers": _numbers, "formula": _formula, "code": _code}[state.depth](block, scene)


def show_update_depth(scene: UpdateScene, state: ExplorerState) -> None:
    """Draw the card of one update at the visitor's depth. Call it after the view, outside of `loading`."""
    from explorer.components.sentence_view import sentence_view
    from explorer.explanations import update
    from explorer.explanations.scene import Piece

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


def _idea(block: str, scene: Scene) -> None:
    from explorer.components.sentence_view import sentence_view
    from explorer.explanations.ideas import IDEAS
    from explorer.explanations.scene import Piece

    sentence_view((Piece(IDEAS[block]),), key="depth_idea")


def _numbers(block: str, scene: Scene) -> None:
    from explorer.components.sentence_view import sentence_view
    from explorer.explanations.page_numbers import numbers_of

    sentence_view(numbers_of(block, scene).pieces, key="depth_numbers")


def _formula(block: str, scene: Scene) -> None:
    from explorer.explanations.formulas import Sizes
    from explorer.explanations.page_formulas import formula_of

    recorded = scene.recorded
    sizes = Sizes(recorded.run.config, len(recorded.source), len(recorded.outputs))
    _formula_card(formula_of(block, sizes, scene.state), "With the sizes of this model and sentence")


def _formula_card(formula: Formula, with_sizes: str) -> None:
    from explorer.explanations.formulas import latex

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


def _code(block: str, scene: Scene) -> None:
    from explorer.explanations.code import sources_of
    from explorer.explanations.page_numbers import numbers_of
    from explorer.explanations.snippets import block_snippet

    shown = numbers_of(block, scene).shown
    sources = sources_of(block, scene.recorded.run.config)
    _code_card(sources, f"the number of the sentences, {shown.text}", block_snippet(scene, shown))


def _code_card(sources: Sequence[Source], printed: str, snippet: str) -> None:
    with st.container(key="depth_code"):
        for source in sources:
            st.caption(f"`{source.name}` in {source.path}, lines {source.first} to {source.last}")
            st.code(source.text, language="python", wrap_lines=True)
        st.caption(f"Pasted into Python in the project’s folder, this prints {printed}:")
        st.code(snippet, language="python", wrap_lines=True)
