"""Tokens in tables and charts: what cannot be seen is marked; the browser's tests compare with these marks."""

import pytest

from explorer.look.token_text import MAX_SHOWN, visible


@pytest.mark.parametrize(
    ("token", "shown"),
    [("", "∅"), ("a b", "a␣b"), ("\u202eb", "\\u{202e}b"), ("a\u200db", "a\u200db"), ("<b>", "<b>")],
)
def test_what_cannot_be_seen_is_marked(token, shown):
    assert visible(token) == shown


def test_an_endless_token_is_cut():
    assert len(visible("x" * 1000)) == MAX_SHOWN
    assert visible("x" * 1000).endswith("…")
