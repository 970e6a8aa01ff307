"""What a page's controls and views change leaves a choice alone that the documented recipe adds to the same record."""

import pytest

from explorer.models.known import known_runs, loaded_run
from explorer.views.sampling.cached import sampled_state
from explorer.views.sampling.component import SamplingChoice
from explorer.views.what_if.component import ChosenWay
from explorer.views.what_if.followed import changing_after
from explorer.visitor.state import ExplorerState, default_state
from tests.explorer.own_runs import train_tiny
from tests.explorer.visitor.foreign import has_kept, with_foreign_fields
from tests.pages.opening import open_page

STATE = "explorer"


def add_field(app, record: str):
    """Give the visitor's record a further choice, as a control of the recipe does."""
    app.session_state[STATE] = with_foreign_fields(app.session_state[STATE], record)
    return app.run()


def record_of(app, name: str):
    assert not app.exception
    return getattr(app.session_state[STATE], name)


def test_foreign_field_outlives_the_controls_of_the_beam():
    app = add_field(open_page("pages/generation/beam_search.py"), "beam")
    app.slider(key="beam_width").set_value(7).run()
    assert (record_of(app, "beam").width, has_kept(record_of(app, "beam"))) == (7, True)
    app.button(key="beam_example").click().run()
    assert record_of(app, "beam").width != 7
    assert has_kept(record_of(app, "beam"))


def test_foreign_field_outlives_settings_of_the_sampling_lab():
    state = with_foreign_fields(ExplorerState(run="en-fr", sentence="w1"), "sampling")
    changed = sampled_state(state, SamplingChoice(step=2, temperature=0.7, top_k=5, top_p=0.9, seed=3))
    assert (changed.sampling.seed, has_kept(changed.sampling)) == (3, True)


def test_foreign_field_outlives_an_example_by_hand():
    app = add_field(open_page("pages/learn/by_hand.py"), "by_hand")
    app.button(key="by_hand_example_1").click().run()
    assert (record_of(app, "by_hand").size, has_kept(record_of(app, "by_hand"))) == ((2, 2, 2), True)


def test_foreign_field_outlives_another_way_of_changing():
    runs = known_runs()
    state = with_foreign_fields(default_state(runs, "en-fr"), "what_if")
    changed = changing_after(loaded_run("en-fr"), state, ChosenWay("off"))
    assert (changed.what_if.way, has_kept(changed.what_if)) == ("off", True)


@pytest.fixture
def tiny(engine) -> str:
    train_tiny(engine.folder, "tiny", n_test=30, n_validation=6)
    return "tiny"


def test_foreign_field_outlives_a_choice_of_parts(tiny):
    app = add_field(open_page("pages/generation/parts.py", model=tiny), "worth")
    app.selectbox(key="worth_parts").set_value("decoder-0").run()
    assert (record_of(app, "worth").parts, has_kept(record_of(app, "worth"))) == ("decoder-0", True)


def test_choices_of_other_records_outlive_a_deleted_model(tiny, engine):
    app = add_field(open_page("pages/learn/by_hand.py", model=tiny, hand_causal="1"), "by_hand")
    engine.delete(tiny)
    app.run()
    assert app.session_state[STATE].run != tiny
    assert (record_of(app, "by_hand").causal, has_kept(record_of(app, "by_hand"))) == (True, True)
