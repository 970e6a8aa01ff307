"""The frame of every page: its style, its title, and the script that watches it in the browser."""

from collections.abc import Mapping

import streamlit as st

from explorer.browser import page_head
from explorer.browser.assets import font_address
from explorer.browser.page_watch import page_watch
from explorer.look.brand import PRODUCT
from explorer.look.formula import font_face
from explorer.look.theme import in_both_themes
from explorer.shell.page_style import page_style
from explorer.view import View

# Streamlit writes a chosen pill or segment in the primary colour, 3.5:1 on the dark page; the text colour is readable.
# Its captions are text at 60 %, 4.4:1 at their size; ours carry sentences that are to be read.
_STYLE = f"""
[data-testid="stMain"] :is([role="radio"][aria-checked="true"], [data-variant="pills"][aria-pressed="true"]) * {{
  color: {in_both_themes("ink")};
}}
.st-key-proof *,
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] * {{
  color: {in_both_themes("mute")}; opacity: 1;
}}
/* A slider's value, too, is written in the primary colour. */
[data-testid="stSlider"] [role="group"] p {{
  color: {in_both_themes("ink")};
}}
/* So are the words of a button without a frame while one is on it; they are darker yet while it is pressed or open. */
button[kind="tertiary"]:is(:hover, :focus-visible, :active, [aria-expanded="true"]) {{
  color: {in_both_themes("link")};
}}
/* One ring for whatever has the focus: Streamlit's own is half transparent, and the link to the open page has none. */
[data-testid="stApp"] :is(a, button, summary, h1, [data-tag]):focus-visible,
[data-testid="stSlider"] [data-focus-visible] {{
  outline: 2px solid {in_both_themes("focus")}; outline-offset: 2px; box-shadow: none;
}}
/* Its button that empties a choice is 22.5 px wide. */
[data-testid="stMultiSelect"] button {{ min-width: 24px; min-height: 24px; }}
/* Its formulas are cut at the edge of their letters' boxes, beyond which some letters reach. */
[data-testid="stMain"] .katex-display {{ padding: 6px 4px; }}
@media (prefers-reduced-motion: reduce) {{
  *, *::before, *::after {{ transition-duration: 0s !important; animation-duration: .01ms !important; }}
}}
"""


def browser_title(view: View) -> str:
    """Return the title of a view's tab in the browser, its own words first, because narrow tabs cut the end."""
    return f"{view.title} · {PRODUCT}"


def head_message(view: View, *, title: str = "", lead: str) -> bytes:
    """Return the message with the head of a page.

    Args:
        view: View of the page.
        title: Title instead of the view's own.
        lead: What the page shows.
    """
    return page_head.pack(view.address, title or view.title, lead, browser_title(view))


def draw_style(view: View, *, has_note: bool, screen: Mapping[str, object] | None = None) -> None:
    """Draw what every page has that is not seen.

    Args:
        view: View of the page.
        has_note: Whether what is said of a picture may stand at its right.
        screen: Description of the page if it updates by requests; None for other pages.
    """
    st.html(f"<style>{font_face(font_address())}{_STYLE}{page_style(has_note=has_note)}</style>")
    page_watch(view.address, screen)
