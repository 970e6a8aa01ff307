"""The glossary's index: what the browser keeps when a message comes."""

import pytest

from explorer.glossary.terms import glossary
from explorer.views.glossary.component import TermIndexData, pack
from tests.explorer.mounting import feed, mount

TERMS = sorted(glossary().values(), key=lambda term: term.name.lower())[:12]


@pytest.fixture
def index(browser):
    page = browser.new_page()
    mount(page, "term-index", "views/glossary/component/view", pack(TermIndexData(TERMS)))
    yield page
    page.close()


@pytest.mark.browser
def test_a_walk_through_the_terms_goes_on_when_the_choice_has_been_heard(index):
    index.get_by_role("listbox").focus()
    for key in ("Home", "Enter", "ArrowDown", "ArrowDown"):
        index.keyboard.press(key)
    report = index.evaluate("window.reports")[-1][1]["report"]
    heard = TermIndexData(TERMS, chosen=TERMS[0].key, report=report)
    feed(index, pack(heard))
    index.keyboard.press("Enter")
    assert index.evaluate("window.reports")[-1][1]["term"] == TERMS[2].key
    link = TermIndexData(TERMS, chosen=TERMS[7].key, report=2**50)
    feed(index, pack(link))
    assert index.get_by_role("option", selected=True).inner_text() == TERMS[7].name
    index.keyboard.press("ArrowDown")
    index.keyboard.press("Enter")
    assert index.evaluate("window.reports")[-1][1]["term"] == TERMS[8].key, "a link leads on from its term"
