"""The page Feed-forward through the entry script: stages, the chosen token, and the tables that follow it."""

from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run
from explorer.view import STOP
from explorer.visitor.scope import DEFAULT_RUN
from tests.pages.opening import header_of, light_row, open_page, title_of, words_of

PAGE, VIEW = "pages/model/feed_forward.py", STOP


def query(app) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def table(app, head: str):
    """The first table with such a column."""
    return next(each.value for each in app.dataframe if head in each.value.columns)


def test_the_page_shows_three_stages_of_all_layers_and_what_the_strongest_units_write():
    app = open_page(PAGE)
    header = header_of(app, VIEW)
    assert title_of(app) == "Feed-forward"
    assert [stage["key"] for stage in header["stages"]] == ["pre_activation", "hidden", "output"]
    assert header["choosers"][0]["local"] is True
    assert len(table(app, "unit")) == 8
    assert {"raises", "lowers"} <= set(table(app, "unit").columns)
    axis = header["tensors"]["output"]["axes"][1]
    rows = [
        f"reads {reads} → writes {writes}"
        for reads, writes in zip(axis["labels"], axis["writes"], strict=True)
    ]
    assert list(table(app, "exactly 0")["row"]) == rows
    assert any("direction, not an effect" in each.value for each in app.markdown)
    assert any("are exactly 0, a share of" in each.value for each in app.markdown)


def test_the_chosen_token_decides_whose_units_are_shown_and_is_linked():
    app = open_page(PAGE)
    before = list(table(app, "unit")["unit"])
    light_row(app, VIEW, 1)
    after = list(table(app, "unit")["unit"])
    assert after != before
    assert query(app)["step"] == "1"
    assert header_of(app, VIEW)["row"] == 1
    assert list(table(open_page(PAGE, **query(app)), "unit")["unit"]) == after


def test_on_the_encoders_side_a_token_is_a_position_and_no_token_is_claimed_to_be_raised():
    app = open_page(PAGE, block="encoder", layer="0")
    light_row(app, VIEW, 2)
    assert query(app)["position"] == "2"
    assert "step" not in query(app)
    assert "raises" not in table(app, "unit").columns
    assert (header_of(app, VIEW)["row"], header_of(app, VIEW)["row_side"]) == (2, "source"), "it is marked"


def test_the_story_of_a_unit_says_where_it_fires_and_follows_the_one_that_is_asked_about():
    app = open_page(PAGE)
    strongest = table(app, "unit")["unit"][0]
    assert f"Where unit {strongest} fires most" in [each.value for each in app.subheader]
    assert "which points to" in words_of(app)
    site = "decoder.layers.1.feed_forward.hidden"
    recorded = recorded_of(loaded_run(DEFAULT_RUN), "the small cat does not sleep", ())
    silent = recorded.values(site)[4].tolist().index(0)
    asked = open_page(PAGE, step="4", layer="1", explain=f"{site}-0-4-{silent}")
    assert f"Where unit {silent} fires most" in [each.value for each in asked.subheader]
    assert "cuts it off. So it writes nothing here." in words_of(asked)


def test_the_message_stays_small():
    assert len(open_page(PAGE).get_by_key(VIEW).proto.bytes) < 500_000
