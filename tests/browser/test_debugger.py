"""The debugger in a real browser, by visible labels only: look at a step, force another token, compare, share."""

import re

import pytest
import torch
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from core.activations.trace import trace
from core.run import Run, load_run
from explorer.look.theme import format_probability
from tests.browser.bar import chips, expect_output, expect_step, focus_chips, go_to_step
from tests.browser.conftest import ROOT
from tests.browser.navigation import go_to
from tests.optional import unwrap

pytestmark = pytest.mark.browser

GREEDY = ["le", "petit", "chat", "ne", "dort", "pas", "</s>"]
FORCED = ["le", "petit", "chat", "ne", "mange", "pas", "</s>"]


def open_debugger(page: Page) -> None:
    page.goto("/")
    go_to(page, "Step by step")
    expect(page.get_by_role("heading", name="Step by step")).to_be_visible()
    expect_output(page, GREEDY)


def focus_view(page: Page) -> None:
    """Give the view the focus, once it is there and hears keys."""
    expect(page.get_by_role("region", name="Next token")).to_be_visible()
    page.locator(".decode-view").focus()


def branch(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Branches").get_by_role("row", name=re.compile(name))


def force_by_typing(page: Page, token: str) -> None:
    page.get_by_role("combobox", name="Any other token").fill(token)
    page.get_by_role("button", name="Force", exact=True).click()


def test_a_word_is_questioned_replaced_compared_and_the_link_is_shared(
    page: Page, browser: Browser, server: str
):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_debugger(page)
    go_to_step(page, 4)
    expect(page.get_by_role("region", name="Cross-attention")).to_contain_text(
        "Step 4 (→ dort) reads sleep with weight"
    )

    force_by_typing(page, "mange")
    expect_output(page, FORCED)
    expect_step(page, 4)
    expect(branch(page, "forced mange")).to_contain_text("to greedy")
    expect(page).to_have_url(re.compile("prefix="))

    page.get_by_role("button", name="Open greedy").click()
    expect_output(page, GREEDY)
    expect(branch(page, "forced mange")).to_be_visible()

    # A hypothesis that beam search pruned, followed from its tree into the debugger.
    go_to(page, "Beam search")
    tree = page.get_by_role("region", name="Beam search tree")
    tree.get_by_role("button", name=re.compile("^un, step 5, .* pruned")).focus()
    expect(tree).to_contain_text("le petit chat ne dort un")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Step by step")).to_be_visible()
    expect_step(page, 5, "un")
    go_to_step(page, 4)

    page.get_by_role("button", name="Open forced mange").click()
    expect_output(page, FORCED)
    page.get_by_role("button", name="Decoder", exact=True).click()
    page.get_by_role("button", name=re.compile("^Layer 0, head 1$")).click()
    page.keyboard.press("q")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")

    other = browser.new_page(base_url=server, reduced_motion="reduce")
    other.goto(link)
    expect_output(other, FORCED)
    expect_step(other, 4)
    expect(other.get_by_role("region", name="Decoder self-attention")).to_contain_text(
        "decoder layer 0, head 1"
    )
    expect(other.get_by_role("button", name="Decoder", exact=True)).to_have_attribute("aria-pressed", "true")
    other.close()


def test_a_candidate_is_forced_by_keyboard_and_the_focus_stays_in_the_view(page: Page):
    open_debugger(page)
    go_to_step(page, 0)
    focus_view(page)
    page.keyboard.press("ArrowDown")
    button = (
        page.get_by_role("region", name="Next token").get_by_role("button", name=re.compile("^Force .")).first
    )
    expect(button).to_be_focused()
    token = unwrap(button.get_attribute("aria-label")).removeprefix("Force ")
    page.keyboard.press("Enter")
    expect(branch(page, f"forced {token}")).to_be_visible()
    expect_step(page, 0, token)
    expect(page.locator(".decode-view")).to_be_focused()


def test_a_branch_is_named_and_removed(page: Page):
    open_debugger(page)
    go_to_step(page, 4)
    force_by_typing(page, "mange")
    expect_output(page, FORCED)
    page.get_by_role("button", name="Rename forced mange").click()
    page.get_by_role("textbox", name="Name of forced mange").fill("eats")
    page.keyboard.press("Enter")
    expect(branch(page, "eats")).to_be_visible()
    page.get_by_role("button", name="Remove eats").click()
    expect_output(page, GREEDY)
    expect(page.get_by_text("No branch yet.")).to_be_visible()


def probabilities(run: Run, sentence: str, *words: str) -> tuple[str, ...]:
    """What the model gives to words as the first one of its output, as the app writes it."""
    ids = [run.tgt_tokenizer.vocabulary.id(word) for word in words]
    logits = trace(run.model, run.encode_source(sentence), torch.tensor(ids[:1]), "generator.logits").logits[
        0
    ]
    return tuple(map(format_probability, logits.double().softmax(dim=-1)[ids].tolist()))


def test_one_token_is_varied_by_keys_and_another_value_becomes_the_sentence(page: Page):
    page.goto("/step-by-step?step=0")
    picture = page.get_by_role("region", name="Vary one token")
    source = picture.get_by_role("radiogroup", name="Token that is varied")
    varied = source.get_by_role("radio", checked=True)
    expect(varied).to_be_visible()
    varied.focus()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(varied).to_have_text("cat")
    mouse = picture.get_by_role("row", name=re.compile("^mouse"))
    expect(mouse).to_contain_text("la petite souris ne dort pas")
    expect(varied).to_be_focused()
    expect(page).to_have_url(re.compile("vary=2"))
    expect(picture.get_by_role("columnheader", name="P of")).to_have_text(["P of le", "P of un"])
    rows = picture.get_by_role("row").filter(has=page.get_by_role("rowheader"))
    run = load_run(ROOT / "checkpoints" / "en-fr")
    for row in rows.all():
        value = row.get_by_role("button").inner_text()
        shown = tuple(row.locator(".number").all_inner_texts())
        assert shown == probabilities(run, f"the small {value} does not sleep", "le", "un")

    picture.get_by_role("radio", name="By P").click()
    expect(rows.last).to_contain_text("la petite")
    expect(rows.first).to_contain_text("le petit")
    assert picture.locator(".row.break").count() == 1

    # Another step costs no way through the server: the bar asks, and the picture hears.
    go_to_step(page, 4)
    expect(picture.get_by_role("columnheader", name="P of").first).to_have_text("P of dort")

    picture.get_by_role("button", name="cat, as in the sentence").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    # The rows may just have been drawn again for the new step.
    expect(rows.nth(1).get_by_role("button")).to_be_focused()
    second = rows.nth(1).get_by_role("button").inner_text()
    assert second != "cat"
    page.keyboard.press("Enter")
    expect(picture.get_by_role("button", name=f"{second}, as in the sentence")).to_be_visible()
    expect(page).to_have_url(re.compile(f"sentence=the.small.{second}.does.not.sleep.*vary=2"))
    expect_step(page, 4)


def test_value_pressed_right_after_a_step_becomes_the_sentence(page: Page):
    server: list[WebSocketRoute] = []
    held: list[str | bytes] = []
    is_busy = False

    def follow(browser: WebSocketRoute) -> None:
        server.append(browser.connect_to_server())
        browser.on_message(lambda message: held.append(message) if is_busy else server[-1].send(message))

    page.route_web_socket(re.compile("_stcore/stream"), follow)
    page.goto("/step-by-step?step=0&vary=2")
    picture = page.get_by_role("region", name="Vary one token")
    value = picture.get_by_role("button", name="mouse, make it the sentence")
    expect(value).to_be_visible()
    page.wait_for_function("document.querySelector('[data-test-script-state=notRunning]')")
    is_busy = True
    focus_chips(page)
    page.keyboard.press("ArrowRight")
    value.evaluate("button => button.click()")
    # A step rests for 400 ms. Each message has all that was told before it, and a busy server acts on the last alone.
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 800))")
    server[-1].send(held[-1])
    is_busy = False
    expect(picture.get_by_role("button", name="mouse, as in the sentence")).to_be_visible()
    expect_step(page, 1)


def test_the_browsers_back_leaves_the_branch(page: Page):
    open_debugger(page)
    expect_step(page, 4)
    force_by_typing(page, "mange")
    expect_output(page, FORCED)
    page.go_back()
    expect_output(page, GREEDY)
    page.go_forward()
    expect_output(page, FORCED)


def test_a_phone_needs_no_sideways_scrolling(browser: Browser, server: str):
    page = browser.new_page(base_url=server, viewport={"width": 390, "height": 900})
    page.goto("/step-by-step?prefix=10&branches=11:another")
    expect(page.get_by_role("heading", name="Branches")).to_be_visible()
    for measure in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
        assert page.evaluate(f"{measure}.scrollWidth - {measure}.clientWidth") <= 0
    page.close()


# What a step is made of; the bar stands above them.
PARTS = ("Cross-attention", "Next token", "Branches", "Logit lens", "Key/value cache")


@pytest.mark.parametrize(
    ("width", "height", "whole"), [(1440, 900, len(PARTS)), (1280, 720, 3)], ids=["laptop", "projector"]
)
def test_step_is_seen_in_one_screen(browser: Browser, server: str, width: int, height: int, whole: int):
    page = browser.new_page(
        base_url=server, viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page.goto("/step-by-step?step=4&branches=11:another")
    expect(branch(page, "another")).to_be_visible()
    expect(chips(page).nth(4)).to_be_in_viewport(ratio=1)
    boxes = {name: unwrap(page.get_by_role("region", name=name, exact=True).bounding_box()) for name in PARTS}
    for name, box in boxes.items():
        assert box["y"] >= 0, name
        assert box["x"] + box["width"] <= width, name
    for name in PARTS[:whole]:
        assert (end := boxes[name]["y"] + boxes[name]["height"]) <= height, f"{name} ends at {end:.0f}"
    # Not by lying over one another, and not by cutting off what they show.
    for name, box in boxes.items():
        for other, its in boxes.items():
            apart = (
                box["x"] + box["width"] <= its["x"]
                or its["x"] + its["width"] <= box["x"]
                or box["y"] + box["height"] <= its["y"]
                or its["y"] + its["height"] <= box["y"]
            )
            assert name == other or apart, f"{name} and {other} overlap"
    shown = (".plane", ".candidates", ".any-token", ".heads .thumb", ".tree .token", ".points", ".kept")
    for part in shown if whole == len(PARTS) else shown[:-2]:
        for box in page.locator(f".decode-view {part}").evaluate_all(
            "(all) => all.map((node) => node.getBoundingClientRect().toJSON())"
        ):
            assert box["bottom"] <= height, f"{part} ends at {box['bottom']:.0f}"
    assert page.locator(".decode-view").evaluate("(view) => view.getBoundingClientRect().top") <= 146
    page.close()
