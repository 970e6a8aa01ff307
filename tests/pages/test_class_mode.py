"""Class mode on the pages: what is not possible is not offered, and says why in a sentence."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing

import pytest

from core.training.expected_time import PartTimes
from core.training.lock import training_lock
from core.training.run_store import RunStore
from explorer.server.limits import ADMIN_TOKEN
from explorer.trainings import engine as engine_module
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.rules import NOT_YOURS, Visitor
from tests.app_tests import another_server
from tests.explorer.own_runs import train_tiny
from tests.explorer.trainings.conftest import small
from tests.pages.opening import header_of, lead_of, open_page

TRAIN, RUNS = "pages/training/train.py", "pages/training/runs.py"
THEATRE = "train_theatre"
TOKEN = "0123456789abcdef"
ANNA, BEN = Visitor("a" * 64), Visitor("b" * 64)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("trained"))


@pytest.fixture
def engine(tmp_path, monkeypatch, trained) -> Iterator[TrainingEngine]:
    """The engine of a server in class mode with one finished run of Anna's; what is begun waits for ever."""
    folder = tmp_path / "runs" / "tiny0001"
    shutil.copytree(trained, folder)
    (folder / "app.json").write_text(json.dumps({"title": "Anna's", "created": 1.0, "owner": ANNA.mark}))
    for name, value in {
        "EXPLORER_RUNS": str(tmp_path / "runs"),
        "EXPLORER_PUBLIC": "1",
        "EXPLORER_MOST_UPDATES": "500",
        "EXPLORER_MOST_PER_VISITOR": "1",
        ADMIN_TOKEN: TOKEN,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(TrainingEngine, "_start_waiting", lambda engine: None)
    monkeypatch.setattr(TrainingEngine, "warm", lambda engine, description=None, **_: None)
    another_server()
    from explorer.models.server import training_engine

    yield training_engine()
    another_server()


def opened(page: str, who: Visitor | None = None, **query: str):
    """A page as somebody sees it whose browser has told its secret, or has not yet."""
    app = open_page(page, **query)
    if who:
        app.session_state["owner_key"] = {"secret": who.key}
        app.run()
    assert not app.exception
    return app


def texts(app) -> list[str]:
    assert not app.exception
    return [each.value for each in [*app.text, *app.caption]]


def labels(app) -> set[str]:
    return {button.label for button in app.button}


def wishes(app) -> list[str]:
    """What can be asked of the training that is shown."""
    return header_of(app, THEATRE)["wishes"]


def enter(app, token: str):
    app.text_input(key="admin_token").set_value(token)
    return app.button(key="admin_enter").click().run()


@pytest.mark.proof
def test_a_training_is_begun_by_who_is_known_and_steered_by_nobody_else(engine):
    app = opened(TRAIN)
    app.button(key="train_start").click().run()
    assert any("has not named itself yet" in text for text in texts(app))
    app = opened(TRAIN, ANNA)
    app.button(key="train_start").click().run()
    (run_id,) = [status.run_id for status in engine.statuses() if status.state == "waiting"]
    assert wishes(app) == ["stop"]
    assert NOT_YOURS not in texts(app)
    for who in (BEN, None):
        other = opened(TRAIN, who, run=run_id)
        assert wishes(other) == []
        assert NOT_YOURS in texts(other)
    # A button that is still on the screen: the engine asks again.
    key = header_of(app, THEATRE)["key"]
    note = engine.run_folder(run_id) / "app.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "owner": BEN.mark}))
    app.session_state[THEATRE] = {"wish": {"key": key, "do": "stop", "report": 2**50}}
    app.run()
    assert NOT_YOURS in texts(app)
    assert engine.status(run_id).state == "waiting"
    engine.begin(small(), by=ANNA)
    app = opened(TRAIN, ANNA)
    app.button(key="train_start").click().run()
    assert any(text.startswith("One run of yours train") for text in texts(app))


def test_a_link_and_a_page_hold_no_secret(engine):
    run_id = engine.begin(small(), by=ANNA)
    for page in (TRAIN, RUNS):
        app = opened(page, ANNA, run=run_id)
        told = repr(dict(app.query_params)) + "".join(repr(each) for each in app.main)
        assert ANNA.key not in told.replace(repr(app.session_state["owner_key"]), "")
        assert ANNA.mark not in told


@pytest.mark.sweep
@pytest.mark.parametrize(
    "secret", ["a" * 63, "A" * 64, "a" * 64 + "\n", "٣" * 64, 7, None, {"a": 1}, ["a" * 64]]
)
def test_a_browser_that_tells_something_else_is_nobody(engine, secret):
    run_id = engine.begin(small(), by=ANNA)
    app = open_page(TRAIN, run=run_id)
    app.session_state["owner_key"] = {"secret": secret}
    app.run()
    assert wishes(app) == []
    assert "explorer_visitor_key" not in app.session_state


@pytest.mark.proof
def test_what_is_too_large_cannot_be_started_and_says_why(engine):
    app = opened(TRAIN, ANNA)
    app.number_input(key="train_copy_steps").set_value(501).run()
    assert "This would have 501 updates; this server takes 500: choose fewer updates." in texts(app)
    assert app.button(key="train_start").disabled
    assert any(text.startswith("This server deletes a run 14 days after") for text in texts(app))


@pytest.mark.proof
def test_how_long_a_training_may_take_is_said_before_it_begins_and_what_takes_longer_cannot(
    engine, monkeypatch
):
    times = PartTimes(update=0.5, validation=10.0, test=20.0)
    monkeypatch.setattr(TrainingEngine, "part_times", lambda engine, description, dataset=None: times)
    app = opened(TRAIN, ANNA)
    limit = "a training that is not complete after 20 minutes, pauses included, ends at a checkpoint"
    assert any(limit in text for text in texts(app))
    assert not app.button(key="train_start").disabled
    assert any(text.startswith("On a free core of this machine this takes about") for text in texts(app))
    app.number_input(key="train_copy_validate_every").set_value(1).run()
    (refusal,) = [text for text in texts(app) if "this server takes 20:" in text]
    assert refusal.startswith("This would take about")
    assert refusal.endswith("choose fewer updates or validations, or a smaller model.")
    assert app.button(key="train_start").disabled


@pytest.mark.proof
def test_a_trainer_that_does_not_answer_is_shown_and_can_only_be_stopped(engine, monkeypatch):
    run_id = engine.begin(small(), by=ANNA)
    engine.stop(run_id, by=ANNA)
    folder = engine.run_folder(run_id)
    with training_lock(folder), closing(RunStore.create(folder)) as store:
        store.set_fact("state", "paused")
        store.set_fact("started", 1.0)
        assert wishes(opened(TRAIN, ANNA, run=run_id)) == ["go_on", "step", "stop"]
        monkeypatch.setattr(engine_module, "SILENT_AFTER", 0.0)
        app = opened(TRAIN, ANNA, run=run_id)
        assert wishes(app) == ["stop"]
        assert "given no sign of life for minutes" in lead_of(app)
        list_of_others = opened(TRAIN, BEN)
        assert any(text.startswith("small: Does not answer") for text in texts(list_of_others))


@pytest.mark.proof
def test_runs_are_managed_with_the_token_alone(engine):
    app = opened(RUNS, ANNA, model="tiny0001")
    assert not {"run_delete", "run_rename", "run_add"} & {button.key for button in app.button}
    assert "Runs are renamed, deleted and added here with the admin token alone." in texts(app)
    enter(app, "wrong")
    assert "This is not the admin token of this server." in texts(app)
    enter(app, TOKEN)
    assert {"run_delete", "run_rename", "run_add"} <= {button.key for button in app.button}
    assert TOKEN not in repr(app.session_state)
    other = opened(RUNS, BEN, model="tiny0001")
    assert "run_delete" not in {button.key for button in other.button}
    app.get_by_key("run_title_tiny0001").set_value("Ours").run()
    app.get_by_key("run_rename").click().run()
    assert engine.status("tiny0001").title == "Ours"
    app.button(key="admin_leave").click().run()
    assert "run_delete" not in {button.key for button in app.button}
    enter(app, TOKEN)
    app.get_by_key("run_delete").click().run()
    assert not app.exception
    assert engine.statuses() == []


@pytest.mark.proof
def test_wrong_tokens_are_bounded_for_all_together(engine):
    app = opened(RUNS)
    for _ in range(10):
        enter(app, "wrong")
    app = enter(opened(RUNS), TOKEN)
    assert "Too many wrong tokens were tried; wait a minute." in texts(app)
    assert "run_add" not in {button.key for button in app.button}


def test_without_a_token_there_is_no_door(engine, monkeypatch):
    monkeypatch.delenv(ADMIN_TOKEN)
    another_server()
    app = opened(RUNS)
    assert "admin_enter" not in {button.key for button in app.button}
    assert any("admin token alone" in text for text in texts(app))


def test_a_server_whose_limits_make_no_sense_shows_a_sentence(engine, monkeypatch):
    monkeypatch.setenv("EXPLORER_MOST_RUNS", "many")
    another_server()
    app = open_page(RUNS)
    assert not app.exception
    (error,) = app.error
    assert "EXPLORER_MOST_RUNS (runs in all) must be a whole number" in error.value


def test_a_server_for_oneself_asks_nobody_who_they_are(engine, monkeypatch):
    monkeypatch.delenv("EXPLORER_PUBLIC")
    another_server()
    app = opened(RUNS, model="tiny0001")
    assert {"run_delete", "run_rename", "run_add"} <= {button.key for button in app.button}
    assert "owner_key" not in app.session_state
