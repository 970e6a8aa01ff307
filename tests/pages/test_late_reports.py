"""A report that carries an address from before a link was followed does not lead back there."""

from streamlit.testing.v1 import AppTest

from explorer.visitor.reports import _ANSWERS
from tests.pages.opening import open_page

PAGE = "pages/model/self_attention.py"


def go_to(app: AppTest, **query: str) -> AppTest:
    """What the browser sends with a run: all of its address."""
    for name in [*app.query_params]:
        del app.query_params[name]
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def layer(app: AppTest) -> int | None:
    assert not app.exception
    return app.session_state["explorer"].look.layer


def test_a_late_report_leaves_the_page_where_the_link_has_led():
    app = open_page(PAGE, layer="0")
    go_to(app, layer="1")
    assert layer(app) == 1
    app.session_state[_ANSWERS] = True
    go_to(app, layer="0")
    assert layer(app) == 1
    assert app.query_params["layer"] in ("1", ["1"])
    # Once it was told, the same address is a link again.
    go_to(app, layer="0")
    assert layer(app) == 0


def test_a_report_with_an_address_that_was_never_left_follows_it():
    app = open_page(PAGE, layer="0")
    app.session_state[_ANSWERS] = True
    go_to(app, layer="1")
    assert layer(app) == 1
