"""Entry point of the app: the server, and the frame around every page with its sidebar and navigation."""

import os
from contextlib import suppress
from pathlib import Path

# Must be set before anything imports torch. On a busy machine a second OpenMP thread costs ten times what it saves.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.errors import ExplorerError
from explorer.app import REGISTRY
from explorer.browser.kept_view import draw_scripts
from explorer.lessons.lesson import Covers
from explorer.models.known import known_runs
from explorer.models.server import drawing, server_limits, turns
from explorer.server.parts import server_parts
from explorer.shell.changed_model import draw_changed_model
from explorer.shell.covering import COVERS, PageCovered
from explorer.shell.explain_panel import draw_explain_panel, take_panel_report
from explorer.shell.first_visit import draw_first_visit
from explorer.shell.frame import BRAND, page_links, sidebar
from explorer.shell.lesson_column import draw_cover, draw_lesson, has_column, leaves_stop, presented
from explorer.shell.lesson_present import draw_presented
from explorer.shell.loading import PageEnded
from explorer.shell.sentence import bar_place, draw_bar, take_sentence
from explorer.shell.term_text import follow_terms
from explorer.shell.time_travel import at_kept_moment
from explorer.shell.worksheet_download import draw_worksheet
from explorer.view import HOME, HOME_ADDRESSES, WHAT_IF, View
from explorer.visitor.scope import Runs
from explorer.visitor.session import is_first_run, keep_page, visitor_state
from explorer.visitor.state import ExplorerState


def make_page(view: View, address: str) -> StreamlitPage:
    """Build the page of a view at an address; the empty address is the app's home."""
    return st.Page(view.page, title=view.title, url_path=address, default=not address)


def navigate() -> tuple[dict[str, StreamlitPage], StreamlitPage, View]:
    """Set up navigation; return all pages by key, the page of the current address, and its view."""
    pages = {key: make_page(view, view.address) for key, view in REGISTRY.items()}
    # Streamlit serves its first page only at the empty address; these are its other names.
    named_homes = [make_page(REGISTRY[HOME], address) for address in HOME_ADDRESSES]
    page = st.navigation([*pages.values(), *named_homes], position="hidden")
    if page in named_homes:
        pages[HOME] = page
    return pages, page, REGISTRY[HOME] if page in named_homes else REGISTRY.at(page.url_path)


def apply_reports(view: View, runs: Runs) -> ExplorerState:
    """Apply the actions taken in the sentence bar and the panel since the last run; return the visitor's state."""
    visitor_state(runs, view.row_side)
    take_sentence(runs)
    take_panel_report(runs, REGISTRY)
    shown = at_kept_moment(visitor_state(runs), runs)
    keep_page(view.address, shown)
    return shown


def draw_app() -> None:
    """Draw one run for a visitor: the frame, and the page of the current address in it."""
    st.set_page_config(
        page_title="Transformer explorer", page_icon=str(BRAND), layout="wide", initial_sidebar_state=220
    )
    pages, page, view = navigate()
    try:
        server_limits()  # Check the limits before anything is shown.
        runs = known_runs()
    except ExplorerError as error:
        st.error(error.sentence)
        st.stop()
    shown = apply_reports(view, runs)
    on_show = presented(view, shown, runs, REGISTRY)
    if on_show is not None:
        sidebar(shown, runs, has_note=False)
        draw_presented(on_show)
        return
    bar = bar_place() if view.reads_sentence else None
    links, first = sidebar(shown, runs, has_note=not has_column(view, shown)), is_first_run()
    follow_terms(shown, runs, REGISTRY)
    draw_first_visit(view, shown, REGISTRY)
    if first:
        page_links(links, shown, runs, REGISTRY, pages, view)
    # The first paint must not wait for torch, which a server imports with its first page.
    is_early = bar is not None and first and not turns().is_warm
    if bar is not None and is_early:
        draw_bar(bar, view, shown, runs, computes=False)
        draw_scripts()
    draw_lesson(view, shown, runs, REGISTRY)
    body, is_whole = st.container(key="page"), True
    try:
        with body, suppress(PageCovered):
            draw_cover(shown, runs, REGISTRY) if COVERS.value.page else page.run()
    except PageEnded:
        is_whole = False
    finally:
        # The links are drawn last: they need the state that the page has just updated, and its view need not wait for
        # them. This also runs when a page cannot be drawn.
        state = visitor_state(runs)
        keep_page(view.address, state)
        if bar is not None and not is_early:
            draw_bar(bar, view, state, runs, computes=not COVERS.value.page)
            draw_changed_model(body if view.key == WHAT_IF else bar, view, state, runs, REGISTRY)
        draw_scripts()
        if not first:
            page_links(links, state, runs, REGISTRY, pages, view)
    if not is_whole:
        return
    if is_early:
        st.rerun()
    if leaves_stop(view, shown, state, runs, REGISTRY):
        # The lesson column was drawn before the page's view forced a token.
        st.rerun()
    if COVERS.value == Covers():
        with body:
            draw_explain_panel(view, runs, REGISTRY)
            draw_worksheet(view, state, runs, REGISTRY)


if __name__ == Path(__file__).stem:
    # `streamlit run` imports this module and serves the app that it finds under this name.
    app = st.App(__file__, **server_parts())
else:
    with drawing():
        draw_app()
