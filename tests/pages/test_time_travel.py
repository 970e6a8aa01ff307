"""The slider through a training: every page shows the weights of the chosen moment, and the address keeps it."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from core.run import load_run
from core.training.history import load_run_at
from explorer.explaining import snippets
from explorer.models.decodings import recorded_of
from explorer.view import STOP
from tests.addresses import HOME
from tests.explorer.own_runs import train_pairs, train_tiny
from tests.pages.opening import header_of, open_page, said

PAGE, VIEW, SLIDER = "pages/model/self_attention.py", STOP, "moment"
FACTS = "1 + 1 layers"
ROOT = Path(__file__).parent.parent.parent


EVERY_PAGE = sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "pages").glob("*/*.py") if path.parent.name != "training"
)


@pytest.fixture(scope="module")
def own_pairs(folder):
    return train_pairs(folder.parent)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("runs"))


@pytest.fixture(autouse=True)
def _runs(folder, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(folder.parent))


def facts(app) -> str:
    (found,) = [each.value for each in app.caption if FACTS in each.value]
    return found


def sliders(app) -> list:
    assert not app.exception
    return [each for each in app.select_slider if each.key == SLIDER]


@pytest.mark.proof
def test_a_model_without_kept_moments_has_no_slider():
    assert not sliders(open_page(PAGE))


def test_a_fresh_clone_has_a_training_to_go_back_through():
    app = open_page(PAGE, model="reverse", at_update="100")
    (slider,) = sliders(app)
    assert slider.options == ["0", "10", "25", "50", "100", "150", "200", "325", "best"]
    assert slider.value == 100
    assert any("Weights after 100 of 1,200 updates." in each.value for each in app.caption)


def test_the_slider_has_the_kept_moments_and_the_best():
    (slider,) = sliders(open_page(PAGE, model="tiny0001"))
    assert slider.options == ["0", "5", "10", "15", "20", "best"]
    assert slider.value == -1


def test_a_chosen_moment_is_in_the_address_and_on_every_page():
    app = open_page(PAGE, model="tiny0001")
    sliders(app)[0].set_value(5).run()
    assert app.query_params["at_update"] == "5"
    assert "Weights after 5 of 20 updates." in facts(app)
    for page in (HOME, "pages/generation/step_by_step.py", "pages/model/tensors.py"):
        app.switch_page(page).run()
        assert sliders(app)[0].value == 5
    assert app.session_state["explorer"].updates == 5


@pytest.mark.parametrize("updates", [0, 5, None])
def test_a_page_shows_the_numbers_of_the_moment(folder, updates):
    app = open_page(PAGE, model="tiny0001", **({} if updates is None else {"at_update": str(updates)}))
    assert not app.exception
    for moment in (0, 5, None):
        run = load_run(folder) if moment is None else load_run_at(folder, moment)
        scores = recorded_of(run, "cat").tensor("encoder.layers.0.self_attn.scores").values
        numbers = np.ascontiguousarray(scores, dtype="<f4").tobytes()
        assert (numbers in app.get_by_key(VIEW).proto.bytes) == (moment == updates)


def test_a_report_of_another_moments_view_is_not_taken(folder):
    del folder
    keys = {
        header_of(open_page(PAGE, model="tiny0001", **moment), VIEW)["key"]
        for moment in ({}, {"at_update": "0"}, {"at_update": "5"})
    }
    assert len(keys) == 3


def test_earlier_and_later_go_from_moment_to_moment():
    app = open_page(PAGE, model="tiny0001")
    assert app.button(key="moment_later").disabled
    app.button(key="moment_earlier").click().run()
    assert sliders(app)[0].value == 20
    app.button(key="moment_later").click().run()
    assert sliders(app)[0].value == -1
    assert "at_update" not in app.query_params
    app = open_page(PAGE, model="tiny0001", at_update="0")
    assert app.button(key="moment_earlier").disabled


@pytest.mark.parametrize(
    ("model", "moment", "sentence"),
    [
        ("tiny0001", "7", "No weights are kept after 7 updates; these are the best ones."),
        ("copy", "5", "No weights are kept after 5 updates; these are the best ones."),
        ("tiny0001", "-1", "The link's at_update cannot be used here; it was left out."),
        ("tiny0001", "best", "The link's at_update cannot be used here; it was left out."),
    ],
)
def test_a_moment_that_is_not_there_gives_the_best_weights_and_a_sentence(model, moment, sentence):
    app = open_page(PAGE, model=model, at_update=moment)
    assert not app.exception
    assert said(app) == [sentence]
    assert app.session_state["explorer"].updates is None


def test_another_model_has_its_best_weights():
    app = open_page(PAGE, model="tiny0001", at_update="5")
    app.radio(key="model").set_value("copy").run()
    assert not app.exception
    assert app.session_state["explorer"].updates is None
    assert not sliders(app)


def test_a_pinned_tensor_stays_of_its_moment():
    app = open_page("pages/model/tensors.py", model="tiny0001", at_update="5", site="generator.weight")
    app.button(key="pin").click().run()
    assert app.session_state["explorer"].inspector.pinned.updates == 5
    sliders(app)[0].set_value(20).run()
    assert app.session_state["explorer"].inspector.pinned.updates == 5
    assert any("after 5 updates" in each.value for each in app.text)
    query = dict(app.query_params)
    again = open_page(
        "pages/model/tensors.py",
        **{name: value[0] if isinstance(value, list) else value for name, value in query.items()},
    )
    assert not again.exception
    assert again.session_state["explorer"].inspector.pinned == app.session_state["explorer"].inspector.pinned


def test_code_to_paste_loads_the_weights_of_the_moment(folder, monkeypatch):
    code = snippets.cell_snippet("tiny0001", "cat", (), "encoder.output", (0, 0, 0), updates=5)
    assert f"run = load_run_at({folder.as_posix()!r}, 5)" in code
    monkeypatch.delenv("EXPLORER_RUNS")
    monkeypatch.setattr(snippets, "runs_folder", lambda: folder.parent)
    monkeypatch.setattr(snippets, "ROOT", folder.parent.parent)
    usual = f"{folder.parent.name}/tiny0001"
    assert f"load_run({usual!r})" in snippets.cell_snippet("tiny0001", "cat", (), "encoder.output", (0, 0, 0))
    monkeypatch.undo()
    assert "from core.training.history import load_run_at" in code
    assert "load_run_at" not in snippets.cell_snippet("copy", "cat", (), "encoder.output", (0, 0, 0))


@pytest.mark.proof
def test_what_was_pinned_of_a_deleted_model_is_unpinned(folder, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path / "tiny0002")
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    app = open_page("pages/model/tensors.py", model="tiny0002", site="generator.weight")
    app.button(key="pin").click().run()
    app.radio(key="model").set_value("copy").run()
    assert app.session_state["explorer"].inspector.pinned.run == "tiny0002"
    shutil.rmtree(tmp_path / "tiny0002")
    app.run()
    assert not app.exception
    assert app.session_state["explorer"].inspector.pinned is None
    assert said(app) == ["The model of the pinned tensor has been deleted; nothing is pinned any more."]


def test_a_deleted_model_that_was_shown_and_pinned_is_said_to_be_gone_once(folder, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path / "tiny0002")
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    app = open_page("pages/model/tensors.py", model="tiny0002", site="generator.weight")
    app.button(key="pin").click().run()
    shutil.rmtree(tmp_path / "tiny0002")
    app.run()
    assert not app.exception
    assert app.session_state["explorer"].run == "en-fr"
    assert app.session_state["explorer"].inspector.pinned is None
    assert said(app) == ["The model that was shown here has been deleted; this is the default one."]


@pytest.mark.proof
@pytest.mark.parametrize("model", ["tiny0001", "ownpairs"])
def test_every_page_shows_own_models_at_a_moment(own_pairs, model):
    app = open_page(PAGE, model=model, at_update="5")
    for page in EVERY_PAGE:
        app.switch_page(page).run()
        assert not app.exception, page
        assert not app.error, page
        assert not app.info, page
        assert app.session_state["explorer"].updates == 5, page
