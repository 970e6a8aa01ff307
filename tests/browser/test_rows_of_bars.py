"""Stops whose rows stand on one grid: bars as long as their numbers, and one number read all the way down by keys."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.look.theme import ROLES, format_signed
from tests.browser.pixels import near, pixel_in
from tests.optional import unwrap

pytestmark = pytest.mark.browser
SENTENCE = "the small cat does not sleep"


@pytest.fixture(scope="module")
def recorded():
    from explorer.models.decodings import recorded_of
    from explorer.models.known import loaded_run

    return recorded_of(loaded_run("en-fr"), SENTENCE)


def row(page: Page, title: str) -> Locator:
    """A row of bars, by its title."""
    return page.get_by_role("img", name=re.compile(rf"^{re.escape(title)}: 1 row by 64 columns"))


def sentence(page: Page) -> Locator:
    return page.locator(".stop .sentence")


def plus(value: float) -> str:
    return f"{' − ' if value < 0 else ' + '}{format_signed(abs(value))}"


def expect_bars(page: Page, title: str, values: np.ndarray, limit: float) -> None:
    """The five longest bars of a row reach as far from its middle as their numbers, and no further."""
    part = row(page, title)
    height = unwrap(part.bounding_box())["height"]
    for column in np.abs(values).argsort()[-5:].tolist():
        value, inwards = float(values[column]), 2.0 if values[column] > 0 else -2.0
        end = ((column + 0.5) / len(values), 0.5 - value / limit / 2, -0.5)
        colour = ROLES["light"]["negative" if value < 0 else "positive"]
        assert near(colour, pixel_in(part, *end, inwards)), (title, column)
        if 0 < end[1] * height - inwards < height:
            assert not near(colour, pixel_in(part, *end, -inwards)), (title, column)


def test_one_number_of_a_norm_is_read_all_the_way_down_and_explained(page: Page, recorded):
    norm = "decoder.layers.1.cross_attn_add_norm"
    tensors = {name: recorded.values(f"{norm}.{name}")[4] for name in ("sum", "normalized", "output")}
    stream = recorded.values("decoder.layers.1.self_attn_add_norm.output")[4]
    added = recorded.values("decoder.layers.1.cross_attn.output")[4]
    mean, variance = (float(recorded.values(f"{norm}.{name}")[4]) for name in ("mean", "variance"))
    learned = recorded.run.model.get_submodule(norm)
    gamma, beta = (each.detach().numpy() for each in (learned.weight, learned.bias))

    page.goto("/add-norm?block=decoder.cross_attn&layer=1&step=4")
    expect(row(page, "the stream")).to_be_visible()
    first = max(float(np.abs(each).max()) for each in (stream, added, tensors["sum"]))
    for title, values in (("the stream", stream), ("cross-attention", added), ("sum", tensors["sum"])):
        expect_bars(page, title, values, first)
    last = max(float(np.abs(tensors[name]).max()) for name in ("normalized", "output"))
    for title, name in (("normalised", "normalized"), ("output", "output")):
        expect_bars(page, title, tensors[name], last)
    # γ is near 1 and β near 0: on one scale β would be a line.
    for title, values in (("γ, learned", gamma), ("β, learned", beta)):
        expect_bars(page, title, values, float(np.abs(values).max()))

    row(page, "the stream").focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    at = 7
    x, before, after = (float(each[at]) for each in (stream, added, tensors["sum"]))
    normalized, output = (float(tensors[name][at]) for name in ("normalized", "output"))
    told = [
        f"d_model 7: {format_signed(x)} ",
        f"d_model 7: {format_signed(before)} ",
        f"d_model 7: {format_signed(x)}{plus(before)} = {format_signed(after)} ",
        f"({format_signed(after)}{plus(-mean)}) ÷ √({format_signed(variance)} + ε) = {format_signed(normalized)} ",
        f"the same for all tokens: {format_signed(float(gamma[at]))} ",
        f"the same for all tokens: {format_signed(float(beta[at]))} ",
        f"{format_signed(normalized)} × {format_signed(float(gamma[at]))}{plus(float(beta[at]))} = "
        f"{format_signed(output)} ",
    ]
    for place, said in enumerate(told):
        if place:
            page.keyboard.press("ArrowDown")
        expect(sentence(page)).to_contain_text(said)
    expect(row(page, "output")).to_be_focused()
    page.keyboard.press("Enter")
    explained = page.locator(".st-key-explain .value code")
    expect(explained).to_have_text(re.compile(rf"^{re.escape(norm)}\.output\[0, 4, 7\]"))


@pytest.mark.proof
def test_the_row_that_a_tokens_id_picks_is_read_down_to_what_the_first_layer_reads(page: Page, recorded):
    page.goto("/tokens")
    cat = int(recorded.trace.src[2])
    chips = page.get_by_role("radiogroup", name="Token")
    chips.get_by_role("radio", name="the", exact=False).first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(chips.get_by_role("radio", name=f"cat id {cat}")).to_be_focused()
    values, position, summed = (
        recorded.values(f"src_embed.{name}")[2] for name in ("tokens", "positions", "output")
    )
    expect_bars(page, "× √64", values, max(float(np.abs(each).max()) for each in (values, position, summed)))
    row(page, f"row {cat} of 358").focus()
    for said in (
        f"weight[{cat}, 0]",
        f" × √64 = {format_signed(float(values[0]))} ",
        f"d_model 0: {format_signed(float(position[0]))} ",
        f"{format_signed(float(values[0]))}{plus(float(position[0]))} = {format_signed(float(summed[0]))} ",
    ):
        expect(sentence(page)).to_contain_text(said)
        page.keyboard.press("ArrowDown")
