"""The player of a training in a real browser: one question after the other, and none before the last is answered."""

import json
from pathlib import Path

import pytest
import streamlit as st

from explorer.browser import moment_player as module
from explorer.browser.assets import script, style
from explorer.browser.moment_player import AskedMoment, asked_moment, pack
from tests.explorer.mounting import MOUNT

FOLDER = Path(module.__file__).parent
STOPS = (0, 10, 25, -1)
BUTTON = "document.querySelector('#host').shadowRoot.querySelector('button')"


class Player:
    """The mounted component, on a clock that stands still unless it is moved."""

    def __init__(self, page, stop: int) -> None:
        self.page = page
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        source = script(*module.SCRIPTS)
        css = style(FOLDER / "player.css")
        page.evaluate(MOUNT, ["moment-player", source, css, list(pack(STOPS, stop))])

    def shows(self, stop: int) -> None:
        """The page of a stop is there."""
        self.page.evaluate("data => window.feed(data)", list(pack(STOPS, stop)))

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    def press(self) -> None:
        self.page.evaluate(f"{BUTTON}.click()")

    @property
    def label(self) -> str:
        return self.page.evaluate(f"{BUTTON}.textContent")

    @property
    def asked(self) -> list[tuple[int, bool]]:
        reports = self.page.evaluate("window.reports")
        numbers = [report["report"] for _, report in reports]
        assert numbers == sorted(set(numbers))
        return [(report["stop"], report["goes_on"]) for _, report in reports]


@pytest.fixture
def player(browser):
    pages = []

    def mount(stop: int) -> Player:
        pages.append(browser.new_page())
        return Player(pages[-1], stop)

    yield mount
    for page in pages:
        page.close()


def test_from_the_end_it_begins_with_the_first_moment_and_ends_at_the_end(player):
    played = player(-1)
    assert played.label == "Play the training"
    played.press()
    assert played.asked == [(0, True)]
    assert played.label == "Stop"
    for stop in STOPS[:-1]:
        played.shows(stop)
        played.wait(1000)
    assert played.asked == [(0, True), (10, True), (25, True), (-1, False)]
    played.shows(-1)
    assert played.label == "Play the training"
    played.wait(5000)
    assert len(played.asked) == 4


def test_it_waits_for_the_page_and_for_the_eye(player):
    played = player(10)
    played.press()
    assert played.asked == [(25, True)]
    played.wait(5000)
    assert len(played.asked) == 1, "the page of the moment is not there yet"
    played.shows(25)
    played.wait(40)
    assert played.asked[1:] == [(-1, False)], "its time is over already"
    played = player(0)
    played.press()
    played.shows(10)
    played.wait(850)
    assert len(played.asked) == 1, "nobody could have seen it yet"
    played.wait(100)
    assert played.asked[1:] == [(25, True)]


def test_it_is_stopped_and_the_address_is_told_where(player):
    played = player(0)
    played.press()
    played.shows(10)
    played.press()
    assert played.asked == [(10, True), (10, False)]
    assert played.label == "Play the training"
    played.wait(5000)
    assert len(played.asked) == 2
    played.press()
    assert played.asked[2:] == [(25, True)]


def test_who_chooses_another_moment_stops_it(player):
    played = player(0)
    played.press()
    played.shows(25)
    assert played.label == "Play the training"
    played.wait(5000)
    assert played.asked == [(10, True)]


def test_a_new_moment_of_a_training_that_goes_on_does_not_stop_it(player):
    played = player(0)
    played.press()
    played.page.evaluate("data => window.feed(data)", list(pack((0, 10, 25, 30, -1), 0)))
    assert played.label == "Stop"
    played.shows(10)
    played.wait(1000)
    assert played.asked == [(10, True), (25, True)]


def test_keys_press_it_and_it_keeps_the_focus(player):
    played = player(0)
    played.page.evaluate(f"{BUTTON}.focus()")
    played.page.keyboard.press("Enter")
    assert played.label == "Stop"
    played.shows(10)
    played.page.keyboard.press("Space")
    assert played.label == "Play the training"
    assert played.asked == [(10, True), (10, False)]


@pytest.mark.parametrize(
    "raw",
    [
        None,
        7,
        {},
        {"stop": 11, "goes_on": True},
        {"stop": True, "goes_on": True},
        {"stop": 10.0, "goes_on": True},
        {"stop": "10", "goes_on": True},
        {"stop": 10, "goes_on": 1},
        {"stop": [10], "goes_on": True},
    ],
)
def test_what_a_browser_makes_up_is_no_wish(monkeypatch, raw):
    monkeypatch.setattr(st, "session_state", {"played": {"asked": raw}})
    assert asked_moment(STOPS, key="played") is None


def test_a_wish_is_read(monkeypatch):
    asked = {"stop": 10, "goes_on": True, "report": 5}
    monkeypatch.setattr(st, "session_state", {"played": {"asked": asked}})
    assert asked_moment(STOPS, key="played") == AskedMoment(10, True)
    assert asked_moment(STOPS, key="other") is None
    assert json.loads(pack(STOPS, 10)) == {"stops": [0, 10, 25, -1], "stop": 10}


def test_it_asks_for_nothing_after_it_was_stopped_in_the_last_instant(player):
    played = player(0)
    played.page.evaluate("window.requestAnimationFrame = (act) => { window.drawn = act; return 1; }")
    played.press()
    played.shows(10)
    played.wait(1000)
    played.press()
    played.page.evaluate("window.drawn()")
    assert played.asked == [(10, True), (10, False)]
    assert played.label == "Play the training"
