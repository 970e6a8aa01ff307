"""One run of the app: the frame around every page, and the page in it."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import CodeType

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.errors import ExplorerError
from explorer.browser.navigation import draw_bar as draw_navigation
from explorer.lessons.lesson import Covers
from explorer.look.brand import BRAND
from explorer.models.known import known_runs
from explorer.server.shared import server_limits, turns
from explorer.shell import decode, held_out, stops
from explorer.shell.covering import COVERS, PageCovered
from explorer.shell.depth import take_depth
from explorer.shell.explain_panel import draw_explain_panel, take_panel_report
from explorer.shell.first_visit import draw_first_visit
from explorer.shell.frame import browser_title, draw_style
from explorer.shell.held_out import arrival_notices
from explorer.shell.home import SCREEN as HOME_SCREEN
from explorer.shell.lesson_column import draw_cover, draw_lesson, has_column, leaves_stop, presented
from explorer.shell.lesson_present import draw_presented
from explorer.shell.loading import PageEnded
from explorer.shell.navigation import bar_message, navigation_bar
from explorer.shell.sentence import bar_place, draw_bar, take_sentence
from explorer.shell.term_text import follow_terms
from explorer.shell.time_travel import at_kept_moment
from explorer.shell.what_if import SCREEN as WHAT_IF_SCREEN
from explorer.shell.worksheet_download import draw_worksheet
from explorer.view import HOME, HOME_ADDRESSES, TRAIN, Registry, View
from explorer.visitor.scope import Runs
from explorer.visitor.session import NOTICES, is_first_run, keep_page, last_page, visitor_state
from explorer.visitor.state import ExplorerState

ROOT = Path(__file__).parents[2]
"""Folder of the entry script."""
SCREENS = (HOME_SCREEN, *stops.SCREENS, *decode.SCREENS, WHAT_IF_SCREEN, *held_out.SCREENS)
"""Pages that are drawn by answers."""


def make_page(view: View, address: str) -> StreamlitPage:
    """Build the page of a view at an address; the empty address is the app's home."""
    return st.Page(view.page, title=view.title, url_path=address, default=not address)


def navigate(views: Registry) -> tuple[dict[str, StreamlitPage], View]:
    """Set up navigation; return all pages by key, and the view of the current address."""
    pages = {key: make_page(view, view.address) for key, view in views.items()}
    # Streamlit serves its first page only at the empty address; these are its other names.
    named_homes = [make_page(views[HOME], address) for address in HOME_ADDRESSES]
    page = st.navigation([*pages.values(), *named_homes], position="hidden")
    if page in named_homes:
        pages[HOME] = page
    return pages, views[HOME] if page in named_homes else views.at(page.url_path)


def _draw_page(view: View) -> None:
    """Run the script of a page.

    Streamlit's own `run` would mark what the page draws as the page's, and the browser would clear that as soon as
    another page is asked for, even if it shows that page already.
    """
    path = ROOT / view.page
    exec(_compiled(path, path.stat().st_mtime_ns), {"__name__": "__main__", "__file__": str(path)})


@lru_cache(maxsize=64)
def _compiled(path: Path, changed: int) -> CodeType:
    return compile(path.read_bytes(), path, "exec")


def apply_reports(view: View, views: Registry, runs: Runs) -> ExplorerState:
    """Apply the actions taken in the sentence bar and the panel since the last run; return the visitor's state."""
    before = last_page()
    visitor_state(runs, view.row_side, trains=view.key == TRAIN)
    take_sentence(view, runs, views)
    take_depth(runs)
    take_panel_report(view, runs, views)
    shown = at_kept_moment(visitor_state(runs), runs)
    if before is not None and before[0] != view.address:
        with suppress(ExplorerError):
            NOTICES.set((*NOTICES.value, *arrival_notices(views.at(before[0]), before[1], view, shown)))
    keep_page(view.address, shown)
    return shown


def draw_run(views: Registry) -> None:
    """Draw one run for a visitor, when it is its turn: the page of the current address in its frame."""
    with turns().turn():
        _draw_run(views)


def _draw_run(views: Registry) -> None:
    pages, view = navigate(views)
    st.set_page_config(page_title=browser_title(view), page_icon=str(BRAND), layout="wide")
    try:
        server_limits()  # Check the limits before anything is shown.
        runs = known_runs()
    except ExplorerError as error:
        st.error(error.sentence)
        st.stop()
    shown = apply_reports(view, views, runs)
    on_show = presented(view, shown, runs, views)
    if on_show is not None:
        draw_style(view, has_note=False)
        draw_presented(on_show)
        return
    screen = next(
        (each.described(SCREENS) for each in SCREENS if each.view == view.key and each.updates(shown)), None
    )
    draw_style(view, has_note=not has_column(view, shown), screen=screen)
    links = navigation_bar(shown, runs)
    bar = bar_place() if view.reads_sentence else None
    first = is_first_run()
    follow_terms(shown, runs, views)
    draw_first_visit(view, shown, views)
    home = pages[HOME].url_path
    if first:
        with links:
            draw_navigation(bar_message(shown, runs, views, here=view, home=home))
    draw_lesson(view, shown, runs, views)
    body, is_whole = st.container(key="page"), True
    try:
        with body, suppress(PageCovered):
            draw_cover(shown, runs, views) if COVERS.value.page else _draw_page(view)
    except PageEnded:
        is_whole = False
    finally:
        # The links are drawn last: they need the state that the page has just updated, and its view need not wait for
        # them. This also runs when a page cannot be drawn.
        state = visitor_state(runs)
        keep_page(view.address, state)
        if bar is not None:
            draw_bar(bar, view, state, runs, computes=not COVERS.value.page)
        if not first:
            with links:
                draw_navigation(bar_message(state, runs, views, here=view, home=home))
    if not is_whole:
        return
    if leaves_stop(view, shown, state, runs, views):
        # The lesson column was drawn before the page's view forced a token.
        st.rerun()
    if COVERS.value == Covers():
        with body:
            draw_explain_panel(view, runs, views)
            draw_worksheet(view, state, runs, views)
