"""The downloads of worksheets: of the view that is open, and of a lesson; nothing is made before somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from core.errors import ExplorerError
from explorer.blocks import BLOCK
from explorer.lessons.lesson import Lesson
from explorer.links import query_of
from explorer.markdown_text import plain
from explorer.state import ExplorerState, Runs

WORKSHEETS = frozenset(
    {"", "map", *BLOCK, "step-by-step", "sampling-lab", "beams", "tensors", "runs", "glossary"}
)
"""Addresses of the pages that have one; the empty one is the home page's."""


def draw_worksheet(page: str, title: str, state: ExplorerState, runs: Runs) -> None:
    """Offer the open view as a file. Call it after the page has run.

    Args:
        page: Address of the page.
        title: As the sidebar calls it.
        state: The visitor's choices.
        runs: All models.
    """
    if page not in WORKSHEETS:
        return
    with st.sidebar.container(key="worksheet"):
        st.download_button(
            "Worksheet of this view",
            # The address is asked for now: where the file is made, no visitor is known.
            data=partial(_view_sheet, page, title, state, _address(state, runs)),
            file_name=f"{page or 'home'}.html",
            mime="text/html",
            key="worksheet_view",
            on_click="ignore",
            icon=":material/print:",
            type="tertiary",
        )


def draw_lesson_worksheets(lessons: Iterable[Lesson], runs: Runs) -> None:
    """Offer each lesson's questions, with the key to their answers, as files."""
    st.markdown(
        "**Worksheets** are lessons on paper: what a lesson says and shows, its questions with room for an answer, and "
        "the key on a page of its own. The files need no network."
    )
    with st.container(key="worksheets", horizontal=True, gap="small"):
        for lesson in lessons:
            st.download_button(
                plain(lesson.title),
                data=partial(_lesson_sheet, lesson, runs),
                file_name=f"{lesson.key}.html",
                mime="text/html",
                key=f"worksheet_{lesson.key}",
                on_click="ignore",
                icon=":material/print:",
            )


def _view_sheet(page: str, title: str, state: ExplorerState, address: str) -> str:
    from explorer.worksheet.glossary_sheet import glossary_sheet
    from explorer.worksheet.pages import worksheet_of

    try:
        return glossary_sheet() if page == "glossary" else worksheet_of(page, title, state, address)
    except ExplorerError as error:
        return _problem(title, error)


def _lesson_sheet(lesson: Lesson, runs: Runs) -> str:
    from explorer.worksheet.lesson_sheet import lesson_sheet

    try:
        return lesson_sheet(lesson, runs)
    except ExplorerError as error:
        return _problem(lesson.title, error)


def _problem(title: str, error: ExplorerError) -> str:
    """A sheet that says why there is none: a download has no other place for a sentence."""
    from explorer.worksheet.document import Sheet, html_of, said

    return html_of(Sheet(title, (), (said(str(error)),)))


def _address(state: ExplorerState, runs: Runs) -> str:
    """Of the live view, as far as the server knows where it is reached."""
    here = urlsplit(st.context.url or "")
    return (
        urlunsplit(here._replace(path=here.path or "/", query=urlencode(query_of(state, runs))))
        if here.netloc
        else ""
    )
