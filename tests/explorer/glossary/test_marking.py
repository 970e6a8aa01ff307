"""Terms in texts: the first place of each, its exact words, and never inside of code, formulas or links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.glossary.marking import address_of, explain_terms, parts_of
from explorer.glossary.terms import glossary
from explorer.look.markdown_text import plain


def marked(text: str, **options) -> list[tuple[str, str]]:
    return [(part.text, part.term) for part in parts_of(text, **options) if part.term]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A query meets every query.", [("query", "query")]),
        ("Queries meet keys.", [("Queries", "query"), ("keys", "key")]),
        ("the causal mask", [("causal mask", "causal-mask")]),
        ("masked self-attention", [("masked", "mask"), ("self-attention", "self-attention")]),
        ("key/value cache", [("key/value cache", "cache")]),
        ("ReLU, but no relu and no RELU", [("ReLU", "relu")]),
        ("querying, subquery, query-like, token_id, key_", []),
        ("`query` and $query$ and [query](there) and \\key", []),
        ("**query**", [("query", "query")]),
        ("top-p, top-k", [("top-p", "top-p"), ("top-k", "top-k")]),
        ("", []),
    ],
)
def test_terms_are_found_by_their_exact_words(text, found):
    assert marked(text) == found


def test_a_term_does_not_mark_itself_where_it_is_explained():
    assert marked("A query and a key.", but=("query",)) == [("key", "key")]


def test_a_marked_term_is_a_link_to_the_glossary():
    assert explain_terms("A Query.") == "A [Query](glossary?term=query)."
    assert address_of("layer-norm") == "glossary?term=layer-norm"


@given(st.text(alphabet="query key`$[]()\\*_mask. \n", max_size=60))
def test_the_parts_together_are_the_text(text):
    parts = parts_of(text)
    assert "".join(part.text for part in parts) == text
    assert all(part.text for part in parts)
    terms = [part.term for part in parts if part.term]
    assert len(terms) == len(set(terms))
    assert set(terms) <= set(glossary())


@given(st.text(max_size=40))
def test_typed_text_that_was_made_plain_stays_plain(typed):
    parts = parts_of(f"of {plain(typed)} it", but=())
    # Only a term's own letters become a link: nothing that Markdown could read as a mark is in them.
    assert all(
        part.text.replace("-", "").replace("/", "").replace(" ", "").isalnum() for part in parts if part.term
    )
