"""Laws of the one way to clean texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.cleaning import Change, clean_source, clean_target

TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(" \t\n\u00a0\u200b\u00ad\u0301\ufeffae\x07\u1160"),
    )
)


@pytest.mark.parametrize(
    ("text", "source", "target", "changes"),
    [
        ("a b", "a b", "a b", ()),
        (" a  b\t", "a b", "a b", (Change.SPACES,)),
        ("a\u00a0b\u202fc", "a b c", "a b c", (Change.SPACES,)),
        ("e\u0301", "é", "é", (Change.COMPOSED,)),
        ("a\x07b\ufeff", "ab", "ab", (Change.CONTROL,)),
        ("a\u200bb\u00adc", "abc", "a\u200bb\u00adc", (Change.INVISIBLE,)),
        ("می\u200cخواهم 👩\u200d🔬", "می\u200cخواهم 👩\u200d🔬", "می\u200cخواهم 👩\u200d🔬", ()),
        ("🏴\U000e0067\U000e007f", "🏴\U000e0067\U000e007f", "🏴\U000e0067\U000e007f", ()),
    ],
)
def test_cleaning_names_its_changes(text, source, target, changes):
    assert (clean_source(text).text, clean_source(text).changes) == (source, changes)
    assert clean_target(text).text == target
    assert clean_target(text).changes == tuple(c for c in changes if c is not Change.INVISIBLE)


@given(TEXTS, st.booleans())
def test_cleaning_is_finished_after_once_and_names_every_change(text, keep_spaces):
    for clean in (clean_source, clean_target):
        once = clean(text, keep_spaces=keep_spaces)
        assert bool(once.changes) == (once.text != text)
        assert clean(once.text, keep_spaces=keep_spaces).changes == ()


def test_cleaning_can_keep_spaces():
    assert clean_source("  a\t b\n", keep_spaces=True).text == "  a\t b\n"
    assert clean_target("  a\t\x07b", keep_spaces=True).text == "  a\tb"
