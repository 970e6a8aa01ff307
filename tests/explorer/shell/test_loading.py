"""The place of a view while it is computed."""

import pytest
import streamlit as st

from core.errors import InputError
from explorer.shell import loading as module
from explorer.shell.loading import PageEnded, loading


class Place:
    """Fake of `st.empty()` that lists the elements drawn in it."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def skeleton(self, height: int) -> None:
        self.drawn.append(f"skeleton of {height}")

    def error(self, sentence: str) -> None:
        self.drawn.append(sentence)

    def empty(self) -> None:
        self.drawn.append("")


@pytest.fixture
def place(monkeypatch) -> Place:
    place = Place()
    monkeypatch.setattr(st, "empty", lambda: place)
    return place


@pytest.mark.parametrize(("is_drawn", "drawn"), [(False, ["skeleton of 400", ""]), (True, [""])])
def test_loading_draws_a_skeleton_the_first_time_only(place, monkeypatch, is_drawn, drawn):
    monkeypatch.setattr(module, "is_drawn", lambda key: is_drawn)
    with loading("view", height=400):
        pass
    assert place.drawn == drawn


def test_loading_shows_an_error_as_a_sentence_and_ends_the_page(place, monkeypatch):
    monkeypatch.setattr(module, "is_drawn", lambda key: True)
    with pytest.raises(PageEnded), loading("view", height=400):
        raise InputError("type *a* word")
    assert place.drawn == [r"Type \*a\* word\."], "escaped, so that Markdown shows it as it is"
