"""The strip of a lesson on every page: what a stop says, its question, and the ways to the other stops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from explorer.components.lesson_keys import lesson_keys
from explorer.learning import Learning, answer_at, answered, looking_around, without_lesson
from explorer.lesson_style import lesson_css
from explorer.lesson_way import class_link, is_away, is_local, stop_state
from explorer.lessons.lesson import Lesson, Prediction, Stop
from explorer.lessons.parts import HOME, PAGES, PARTS
from explorer.links import query_of
from explorer.loading import loading
from explorer.markdown_text import plain
from explorer.model_store import lesson_library
from explorer.session import store_state, visitor_state
from explorer.state import ExplorerState, Runs, choose_learning

if TYPE_CHECKING:
    from explorer.lessons.answering import Findings

KEY, TEXT_KEY, KEYS_KEY = "lesson", "lesson_text", "lesson_keys"
LESSONS = "lessons"
"""Address of the page with the contents, where no strip is drawn."""
FILES = {**PAGES, LESSONS: "pages/learn/lessons.py"}
HEIGHT = 150
"""Pixels that are kept free for the strip while its facts are found for the first time."""


@dataclass(frozen=True)
class _Strip:
    """What the strip is drawn from.

    Attributes:
        page: Address of the page, ``home`` for the first one.
        state: The visitor's choices.
        lesson: Which they follow.
        runs: All models.
    """

    page: str
    state: ExplorerState
    lesson: Lesson
    runs: Runs

    @property
    def learning(self) -> Learning:
        """Where in the lesson they are."""
        return self.state.learning

    @property
    def number(self) -> int:
        """Of the stop, from 1."""
        return min(self.learning.stop, len(self.lesson.stops))

    @property
    def stop(self) -> Stop:
        """The stop."""
        return self.lesson.stop(self.number)

    def link_to_stop(self, number: int, label: str, *, key: str, icon: str, disabled: bool = False) -> None:
        """A link to a stop: its page with its state."""
        there = stop_state(self.state, self.lesson, number, self.runs)
        self.link(self.lesson.stop(number).page, there, label, key=key, icon=icon, disabled=disabled)

    def link(
        self, page: str, state: ExplorerState, label: str, *, key: str, icon: str, disabled: bool = False
    ) -> None:
        """A link to a page with a state."""
        with st.container(key=key, width="content"):
            st.page_link(
                FILES[page],
                label=label,
                icon=f":material/{icon}:",
                disabled=disabled,
                query_params=query_of(state, self.runs),
            )


def leaves_stop(page: str, before: ExplorerState, after: ExplorerState, runs: Runs) -> bool:
    """Whether the page itself has left what the stop speaks of, or come back to it, since the strip was drawn."""
    lesson = lesson_library().lessons.get(before.learning.lesson)
    if lesson is None or page == LESSONS:
        return False
    return is_away(page, before, lesson, runs) != is_away(page, after, lesson, runs)


def draw_lesson(page: str, state: ExplorerState, runs: Runs) -> None:
    """Draw the strip of the lesson that the visitor follows, if there is one.

    Call it before the page runs.

    Args:
        page: Address of the page; empty for the first one.
        state: The visitor's choices.
        runs: All models.
    """
    if not state.learning.lesson or page == LESSONS:
        return
    lesson = lesson_library().lessons.get(state.learning.lesson)
    if lesson is None:
        with st.container(key=KEY):
            st.info("There is no lesson of that name here.", icon=":material/link_off:")
            rest = choose_learning(state, without_lesson(state.learning))
            st.page_link(FILES[LESSONS], label="All lessons", query_params=query_of(rest, runs))
        return
    strip = _Strip(page or HOME, state, lesson, runs)
    away = is_away(page, state, lesson, runs)
    part = "" if away else PARTS[strip.stop.page].get(strip.stop.highlight, "")
    st.html(f"<style>{lesson_css(part, demo=state.learning.demo and not away)}</style>")
    with st.container(key=KEY, gap="xsmall"):
        if away:
            _bar_of_free_play(strip)
        else:
            keys_place = _bar(strip)
            said = _content(strip)
            with keys_place:
                lesson_keys(
                    stop=f"{lesson.key}/{strip.number}",
                    part=part,
                    said=said,
                    line="← → stop · r answer · d class",
                    key=KEYS_KEY,
                )


def _bar(strip: _Strip) -> DeltaGenerator:
    """Where one is, and the ways from here; returns the place of the keys."""
    count, number, learning = len(strip.lesson.stops), strip.number, strip.learning
    with st.container(key="lesson_bar", horizontal=True, vertical_alignment="center", gap="small"):
        strip.link_to_stop(
            max(1, number - 1), "Previous", key="lesson_previous", icon="arrow_back", disabled=number == 1
        )
        with st.container(key="lesson_place", width="content"):
            st.markdown(f"Stop **{number}** of {count}")
        if number < count:
            strip.link_to_stop(number + 1, "Next", key="lesson_next", icon="arrow_forward")
        else:
            strip.link(LESSONS, strip.state, "To the lessons", key="lesson_next", icon="done")
        if not learning.demo:
            strip.link(LESSONS, strip.state, strip.lesson.title, key="lesson_contents", icon="toc")
            free = choose_learning(strip.state, looking_around(learning))
            strip.link(strip.page, free, "Look around freely", key="lesson_free", icon="explore")
        shown = choose_learning(strip.state, replace(learning, demo=not learning.demo))
        label = "End the demo" if learning.demo else "For a class"
        strip.link(strip.page, shown, label, key="lesson_demo", icon="co_present")
        _class_link(strip)
        return st.container(width="content")


def _bar_of_free_play(strip: _Strip) -> None:
    with st.container(key="lesson_bar", horizontal=True, vertical_alignment="center", gap="small"):
        strip.link_to_stop(strip.number, "Back to the stop", key="lesson_next", icon="undo")
        with st.container(key="lesson_place", width="content"):
            st.markdown(f"You are looking around. Stop **{strip.number}** of {len(strip.lesson.stops)}")
        strip.link(LESSONS, strip.state, strip.lesson.title, key="lesson_contents", icon="toc")
        left = choose_learning(strip.state, without_lesson(strip.learning))
        strip.link(strip.page, left, "Leave the lesson", key="lesson_leave", icon="close")


def _class_link(strip: _Strip) -> None:
    """The address of this stop for others, as text and as a picture to photograph."""
    with st.popover("Link", icon=":material/qr_code_2:", key="lesson_link"):
        url = st.context.url
        if not url:
            st.markdown("The address of this page is not known.")
            return
        import segno

        address = class_link(url, strip.state, strip.lesson, strip.runs)
        picture = segno.make(address, micro=False).svg_inline(scale=4, border=2, light="#fff", dark="#000")
        st.image(picture, alt="QR code of the address below", width=260)
        st.code(address, language=None, wrap_lines=True)
        if is_local(url):
            st.caption(
                "This address works on this machine only. Start the app with `make serve` and open it by the "
                "machine's name in the network."
            )


def _content(strip: _Strip) -> str:
    """What the stop says, and its question; returns what was said to the answer."""
    with loading(TEXT_KEY, height=HEIGHT):
        from explorer.components.sentence_view import sentence_view
        from explorer.lessons.facts import find_facts
        from explorer.lessons.findings import filled

        stop = strip.stop
        found = find_facts(strip.lesson.file, stop.facts, strip.runs)
        text, look = filled(stop.text, found), filled(stop.look, found)
    words, question = st.columns((3, 2), gap="medium") if stop.prediction else (st.container(), None)
    with words:
        st.subheader(stop.title, anchor=False)
        sentence_view(text, key=TEXT_KEY)
        if look:
            sentence_view(look, key="lesson_look")
    if stop.prediction is None or question is None:
        return ""
    with question, st.container(key="lesson_question", gap="xsmall"):
        return _question(strip, stop.prediction, found)


def _question(strip: _Strip, prediction: Prediction, found: Findings) -> str:
    from explorer.components.sentence_view import sentence_view
    from explorer.lessons.answering import read_answer
    from explorer.lessons.findings import filled

    sentence_view(filled(prediction.question, found), key="lesson_asked")
    given = answer_at(strip.learning, strip.number)
    answer = read_answer(prediction, found, given) if given else None
    try:
        if answer is not None:
            return _verdict(strip, prediction, found, answer)
        _form(strip, prediction, found)
    except ExplorerError as error:
        st.error(plain(f"{strip.lesson.file}, line {prediction.line}: {error}"))
    return ""


def _verdict(strip: _Strip, prediction: Prediction, found: Findings, answer: str) -> str:
    from explorer.components.sentence_view import sentence_view
    from explorer.explanations.scene import Piece, number
    from explorer.lessons.answering import verdict

    told = verdict(prediction, found, answer)
    opening = {True: "Right: ", False: "Not so: ", None: "The answer: "}[told.right]
    first = Piece(told.given) if told.right is False else None
    pieces = (
        (number(opening), first, Piece(". ")) if first else (number(opening), *told.answer, Piece(". "))
    ) + told.said
    with st.container(key="lesson_verdict"):
        sentence_view(pieces, key="lesson_said")
    with st.container(key="lesson_reveal", width="content"):
        st.button(
            "Hide the answer" if told.right is None else "Answer again",
            key="lesson_again",
            type="tertiary",
            icon=":material/replay:",
            on_click=_answering(strip),
            args=("",),
        )
    return "".join(piece.text for piece in pieces)


def _form(strip: _Strip, prediction: Prediction, found: Findings) -> None:
    """The ways to answer."""
    from explorer.lessons.answering import SHOWN, labels, options

    take, key = _answering(strip), f"lesson_answer_{strip.lesson.key}_{strip.number}"
    choices = options(prediction, found)
    if prediction.kind in ("word", "choice"):
        st.pills(
            "Your answer",
            range(len(choices)),
            format_func=lambda place: plain(choices[place]),
            key=key,
            on_change=lambda: take(_text(st.session_state[key])),
            label_visibility="collapsed",
        )
    else:
        with st.form(f"{key}_form", border=False):
            row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
            if prediction.kind == "number":
                row.number_input(
                    "Your answer",
                    value=None,
                    step=None,
                    format="%.10g",
                    key=key,
                    placeholder="A number",
                    width=150,
                )
                row.form_submit_button("Check", on_click=lambda: take(_text(st.session_state[key])))
            else:
                found_at = found[prediction.answer]
                for axis, place in enumerate(_clicked(strip, prediction)):
                    names = labels(found_at, axis)
                    row.selectbox(
                        ("Row", "Column")[axis],
                        range(len(names)),
                        index=place,
                        format_func=lambda at, names=names: names[at],
                        key=f"{key}_{axis}",
                        width=150,
                    )
                row.form_submit_button(
                    "Check",
                    on_click=lambda: take(",".join(str(st.session_state[f"{key}_{i}"]) for i in (0, 1))),
                )
    with st.container(key="lesson_reveal", width="content"):
        st.button(
            "Show the answer",
            key="lesson_show",
            type="tertiary",
            icon=":material/visibility:",
            on_click=take,
            args=(SHOWN,),
        )


def _clicked(strip: _Strip, prediction: Prediction) -> tuple[int, int]:
    """Row and column of the cell that is explained, where it is of what is asked about; else the first."""
    cell = strip.state.trail[-1] if strip.state.trail else None
    site = strip.stop.facts[prediction.answer].options.get("site")
    return (cell.index[-2], cell.index[-1]) if cell and cell.site == site and len(cell.index) > 1 else (0, 0)


def _answering(strip: _Strip) -> Callable[[str], None]:
    """Puts an answer to this stop into the state; an empty one takes it back."""

    def take(answer: str) -> None:
        state = visitor_state(strip.runs)
        learning = replace(state.learning, stop=strip.number)
        store_state(choose_learning(state, answered(learning, answer)), strip.runs)

    return take


def _text(value: object) -> str:
    """An answer of a widget as an address carries it; nothing for none."""
    if isinstance(value, float):
        return f"{value:.9f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
