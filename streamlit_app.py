"""The app: what its server serves, and the frame around every page, with the shared sidebar and the navigation."""

import os
from contextlib import suppress
from pathlib import Path

# Before anything imports torch: a second OpenMP thread on a busy machine costs ten times what it brings.
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


def page_of(view: View, address: str) -> StreamlitPage:
    """The page of a view under an address; the bare one, which is empty, is where the app begins."""
    return st.Page(view.page, title=view.title, url_path=address, default=not address)


def navigated() -> tuple[dict[str, StreamlitPage], StreamlitPage, View]:
    """The pages by their keys, the one of the address, and its view."""
    pages = {key: page_of(view, view.address) for key, view in REGISTRY.items()}
    # Streamlit knows its first page by the bare address alone, and people call it by its names as they do all others.
    named_homes = [page_of(REGISTRY[HOME], address) for address in HOME_ADDRESSES]
    page = st.navigation([*pages.values(), *named_homes], position="hidden")
    if page in named_homes:
        pages[HOME] = page
    return pages, page, REGISTRY[HOME] if page in named_homes else REGISTRY.at(page.url_path)


def taken_reports(view: View, runs: Runs) -> ExplorerState:
    """The visitor's choices, after what was done in the bar of the sentence and in the panel since the last run."""
    visitor_state(runs, view.row_side)
    take_sentence(runs)
    take_panel_report(runs, REGISTRY)
    shown = at_kept_moment(visitor_state(runs), runs)
    keep_page(view.address, shown)
    return shown


def draw_app() -> None:
    """One run for a visitor: the frame, and the page of the address in it."""
    st.set_page_config(
        page_title="Transformer explorer", page_icon=str(BRAND), layout="wide", initial_sidebar_state=220
    )
    pages, page, view = navigated()
    try:
        server_limits()  # Nothing is shown by a server whose limits nobody can be sure of.
        runs = known_runs()
    except ExplorerError as error:
        st.error(error.sentence)
        st.stop()
    shown = taken_reports(view, runs)
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
    # What is on the screen first must not wait for torch, which only the first page of a server brings in.
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
        # Links know what the page has just taken from its view, and the view need not wait for them. A page that
        # cannot be drawn ends here as well.
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
        # The column was drawn before a token was forced in the view of the page.
        st.rerun()
    if COVERS.value == Covers():
        with body:
            draw_explain_panel(view, runs, REGISTRY)
            draw_worksheet(view, state, runs, REGISTRY)


if __name__ == Path(__file__).stem:
    # Imported by `streamlit run`, which serves what it finds under this name, and run by nobody yet.
    app = st.App(__file__, **server_parts())
else:
    with drawing():
        draw_app()
