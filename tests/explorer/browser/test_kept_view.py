"""A view whose script and numbers travel by themselves: whatever arrives first, it is fed the whole message."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from explorer.browser import kept_view
from explorer.browser.assets import script
from explorer.browser.kept_view import LEAST_KEPT, KeptView, shelved, taking
from explorer.browser.message import pack_message

IMPORT = """async (source) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return (await import(address)).default;
}"""
VIEW = "export default ({ data }) => { window.fed = [...data]; return () => { window.fed = null; }; };"


@pytest.fixture
def page(browser: Browser):
    page = browser.new_page()
    page.evaluate("""() => {
        document.body.innerHTML = "<div id=host></div>";
        window.root = document.querySelector("#host").attachShadow({ mode: "open" });
    }""")
    yield page
    page.close()


def message(n_numbers: int) -> tuple[bytes, bytes, bytes]:
    """A whole message, its head, and its numbers under their name as they travel."""
    whole = pack_message({"key": "k", "a": np.arange(n_numbers, dtype=np.float32)})
    numbers = whole[len(whole) - 4 * n_numbers :]
    return whole, whole[: len(whole) - len(numbers)], bytes(range(16)) + numbers


def bring_script(page: Page) -> None:
    page.evaluate(IMPORT, shelved(VIEW, "probe", "p { color: red }"))


def bring_message(page: Page, data: bytes) -> None:
    page.evaluate(
        f"""([source, data]) => {{ ({IMPORT})(source).then((draw) =>
            {{ window.dispose = draw({{ parentElement: window.root, data: Uint8Array.from(data) }}); }}); }}""",
        [taking("probe"), list(data)],
    )


def bring_numbers(page: Page, data: bytes) -> None:
    source = script(kept_view.__file__, "kept/numbers")
    page.evaluate(
        f"async ([source, data]) => {{ (await ({IMPORT})(source))({{ data: Uint8Array.from(data) }}); }}",
        [source, list(data)],
    )


@pytest.mark.parametrize(
    "order", ["script numbers message", "message numbers script", "numbers message script"]
)
def test_in_any_order_the_view_gets_the_whole_message(page, order):
    whole, head, numbers = message(5)
    bring = {
        "script": lambda: bring_script(page),
        "numbers": lambda: bring_numbers(page, numbers),
        "message": lambda: bring_message(page, head + numbers[:16]),
    }
    for name in order.split():
        bring[name]()
    page.wait_for_function("window.fed")
    assert bytes(page.evaluate("window.fed")) == whole
    assert page.evaluate("window.root.adoptedStyleSheets.length") == 1


@pytest.mark.parametrize("n_numbers", [0, 4, 7])
def test_a_message_with_its_own_numbers_is_fed_as_it_is(page, n_numbers):
    whole, _, _ = message(n_numbers)
    bring_script(page)
    bring_message(page, whole)
    page.wait_for_function("window.fed")
    assert bytes(page.evaluate("window.fed")) == whole


def module_with(script: str, folder: Path) -> str:
    """Path of a module beside which a view's script and style lie."""
    (folder / "view.js").write_text(script, encoding="utf-8")
    (folder / "view.css").touch()
    return str(folder / "__init__.py")


def app(module: str, n_numbers: int) -> None:
    import numpy as np

    from explorer.browser.kept_view import KeptView
    from explorer.browser.message import pack_message

    view = KeptView(module, "probe", pack_message)
    view({"key": "k", "a": np.arange(n_numbers, dtype=np.float32)}, key="probe")


def test_few_numbers_travel_with_the_message_and_many_by_themselves(tmp_path):
    module = module_with("export default function () {}", tmp_path)
    few = AppTest.from_function(app, args=(module, 8)).run()
    many = AppTest.from_function(app, args=(module, LEAST_KEPT)).run()
    assert not few.exception
    assert not many.exception
    assert few.get_by_key("probe").proto.bytes == message(8)[0]
    whole, head, _ = message(LEAST_KEPT)
    fed, numbers = many.get_by_key("probe").proto.bytes, many.get_by_key("script_probe_numbers").proto.bytes
    assert fed[:-16] == head
    assert numbers == fed[-16:] + whole[len(head) :]


def test_a_script_that_exports_nothing_is_refused(tmp_path):
    with pytest.raises(ValueError, match="one default export"):
        KeptView(module_with("const view = 1;", tmp_path), "nothing", pack_message)


CALLS = f"""async ([source, messages]) => {{
    const draw = await ({IMPORT})(source);
    window.ends = messages.map((data) => draw({{ parentElement: window.root, data: Uint8Array.from(data) }}));
}}"""


@pytest.mark.parametrize("numbers_come", ["before", "after"])
def test_the_end_of_an_earlier_call_ends_no_view_and_that_of_the_last_one_does(page, numbers_come):
    whole, head, numbers = message(5)
    bring_script(page)
    if numbers_come == "before":
        bring_numbers(page, numbers)
    page.evaluate(CALLS, [taking("probe"), [list(head + numbers[:16])] * 2])
    # As Streamlit does with a call that was overtaken while its script loaded.
    page.evaluate("window.ends[0]()")
    bring_numbers(page, numbers)
    page.wait_for_function("window.fed")
    assert bytes(page.evaluate("window.fed")) == whole
    page.evaluate("window.root.host.remove(), window.ends[1]()")
    assert page.evaluate("window.fed") is None


def test_numbers_that_were_drawn_are_known_when_newer_ones_have_pushed_them_out(page):
    whole, head, numbers = message(5)
    bring_script(page)
    bring_numbers(page, numbers)
    page.evaluate(
        f"""async ([source, data]) => {{
            const draw = await ({IMPORT})(source), call = {{ parentElement: window.root, data: Uint8Array.from(data) }};
            draw(call);
            window.fed = null;
            globalThis.explorerSlots.clear();
            draw(call);
        }}""",
        [taking("probe"), list(head + numbers[:16])],
    )
    assert bytes(page.evaluate("window.fed")) == whole
