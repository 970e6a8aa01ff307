"""Six telling views look, in both themes, as they did when somebody last looked: `make baselines` renews them."""

import io
import os
import re
import time
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect

from tests.browser.looks import distance, small_look
from tests.browser.soundness import Theme, opened, wear
from tests.conftest import PATIENCE
from tests.optional import unwrap

pytestmark = pytest.mark.browser

BASELINES = Path(__file__).parent / "baselines"
VERSION = BASELINES / "chromium.txt"
RENEWED = "RENEW_BASELINES" in os.environ
MOST_BYTES = 60_000
VIEWS = {
    "home": "?step=4",
    "step-by-step": "step-by-step?step=3",
    "self-attention": "self-attention",
    "explained": "step-by-step?step=4&layer=1&head=2&explain=decoder.layers.1.cross_attn.scores-0-2-4-5",
    "beams": "beams",
    "train": "train",
}
AT_ITS_END = re.compile(r"^after ([\d,]+) of \1 updates$")
"""What the theatre says at the last moment, which comes after the others."""
MEASURED = ".st-key-train_size"
"""What is measured on the machine at hand keeps its place in the picture, but not its figures."""


def main_column(page: Page, theme: Theme) -> bytes:
    """A screenshot of everything below the navigation bar."""
    wear(page, theme)
    page.add_style_tag(content=f"{MEASURED} {{ opacity: 0 }}")
    page.evaluate("document.fonts.ready")
    bar = unwrap(page.locator(".st-key-nav").bounding_box())
    size, top = unwrap(page.viewport_size), bar["y"] + bar["height"] + 1
    return page.screenshot(
        clip={"x": 0, "y": top, "width": size["width"], "height": size["height"] - top}, caret="hide"
    )


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_looks_as_it_did(view: str, browser: Browser, server: str, tmp_path: Path):
    major = browser.version.partition(".")[0]
    known = VERSION.read_text(encoding="utf-8").strip() if VERSION.exists() else "none"
    if not RENEWED and known.partition(".")[0] != major:
        pytest.skip(
            f"the baselines are of Chromium {known}, this is {browser.version}: look, then `make baselines`"
        )
    page = browser.new_page(
        base_url=server, viewport={"width": 1440, "height": 1000}, reduced_motion="reduce"
    )
    page.goto(f"/{VIEWS[view]}")
    opened(page)
    if view == "train":
        expect(page.locator(".theatre .place")).to_have_text(AT_ITS_END)
    for theme in ("light", "dark"):
        file = BASELINES / f"{view}-{theme}.png"
        look = small_look(main_column(page, theme))
        if RENEWED:
            BASELINES.mkdir(exist_ok=True)
            look.save(file, optimize=True)
            VERSION.write_text(browser.version + "\n", encoding="utf-8")
        known_look, ends = Image.open(file).convert("RGB"), time.monotonic() + PATIENCE
        # A view may still be drawing when nothing runs any more.
        while not (found := distance(look, known_look)).is_same and time.monotonic() < ends:
            look = small_look(main_column(page, theme))
        look.save(seen := tmp_path / file.name)
        assert found.is_same, f"{found}: compare {file} with {seen}, and `make baselines` if it is meant"
    page.close()


def test_every_baseline_is_of_a_view_and_small():
    files = {file.name for file in BASELINES.glob("*.png")}
    assert files == {f"{view}-{theme}.png" for view in VIEWS for theme in ("light", "dark")}
    assert all((BASELINES / file).stat().st_size < MOST_BYTES for file in files)


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        (lambda draw: None, True),
        (lambda draw: draw.point((500, 500), "black"), True),
        (lambda draw: draw.rectangle((100, 100, 300, 160), "#14607A"), False),
        (lambda draw: draw.rectangle((0, 0, 1151, 999), "#DDE2E3"), False),
    ],
    ids=["nothing", "a dot", "a button", "the paper"],
)
def test_looks_differ_where_a_person_would_say_so(change, is_same: bool):
    def shot(changed) -> bytes:
        image = Image.new("RGB", (1152, 1000), "white")
        changed(ImageDraw.Draw(image))
        image.save(file := io.BytesIO(), format="PNG")
        return file.getvalue()

    before, after = small_look(shot(lambda draw: None)), small_look(shot(change))
    assert distance(before, after).is_same is is_same
