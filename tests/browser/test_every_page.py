"""What holds for every page: it opens from a link, and at any width and in both themes nobody is kept from using it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.view import HOME_ADDRESSES
from tests.addresses import FIRST, TITLES
from tests.browser.bar import expect_step
from tests.browser.conftest import console_errors, running_server
from tests.browser.navigation import go_to, link_to
from tests.browser.soundness import findings, opened, resize
from tests.marks import left_to_proofs

pytestmark = pytest.mark.browser

ADDRESSES = ["", *TITLES]

# From the first moment on: what the navigation has ever had as a link, and what a dialog has ever said.
WATCHED = """
window.seenLinks = new Set();
window.seenDialogs = new Set();
new MutationObserver(() => {
    for (const link of document.querySelectorAll("nav ul a, [data-testid=stSidebar] a"))
        seenLinks.add(link.ariaLabel ?? link.textContent);
    for (const said of document.querySelectorAll("[role=dialog]")) seenDialogs.add(said.textContent.trim());
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


# Each address needs a new server, so only kinds are covered: the start page, a page that is named like its script
# ("lessons"), and one that is not.
FIRST_VISITED = ("", "lessons", "tensors")
AT_ONCE = {"", "lessons"}
# Of each kind of page one: the map, a picture, a table, a tree, a decoding, a form, cards.
IN_SIGHT = {"", "tensors", "step-by-step", "train"}


@pytest.mark.parametrize("address", left_to_proofs(FIRST_VISITED, AT_ONCE))
def test_the_first_visitor_of_a_server_sees_the_page_in_its_frame(address: str, browser: Browser):
    title = {**FIRST, **TITLES}[address]
    with running_server() as url:
        # A context of its own: for such an address Streamlit looks for two of its files in the wrong place, and the
        # browser's console tells of that.
        context = browser.new_context(base_url=url)
        context.add_init_script(WATCHED)
        page = context.new_page()
        page.goto(f"/{address}?step=2")
        # The view itself is not waited for: it needs torch, once for each server.
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(link_to(page, title)).to_have_attribute("aria-current", "page")
        links, dialogs = page.evaluate("[[...seenLinks], [...seenDialogs]]")
        # No other navigation has been there, not even for a moment.
        assert title in links
        assert set(links) <= {*FIRST.values(), *TITLES.values()}
        assert dialogs == []
        assert re.fullmatch(rf"{re.escape(url)}/{address}\?step=2.*", page.url)
        context.close()


@pytest.mark.parametrize("address", HOME_ADDRESSES)
def test_the_first_page_opens_by_its_other_addresses_with_what_old_links_chose(
    address: str, browser: Browser, server: str
):
    page = browser.new_page(base_url=server, reduced_motion="reduce")
    page.goto(f"/{address}?step=2&stage=decoder-layers-1-cross_attn")
    opened(page)
    question = page.get_by_role("heading", level=1)
    expect(question).to_have_text("What did it read to write chat?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_step(page, 2)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page).to_have_url(re.compile(rf"/{address}\?step=2"))
    here = link_to(page, "Watch it run")
    expect(here).to_have_attribute("aria-current", "page")
    go_to(page, "Output")
    expect(page).to_have_url(re.compile(r"/output\?step=2$"))
    # The address changes with the click; the links are the next page's only once its first run has drawn them.
    expect(here).to_have_attribute("href", re.compile(r"^\./\?step=2(&|$)"))
    go_to(page, "Watch it run")
    expect(page).to_have_url(re.compile(r":\d+/\?step=2(&|$)"))
    expect_step(page, 2)
    expect(question).to_have_text("What did it read to write chat?")
    page.close()


@pytest.fixture(scope="module")
def visitor(browser: Browser, server: str) -> Iterator[Page]:
    """A visitor who walks through the pages and keeps the choices of the page before."""
    page = browser.new_page(base_url=server, reduced_motion="reduce")
    page.goto("/?stage=decoder-layers-1-cross_attn&layer=1&head=2&step=3&block=decoder.cross_attn")
    yield page
    page.close()


@pytest.mark.parametrize("address", left_to_proofs(ADDRESSES, IN_SIGHT))
def test_no_page_is_cut_off_says_an_error_or_keeps_anybody_out(address: str, visitor: Page):
    page = visitor
    errors = console_errors(page)
    opened(page)
    title = {**FIRST, **TITLES}[address]
    go_to(page, title)
    expect(page).to_have_url(re.compile(rf":\d+/{address}(\?|$)"))
    expect(page).to_have_title(f"{title} · Transformer explorer")
    opened(page)
    # Streamlit draws the part below a picture after a scroll.
    main = page.get_by_test_id("stMain")
    main.evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
    expect(page.locator("[data-ahead=more]")).to_have_count(0)
    main.evaluate("(main) => main.scrollTo(0, 0)")
    opened(page)

    assert findings(page) == {}
    assert misplaced_pictures(page, address) == []
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
    assert errors == []


SIZES = ((1440, 900), (1280, 720))
PICTURE_BY, MATRIX_BY = 156, 280
"""Where the first picture begins at the latest, and under a rail of stages its first matrix with caption and names."""
WHOLE = {
    "self-attention",
    "masked-self-attention",
    "cross-attention",
    "positions",
    "masks",
    "add-norm",
    "tensors",
}
"""Pages whose open stage is small enough to be seen whole at both sizes."""
PICTURES = "canvas, table, ol, svg, [role=img], [role=tree], [role=group], [role=tablist], input, button, a"
"""What shows data or, where a page shows none yet, is to be filled in or chosen."""
# Kind, upper and lower edge of each; not of the head, the words, a picture below a stop, or what a script alone needs.
PLACED = """(nodes) => nodes.flatMap((node) => {
    const { top, bottom, width, height } = node.getBoundingClientRect();
    const around = node.getRootNode().host ?? node;
    const isFrame = around.closest(".st-key-depth_card, .st-key-worksheet, [class*=st-key-page_head]");
    const isBelow = node.closest(".stop")?.querySelector(".rail")?.hidden;
    if (isFrame || isBelow || width * height < 400 || !node.checkVisibility()) return [];
    const isMatrix = node.matches("canvas.cells, .stop .part");
    return [[top, bottom, isMatrix ? "matrix" : node.role === "tablist" ? "stages" : "other"]];
})"""


def misplaced_pictures(page: Page, address: str) -> list[str]:
    """What begins too far down the page or is cut off at the size of a laptop or a projector; leads that do not fit."""
    found = []
    for width, height in SIZES:
        resize(page, width, height)
        page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, 0)")
        placed = page.locator(".st-key-page").locator(PICTURES).evaluate_all(PLACED)
        first, _, kind = min(placed)
        matrices = [(top, bottom) for top, bottom, name in placed if name == "matrix"]
        if first > PICTURE_BY:
            found.append(f"{width}: the first picture begins at {first:.0f}")
        if kind == "stages" and matrices and min(matrices)[0] > MATRIX_BY:
            found.append(f"{width}: the first matrix begins at {min(matrices)[0]:.0f}")
        if address in WHOLE and (lowest := max(bottom for _, bottom in matrices)) > height:
            found.append(f"{width}: the last matrix ends at {lowest:.0f}")
        lead = page.locator("[class*=st-key-page_head] p")
        if lead.count() and lead.evaluate("(line) => line.scrollWidth > line.clientWidth"):
            found.append(f"{width}: “{lead.inner_text()}” does not fit")
    return found


@pytest.mark.parametrize(
    "link",
    [
        pytest.param(
            "step-by-step?step=4&prefix=10&branches=11:another&depth=formula"
            "&explain=decoder.layers.1.cross_attn.scores-0-2-4-5",
            id="explained",
            marks=pytest.mark.proof,
        ),
        pytest.param(
            "tensors?site=decoder.layers.1.cross_attn.weights&pinned=decoder.layers.0.cross_attn.weights&depth=code",
            id="compared",
            marks=pytest.mark.proof,
        ),
        pytest.param("?model=copy&step=zzz&depth=code", id="letters", marks=pytest.mark.proof),
        pytest.param(
            "experiments?experiment=norm-and-warmup&predicted=1", id="experiment", marks=pytest.mark.proof
        ),
        pytest.param("?step=4&moment=31000&prefix=10-11", id="forced, held in the middle of a step"),
    ],
)
def test_no_open_part_of_a_page_keeps_anybody_out(link: str, page: Page):
    page.goto(f"/{link}")
    assert findings(opened(page)) == {}
