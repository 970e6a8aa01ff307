"""The downloads of worksheets: of the view that is open, and of a lesson; nothing is made before somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from core.errors import ExplorerError
from explorer.lessons.lesson import Lesson
from explorer.look.markdown_text import plain
from explorer.view import Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import Sheet, html_of, paragraph
from explorer.worksheets.lesson_sheet import lesson_sheet
from explorer.worksheets.pages import worksheet_of


def draw_worksheet(view: View, state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Offer the open view as a file, at the right end of the title's line.

    Call it after the page has run, in the page's container: the file then has what was chosen there.

    Args:
        view: That is open.
        state: The visitor's choices.
        runs: All models.
        views: All of them.
    """
    if not view.prints(state):
        return
    with st.container(key="worksheet"):
        st.download_button(
            "Worksheet",
            # The address is asked for now: where the file is made, no visitor is known.
            data=partial(view_sheet, view, state, _address(state, runs), views),
            file_name=f"{view.key}.html",
            mime="text/html",
            key="worksheet_view",
            help="This view on paper, as a file that opens by itself",
            on_click="ignore",
            icon=":material/print:",
            type="tertiary",
        )


def draw_lesson_worksheets(lessons: Iterable[Lesson], runs: Runs, views: Registry) -> None:
    """Offer each lesson's questions, with the key to their answers, as files."""
    st.markdown(
        "**Worksheets** are lessons on paper: what a lesson says and shows, its questions with room for an answer, and "
        "the key on a page of its own. The files need no network."
    )
    with st.container(key="worksheets", horizontal=True, gap="small"):
        for lesson in lessons:
            st.download_button(
                plain(lesson.title),
                data=partial(_lesson_sheet, lesson, runs, views),
                file_name=f"{lesson.key}.html",
                mime="text/html",
                key=f"worksheet_{lesson.key}",
                on_click="ignore",
                icon=":material/print:",
            )


def view_sheet(view: View, state: ExplorerState, address: str, views: Registry) -> str:
    """Return a view's worksheet as HTML; where none can be made, the sheet says why.

    Args:
        view: The view.
        state: The visitor's choices.
        address: Address of the live view, which is printed; empty if unknown.
        views: All views.
    """
    document = view.contents.document
    try:
        return document(view.title, state, address) if document else worksheet_of(view, state, address, views)
    except ExplorerError as error:
        return _problem(view.title, error)


def _lesson_sheet(lesson: Lesson, runs: Runs, views: Registry) -> str:
    try:
        return lesson_sheet(lesson, runs, views)
    except ExplorerError as error:
        return _problem(lesson.title, error)


def _problem(title: str, error: ExplorerError) -> str:
    """A sheet that says why there is none: a download has no other place for a sentence."""
    return html_of(Sheet(title, (), (paragraph(error.sentence),)))


def _address(state: ExplorerState, runs: Runs) -> str:
    """Address of the live view, as far as the server knows where it is reached."""
    here = urlsplit(st.context.url or "")
    return (
        urlunsplit(here._replace(path=here.path or "/", query=urlencode(query_of(state, runs))))
        if here.netloc
        else ""
    )
