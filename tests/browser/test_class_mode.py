"""The server of class mode in a real browser: who owns a training, and a hostile run whose scripts never run."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from tests.browser.conftest import ROOT, free_port, wait_until_healthy
from tests.conftest import PATIENCE
from tests.hostile import RUN_ID, SENTENCE, TEXTS, hostile_run

pytestmark = pytest.mark.browser

SECRET = "localStorage.getItem('transformer-explorer-owner')"
# Whatever a text could have become: elements that load, run or lead away, in every tree of the page.
STRANGE = """() => {
    const found = [];
    const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
            const names = element.getAttributeNames();
            const leads = (element.getAttribute("href") ?? "") + (element.getAttribute("src") ?? "");
            if (names.some((name) => name.startsWith("on")) || /javascript:|elsewhere/.test(leads)
                || (element.localName === "img" && element.getAttribute("src") === "x")
                || (["script", "style"].includes(element.localName) && /pwned=1|elsewhere/.test(element.textContent)))
                found.push(element.outerHTML.slice(0, 200));
            if (element.shadowRoot) walk(element.shadowRoot);
        }
    };
    walk(document);
    return found;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[str]:
    """The address of a server in class mode, with a hostile run."""
    runs, port = tmp_path_factory.mktemp("runs"), free_port()
    (hostile_run(runs) / "app.json").write_text(json.dumps({"title": TEXTS["HTML"], "created": 1.0}))
    variables = {
        "EXPLORER_RUNS": str(runs),
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
    }
    command = [
        sys.executable,
        "-m",
        "explorer.server.serve",
        "--server.address",
        "127.0.0.1",
        "--server.port",
        str(port),
    ]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **variables})
    try:
        wait_until_healthy(url := f"http://127.0.0.1:{port}", process)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        subprocess.run(
            [sys.executable, "-m", "explorer.trainings.stop"],
            cwd=ROOT,
            env={**os.environ, **variables},
            check=False,
        )


@pytest.fixture
def context(browser: Browser, server: str) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, base_url=server)
    context.set_default_timeout(PATIENCE * 1000)
    yield context
    context.close()


def drawn(page: Page) -> Page:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0)
    expect(page.locator("[data-test-script-state=notRunning]")).to_have_count(1)
    return page


def test_nothing_of_a_hostile_run_is_run_or_fetched(context: BrowserContext, server: str):
    page = context.new_page()
    asked: set[str] = set()
    dialogs: list[str] = []
    page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))

    def dismissed(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismissed)
    shared = f"model={RUN_ID}&sentence={quote(SENTENCE)}&step=1"
    branches = quote(";".join(f"{5 + n}:{TEXTS[name]}" for n, name in enumerate(("HTML", "script"))))
    for address in (
        f"/?{shared}",
        f"/step-by-step?{shared}&branches={branches}",
        f"/output?{shared}&depth=code",
    ):
        page.goto(address)
        drawn(page)
        expect(page.get_by_text("onerror=window.pwned=1").first).to_be_attached()
        assert page.evaluate(STRANGE) == []
        assert page.evaluate("window.pwned") is None
    assert dialogs == []
    assert asked - {""} == {urlsplit(server).netloc}, "a page asks its own server alone"


@pytest.mark.proof
def test_the_browser_that_began_a_training_steers_it_and_no_other(
    context: BrowserContext, browser: Browser, server: str
):
    page = context.new_page()
    page.goto("/train")
    drawn(page)
    page.wait_for_function(f"{SECRET}?.length === 64")
    secret = page.evaluate(SECRET)
    page.get_by_role("button", name="Details").click()
    field = page.get_by_role("spinbutton", name="Updates")
    field.fill("2000")  # So long that it does not end meanwhile.
    field.press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start training").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    link = page.url
    assert re.fullmatch(rf"{server}/train\?run=[a-z0-9_]+", link)

    page.reload()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    assert page.evaluate(SECRET) == secret
    assert secret not in page.content()

    other = browser.new_context(base_url=server)
    stranger = other.new_page()
    stranger.set_default_timeout(PATIENCE * 1000)
    stranger.goto(link)
    expect(stranger.get_by_text("Only the browser that began this training")).to_be_visible()
    stranger.wait_for_function(f"{SECRET}?.length === 64")
    # The page is drawn again and again while it trains: the secret has been told by the time that it has gone on.
    progress = stranger.locator(".train-stands")
    expect(progress).not_to_have_text(progress.inner_text())
    expect(stranger.get_by_role("button", name="Start training")).to_be_visible()
    expect(stranger.get_by_role("button", name="Stop", exact=True)).to_be_disabled()
    other.close()
