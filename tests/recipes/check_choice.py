"""What must hold in a copy to which the choice `smallest` was added; tests/recipes/test_recipes.py asks."""

from dataclasses import replace

from explorer.visitor.links import VIEW_NAMES, query_of, state_from_query
from explorer.visitor.state import choose_run, choose_sentence, default_state
from tests.explorer.visitor.test_state import RUNS
from tests.pages.opening import links_of, open_page
from tests.source_rules import RULES

PAGE = "pages/model/output.py"
START = default_state(RUNS)
CHOSEN = replace(START, look=replace(START.look, smallest=0.25))


def test_a_link_carries_it_there_and_back_and_leaves_the_default_out():
    assert query_of(CHOSEN, RUNS) == {"smallest": "0.25"}
    assert state_from_query({"smallest": "0.25"}, RUNS) == (CHOSEN, ())
    assert query_of(START, RUNS) == {}
    assert "smallest" in VIEW_NAMES, "lessons may set it, too"


def test_a_link_that_cannot_be_used_says_so():
    for text in ("2", "-1", "much", ""):
        state, notices = state_from_query({"smallest": text}, RUNS)
        assert (state, notices) == (START, ("The link's smallest cannot be used here; it was left out.",))


def test_it_goes_back_with_what_it_depends_on():
    assert choose_sentence(CHOSEN, "the cat sleeps", typed=True).look.smallest == 0.0
    assert choose_run(CHOSEN, "copy", RUNS).look.smallest == 0.0


def test_a_visitor_opens_it_by_a_link_changes_it_and_takes_it_to_other_pages():
    app = open_page(PAGE, smallest="0.25")
    assert not app.exception
    assert app.slider(key="smallest").value == 0.25
    app.slider(key="smallest").set_value(0.5).run()
    assert app.query_params["smallest"] in ("0.5", ["0.5"])
    links = links_of(app).values()
    assert len(links) > 10
    assert all(link["smallest"] == ["0.5"] for link in links)


def test_rules_of_the_source_hold():
    assert {rule: violations() for rule, violations in RULES.items() if violations()} == {}
