"""“You are looking at a changed model”: the strip under the bar of the sentence, with the way back."""

from __future__ import annotations

from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import InputError
from explorer.explaining.changed import changes_words, source_tokens
from explorer.look.theme import in_both_themes
from explorer.view import WHAT_IF, Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page, store_state, visitor_state
from explorer.visitor.state import ExplorerState, undo_change, undo_changes

STRIP_KEY, HEAD_KEY = "changed_model", "changed_head"
_LINE = f"""
.st-key-KEY {{ flex-wrap: nowrap; align-items: center; gap: 10px; height: 32px; min-height: 32px; overflow: hidden; }}
.st-key-KEY > :first-child {{ flex: 0 1 auto; min-width: 0; }}
.st-key-KEY p {{
  margin: 0; padding-left: 10px; border-left: 3px solid {in_both_themes("ink")}; font-size: 13px; line-height: 22px;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}}
.st-key-KEY button {{ min-height: 26px; height: 26px; padding: 0 10px; }}
.st-key-KEY button p {{ border: 0; padding: 0; }}
@media (max-width: 639.98px) {{
  .st-key-KEY {{ height: 50px; }}
  .st-key-KEY p:not(button p) {{
    white-space: normal; line-height: 16px; font-size: 12px; display: -webkit-box; -webkit-line-clamp: 3;
    -webkit-box-orient: vertical;
  }}
}}
"""
_STYLE = (
    _LINE.replace("KEY", STRIP_KEY)
    + f"""
[data-testid="stApp"]:has(.st-key-{STRIP_KEY}) {{ --sentence-bar: 81px; }}
.st-key-{STRIP_KEY} {{ border-top: 1px solid {in_both_themes("line")}; }}
"""
)
# It lies over the sentence in the line of the title, so that the picture keeps its place.
_HEAD_STYLE = (
    _LINE.replace("KEY", HEAD_KEY)
    + f"""
.st-key-page div:has(> .st-key-{HEAD_KEY}) {{
  position: absolute; top: 4px; left: 72px; right: var(--beside-title, 168px); z-index: 3; width: auto;
}}
.st-key-{HEAD_KEY} {{ background: {in_both_themes("bg")}; padding-left: 2px; }}
@media (max-width: 639.98px) {{
  .st-key-page div:has(> .st-key-{HEAD_KEY}) {{ position: static; order: -1; }}
  .st-key-page:has(.st-key-{HEAD_KEY}) div:has(> [class*="st-key-page_head"]) {{ order: -2; }}
}}
"""
)


def draw_changed_model(
    place: DeltaGenerator, view: View, state: ExplorerState, runs: Runs, views: Registry
) -> None:
    """Say what is changed, with buttons that take it back; nothing where nothing is.

    Args:
        place: That of the bar of the sentence, under which the strip stands; on *What if* the page, in the line of its
            title.
        view: That is open; all but *What if* have a way there.
        state: The visitor's choices.
        runs: All models.
        views: All of them.
    """
    if not state.changes:
        return
    is_own = view.key == WHAT_IF

    def undo() -> None:
        store_state(undo_change(visitor_state(runs)), runs)

    def undo_all() -> None:
        store_state(undo_changes(visitor_state(runs)), runs)

    n_changes = len(state.changes)
    words = escape(changes_words(state.changes, _tokens(state, runs)))
    with place, st.container(key=HEAD_KEY if is_own else STRIP_KEY, horizontal=True):
        st.html(
            f'<style>{_HEAD_STYLE if is_own else _STYLE}</style><p role="status" title="{words}">'
            f"<b>You are looking at a changed model:</b> {words}</p>",
            width="content",
        )
        st.button("Undo", key="undo_change", icon=":material/undo:", on_click=undo, width="content")
        if n_changes > 1:
            st.button(f"Undo all {n_changes}", key="undo_changes", on_click=undo_all, width="content")
        if not is_own and st.button("Compare", key="compare_changed", width="content"):
            there = at_page(state, views[WHAT_IF].address)
            st.switch_page(views[WHAT_IF].page, query_params=query_of(there, runs))


def _tokens(state: ExplorerState, runs: Runs) -> tuple[str, ...]:
    try:
        return source_tokens(runs[state.run], state.sentence)
    except InputError:
        return ()
