"""What every view owes every visitor, asked of an open page: no barrier, no lost text, a focus that is seen."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

Theme = Literal["light", "dark"]

HERE = Path(__file__).parent
THEMES: tuple[Theme, Theme] = ("light", "dark")
LEVELS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
"""Tags of axe's rules: WCAG 2.2, levels A and AA."""
BY_THEME = ("color-contrast",)
BY_WIDTH = ("target-size", "scrollable-region-focusable")
"""The rules whose answer may change with theme or width; all others are asked once."""

LEFT_OUT = {
    # A data frame is one canvas of Streamlit's; it marks the cell that has the focus.
    "focus.js": "[data-testid=data-grid-canvas]",
    # Names of points stand where the data puts them; on a phone two of them may touch.
    "layout.js": ".scatterlayer text",
}
"""What each script does not look at, as a selector, and why not."""

_SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_THEMED = """(theme) => {
    const looks = [];
    const walk = (root) => root.querySelectorAll("*").forEach((node) => {
        // A tip takes its colours when it is shown.
        if (node.dataset.look && !node.matches("[popover]:not(:popover-open)")) looks.push(node.dataset.look);
        if (node.shadowRoot) walk(node.shadowRoot);
    });
    walk(document);
    const page = getComputedStyle(document.querySelector("[data-testid=stApp]")).colorScheme;
    return page === theme && looks.every((look) => look === theme);
}"""


def opened(page: Page) -> Page:
    """The page, once its view stands there and nothing runs any more."""
    # A demonstration folds the page's own title away; the stop's stands in its place.
    title = page.get_by_role("heading", level=1).or_(page.locator(".st-key-lesson h3"))
    expect(title.filter(visible=True).first).to_be_visible()
    expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0)
    expect(page.locator("[data-test-script-state=notRunning]")).to_have_count(1)
    # Streamlit shows pale what a run has not drawn again yet.
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    # A copy of the picture before lies over the page until its own has come.
    expect(page.locator(".explorer-curtain")).to_have_count(0)
    return page


def wear(page: Page, theme: Theme) -> None:
    """Show the page in a theme, as a visitor whose system changes to it sees it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(_THEMED, arg=theme)
    opened(page)


def resize(page: Page, width: int, height: int) -> None:
    """Give the page another size, and its views the time to lay themselves out."""
    page.set_viewport_size({"width": width, "height": height})
    for measure in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
        page.wait_for_function(f"{measure}.scrollWidth <= {measure}.clientWidth")
    page.evaluate(_SETTLED)


def findings(page: Page) -> dict[str, list[str]]:
    """Return everything that is wrong with the open view, in both themes, on a laptop and on a phone; empty if sound.

    The page must have been opened by a visitor who asked for reduced motion.
    """
    # Each change of theme is a run of the page, so begin with the theme that it wears.
    is_dark: bool = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    first, second = THEMES[is_dark], THEMES[not is_dark]
    resize(page, 390, 844)
    found = {"phone": [*barriers(page, BY_WIDTH), *misplaced_text(page)]}
    resize(page, 1440, 1000)
    wear(page, first)
    found[first] = [*barriers(page), *misplaced_text(page), *pale_buttons(page), *poor_pictures(page)]
    wear(page, second)
    found[second] = [*barriers(page, BY_THEME), *pale_buttons(page)]
    # At the end, because some views answer to the focus.
    found["focus"] = unseen_focus(page)
    return {where: what for where, what in found.items() if what}


def barriers(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What axe finds on the page against WCAG 2.2 A and AA, or against some rules only; a line for each element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    asked = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(LEVELS)}
    options = {"runOnly": asked, "resultTypes": ["violations"]}
    violations: list[dict[str, Any]] = page.evaluate(
        "(options) => axe.run(options).then((r) => r.violations)", options
    )
    return [
        f"{violation['id']}: {node['html'][:160]} ({node['failureSummary']})"
        for violation in violations
        for node in violation["nodes"]
    ]


def misplaced_text(page: Page) -> list[str]:
    """Text that is cut off, and texts that lie on each other."""
    return _asked(page, "layout.js")


def poor_pictures(page: Page) -> list[str]:
    """Pictures without role, name or table; and what moves although the visitor asked for rest."""
    return _asked(page, "pictures.js")


def pale_buttons(page: Page) -> list[str]:
    """Buttons and links that cannot be read: at rest, under the pointer, with the focus, or while they are pressed."""
    return _asked(page, "contrast.js")


def unseen_focus(page: Page) -> list[str]:
    """Stops of the Tab key that look the same with and without the focus."""
    # The browser shows the focus to those who use the keyboard.
    page.keyboard.press("Tab")
    return _asked(page, "focus.js")


def _asked(page: Page, script: str) -> list[str]:
    return page.evaluate((HERE / script).read_text(encoding="utf-8"), LEFT_OUT.get(script))
