"""Tokens in tables and charts: what cannot be seen is marked; the browser's tests compare with these marks."""

import pytest

from explorer.look.token_text import MAX_SHOWN, visible
from tests.typescript.fixtures import UNSEEN


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("", "∅"),
        ("a b", "a␣b"),
        ("\u202eb", "\\u{202e}b"),
        ("a\u200db", "a\u200db"),
        ("<b>", "<b>"),
        ("\u200d", "U+200D"),
        ("\ufe0f", "U+FE0F"),
        ("\u200d\ufe0f", "U+200D U+FE0F"),
        ("\u0301", "◌\u0301"),
        ("\u093f", "◌\u093f"),
        ("\u00ad", "\\u{ad}"),
    ],
)
def test_what_cannot_be_seen_is_marked(token, shown):
    assert visible(token) == shown


def test_an_endless_token_is_cut():
    assert len(visible("x" * 1000)) == MAX_SHOWN
    assert visible("x" * 1000).endswith("…")


def _is_drawn(character: str) -> bool:
    return not character.isspace() and character not in "".join(UNSEEN)


@pytest.mark.parametrize("token", UNSEEN)
def test_unseen_token_has_a_mark(token):
    assert visible(token)
    assert all(map(_is_drawn, visible(token).replace(" ", "")))


def test_parts_of_an_emoji_are_told_apart():
    """A character model reads a family and a heart as these tokens."""
    tokens = "👨\u200d👩\u200d👧❤\ufe0f"
    assert [visible(token) for token in tokens] == ["👨", "U+200D", "👩", "U+200D", "👧", "❤", "U+FE0F"]
    assert visible(tokens) == tokens
