"""A link that names a run, as ``run`` or as ``model``, opens that run on every page, or says why it does not."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.app import REGISTRY
from explorer.view import TRAIN
from tests.conftest import PATIENCE
from tests.explorer.own_runs import train_tiny
from tests.marks import left_to_proofs
from tests.pages.opening import APP, header_of, said

STATE = "explorer"
TRAIN_PAGE = REGISTRY[TRAIN].page
PAGES = [view.page for view in REGISTRY.values() if view.key != TRAIN]
FEW = ("pages/home/watch.py", "pages/training/mistakes.py", "pages/training/runs.py")
HOSTILE = ("../../etc/passwd", "<img src=x onerror=alert(1)>", "a" * 65, ".hidden", "a b", "`x`")


@pytest.fixture
def own(engine) -> str:
    train_tiny(engine.folder, "mine", n_test=30, n_validation=6)
    return "mine"


def opened_first(page: str, **query: str) -> AppTest:
    """Open a link as the first page of a visit."""
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    app.query_params.update(query)
    return app.switch_page(page).run()


def shown_by(app: AppTest) -> str:
    assert not app.exception
    return app.session_state[STATE].run


@pytest.mark.parametrize("page", left_to_proofs(PAGES, FEW))
def test_link_with_run_opens_the_model_on_page(own, page):
    app = opened_first(page, run=own)
    assert shown_by(app) == own
    assert not [sentence for sentence in said(app) if "link" in sentence]


def test_rest_of_a_link_is_read_for_its_run(own):
    app = opened_first("pages/model/self_attention.py", run=own, sentence="abba", head="1")
    state = app.session_state[STATE]
    assert (state.run, state.sentence, state.look.head) == (own, "abba", 1)


@pytest.mark.proof
def test_link_with_model_opens_its_training_on_train(own, engine):
    train_tiny(engine.folder, "newer")
    for name in (own, "newer"):
        app = opened_first(TRAIN_PAGE, model=name)
        assert app.session_state[STATE].training == name
        assert any(name in text.value or "tiny" in text.value for text in app.text)
        assert header_of(app, "train_theatre")["key"].startswith(name)


def test_link_with_model_opens_the_recorded_training_on_train():
    for query in ({"model": "reverse-recorded"}, {"run": "reverse-recorded"}, {"model": "reverse"}):
        app = opened_first(TRAIN_PAGE, **query)
        assert header_of(app, "train_theatre")["key"].startswith("reverse-recorded")
        assert not said(app)


@pytest.mark.parametrize("name", ["model", "run"])
def test_missing_record_of_a_shipped_model_is_told(name):
    app = opened_first(TRAIN_PAGE, **{name: "sort"})
    assert "“Sort letters” is shipped without a record of its training, so another run is shown." in said(app)


@pytest.mark.parametrize("page", [*FEW])
def test_unknown_run_is_named_with_the_reason(page):
    app = opened_first(page, run="gone-1234")
    assert shown_by(app) == "en-fr"
    (sentence,) = said(app)
    assert sentence.startswith("The link names the run “gone-1234”, which cannot be opened here:")


@pytest.mark.proof
def test_training_without_weights_is_named_with_the_reason(engine, nothing_starts):
    from core.data.tasks import get_task
    from core.presets import preset
    from core.training.plan import plan_task

    known = preset("copy")
    description, _ = plan_task(get_task("copy"), known.training, known.model)
    run_id = engine.begin(description)
    (sentence,) = said(opened_first("pages/training/mistakes.py", run=run_id))
    assert "has no weights yet" in sentence
    app = opened_first(TRAIN_PAGE, model=run_id)
    assert app.session_state[STATE].training == run_id
    assert not said(app)


def test_two_runs_in_a_link_are_told_apart(own):
    app = opened_first("pages/training/runs.py", model="sort", run=own)
    assert shown_by(app) == "sort"
    assert said(app) == [
        f"The link names two runs: this page shows the model “sort”, and Train shows “{own}”."
    ]
    assert not said(opened_first("pages/training/runs.py", model=own, run=own))


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["model", "run"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_run_is_refused_by_a_sentence(name, text):
    for page in ("pages/training/runs.py", TRAIN_PAGE):
        app = opened_first(page, **{name: text})
        assert shown_by(app) == "en-fr"
        assert len(said(app)) == 1
        assert "<img" not in said(app)[0]


@pytest.mark.proof
def test_train_keeps_its_run_while_other_pages_show_their_model(own):
    app = opened_first(TRAIN_PAGE, run=own)
    assert shown_by(app) == "en-fr"
    app = app.switch_page("pages/training/runs.py").run()
    assert shown_by(app) == "en-fr"
