"""A view gets its whole message, whether its separate numbers arrive before or after it."""

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from explorer.browser import assets
from explorer.browser.assets import script
from explorer.browser.kept_view import LEAST_KEPT
from explorer.browser.message import pack_message
from tests.explorer.mounting import load_bundle

VIEW = """bundle.hosted(
    bundle.kept(({ data }) => { window.fed = [...data]; return () => { window.fed = null; }; }),
    "probe",
)"""


@pytest.fixture
def page(browser: Browser):
    page = browser.new_page()
    page.evaluate("""() => {
        document.body.innerHTML = "<div id=host></div>";
        window.root = document.querySelector("#host").attachShadow({ mode: "open" });
    }""")
    load_bundle(page)
    page.evaluate(f"void (window.draw = {VIEW})")
    yield page
    page.close()


def message(n_numbers: int) -> tuple[bytes, bytes, bytes]:
    """A whole message, its head, and its numbers under their name as they travel."""
    whole = pack_message({"key": "k", "a": np.arange(n_numbers, dtype=np.float32)})
    numbers = whole[len(whole) - 4 * n_numbers :]
    return whole, whole[: len(whole) - len(numbers)], bytes(range(16)) + numbers


def bring_message(page: Page, data: bytes) -> None:
    page.evaluate(
        "(data) => { window.dispose = draw({ parentElement: root, data: Uint8Array.from(data) }); }",
        list(data),
    )


def bring_numbers(page: Page, data: bytes) -> None:
    page.evaluate(
        "(data) => bundle.views['browser/kept/numbers']({ data: Uint8Array.from(data) })", list(data)
    )


@pytest.mark.parametrize("order", ["numbers message", "message numbers"])
def test_in_any_order_the_view_gets_the_whole_message(page, order):
    whole, head, numbers = message(5)
    bring = {
        "numbers": lambda: bring_numbers(page, numbers),
        "message": lambda: bring_message(page, head + numbers[:16]),
    }
    for name in order.split():
        bring[name]()
    page.wait_for_function("window.fed")
    assert bytes(page.evaluate("window.fed")) == whole


@pytest.mark.parametrize("n_numbers", [0, 4, 7])
def test_a_message_with_its_own_numbers_is_fed_as_it_is(page, n_numbers):
    whole, _, _ = message(n_numbers)
    bring_message(page, whole)
    page.wait_for_function("window.fed")
    assert bytes(page.evaluate("window.fed")) == whole


def app(n_numbers: int) -> None:
    import numpy as np

    from explorer.browser import cut
    from explorer.browser.kept_view import KeptView
    from explorer.browser.message import pack_message

    view = KeptView(cut.__file__, "probe", pack_message)
    view({"key": "k", "a": np.arange(n_numbers, dtype=np.float32)}, key="probe")


def test_few_numbers_travel_with_the_message_and_many_by_themselves():
    few = AppTest.from_function(app, args=(8,)).run()
    many = AppTest.from_function(app, args=(LEAST_KEPT,)).run()
    assert not few.exception
    assert not many.exception
    assert few.get_by_key("probe").proto.bytes == message(8)[0]
    whole, head, _ = message(LEAST_KEPT)
    fed, numbers = many.get_by_key("probe").proto.bytes, many.get_by_key("script_probe_numbers").proto.bytes
    assert fed[:-16] == head
    assert numbers == fed[-16:] + whole[len(head) :]


def test_a_component_without_a_module_is_refused():
    with pytest.raises(ValueError, match='no module "browser/nothing"'):
        script(assets.__file__, "nothing")


CALLS = """(messages) => {
    window.ends = messages.map((data) => draw({ parentElement: root, data: Uint8Array.from(data) }));
}"""


@pytest.mark.parametrize("numbers_come", ["before", "after"])
def test_the_end_of_an_earlier_call_ends_no_view_and_that_of_the_last_one_does(page, numbers_come):
    whole, head, numbers = message(5)
    if numbers_come == "before":
        bring_numbers(page, numbers)
    page.evaluate(CALLS, [list(head + numbers[:16])] * 2)
    # As Streamlit does with a call that was overtaken while its script loaded.
    page.evaluate("window.ends[0]()")
    bring_numbers(page, numbers)
    page.wait_for_function("window.fed")
    assert bytes(page.evaluate("window.fed")) == whole
    page.evaluate("window.root.host.remove(), window.ends[1]()")
    assert page.evaluate("window.fed") is None


def test_numbers_that_were_drawn_are_known_when_newer_ones_have_pushed_them_out(page):
    whole, head, numbers = message(5)
    bring_numbers(page, numbers)
    bring_message(page, head + numbers[:16])
    for each in range(50):
        bring_numbers(page, bytes([each]) * 16)
    page.evaluate("window.fed = null")
    bring_message(page, head + numbers[:16])
    assert bytes(page.evaluate("window.fed")) == whole
