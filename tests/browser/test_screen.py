"""Pages update by requests: one per action, no Streamlit message, and no action is lost."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, cast

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.bar import expect_output, expect_step, field, focus_chips
from tests.browser.navigation import go_to, open_model_menu
from tests.browser.soundness import opened

pytestmark = pytest.mark.browser


class Traffic:
    """Requests of a page, and messages that it got since they were last counted."""

    def __init__(self, page: Page) -> None:
        self.requests = self.messages = 0
        page.on("request", self._asked)
        page.on("websocket", lambda socket: socket.on("framereceived", self._told))

    def _asked(self, request: object) -> None:
        self.requests += getattr(request, "url", "").endswith("/query")

    def _told(self, frame: object) -> None:
        self.messages += 1

    def clear(self) -> None:
        self.requests = self.messages = 0


def title(page: Page):
    return page.get_by_role("heading", level=1)


def force(page: Page) -> None:
    page.get_by_role("button", name="force dorment").click()


def open_home(page: Page, address: str = "/?step=4") -> None:
    page.goto(address)
    expect(title(page)).to_have_text("What did it read to write dort?")
    opened(page)


def test_forced_token_takes_one_request(page: Page, browser: Browser):
    traffic = Traffic(page)
    open_home(page)
    traffic.clear()
    force(page)
    expect(title(page)).to_have_text("Forced: dorment")
    expect(page.get_by_role("radio", name="dorment")).to_be_visible()
    page.wait_for_url(re.compile("prefix="))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("step=3"))
    assert (traffic.requests, traffic.messages) == (2, 0)

    other = browser.new_page()
    other.goto(page.url)
    expect(title(other)).to_have_text("What did it read to write ne?")
    expect(other.get_by_role("radio", name="dorment")).to_be_visible()
    other.close()


def test_history_restores_choices(page: Page):
    open_home(page)
    force(page)
    expect(title(page)).to_have_text("Forced: dorment")
    page.wait_for_url(re.compile("prefix="))
    page.go_back()
    expect(title(page)).to_have_text("What did it read to write dort?")
    page.go_forward()
    expect(title(page)).to_have_text("Forced: dorment")
    page.go_back()
    expect(title(page)).to_have_text("What did it read to write dort?")


def test_action_survives_lost_connection(browser: Browser, server: str):
    # The browser's console says of each try that it failed.
    page = browser.new_page(base_url=server)
    open_home(page)
    page.route("**/query", lambda route: route.abort())
    force(page)
    expect(page.get_by_text("The server does not answer. Trying again")).to_be_visible()
    expect(title(page)).to_have_text("What did it read to write dort?")
    page.unroute("**/query")
    expect(title(page)).to_have_text("Forced: dorment")
    expect(page.get_by_text("The server does not answer.")).to_have_count(0)
    page.close()


def test_actions_during_a_request_are_kept(page: Page):
    open_home(page)
    held: list[Route] = []
    page.route("**/query", lambda route: route.continue_() if held else held.append(route))
    force(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    # Said where it rests, which is when it is reported.
    expect(page.locator(".living-map > [aria-live]")).to_contain_text("Step 2")
    assert page.url.endswith("step=4")
    held.pop().continue_()
    page.unroute("**/query")
    page.wait_for_url(re.compile("step=2.*prefix=|prefix=.*step=2"))
    expect(title(page)).to_have_text("What did it read to write chat?")


def test_step_taken_while_an_answer_comes_is_kept(page: Page):
    open_home(page)
    held: list[Route] = []
    page.route("**/query", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/query"):
        force(page)
    page.get_by_role("button", name="Step back").click()
    # Usually the answer comes before the step is reported.
    held.pop().continue_()
    page.unroute("**/query")
    page.wait_for_url(re.compile("step=3.*prefix="))
    expect(title(page)).to_have_text("What did it read to write ne?")


def test_page_recovers_from_a_cut_answer(browser: Browser, server: str):
    page = browser.new_page(base_url=server, reduced_motion="reduce")
    open_home(page)

    def cut(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.body()[:2000])

    page.route("**/query", cut, times=1)
    with page.expect_event("pageerror"):
        force(page)
    expect(title(page)).to_have_text("Forced: dorment")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("step=3"))
    page.close()


def test_streamlit_parts_follow_on_demand(page: Page):
    open_home(page)
    force(page)
    expect(title(page)).to_have_text("Forced: dorment")
    page.get_by_role("button", name="Words").click()
    expect(page.locator(".sentence-view").get_by_text("writes dorment")).to_be_visible()


def test_worksheet_is_of_the_state_on_screen(page: Page, tmp_path: Path):
    open_home(page)
    force(page)
    page.get_by_role("button", name="Step back").click()
    page.wait_for_url(re.compile("step=3"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Worksheet").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    sheet = (tmp_path / "home.html").read_text(encoding="utf-8")
    assert "step=3" in sheet
    assert "prefix=" in sheet


def test_draft_survives_redrawing(page: Page):
    open_home(page)
    field = page.get_by_role("combobox", name="English sentence")
    field.fill("the cats sl")
    force(page)
    expect(title(page)).to_have_text("Forced: dorment")
    page.get_by_role("button", name="Words").hover()
    opened(page)
    expect(field).to_have_value("the cats sl")


def test_draft_survives_submitted_sentence(page: Page):
    open_home(page)
    field = page.get_by_role("combobox", name="English sentence")
    field.fill("the cat sleeps")
    field.press("Enter")
    page.wait_for_url(re.compile("sentence=the"))
    field.fill("the cats sl")
    page.get_by_role("button", name="Words").hover()
    opened(page)
    expect(field).to_have_value("the cats sl")


def test_arrows_step_after_a_click_beside_everything(page: Page):
    open_home(page)
    page.mouse.click(228, 400)
    page.keyboard.press("ArrowLeft")
    expect(title(page)).to_have_text("What did it read to write ne?")


def test_links_carry_new_choices(page: Page):
    open_home(page)
    force(page)
    expect(title(page)).to_have_text("Forced: dorment")
    go_to(page, "Step by step")
    expect(title(page)).to_have_text("Step by step")
    expect(page.get_by_role("radio", name="dorment")).to_be_visible()
    page.go_back()
    expect(title(page)).to_have_text("Forced: dorment")


def test_tabs_are_independent(page: Page):
    open_home(page)
    other = page.context.new_page()
    open_home(other)
    force(page)
    expect(title(page)).to_have_text("Forced: dorment")
    other.get_by_role("button", name="Step back").click()
    expect(title(other)).to_have_text("What did it read to write ne?")
    other.wait_for_url(re.compile("step=3$"))
    expect(title(page)).to_have_text("Forced: dorment")
    other.close()


def open_stop(page: Page) -> Traffic:
    traffic = Traffic(page)
    page.goto("/cross-attention?step=2")
    expect(title(page)).to_have_text("Cross-attention")
    opened(page)
    traffic.clear()
    return traffic


def test_change_of_stop_takes_one_request(page: Page):
    traffic = open_stop(page)
    go_to(page, "Self-attention")
    expect(title(page)).to_have_text("Self-attention")
    expect(page).to_have_title("Self-attention · Transformer explorer")
    expect(page).to_have_url(re.compile(r"/self-attention\?step=2$"))
    expect(page.get_by_role("img", name=re.compile("^scores"))).to_be_visible()
    expect(page.locator(".sentence-view")).to_contain_text("At source position 0")
    assert (traffic.requests, traffic.messages) == (1, 0)

    # From the picture itself it takes another: the first answer is the address.
    page.get_by_role("button", name="Decoder: Cross-attention, layer 0").press("Enter")
    expect(title(page)).to_have_text("Cross-attention")
    assert (traffic.requests, traffic.messages) == (3, 0)
    expect(page.locator(".rail [aria-current]")).to_be_focused()
    page.go_back()
    expect(title(page)).to_have_text("Self-attention")
    expect(page.locator(".sentence-view")).to_contain_text("At source position 0")


def test_table_stays_open_until_another_stop_opens(page: Page):
    page.goto("/cross-attention?model=reverse-recorded")
    opened(page)
    page.get_by_role("button", name="Table", exact=True).click()
    table = page.get_by_role("region", name="Table of Weights")
    expect(table).to_be_visible()
    open_model_menu(page).get_by_role("button", name="Earlier").click()
    page.wait_for_url(re.compile("at_update="))
    opened(page)
    expect(table).to_be_visible()
    page.keyboard.press("Escape")
    go_to(page, "Self-attention")
    expect(title(page)).to_have_text("Self-attention")
    expect(page.get_by_role("button", name="Table", exact=True)).to_be_visible()


@pytest.mark.parametrize("address", ["/?step=4", "/masked-self-attention?step=4"])
def test_choice_made_just_before_a_link_goes_along(page: Page, address: str):
    page.goto(address)
    opened(page)
    held: list[Route] = []
    seen: list[str] = []
    page.on("framenavigated", lambda frame: seen.append(frame.url))
    page.route("**/query", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/query"):
        page.keyboard.press("ArrowLeft")
    go_to(page, "Cross-attention")
    held[0].continue_()
    expect(page.get_by_role("heading", name="Cross-attention", level=1)).to_be_visible()
    opened(page)
    assert {url.partition("/cross-attention")[2] for url in seen if "/cross-attention" in url} == {"?step=3"}


class LateServer:
    """Server whose messages wait, from one with certain words on, until they are let through."""

    def __init__(self, page: Page) -> None:
        self.late: list[bytes] = []
        self._page = page
        self._first_late: bytes | None = None
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def hold_opening(self, open_page: Callable[[], object], words: bytes) -> None:
        """Open a page, of which the messages wait from the first one with the words on."""
        self.late.clear()
        self._first_late = words
        open_page()
        while not self.late:
            self._page.wait_for_timeout(50)

    def let_through(self) -> None:
        self._first_late = None
        for message in self.late:
            self._browser.send(message)

    def _connect(self, browser: WebSocketRoute) -> None:
        self._browser = browser
        browser.connect_to_server().on_message(lambda message: self._pass_on(cast(bytes, message)))

    def _pass_on(self, message: bytes) -> None:
        if self._first_late and (self.late or self._first_late in message):
            self.late.append(message)
        else:
            self._browser.send(message)


@pytest.mark.parametrize("first_late", [b"page_watch/watch", b"decoding/component/view"])
def test_step_chosen_while_page_opens_is_kept(page: Page, first_late: bytes):
    server = LateServer(page)
    open_home(page)
    server.hold_opening(lambda: go_to(page, "Step by step"), first_late)
    focus_chips(page)
    page.keyboard.press("Home")
    # The bar reports a step once it has rested for 400 ms.
    page.wait_for_timeout(800)
    server.let_through()
    page.wait_for_url(re.compile("step=0"))
    expect(page.locator(".decode-view")).to_be_visible()
    opened(page)
    expect_step(page, 0, "le")


@pytest.mark.parametrize("first_late", [b"page_watch/watch", b"browser/stop/view"])
def test_sentence_entered_while_page_opens_is_kept(page: Page, first_late: bytes):
    server = LateServer(page)
    open_home(page)
    server.hold_opening(lambda: go_to(page, "Cross-attention"), first_late)
    field(page).fill("the man loves the small bird")
    field(page).press("Enter")
    server.let_through()
    expect_output(page, ["l'", "homme", "aime", "le", "petit", "oiseau", "</s>"])
    opened(page)
    expect(page.get_by_role("img", name=re.compile("→ writes homme")).first).to_be_visible()


PAINTED = """curtain => Math.max(...[...curtain.querySelectorAll("[aria-hidden]")].map(({ shadowRoot }) => {
    const { width, height } = shadowRoot.querySelector("canvas"),
        pixels = shadowRoot.querySelector("canvas").getContext("2d").getImageData(0, 0, width, height).data;
    return pixels.filter((alpha, i) => i % 4 === 3 && alpha > 0).length / width / height;
}))"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_way_into_block_and_back_is_never_blank(browser: Browser, server: str, motion: Literal["reduce"]):
    page = browser.new_page(base_url=server, reduced_motion=motion)
    late, curtain = LateServer(page), page.locator(".explorer-curtain")
    open_home(page)
    block = page.get_by_role("button", name="Cross-attention, decoder.layers.1.cross_attn")
    for enter, leaves_for, opening in (
        (lambda: block.press("Enter"), b"browser/stop/view", "Opening Cross-attention"),
        (lambda: page.keyboard.press("Escape"), b"living_map/component/view", "Opening the whole picture"),
    ):
        late.hold_opening(enter, leaves_for)
        expect(curtain.get_by_role("status")).to_contain_text(opening)
        assert curtain.evaluate(PAINTED) > 0.05
        late.let_through()
        expect(curtain).to_have_count(0)
        opened(page)
    expect(title(page)).to_have_text("What did it read to write dort?")
    page.close()


def test_picture_of_left_page_stays_until_next_one_is_drawn(page: Page):
    late, curtain = LateServer(page), page.locator(".explorer-curtain")
    open_home(page)
    for turn, waits_for in (
        (lambda: go_to(page, "Mistakes"), b"mistakes/component/view"),
        (page.go_back, b"living_map/component/view"),
    ):
        late.hold_opening(turn, waits_for)
        expect(curtain).to_be_visible()
        late.let_through()
        opened(page)
    expect(title(page)).to_have_text("What did it read to write dort?")


def test_block_opened_by_keyboard_takes_the_focus_and_gives_it_back(page: Page):
    open_home(page)
    block = page.get_by_role("button", name="Cross-attention, decoder.layers.1.cross_attn")
    block.press("Enter")
    expect(title(page)).to_be_focused()
    expect(title(page)).to_have_text("Cross-attention")
    opened(page)
    page.keyboard.press("Escape")
    expect(block).to_be_focused()


def test_rest_of_stop_is_drawn_on_scrolling(page: Page):
    traffic = open_stop(page)
    go_to(page, "Add & norm")
    expect(title(page)).to_have_text("Add & norm")
    expect(page.get_by_text("the norm after the self-attention")).to_be_visible()
    assert (traffic.requests, traffic.messages) == (1, 0)
    table = page.get_by_role("heading", name="Mean and variance of every token")
    expect(table).to_have_count(0)
    scrolled = "document.querySelector('.stMain').scrollTop"
    page.locator(".stop").hover()
    page.mouse.wheel(0, 300)
    expect(table).to_be_visible()
    assert page.evaluate(scrolled) > 100, "the page stays where the visitor has scrolled it"
    go_to(page, "Feed-forward")
    expect(title(page)).to_have_text("Feed-forward")
    expect(table).to_be_hidden()
    assert page.evaluate(scrolled) == 0, "a page begins at its top"


def test_streamlit_controls_act_on_open_stop(page: Page):
    open_stop(page)
    for name, depth in (("Self-attention", "idea"), ("Cross-attention", "numbers")):
        go_to(page, name)
        expect(title(page)).to_have_text(name)
        page.keyboard.press("1" if depth == "idea" else "2")
        expect(page.get_by_role("radio", name=depth.capitalize())).to_be_checked()
        opened(page)
        expect(title(page)).to_have_text(name)
        assert name.lower() in page.url
    # Streamlit drew this page last, so it does not have to learn of it again.
    for name in ("Self-attention", "Cross-attention"):
        go_to(page, name)
        expect(title(page)).to_have_text(name)
    page.keyboard.press("1")
    expect(page.get_by_role("radio", name="Idea")).to_be_checked()
    go_to(page, "Self-attention")
    expect(title(page)).to_have_text("Self-attention")
    page.get_by_role("radio", name="Formula").click()
    expect(page.locator(".note .formula math").first).to_be_visible()
    expect(title(page)).to_have_text("Self-attention")
    page.wait_for_url(re.compile("self-attention.*depth=formula"))


def test_back_before_the_answer_leaves_the_page_as_it_was(page: Page):
    page.goto("/feed-forward?step=2")
    units = page.get_by_role("heading", name="The strongest units of the lit row")
    expect(units).to_be_visible()
    opened(page)
    page.route("**/query", lambda route: None)
    with page.expect_request("**/query"):
        go_to(page, "Self-attention")
    page.unroute("**/query")
    page.go_back()
    expect(title(page)).to_have_text("Feed-forward")
    opened(page)
    expect(units).to_be_visible()


def test_stop_opens_under_resting_pointer(page: Page):
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_stop(page)
    go_to(page, "Add & norm")
    expect(title(page)).to_have_text("Add & norm")
    page.get_by_role("img", name=re.compile("^normalised")).hover(force=True)
    page.evaluate("history.back()")
    expect(title(page)).to_have_text("Cross-attention")
    expect(page.get_by_role("img", name=re.compile("^scores"))).to_be_visible()
    opened(page)
    assert errors == []
