"""Goes to stops of lessons by their addresses, and says where what they speak of stands in the window."""

from dataclasses import replace
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from explorer.app import REGISTRY
from explorer.lessons.lesson import Lesson
from explorer.models.known import shipped_runs
from explorer.shell.lesson_way import stop_state
from explorer.visitor.learning import Learning, answered
from explorer.visitor.links import query_of
from explorer.visitor.state import default_state
from tests.optional import unwrap

FRAMES = """() => {
    const shadows = [...document.querySelectorAll("[data-testid=stMain] *")].filter((node) => node.shadowRoot);
    const lit = shadows.flatMap((host) => [...host.shadowRoot.querySelectorAll("[data-light=frame]")]);
    const parts = [...document.querySelectorAll("[data-lit]")];
    const boxOf = (node) => {
        const { left, top, right, bottom } = node.getBoundingClientRect();
        return { left, top, right, bottom };
    };
    const column = document.querySelector(".st-key-lesson");
    return { frames: lit.map(boxOf), parts: parts.map(boxOf), column: column && boxOf(column) };
}"""
"""The boxes of all frames of the light, of the parts that are framed as a whole, and of the column."""
LIT = (
    f"""() => {{ const lit = ({FRAMES})(); return lit.column && (lit.frames.length || lit.parts.length); }}"""
)
IN_VIEW = f"""() => {{
    const found = ({FRAMES})(), all = [...found.frames, ...found.parts];
    // On a phone the column is a sheet: what is under it is not seen.
    const end = found.column && found.column.left < 1 ? found.column.top : innerHeight;
    const isIn = found.column && all.length && all.every(({{ top }}) => top < end);
    // Where all frames together are too high for what a sheet leaves, the last of them is.
    const seen = found.frames.filter(({{ top, bottom }}) => top >= 0 && bottom <= end);
    const isEnough = end < innerHeight ? seen.length || !found.frames.length : seen.length === found.frames.length;
    return isIn && isEnough && found;
}}"""
"""The same boxes once all of them are in view, and the column beside them; nothing before."""


def address_of(lesson: Lesson, number: int) -> str:
    """The address of a stop whose question has been answered."""
    runs = shipped_runs()
    state = replace(default_state(runs), learning=Learning(lesson.key))
    if lesson.stop(number).prediction is not None:
        state = replace(state, learning=answered(state.learning, number, "shown"))
    state = stop_state(state, lesson, number, runs)
    return f"/{REGISTRY[lesson.stop(number).page].address}?{urlencode(query_of(state, runs))}"


def expect_light_in_view(page: Page, lesson: Lesson, number: int) -> None:
    """Everything that a stop frames stands in the window and beside the column; of a whole part its top does."""
    stop, place = lesson.stop(number), f"{lesson.key}, stop {number}"
    expect(page.locator(".st-key-lesson h3")).to_have_text(stop.title)
    if not stop.target.part:
        return
    page.wait_for_function(LIT)
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_attached()
    found, width = page.wait_for_function(IN_VIEW).json_value(), unwrap(page.viewport_size)["width"]
    if found["column"]["left"] >= 1:
        assert all(box["right"] <= found["column"]["left"] + 1 for box in found["frames"]), place
    assert all(box["left"] >= 0 and box["right"] <= width for box in found["parts"]), place
    if stop.page not in UNLIT and stop.target.sites:
        assert found["frames"], f"{place}: no row is in the light"


UNLIT = ("step-by-step", "what-if")
"""Pages whose view is framed as a whole, since it draws no light on its rows."""
