"""A component, or some of its functions, on a blank page of a real browser, without Streamlit."""

from typing import Any

from playwright.sync_api import Browser

MOUNT = """async ([name, source, css, bytes]) => {
    window.end?.();  // a view that was here before has left the page
    document.body.innerHTML = '<div id="host"></div>';
    const host = document.querySelector("#host"), home = host.parentNode, shadow = host.attachShadow({ mode: "open" });
    const root = Object.assign(document.createElement("div"), { className: name });
    const style = Object.assign(document.createElement("style"), { textContent: css });
    shadow.append(style, root);
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const reports = window.reports = [];  // its own: an earlier view may still have something to say
    const view = (await import(address)).default;
    const report = (name, value) => reports.push([name, value]);
    window.feed = (bytes) => {
        if (!host.isConnected) home.append(host);
        const data = Uint8Array.from(bytes);
        const end = view({ data, parentElement: shadow, setStateValue: report, setTriggerValue: report });
        return window.end = () => {
            host.remove();  // as Streamlit does before it ends a view
            end?.();
        };
    };
    window.feed(bytes);
}"""
"""Takes the class of its root, script, style and first message; the window has `feed`, `end` and `reports`."""


def asked_of(browser: Browser, source: str, question: str, argument: object = None) -> Any:
    """What a function over a script's own functions gives in the browser."""
    page = browser.new_page()
    # A page's own script exports nothing, and its functions are the page's.
    page.add_script_tag(content=source.replace("export default ", "void "))
    answer = page.evaluate(question, argument)
    page.close()
    return answer
