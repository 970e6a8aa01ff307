"""What a stop asks, before its answer and after: how one answers, and what is said to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape

import streamlit as st

from core.errors import ExplorerError
from explorer.browser.sentence_view import sentence_view
from explorer.lessons.answering import MOST_NUMBER, Findings, Verdict, labels, options, read_answer, verdict
from explorer.lessons.findings import filled
from explorer.lessons.lesson import Prediction
from explorer.lessons.seeing import cell_of
from explorer.look.markdown_text import plain
from explorer.look.pieces import text_of
from explorer.shell.lesson_way import Following
from explorer.visitor.learning import Learning, answer_at, answered, noticed, seen_at
from explorer.visitor.running import recorded_run
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.values import SessionValue

CHECK_KEY = "lesson_check_number"
TAKEN_BACK = SessionValue("lesson_taken_back", 0)
"""How many answers were taken back; who answers a question that was asked before that answers no longer."""


@dataclass(frozen=True)
class Question:
    """What is asked at a stop.

    Attributes:
        at: The stop of the lesson that asks.
        asks: The question.
        name: Of its widgets: that of the prediction, or of what is to be seen after it.
        found: What the run says to the stop's facts.
    """

    at: Following
    asks: Prediction
    name: str
    found: Findings

    @property
    def key(self) -> str:
        """Key of the answer's widget in the session."""
        return f"lesson_{self.name}_{self.at.lesson.key}_{self.at.number}"

    @property
    def given(self) -> str:
        """The answer as the address has it; empty for none."""
        at = answer_at if self.name == "answer" else seen_at
        return at(self.at.state.learning, self.at.number)

    def stored(self, learning: Learning, answer: str) -> Learning:
        """The visitor's place with an answer to this; an empty one takes it back."""
        return (answered if self.name == "answer" else noticed)(learning, self.at.number, answer)


def draw_question(asked: Question) -> str:
    """Ask, or tell what is said to the answer; returns that as text, and nothing before there is one.

    Right answers and sentences come from the recorded run.
    """
    try:
        answer = read_answer(asked.asks, asked.found, asked.given) if asked.given else None
        if answer is not None:
            return _verdict(asked, answer)
        _asks(asked, "Predict")
        _form(asked)
        _reveal(asked, "Show the answer", "lesson_show", "visibility", answer="shown")
    except ExplorerError as error:
        _fail(asked, error)
    return ""


def draw_check(asked: Question) -> str:
    """Ask what is to be seen in the picture, or say what it means; returns that as text."""
    try:
        _asks(asked, "What did you see?")
        if asked.asks.kind == "cell":
            return _clicked(asked)
        answer = read_answer(asked.asks, asked.found, asked.given) if asked.given else None
        if answer is None:
            _form(asked)
            return ""
        return _say(verdict(asked.asks, asked.found, answer), "lesson_noticed")
    except ExplorerError as error:
        _fail(asked, error)
    return ""


def _fail(asked: Question, error: ExplorerError) -> None:
    st.error(plain(f"{asked.at.lesson.file}, line {asked.asks.line}: {error}"))


def _asks(asked: Question, heading: str) -> None:
    st.caption(heading)
    sentence_view(filled(asked.asks.question, asked.found), key=f"lesson_{asked.name}_asked")


def _clicked(asked: Question) -> str:
    """What is said to the cell that was clicked in the picture, once one of those was that are asked about."""
    state = asked.at.state
    recorded = recorded_run(state)
    wanted = cell_of(asked.at.stop.facts[asked.asks.answer], asked.found[asked.asks.answer], recorded)
    cell = state.look.cell
    # What the stop itself explains was clicked by nobody.
    opened = asked.at.state_at(asked.at.number).look.trail
    if cell is None or cell.site != wanted.site or state.look.trail == opened:
        return ""
    said = asked.asks.right if cell.index == wanted.index else asked.asks.otherwise
    return _say(Verdict(None, "", (), filled(said, asked.found)), "lesson_noticed")


def _verdict(asked: Question, answer: str) -> str:
    told = verdict(asked.asks, asked.found, answer)
    right = text_of(told.answer)
    heard = {True: f"Right: {right}. ", False: f"Not so: {told.given}. ", None: f"The answer: {right}. "}[
        told.right
    ]
    given = f'<p class="given">{escape(told.given)}</p>' if told.right is False else ""
    st.caption("You said" if told.given else "The answer")
    st.html(
        f'<div class="lesson-answers">{given}<p class="right">{escape(right)}<b>right</b></p></div>',
    )
    # Before the sentence: whoever reads it and presses the key at once finds the button that takes it back.
    label = "Hide the answer" if told.right is None else "Answer again"
    place = st.container()
    _reveal(asked, label, "lesson_again", "replay", answer="")
    with place:
        return heard + _say(told, "lesson_said")


def _say(told: Verdict, key: str) -> str:
    with st.container(key=f"{key}_verdict"):
        sentence_view(told.said, key=key)
    return text_of(told.said)


def _reveal(asked: Question, label: str, key: str, icon: str, *, answer: str) -> None:
    """The button that gives the answer, or takes it back."""
    with st.container(key="lesson_reveal", width="content"):
        st.button(
            label,
            key=key,
            type="tertiary",
            icon=f":material/{icon}:",
            on_click=_answering(asked),
            args=(answer,),
        )


def _form(asked: Question) -> None:
    """The ways to answer."""
    {"number": _number_field, "cell": _cell_fields}.get(asked.asks.kind, _choices)(asked)


def _field(key: str) -> SessionValue[float | None]:
    return SessionValue(key, None)


def _choices(asked: Question) -> None:
    """One button for each answer; the first press is the answer."""
    choices, key = options(asked.asks, asked.found), asked.key
    st.pills(
        "Your answer",
        range(len(choices)),
        format_func=lambda place: plain(choices[place]),
        key=key,
        on_change=lambda: _answering(asked)(_text(_field(key).value)),
        label_visibility="collapsed",
    )


def _number_field(asked: Question) -> None:
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
            width=130,
            label_visibility="collapsed",
        )
        st.form_submit_button(
            "Check",
            key=f"{CHECK_KEY}_{asked.name}",
            on_click=lambda: _answering(asked)(_text(_field(key).value)),
        )


def _cell_fields(asked: Question) -> None:
    """Row and column; a cell that was clicked in the view stands there already."""
    key, found = asked.key, asked.found[asked.asks.answer]
    keys = (f"{key}_row", f"{key}_column")
    with (
        st.form(f"{key}_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        for axis, place in enumerate(_chosen_cell(asked)):
            names = labels(found, axis)
            st.selectbox(
                ("Row", "Column")[axis],
                range(len(names)),
                index=min(place, len(names) - 1),
                format_func=names.__getitem__,
                key=keys[axis],
                width=112,
            )
        st.form_submit_button(
            "Check",
            key=CHECK_KEY,
            on_click=lambda: _answering(asked)(",".join(str(_field(each).value) for each in keys)),
        )


def _chosen_cell(asked: Question) -> tuple[int, int]:
    """Row and column of the cell that is explained, where it is of what is asked about; else the first."""
    cell = asked.at.state.look.cell
    site = asked.at.stop.facts[asked.asks.answer].options.get("site")
    return (cell.index[-2], cell.index[-1]) if cell and cell.site == site and len(cell.index) > 1 else (0, 0)


def _answering(asked: Question) -> Callable[[str], None]:
    """Puts an answer to this stop into the state; an empty one takes it back."""
    taken_back = TAKEN_BACK.value

    def take(answer: str) -> None:
        state = visitor_state(asked.at.runs)
        # A run that the visitor cuts short, by going on or by taking the answer back, is told of the answer again:
        # the browser still sends the widget with which it was given.
        if state.learning.lesson != asked.at.lesson.key or taken_back != TAKEN_BACK.value:
            return
        if not answer:
            TAKEN_BACK.set(taken_back + 1)
            _field(asked.key).set(None)
        state = replace(state, learning=asked.stored(state.learning, answer))
        if asked.name == "answer" and asked.asks.before:
            state = replace(asked.at, state=state).state_at(asked.at.number)
        store_state(state, asked.at.runs)

    return take


def _text(value: object) -> str:
    """An answer of a widget as an address carries it; nothing for none."""
    if isinstance(value, float):
        return f"{value:.9f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
