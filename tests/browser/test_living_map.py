"""The first page in a real browser: a newcomer's first minute, the keyboard, and that what is drawn was recorded."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.ui.server import locate_translation
from tests.browser.bar import expect_step
from tests.browser.pixels import near, pixel_at
from tests.marks import proofs
from tests.optional import unwrap

pytestmark = pytest.mark.browser

SIZES = [(1440, 900), *proofs((390, 844))]


def caption(page: Page):
    return page.locator(".living-map .caption > span").first


def moment(page: Page):
    return page.get_by_role("slider", name="Moment of the run")


def open_map(page: Page, query: str = "") -> None:
    page.goto(f"/{query}")
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    expect(page.locator(".living-map h1")).not_to_be_empty()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_newcomers_first_minute(width: int, height: int, browser: Browser, server: str):
    """A question, a guess, the answer, the step as it runs, a rival forced, back in time, and a link to that moment."""
    context = browser.new_context(base_url=server, viewport={"width": width, "height": height})
    page = context.new_page()
    open_map(page)
    expect(page.get_by_role("heading", name="What did it read to write dort?")).to_be_visible()
    minute = page.get_by_role("group", name="Your first minute")
    expect(caption(page)).not_to_contain_text("sleep")  # what was read is not told before it is guessed
    minute.get_by_role("button", name="cat", exact=True).click()
    expect(minute).to_contain_text(
        re.compile(r"It reads sleep, not cat, weight 0\.\d\d\. What it reads is not yet why it writes")
    )
    minute.get_by_role("button", name="Play the step").click()
    expect(page.get_by_role("heading", name="What comes after ne?")).to_be_visible()
    expect(page.get_by_role("heading", name="What did it read to write dort?")).to_be_visible(timeout=20_000)
    force = minute.get_by_role("button", name=re.compile("^Force "))
    rival = force.inner_text().removeprefix("Force ")
    force.click()
    expect(page.get_by_role("heading", name=f"Forced: {rival}")).to_be_visible()
    expect(minute).to_contain_text(f"Now it goes on to le petit chat ne {rival} ")
    chips = page.get_by_role("radiogroup", name=re.compile("Output"))
    expect(chips.get_by_role("radio", name=re.compile(rf"^{rival}\b"))).to_be_visible()
    box = moment(page).bounding_box()
    moment(page).click(position={"x": box["width"] * 0.3, "y": 12})
    expect(moment(page)).to_have_attribute("aria-valuetext", re.compile("."))
    expect(page).to_have_url(re.compile(r"moment=\d+"))
    there, said = page.url, caption(page).inner_text()
    held = moment(page).get_attribute("aria-valuenow")
    other = browser.new_context(base_url=server, viewport={"width": width, "height": height}).new_page()
    other.goto(there)
    expect(caption(other)).to_have_text(said)
    expect(moment(other)).to_have_attribute("aria-valuenow", held)
    minute.get_by_role("button", name="Now you: type a sentence").click()
    expect(page.get_by_role("combobox", name="English sentence")).to_be_focused()
    page.reload()
    expect(caption(page)).to_have_text(said)
    expect(page.get_by_role("group", name="Your first minute")).to_be_hidden()
    for each in (context, other.context):
        each.close()


@pytest.mark.parametrize("width", [1024, 768])
def test_question_of_a_narrow_window_takes_a_line_from_the_picture(width: int, browser: Browser, server: str):
    page = browser.new_page(base_url=server, viewport={"width": width, "height": 768})
    open_map(page)
    minute = page.get_by_role("group", name="Your first minute")
    for button in minute.get_by_role("button").all():
        expect(button).to_be_in_viewport(ratio=1)
    stage, dismiss = page.locator(".living-map .stage"), minute.get_by_role("button", name="Dismiss")
    asked = unwrap(stage.bounding_box())
    dismiss.click()
    expect(minute).to_be_hidden()
    page.wait_for_function(
        "([node, high]) => node.querySelector('canvas').clientHeight > high",
        arg=[stage.element_handle(), asked["height"]],
    )
    shown = unwrap(stage.bounding_box())
    assert shown["y"] + shown["height"] == pytest.approx(asked["y"] + asked["height"], abs=1)
    page.close()


def test_the_picture_is_played_and_scrubbed_by_keys(page: Page):
    open_map(page, "?step=2")
    page.get_by_role("img", name="The whole network").focus()
    page.keyboard.press("ArrowRight")
    expect(caption(page)).to_contain_text("Step 3:")
    page.keyboard.press("Shift+ArrowLeft")
    expect(caption(page)).to_contain_text("logits")
    page.keyboard.press("Shift+ArrowRight")
    expect(caption(page)).to_contain_text("Step 3:")
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="What does the source say?")).to_be_visible()
    expect(page).to_have_url(re.compile("moment=4000"))
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name="What did it read to stop here?")).to_be_visible()
    expect(page.locator(".living-map [aria-live]")).to_contain_text("writes </s> with probability")
    # With reduced motion play goes from still frame to still frame.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(page.get_by_role("heading", name="What comes first?")).to_be_visible()
    block = page.get_by_role("button", name=re.compile(r"^Cross-attention, decoder\.layers\.1"))
    block.focus()
    page.keyboard.press("i")
    card = page.locator(".living-map .corner")
    expect(card).to_contain_text("parameters of its own")
    expect(card.get_by_role("row").first).to_contain_text("q")
    page.keyboard.press("Escape")
    expect(card).not_to_contain_text("parameters of its own")


def test_a_block_opens_in_place_and_the_whole_picture_is_one_key_away(page: Page):
    """In by the keyboard, along the rail to another layer and another block, out again, and Back in the browser."""
    open_map(page, "?step=4")
    page.get_by_role("button", name="Cross-attention, decoder.layers.1.cross_attn", exact=True).focus()
    page.keyboard.press("Enter")
    stop = page.locator(".stop")
    rail = page.get_by_role("navigation", name="Blocks of the model")
    here = rail.locator("[aria-current]")
    expect(here).to_have_attribute("aria-label", "Decoder: Cross-attention, layer 1")
    expect(page.get_by_role("heading", name="Cross-attention", exact=True)).to_be_visible()
    weights = stop.get_by_role("img", name=re.compile("^weights = softmax: 7 rows by 7 columns"))
    expect(weights).to_be_visible()
    rail.get_by_role("button", name="Decoder: Cross-attention, layer 0").click()
    expect(here).to_have_attribute("aria-label", "Decoder: Cross-attention, layer 0")
    expect(page).to_have_url(re.compile("/cross-attention.*layer=0"))
    rail.get_by_role("button", name="Encoder: Self-attention, layer 1").click()
    expect(page.get_by_role("heading", name="Self-attention", exact=True)).to_be_visible()
    expect(here).to_have_attribute("aria-label", "Encoder: Self-attention, layer 1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    expect(caption(page)).to_contain_text("Step 4:")
    page.go_back()
    expect(here).to_have_attribute("aria-label", "Encoder: Self-attention, layer 1")
    stop.get_by_role("button", name="All numbers").click()
    expect(page.get_by_role("heading", name="Tensor inspector")).to_be_visible()
    expect(page).to_have_url(re.compile(r"site=encoder\.layers\.1\.self_attn\.q"))


@pytest.mark.parametrize("query", ["", "?head=-1&layer=99"], ids=["rail over both", "notice above"])
def test_the_rail_lies_over_no_words(page: Page, query: str):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"/cross-attention{query}")
    rail = page.get_by_role("navigation", name="Blocks of the model")
    words = page.locator(".st-key-depth_card")
    expect(words).to_contain_text("sleep")
    boxes = [unwrap(each.bounding_box()) for each in (*rail.get_by_role("button").all(), words)]
    card = boxes.pop()
    for box in boxes:
        assert box["x"] + box["width"] <= card["x"] or box["y"] + box["height"] <= card["y"]


def test_a_phone_shows_which_block_of_the_rail_is_open(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/cross-attention")
    here = page.locator(".rail [aria-current]")
    expect(here).to_be_in_viewport(ratio=1)


@pytest.mark.proof
def test_a_cell_has_the_colour_of_its_recorded_weight(page: Page):
    from core.run import load_run
    from explorer.look.theme import RAMPS, ramp_color
    from explorer.models.known import CHECKPOINTS
    from explorer.models.translation import translate

    result = translate(load_run(CHECKPOINTS / "en-fr"), "the small cat does not sleep")
    open_map(page, "?step=4")
    picture = page.get_by_role("img", name="The whole network")
    box = unwrap(picture.bounding_box())
    # The lane of what the step reads, found as somebody finds it: by what the caption says of the place.
    lane = _found(
        page,
        [(box["x"] + 30, box["y"] + y) for y in range(300, int(box["height"]), 8)],
        "^ne is read in this lane",
    )
    wanted = "^ne reads sleep, cross-attention, layer 1: "
    _, y = lane
    x, _ = _found(page, [(box["x"] + x, y) for x in range(400, int(box["width"]), 6)], wanted)
    seen = set()
    for down in range(-4, 40):
        page.mouse.move(x + 1, y + down)
        if not re.search(wanted, caption(page).inner_text()):
            continue
        drawn = pixel_at(page, x + 1, y + down)
        colours = [
            ramp_color(RAMPS["light"]["weight"], float(weight)) for weight in result.weights[1, :, 4, 5]
        ]
        alike = [head for head, colour in enumerate(colours) if near(colour, drawn)]
        seen.update(alike)
    heads = len(result.weights[1])
    assert seen == set(range(heads)), "a row of the cell for each head, each in the colour of its weight"


def _found(page: Page, places: list[tuple[float, float]], said: str) -> tuple[float, float]:
    """The first place at which the caption says something."""
    for place in places:
        page.mouse.move(*place)
        page.wait_for_function(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        )
        if re.search(said, caption(page).inner_text()):
            return place
    raise AssertionError(f"nowhere does the caption say {said}")


def test_from_the_card_of_a_block_each_name_opens_all_its_numbers(page: Page):
    open_map(page, "?step=4")
    page.get_by_role("button", name="Cross-attention, decoder.layers.0.cross_attn", exact=True).press("i")
    page.locator(".corner").get_by_role("button", name="scores", exact=True).click()
    expect(page.get_by_role("heading", name="Tensor inspector", level=1)).to_be_visible()
    expect(page.locator(".st-key-page")).to_contain_text("decoder.layers.0.cross_attn.scores")
    expect(page).to_have_url(re.compile(r"/tensors\?.*site=decoder\.layers\.0\.cross_attn\.scores"))
    page.go_back()
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    expect_step(page, 4)


def test_benchmarks_find_home_heading(page: Page):
    page.goto("/")
    expect(locate_translation(page)).to_be_visible(timeout=20_000)
