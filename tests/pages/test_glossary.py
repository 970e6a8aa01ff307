"""The page Glossary through the entry script: a term by its link, the index's reports, and where a term leads."""

import pytest

from explorer.browser.term_tips import _message
from explorer.glossary.terms import glossary
from tests.pages.opening import open_page, said

PAGE, INDEX = "pages/learn/glossary.py", "term_index"


def words(app) -> str:
    return "\n".join(each.value for each in app.markdown)


def test_the_page_opens_with_the_whole_list():
    app = open_page(PAGE)
    assert not app.exception
    assert "Choose a term" in words(app)
    assert "term" not in app.query_params


@pytest.mark.parametrize("key", ["softmax", "layer-norm", "gold-alignment", "token"])
def test_a_link_opens_its_term_with_formula_and_the_place_where_it_is_seen(key):
    app, term = open_page(PAGE, term=key), glossary()[key]
    assert not app.exception
    assert app.subheader[0].value == term.name
    assert [each.value.strip("$\n") for each in app.latex] == ([term.formula] if term.formula else [])
    assert not said(app)
    assert f"?term={key})" not in words(app), "a term does not lead to itself"


def test_a_chosen_term_is_kept_in_the_address_and_beside_other_choices():
    app = open_page(PAGE, sentence="the dog sleeps")
    app.session_state[INDEX] = {"chosen": {"term": "query", "report": 4}}
    app.run()
    assert app.subheader[0].value == "Query"
    assert app.query_params["term"] in ("query", ["query"])
    assert app.query_params["sentence"] in ("the dog sleeps", ["the dog sleeps"])


@pytest.mark.parametrize("term", ["no-such-term", "<b>x</b>", "Query"])
def test_a_term_that_is_not_there_is_said_and_nothing_breaks(term):
    app = open_page(PAGE, term=term)
    assert not app.exception
    assert not app.subheader
    assert ("no such term" in words(app)) == (term == "no-such-term")


def test_a_pages_first_sentence_marks_its_terms():
    app = open_page("pages/model/self_attention.py")
    assert "[query](glossary?term=query)" in words(app)
    assert app.get_by_key("term_tips_box").proto.bytes == _message()
