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

OF_MODEL = frozenset({"", "map", *BLOCK, "step-by-step", "sampling-lab", "beams", "tensors", "runs"})
OTHERS = frozenset({"glossary", "train", "one-update", "experiments"})
"""Addresses of the pages that have a worksheet; the empty one is the home page's."""


def draw_worksheet(page: str, title: str, state: ExplorerState, runs: Runs) -> None:
    """Offer the open view as a file. Call it after the page has run.

    Args:
        page: Address of the page.
        title: As the sidebar calls it.
        state: The visitor's choices.
        runs: All models.
    """
    # Before a training is begun there is nothing to print of it.
    if page not in OF_MODEL | OTHERS or (page == "train" and not state.training):
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
    try:
        return _made(page, title, state, address)
    except ExplorerError as error:
        return _problem(title, error)


def _made(page: str, title: str, state: ExplorerState, address: str) -> str:
    """Each kind brings in what it needs only when it is asked for."""
    match page:
        case "glossary":
            from explorer.worksheet.glossary_sheet import glossary_sheet

            return glossary_sheet()
        case "train":
            from explorer.worksheet.training_sheet import training_sheet

            return training_sheet(title, state, address)
        case "one-update":
            from explorer.worksheet.update_sheet import update_sheet

            return update_sheet(title, state, address)
        case "experiments":
            from explorer.worksheet.experiment_sheet import experiment_sheet

            return experiment_sheet(title, state, address)
        case _:
            from explorer.worksheet.pages import worksheet_of

            return worksheet_of(page, title, state, address)


def _lesson_sheet(lesson: Lesson, runs: Runs) -> str:
    from explorer.worksheet.lesson_sheet import lesson_sheet

    try:
        return lesson_sheet(lesson, runs)
    except ExplorerError as error:
        return _problem(lesson.title, error)


def _problem(title: str, error: ExplorerError) -> str:
    """A sheet that says why there is none: a download has no other place for a sentence."""
    from explorer.worksheet.document import Sheet, html_of, said

    return html_of(Sheet(title, (), (said(error.sentence),)))


def _address(state: ExplorerState, runs: Runs) -> str:
    """Of the live view, as far as the server knows where it is reached."""
    here = urlsplit(st.context.url or "")
    return (
        urlunsplit(here._replace(path=here.path or "/", query=urlencode(query_of(state, runs))))
        if here.netloc
        else ""
    )
