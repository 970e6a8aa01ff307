"""Tokens in tables and charts: the same marks as in the browser, and never markup."""

import pytest

from explorer.browser.assets import parts, script
from explorer.look.token_text import MAX_SHOWN, visible

TOKENS = [
    "", "chat", "a b", " ", "\t", "\u202eabc", "\u200b", "a\u200db", "é", "<b>x</b>", "\x00", "\ue000", "x" * 200,
    "\u00a0", "\ufeff", "🙂", "\u2028", "\x1c", "\x85",
]  # fmt: skip


@pytest.mark.parametrize(
    ("token", "shown"),
    [("", "∅"), ("a b", "a␣b"), ("\u202eb", "\\u{202e}b"), ("a\u200db", "a\u200db"), ("<b>", "<b>")],
)
def test_what_cannot_be_seen_is_marked(token, shown):
    assert visible(token) == shown


def test_an_endless_token_is_cut():
    assert len(visible("x" * 1000)) == MAX_SHOWN
    assert visible("x" * 1000).endswith("…")


@pytest.mark.browser
def test_the_browser_marks_them_alike(browser):
    page = browser.new_page()
    page.add_script_tag(content=script(*parts("text")))
    assert page.evaluate("tokens => tokens.map(visible)", TOKENS) == [visible(token) for token in TOKENS]
    page.close()
