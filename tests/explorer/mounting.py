"""A component, or some of its functions, on a blank page of a real browser, without Streamlit."""

import base64
from typing import Any

from playwright.sync_api import Browser, Page

from explorer.browser.assets import BUNDLE

LOAD = """async (bundle) => {
    const address = URL.createObjectURL(new Blob([bundle], { type: "text/javascript" }));
    window.bundle = await import(address);
}"""
MOUNT = """async ([name, path, first]) => {
    window.end?.();  // a view that was here before has left the page
    document.body.innerHTML = '<div id="host"></div>';
    const host = document.querySelector("#host"), home = host.parentNode, shadow = host.attachShadow({ mode: "open" });
    const root = Object.assign(document.createElement("div"), { className: name });
    shadow.append(root);
    const reports = window.reports = [];  // its own: an earlier view may still have something to say
    const view = window.bundle.views[path];
    const report = (name, value) => reports.push([name, value]);
    window.feed = (text) => {
        if (!host.isConnected) home.append(host);
        const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const end = view({ data, parentElement: shadow, setStateValue: report, setTriggerValue: report });
        return window.end = () => {
            host.remove();  // as Streamlit does before it ends a view
            end?.();
        };
    };
    window.feed(first);
}"""
"""Takes the class of its root, its module's path and its first message; the window has `feed`, `end` and `reports`."""


def load_bundle(page: Page) -> None:
    """Give a page the components' script as `bundle`, once."""
    if page.evaluate("!window.bundle"):
        page.evaluate(LOAD, BUNDLE)


def mount(page: Page, name: str, path: str, message: bytes) -> None:
    """Mount a component.

    Args:
        page: A page.
        name: Class of its root.
        path: Of its TypeScript module, as `KeptView.path` has it.
        message: Its first message.
    """
    load_bundle(page)
    page.evaluate(MOUNT, [name, path, encoded(message)])


def feed(page: Page, message: bytes) -> None:
    """Give the mounted component another message."""
    page.evaluate("text => { window.feed(text); }", encoded(message))


def encoded(message: bytes) -> str:
    """Return a message as base64: Playwright needs seconds for a list of its bytes."""
    return base64.b64encode(message).decode()


def asked_of(browser: Browser, question: str, argument: object = None) -> Any:
    """Return what a question about the functions in `bundle.proven` gives in the browser."""
    page = browser.new_page()
    load_bundle(page)
    answer = page.evaluate(question, argument)
    page.close()
    return answer
