"""`make recording`: the film at the top of the README, of a step as it runs through the network, and a rival forced.

The browser's clock stands still and is wound on frame by frame, so that the film does not depend on how fast the
machine is.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import ROOT, running_server
from tests.conftest import CHROMIUM, FLAGS, RETURNS

SIZE, SHOWN = (1280, 720), (960, 540)
FRAME_MS = 100
QUALITY = 55
FILE = ROOT / "docs" / "run.webp"


@contextmanager
def browser_and_app() -> Iterator[tuple[Browser, str]]:
    """Start the app and a Chromium; yield the browser and the address of the app."""
    with running_server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser, url
        browser.close()


def skip_first_minute(page: Page) -> None:
    """Open the app as a visitor who has dismissed the first visit's card and the first guess."""
    page.add_init_script(RETURNS)
    page.add_init_script("localStorage.setItem('explorer-first-minute', 'over')")


def frames(page: Page, ms: int, *, every: int = FRAME_MS) -> list[Image.Image]:
    """Pictures of a page while its clock is wound on."""
    taken = []
    for _ in range(ms // every):
        page.clock.run_for(every)
        taken.append(
            Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS)
        )
    return taken


def film(page: Page, url: str) -> list[Image.Image]:
    """The step that writes *dort*, then another verb in its place."""
    page.clock.install()
    skip_first_minute(page)
    page.goto(f"{url}/?step=4")
    expect(page.get_by_role("heading", name="What did it read to write dort?")).to_be_visible()
    page.evaluate("document.fonts.ready")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    taken = frames(page, 1000)
    page.get_by_role("button", name="Replay this step").click()
    taken += frames(page, 7200)
    page.clock.resume()
    page.locator(".living-map .candidate button.force").first.click()
    expect(page.get_by_role("heading", name="Forced: ")).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    return taken + frames(page, 2000)


def main() -> None:
    """Make the film."""
    with browser_and_app() as (browser, url):
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        first, *others = film(page, url)
    first.save(
        FILE, save_all=True, append_images=others, duration=FRAME_MS, loop=0, quality=QUALITY, method=4
    )
    print(
        f"{Path(FILE).relative_to(ROOT)}: {len(others) + 1} pictures, {FILE.stat().st_size / 2**20:.2f} MiB"
    )


if __name__ == "__main__":
    main()
