"""`make screenshots`: the pictures of docs/tour.md and of the README, in docs/pictures/.

Name some of them to make only these: `python -m tests.browser.screenshots map explain`. Every picture waits for
conditions and never for a time, the window has a fixed size, and the visitor asks for reduced motion.
"""

import io
import os
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, expect

from core.experiments import EXPERIMENTS
from tests.browser.conftest import ROOT
from tests.browser.recording import browser_and_app, skip_first_minute
from tests.browser.soundness import opened
from tests.conftest import PATIENCE, TRAINING_PATIENCE

FOLDER = ROOT / "docs" / "pictures"
MAIN = "[data-testid=stMain]"
WINDOW = "[data-testid=stApp]"
COLOURS = 192
"""Colours of a picture: without loss, so few of them need less space than a blurred picture, and letters stay sharp."""
LONG = 1000 * TRAINING_PATIENCE
MIDDLE = "after 140 of 325"
"""A moment at which the recorded model of the page Train has learned half of its task."""
SENTENCE = "the small cat does not sleep"
EXPLAINED = "layer=1&head=2&explain=decoder.layers.1.cross_attn.scores-0-2-4-5"
COPY = EXPERIMENTS["copy-without-positions"]


def stay(page: Page) -> None:
    """Do nothing: the page is worth a picture as it opens."""


@dataclass(frozen=True)
class Picture:
    """A screenshot of one element.

    Attributes:
        name: Name of the file, without its ending.
        address: Address of the page, relative to the app.
        prepare: Function that acts and waits until the page shows what the picture is about.
        part: Selector of the element in the picture.
        crop: Width and height that are kept, from the top left corner; None for everything in the window.
        margin: Pixels around the element that are kept as well.
        window: Width and height of the browser's window.
        scale: Pixels of the picture per pixel of the page.
    """

    name: str
    address: str
    prepare: Callable[[Page], None] = stay
    part: str = MAIN
    crop: tuple[int, int] | None = None
    margin: int = 0
    window: tuple[int, int] = (1280, 800)
    scale: int = 1


def force_candidate(page: Page) -> None:
    """Force the most probable rival of the token that the model chose."""
    page.locator(".living-map .candidate button.force").first.click()
    expect(page.get_by_role("heading", name="Forced: ")).to_be_visible()


def show_block_card(page: Page) -> None:
    """Show what a block of the map is and what is recorded in it."""
    page.get_by_role("button", name="Cross-attention, decoder.layers.1.cross_attn", exact=True).focus()
    page.keyboard.press("i")
    expect(page.locator(".living-map .corner")).to_contain_text("parameters of its own")


def force_typed_token(page: Page) -> None:
    """Force a token by typing it, which opens a second branch."""
    page.get_by_role("combobox", name="Any other token").fill("mange")
    page.get_by_role("button", name="Force", exact=True).click()
    branches = page.get_by_role("region", name="Branches")
    expect(branches.get_by_role("row", name=re.compile("forced mange"))).to_be_visible()


def wait_for_explanation(page: Page) -> None:
    """Wait until the explanation has compared its sum with the recorded number."""
    expect(page.get_by_role("region", name="This number")).to_contain_text("recorded")


def show_variants(page: Page) -> None:
    """Wait until the outputs for other tokens are there, and scroll to them."""
    page.locator(".vary-view .value").first.wait_for()
    scroll_to(page, ".st-key-vary_token")


def show_batch(page: Page) -> None:
    """Scroll to the masks of a batch of sentences."""
    scroll_to(page, ".st-key-masks_head")


def scroll_to(page: Page, part: str) -> None:
    """Scroll until a part of the page begins just below the bar of the sentence."""
    page.locator(part).first.evaluate(
        "node => { node.style.scrollMarginTop = '70px'; node.scrollIntoView({ block: 'start' }); }"
    )


def wait_for_tree(page: Page) -> None:
    """Wait until the search tree is drawn."""
    expect(page.get_by_role("region", name="Beam search tree")).to_contain_text("chien")


def borrow_embedding(page: Page) -> None:
    """Take the embedding of *do* from the second sentence, which turns the verb into the plural."""
    page.get_by_role("gridcell", name=re.compile("^does, embedding: ")).click()
    changed = page.get_by_role("table", name="What is written").get_by_role(
        "row", name=re.compile("^Changed")
    )
    expect(changed.get_by_text("dorment", exact=True)).to_be_visible()


def show_difference(page: Page) -> None:
    """Show on the map what that change has changed."""
    borrow_embedding(page)
    page.get_by_role("button", name="See this run on the map").click()
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    page.get_by_role("group", name="Whose values are drawn").get_by_role("button", name="A − B").click()
    expect(page.get_by_role("heading", name="What the change has changed")).to_be_visible()


def measure_parts(page: Page) -> None:
    """Wait until every head has been switched off over the held-out pairs."""
    expect(page.get_by_role("table", name="What each part is worth")).to_be_visible(timeout=LONG)


def wait_for_mistakes(page: Page) -> None:
    """Wait until all held-out pairs are translated."""
    expect(page.locator(".mistakes p.exact")).to_be_visible(timeout=LONG)
    expect(page.locator(".mistakes .pair").first).to_be_visible()


def go_half_way(page: Page) -> None:
    """Let the recorded training play to its end, then go back to its middle."""
    place = page.locator(".theatre .place")
    expect(place).to_have_text(re.compile(r"^after ([\d,]+) of \1\b"))
    curve = page.get_by_role("slider", name="Kept moment of the training")
    curve.focus()
    page.keyboard.press("Home")
    while not (shown := place.inner_text()).startswith(MIDDLE):
        page.keyboard.press("ArrowRight")
        expect(place).not_to_have_text(shown)
    curve.evaluate("node => node.blur()")


def compare_runs(page: Page) -> None:
    """Choose a second run to compare with."""
    page.get_by_role("combobox", name=re.compile("Runs to open")).click()
    page.get_by_role("option", name="Reverse letters", exact=True).click()
    page.keyboard.press("Escape")
    opened(page)


def run_experiment(page: Page) -> None:
    """Guess, and train both models to the end."""
    page.get_by_text(COPY.choices[1].text, exact=True).click()
    page.get_by_role("button", name="Train both").click()
    end = f"both after {COPY.training.steps} of {COPY.training.steps} updates"
    expect(page.locator(".transport .at")).to_have_text(end, timeout=LONG)
    expect(page.get_by_role("heading", name=re.compile("; you said "))).to_be_visible(timeout=LONG)


def ask_question(page: Page) -> None:
    """Wait until the stop of a lesson asks its question."""
    expect(page.locator(".st-key-lesson_question").get_by_role("radio").first).to_be_visible()


def demonstrate(page: Page) -> None:
    """Show the same stop to a class, as far as its question."""
    ask_question(page)
    page.locator(".st-key-lesson h3").click()
    page.keyboard.press("d")
    expect(page.locator(".st-key-nav")).to_have_count(0)
    page.locator(".st-key-lesson_next").get_by_role("link", name="Next").click()
    expect(page.get_by_role("link", name="Reveal")).to_be_visible()


def open_worksheet(page: Page) -> None:
    """Download the worksheet of the view, and open it as a file."""
    with page.expect_download() as started:
        page.get_by_role("button", name="Worksheet").click()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "worksheet.html")
        started.value.save_as(file)
        page.goto(file.as_uri())
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.evaluate("document.fonts.ready")


PICTURES = (
    # For the README: details, twice as sharp, since a table shows them small.
    Picture("readme-force", "?step=4", force_candidate, ".living-map .corner", (323, 257), margin=3, scale=2),
    Picture(
        "readme-explain",
        f"step-by-step?step=4&{EXPLAINED}",
        wait_for_explanation,
        ".st-key-explain",
        (296, 268),
        margin=8,
        scale=2,
    ),
    Picture("readme-train", "train", go_half_way, ".theatre .writes", (356, 366), scale=2),
    # For the tour, in its order.
    Picture("map", "?step=4", part=WINDOW),
    Picture("map-forced", "?step=4", force_candidate),
    Picture("map-block", "?step=4", show_block_card),
    Picture("tokens", "tokens?position=2"),
    Picture("positions", "positions?position=2"),
    Picture("self-attention", "self-attention?step=4"),
    Picture("masked-self-attention", "masked-self-attention?step=4"),
    Picture("cross-attention", "cross-attention?step=4"),
    Picture("masks", "masks?step=4&mask_off=causal", show_batch, crop=(1060, 1080), window=(1280, 1100)),
    Picture("add-norm", "add-norm?step=4"),
    Picture("feed-forward", "feed-forward?step=4"),
    Picture("output", "output?step=4"),
    Picture("explain", f"step-by-step?step=4&{EXPLAINED}", wait_for_explanation),
    Picture("tensor-inspector", "tensors?step=4"),
    Picture("step-by-step", "step-by-step?step=4", force_typed_token),
    Picture("vary", "step-by-step?step=4&vary=2", show_variants, ".st-key-vary_token", (732, 660)),
    Picture("sampling-lab", "sampling-lab?step=4&temperature=1.5&top_k=10&seed=3"),
    Picture("beam-search", "beams?sentence=a+dog+sings", wait_for_tree),
    Picture("what-if", f"what-if?step=4&sentence={SENTENCE}", borrow_embedding),
    Picture("what-if-map", f"what-if?step=4&sentence={SENTENCE}", show_difference),
    Picture("parts", "parts?order=gold", measure_parts),
    Picture("train", "train", go_half_way),
    Picture("one-update", "one-update?model=reverse"),
    Picture("mistakes", "mistakes?split=unseen", wait_for_mistakes),
    Picture("runs", "runs", compare_runs),
    Picture("experiments", "experiments"),
    Picture("experiment", f"experiments?experiment={COPY.key}", run_experiment),
    Picture("lessons", "lessons"),
    Picture("lesson", "cross-attention?lesson=one-query&stop=5&step=4", ask_question, WINDOW),
    Picture("demonstration", "cross-attention?lesson=one-query&stop=5&step=4", demonstrate, WINDOW),
    Picture("attention-by-hand", "attention-by-hand"),
    Picture("glossary", "glossary?term=attention"),
    Picture("worksheet", "step-by-step?step=4&layer=1&head=0", open_worksheet, "html"),
)


def take(picture: Picture, browser: Browser, url: str) -> Image.Image:
    """Return a screenshot of one picture's element."""
    width, height = picture.window
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        device_scale_factor=picture.scale,
        reduced_motion="reduce",
        color_scheme="light",
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    skip_first_minute(page)
    page.goto(f"/{picture.address}")
    opened(page)
    picture.prepare(page)
    settle(page)
    box = page.locator(picture.part).first.bounding_box()
    assert box is not None, f"{picture.name}: {picture.part} is not on the page"
    shot = page.screenshot(clip=clip_of(picture, box), caret="hide", animations="disabled")
    context.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


def clip_of(picture: Picture, box: FloatRect) -> FloatRect:
    """Return the part of the window that a picture keeps of an element with this box."""
    (width, height), margin = picture.window, picture.margin
    left, top = max(box["x"] - margin, 0), max(box["y"] - margin, 0)
    right, bottom = (
        min(box["x"] + box["width"] + margin, width),
        min(box["y"] + box["height"] + margin, height),
    )
    most_width, most_height = picture.crop or picture.window
    return {
        "x": left,
        "y": top,
        "width": min(right - left, most_width),
        "height": min(bottom - top, most_height),
    }


def settle(page: Page) -> None:
    """Wait until fonts are loaded, the server has answered everything, and two frames have been drawn."""
    page.evaluate("document.fonts.ready")
    expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0)
    expect(page.locator("[data-test-script-state=running]")).to_have_count(0)
    page.mouse.move(0, 0)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def save(image: Image.Image, file: Path) -> None:
    """Write an image with few colours and without loss."""
    few = image.quantize(COLOURS, dither=Image.Dither.NONE).convert("RGB")
    few.save(file, lossless=True, quality=100, method=6)


def main(names: list[str]) -> None:
    """Make all pictures, or those that are named, and print their sizes."""
    if unknown := set(names) - {picture.name for picture in PICTURES}:
        raise SystemExit(f"no such pictures: {', '.join(sorted(unknown))}")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as runs:
        os.environ["EXPLORER_RUNS"] = runs
        with browser_and_app() as (browser, url):
            for picture in PICTURES:
                if names and picture.name not in names:
                    continue
                file = FOLDER / f"{picture.name}.webp"
                save(take(picture, browser, url), file)
                print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB", flush=True)
    total = sum(file.stat().st_size for file in FOLDER.glob("*.webp"))
    print(f"all pictures: {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
