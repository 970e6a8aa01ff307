"""The question of a stop in the strip: how it is answered, and what is said to the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import ExplorerError
from explorer.lessons.lesson import Lesson, Prediction, Stop
from explorer.look.markdown_text import plain
from explorer.visitor.learning import answer_at, answered
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState, Runs
from explorer.visitor.values import SessionValue

if TYPE_CHECKING:
    from explorer.lessons.answering import Findings

CHECK_KEY = "lesson_check"


@dataclass(frozen=True)
class Question:
    """What is asked at a stop.

    Attributes:
        state: The visitor's choices.
        lesson: Which they follow.
        number: Of the stop, from 1.
        prediction: The question.
        found: What the run says to the stop's facts.
        runs: All models.
    """

    state: ExplorerState
    lesson: Lesson
    number: int
    prediction: Prediction
    found: Findings
    runs: Runs

    @property
    def stop(self) -> Stop:
        """The stop of the lesson that asks the question."""
        return self.lesson.stop(self.number)

    @property
    def key(self) -> str:
        """Key of the answer's widget in the session."""
        return f"lesson_answer_{self.lesson.key}_{self.number}"


def draw_question(asked: Question) -> str:
    """Ask, or tell what is said to the answer; returns that as text, and nothing before there is one.

    Right answers and sentences come from the recorded run.
    """
    from explorer.browser.sentence_view import sentence_view
    from explorer.lessons.answering import read_answer
    from explorer.lessons.findings import filled

    sentence_view(filled(asked.prediction.question, asked.found), key="lesson_asked")
    given = answer_at(asked.state.learning, asked.number)
    answer = read_answer(asked.prediction, asked.found, given) if given else None
    try:
        if answer is not None:
            return _verdict(asked, answer)
        _form(asked)
    except ExplorerError as error:
        st.error(plain(f"{asked.lesson.file}, line {asked.prediction.line}: {error}"))
    return ""


def _verdict(asked: Question, answer: str) -> str:
    from explorer.browser.sentence_view import sentence_view
    from explorer.lessons.answering import verdict
    from explorer.look.pieces import Piece, number

    told = verdict(asked.prediction, asked.found, answer)
    opening = {True: "Right: ", False: "Not so: ", None: "The answer: "}[told.right]
    first = Piece(told.given) if told.right is False else None
    pieces = (
        (number(opening), first, Piece(". ")) if first else (number(opening), *told.answer, Piece(". "))
    ) + told.said
    place = st.container(key="lesson_verdict")
    # Before the sentence: whoever reads it and presses the key at once finds the button that takes it back.
    with st.container(key="lesson_reveal", width="content"):
        st.button(
            "Hide the answer" if told.right is None else "Answer again",
            key="lesson_again",
            type="tertiary",
            icon=":material/replay:",
            on_click=_answering(asked),
            args=("",),
        )
    with place:
        sentence_view(pieces, key="lesson_said")
    return "".join(piece.text for piece in pieces)


def _form(asked: Question) -> None:
    """The ways to answer, and to be told without one."""
    from explorer.lessons.answering import SHOWN

    {"number": _number_field, "cell": _cell_fields}.get(asked.prediction.kind, _choices)(asked)
    with st.container(key="lesson_reveal", width="content"):
        st.button(
            "Show the answer",
            key="lesson_show",
            type="tertiary",
            icon=":material/visibility:",
            on_click=_answering(asked),
            args=(SHOWN,),
        )


def _field(key: str) -> SessionValue[float | None]:
    return SessionValue(key, None)


def _choices(asked: Question) -> None:
    """One button for each answer; the first press is the answer."""
    from explorer.lessons.answering import options

    choices, key = options(asked.prediction, asked.found), asked.key
    st.pills(
        "Your answer",
        range(len(choices)),
        format_func=lambda place: plain(choices[place]),
        key=key,
        on_change=lambda: _answering(asked)(_text(_field(key).value)),
        label_visibility="collapsed",
    )


def _number_field(asked: Question) -> None:
    from explorer.lessons.answering import MOST_NUMBER

    key = asked.key
    with st.form(f"{key}_form", border=False), st.container(horizontal=True, gap="small"):
        st.number_input(
            "Your answer",
            min_value=float(-MOST_NUMBER),
            max_value=float(MOST_NUMBER),
            value=None,
            format="%.10g",
            key=key,
            placeholder="A number",
            width=200,
            label_visibility="collapsed",
        )
        st.form_submit_button(
            "Check", key=CHECK_KEY, on_click=lambda: _answering(asked)(_text(_field(key).value))
        )


def _cell_fields(asked: Question) -> None:
    """Row and column; a cell that was clicked in the view stands there already."""
    from explorer.lessons.answering import labels

    key, found = asked.key, asked.found[asked.prediction.answer]
    keys = (f"{key}_row", f"{key}_column")
    with (
        st.form(f"{key}_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        for axis, place in enumerate(_clicked(asked)):
            names = labels(found, axis)
            st.selectbox(
                ("Row", "Column")[axis],
                range(len(names)),
                index=min(place, len(names) - 1),
                format_func=names.__getitem__,
                key=keys[axis],
                width=120,
            )
        st.form_submit_button(
            "Check",
            key=CHECK_KEY,
            on_click=lambda: _answering(asked)(",".join(str(_field(each).value) for each in keys)),
        )


def _clicked(asked: Question) -> tuple[int, int]:
    """Row and column of the cell that is explained, where it is of what is asked about; else the first."""
    cell = asked.state.look.trail[-1] if asked.state.look.trail else None
    site = asked.stop.facts[asked.prediction.answer].options.get("site")
    return (cell.index[-2], cell.index[-1]) if cell and cell.site == site and len(cell.index) > 1 else (0, 0)


def _answering(asked: Question) -> Callable[[str], None]:
    """Puts an answer to this stop into the state; an empty one takes it back."""

    def take(answer: str) -> None:
        state = visitor_state(asked.runs)
        # A run that the visitor cuts short by going on is told of the answer again, at the next stop.
        if state.learning.lesson == asked.lesson.key:
            learning = answered(state.learning, asked.number, answer)
            store_state(replace(state, learning=learning), asked.runs)

    return take


def _text(value: object) -> str:
    """An answer of a widget as an address carries it; nothing for none."""
    if isinstance(value, float):
        return f"{value:.9f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
