"""Stops of bars: units and logits as long as their numbers, and a way by keys from each to its explanation."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.look.theme import ROLES, format_probability, format_signed
from tests.browser.pixels import near, pixel_in
from tests.optional import unwrap

pytestmark = pytest.mark.browser
SENTENCE, STEP = "the small cat does not sleep", 4
LOOK = ROLES["light"]


@pytest.fixture(scope="module")
def recorded():
    from explorer.models.decodings import recorded_of
    from explorer.models.known import loaded_run

    return recorded_of(loaded_run("en-fr"), SENTENCE)


def part(page: Page, title: str) -> Locator:
    return page.get_by_role("img", name=re.compile(rf"^{re.escape(title)}"))


def sentence(page: Page) -> Locator:
    return page.locator(".stop .sentence")


def explained(page: Page) -> Locator:
    return page.locator(".st-key-explain .value code")


def expect_bar(bars: Locator, values: np.ndarray, column: int, colour: str) -> None:
    """A bar has its colour as far from the line of 0 as its number says, and no further."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    value, height = float(values[column]), unwrap(bars.bounding_box())["height"]
    # A wide bar leaves a pixel free at its right.
    end = ((column + 0.5) / len(values), (high - value) / (high - low), -0.5)
    inwards = 2 if value > 0 else -2
    assert near(colour, pixel_in(bars, *end, inwards)), column
    if 0 < end[1] * height - inwards < height:
        assert not near(colour, pixel_in(bars, *end, -inwards)), column


@pytest.mark.proof
def test_units_are_as_long_as_recorded_and_one_is_reached_and_explained_by_keys(page: Page, recorded):
    network = "decoder.layers.1.feed_forward"
    before, hidden = (recorded.values(f"{network}.{name}")[STEP] for name in ("pre_activation", "hidden"))
    page.goto(f"/feed-forward?block=decoder.feed_forward&layer=1&step={STEP}")
    units = part(page, f"256 units: {int((hidden > 0).sum())} pass the ReLU: 1 row by 256 columns")
    expect(units).to_be_visible()
    for unit in np.argsort(before)[-6:].tolist():
        expect_bar(units, before, unit, LOOK["positive"])
    for unit in np.argsort(before)[:6].tolist():
        expect_bar(units, before, unit, LOOK["line2"])

    unit = int(np.flatnonzero(hidden > 1)[0])
    units.focus()
    for _ in range(unit):
        page.keyboard.press("ArrowRight")
    value = format_signed(float(hidden[unit]))
    expect(sentence(page)).to_contain_text(f"unit {unit}: ReLU of {value} gives {value}")
    page.keyboard.press("Enter")
    expect(explained(page)).to_have_text(re.compile(rf"^{re.escape(network)}\.hidden\[0, {STEP}, {unit}\]"))
    expect(page.get_by_role("heading", name=f"Where unit {unit} fires most")).to_be_attached()


def test_logits_are_as_long_as_recorded_and_a_probability_says_its_sum_and_is_explained(page: Page, recorded):
    logits = recorded.values("generator.logits")[STEP].astype(np.float64)
    written = int(recorded.trace.tgt_out[STEP])
    page.goto(f"/output?step={STEP}")
    skyline = part(page, f"{len(logits)} logits")
    expect(skyline).to_be_visible()
    expect_bar(skyline, logits, written, LOOK["target"])
    for token in np.argsort(np.abs(logits))[-6:].tolist():
        if token != written:
            expect_bar(skyline, logits, token, LOOK["hatch"])

    part(page, "P: 10 rows by 1 column").focus()
    power, total = np.exp(logits), np.exp(logits).sum()
    shown = format_probability(float(power[written] / total))
    expect(sentence(page)).to_contain_text(
        f"dort: its share of the sum, {power[written]:.0f} ÷ {total:.0f} = {shown}"
    )
    second = int(np.argsort(logits)[-2])
    page.keyboard.press("ArrowDown")
    shown = format_probability(float(power[second] / total))
    expect(sentence(page)).to_contain_text(f"{power[second]:.2f} ÷ {total:.0f} = {shown}")
    page.keyboard.press("Enter")
    expect(explained(page)).to_have_text(re.compile(rf"^hypothesis\.prob\[{STEP}, {second}\]"))
