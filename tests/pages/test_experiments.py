"""The page of the experiments, through the entry script: predict, reveal, begin, find again, see what came of it."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.experiments import EXPERIMENTS
from core.experiments.measured import read_measured
from core.training.history import history_path
from explorer.look.theme import format_share
from explorer.server.limits import Limits
from explorer.trainings.engine import TrainingEngine
from explorer.views.experiments.arms import begin_arms
from explorer.visitor.state import JUST_SEE
from tests.explorer.trainings.conftest import is_in, wait_for
from tests.pages.opening import header_of, lead_of, open_page, said, title_of

pytestmark = pytest.mark.usefixtures("engine")

PAGE, VIEW = "pages/training/experiments.py", "experiment_view"
KEY = "copy-without-positions"
GUESS = f"experiment_prediction_{KEY}"


def texts(app: AppTest) -> list[str]:
    assert not app.exception
    return [each.value for each in app.text]


def markdown(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(each.value for each in app.markdown)


def tables(app: AppTest) -> list[list[str]]:
    return [list(each.value.columns) for each in app.dataframe]


def heading(app: AppTest) -> str:
    """What stands over the verdict, or in its place."""
    assert not app.exception
    return app.subheader[0].value


def drawn_dots(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(each.proto.body for each in app.get("html") if 'class="dots"' in each.proto.body)


def linked(app: AppTest, name: str) -> str:
    """A part of the address, which is a list of one where the test has set it."""
    value = app.query_params[name]
    return value[0] if isinstance(value, list) else value


def arms_of(app: AppTest) -> tuple[str, ...]:
    return tuple(linked(app, "arms").split("-"))


def test_every_experiment_has_a_card_that_says_how_long_it_takes():
    app = open_page(PAGE)
    assert title_of(app) == "Experiments"
    links = {each.proto.label for each in app.get("page_link")}
    measured = read_measured()
    for key, experiment in EXPERIMENTS.items():
        assert f"**{experiment.title}**" in links
        assert experiment.summary in markdown(app)
        count = len(measured[key])
        assert any(
            each.value.startswith(f"{count} models, {experiment.training.steps} updates")
            for each in app.caption
        )


def test_a_card_shows_what_was_measured_of_the_control_and_covers_the_others_until_they_are_told():
    name = "No positions"
    assert f"{name} not told yet" in drawn_dots(open_page(PAGE))
    app = open_page(PAGE, experiment=KEY, predicted="0")
    app.toggle(key="experiment_show").set_value(True).run()
    del app.query_params["experiment"]
    listed = drawn_dots(app.run())
    values = read_measured()[KEY]["none"].figures["exact_match"]
    assert f"{name} {format_share(values[0])}" in listed
    assert f"{name} not told yet" in listed  # Of the experiments that were not looked at.


def test_nothing_is_shown_or_begun_before_a_prediction():
    app = open_page(PAGE, experiment=KEY)
    assert EXPERIMENTS[KEY].question in markdown(app)
    assert app.button(key="experiment_begin").disabled
    assert app.toggle(key="experiment_show").disabled
    assert app.pills(key=GUESS).value is None
    assert tables(app) == []
    assert not app.get("html") or "role" not in drawn_dots(app)
    shown = header_of(app, VIEW)
    assert [(arm["label"], arm["shape"]) for arm in shown["arms"]] == [
        ("With positions", "disc"),
        ("No positions", "square"),
    ]
    assert [arm["moments"]["moments"] for arm in shown["arms"]] == [[], []]
    assert [probe["text"] for probe in shown["arms"][0]["probes"]["probes"]][-1] == "keyboard"
    app.pills(key=GUESS).set_value(JUST_SEE).run()
    assert not app.button(key="experiment_begin").disabled
    assert linked(app, "predicted") == JUST_SEE


def test_the_measured_numbers_can_be_shown_without_a_run_as_what_they_are(engine):
    app = open_page(PAGE, experiment=KEY)
    app.pills(key=GUESS).set_value("0").run()
    app.toggle(key="experiment_show").set_value(True).run()
    assert heading(app) == "Hardly any; you said “Nearly all”."
    assert "with seeds 0, 1 and 2: " in markdown(app)
    assert "In this run" not in markdown(app)
    assert "Median of the seeds" in tables(app)[0]
    assert "This run" not in tables(app)[0]
    assert any("pairs of its own and every model with the same; by" in each.value for each in app.caption)
    app.toggle(key="experiment_show").set_value(False).run()
    assert heading(app) == "The verdict comes when all are done"
    assert app.pills(key=GUESS).value == "0"
    assert engine.statuses() == []


def test_what_was_begun_is_found_again_by_its_link_and_stopped_there(engine, nothing_starts):
    app = open_page(PAGE, experiment=KEY, predicted="2")
    app.number_input(key="experiment_seed").set_value(11).run()
    app.button(key="experiment_begin").click().run()
    arms = arms_of(app)
    assert {status.title for status in engine.statuses()} == {"With positions, copy", "No positions, copy"}
    assert any(each.value.startswith("seed 11;") for each in app.caption)
    again = open_page(PAGE, experiment=KEY, predicted="2", arms="-".join(arms))
    assert [arm["note"].partition(":")[0] for arm in header_of(again, VIEW)["arms"]] == [
        "Waiting, next in the queue",
        "Waiting, 1 in the queue before it",
    ]
    assert "experiment_begin" not in {each.key for each in again.button}
    assert f"**{EXPERIMENTS[KEY].choices[2].text}**" in markdown(again)
    assert heading(again) == "The verdict comes when all are done"
    again.button(key="experiment_stop").click().run()
    assert [engine.status(run_id).state for run_id in arms] == ["stopped", "stopped"]
    assert again.button(key="experiment_resume")
    again.button(key="experiment_again").click().run()
    assert "arms" not in again.query_params
    assert again.pills(key=GUESS).value == "2"


def test_two_visitors_have_runs_of_their_own_and_see_those_of_others(engine, nothing_starts):
    first, second = (open_page(PAGE, experiment=KEY, predicted="2") for _ in range(2))
    for app in (first, second):
        app.button(key="experiment_begin").click().run()
    assert not set(arms_of(first)) & set(arms_of(second))
    assert len(engine.statuses()) == 4
    first.button(key="experiment_stop").click().run()
    assert [engine.status(run_id).state for run_id in arms_of(second)] == ["waiting", "waiting"]
    third = open_page(PAGE, experiment=KEY, predicted=JUST_SEE)
    assert "seed 3" in {each.proto.label for each in third.get("page_link")}


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"experiment": "no-such-thing"}, "names an experiment that is not here"),
        ({"experiment": KEY, "predicted": "2", "arms": "abcd0123-abcd0124"}, "has been deleted"),
    ],
)
def test_a_link_that_cannot_be_used_says_so_and_leaves_the_page_whole(query, sentence):
    app = open_page(PAGE, **query)
    assert any(sentence in text for text in texts(app))
    assert app.get("page_link")


def test_a_prediction_that_the_experiment_does_not_have_counts_as_none():
    app = open_page(PAGE, experiment=KEY, predicted="9")
    assert app.button(key="experiment_begin").disabled
    assert app.pills(key=GUESS).value is None
    bad = open_page(PAGE, experiment=KEY, predicted="x")
    assert any("predicted cannot be used" in sentence for sentence in said(bad))


def test_runs_of_another_experiment_are_not_taken_for_this_one(engine, nothing_starts):
    arms = begin_arms(engine, EXPERIMENTS["without-causal-mask"], 0)
    app = open_page(PAGE, experiment=KEY, predicted="1", arms="-".join(arms))
    assert any("are not the models of this experiment" in text for text in texts(app))
    app.button(key="experiment_begin").click().run()
    assert not set(arms_of(app)) & set(arms)


def test_no_room_is_a_sentence(engine, nothing_starts, monkeypatch):
    monkeypatch.setattr(engine._room, "limits", Limits(most_runs=1))
    app = open_page(PAGE, experiment=KEY, predicted="1")
    app.button(key="experiment_begin").click().run()
    assert any(
        "There is room for 1 more, of 1 run in all, and this begins 2; begin fewer" in text
        for text in texts(app)
    )
    assert engine.statuses() == []
    assert "arms" not in app.query_params


@pytest.fixture
def small(monkeypatch) -> str:
    """An experiment whose arms are trained within seconds, by its key."""
    key = "without-causal-mask"
    experiment = EXPERIMENTS[key]
    training = replace(
        experiment.training, steps=12, warmup_steps=2, batch_size=8, n_train=200, n_validation=10, n_test=20,
        validate_every=6,
    )  # fmt: skip
    model = {**experiment.model, "d_model": 16, "n_heads": 2, "d_ff": 32}
    monkeypatch.setitem(EXPERIMENTS, key, replace(experiment, training=training, model=model))
    return key


@pytest.mark.proof
def test_arms_train_and_the_verdict_waits_for_the_last_moment_to_be_shown(engine, small):
    experiment = EXPERIMENTS[small]
    app = open_page(PAGE, experiment=small, predicted="2")
    app.button(key="experiment_begin").click().run()
    arms = arms_of(app)
    for run_id in arms:
        wait_for(engine, run_id, is_in("finished"))
    # Moments are computed a few at a time.
    while not (shown := header_of(app.run(), VIEW))["ended"]:
        assert heading(app) == "The verdict comes when all are done"
    assert [each["moments"]["moments"][-1]["updates"] for each in shown["arms"]] == [12, 12]
    assert [each["exact"][-1] for each in shown["arms"]] == [[12, 0.0], [12, 0.0]]
    assert len(shown["arms"][0]["loss"]) == 12
    # It was watched: what it came to is told when the last moment was seen, or when somebody asks for it.
    assert heading(app) == "The verdict comes when all are done"
    verdict = "This seed turned out differently from the measured ones."  # Twelve updates teach nothing.
    assert heading(app.button(key="experiment_verdict_now").click().run()) == verdict
    app.session_state["experiment_show"] = False
    app.session_state[VIEW] = {"end": {"key": "another", "report": 7}}
    assert heading(app.run()) == "The verdict comes when all are done"
    app.session_state[VIEW] = {"end": {"key": shown["key"], "report": 8}}
    assert heading(app.run()) == verdict
    results = next(each.value for each in app.dataframe if "Figure" in each.value.columns)
    exact = results[results["Figure"] == "Exact match, test words"]
    assert list(exact["Model"]) == ["With the mask", "No mask"]
    assert list(exact["This run"]) == ["0.0000", "0.0000"]
    assert [engine.status(run_id).title for run_id in arms] == [arm.title for arm in experiment.arms]
    links = [each.proto for each in app.get("page_link") if each.proto.label == "Step by step"]
    for run_id in arms:
        assert any(f"model={run_id}" in link.query_string for link in links)
    # Whoever comes later finds it ended, though a moment of it cannot be read any more.
    history_path(engine.run_folder(arms[0]), 5).write_bytes(b"")
    later = open_page(PAGE, experiment=small, predicted="2", arms="-".join(arms))
    assert heading(later) == heading(app)
    shown = header_of(later, VIEW)
    assert shown["ended"]
    assert [len(each["moments"]["moments"]) for each in shown["arms"]] == [3, 4]
    # What the browser has is not sent again; nonsense of it is nothing.
    everything = [arm["all"] for arm in shown["arms"]]
    for number, (have, left) in enumerate(
        (
            ([everything[0], [0]], [0, 3]),
            ([[], everything[1]], [3, 0]),
            ([everything[0]], [3, 4]),
            ("all", [3, 4]),
            ([["x"], []], [3, 4]),
        ),
        start=20,
    ):
        later.session_state[VIEW] = {"have": {"key": shown["key"], "report": number, "have": have}}
        found = header_of(later.run(), VIEW)
        assert [len(each["moments"]["moments"]) for each in found["arms"]] == left
        assert [arm["all"] for arm in found["arms"]] == everything
    # What was trained is what the other pages say of it.
    for run_id, sentence in zip(
        arms, ("the causal mask hides", "This model has no causal mask"), strict=True
    ):
        assert sentence in lead_of(open_page("pages/model/masked_self_attention.py", model=run_id))


def test_an_arm_that_fails_says_why_in_its_half_and_there_is_no_verdict(engine, nothing_starts, monkeypatch):
    app = open_page(PAGE, experiment=KEY, predicted="2")
    app.button(key="experiment_begin").click().run()
    _, failing = arms_of(app)
    status = TrainingEngine.status

    def failed(engine: TrainingEngine, run_id: str):
        found = status(engine, run_id)
        if run_id != failing:
            return found
        return replace(found, state="failed", reason="The loss is not a number.")

    monkeypatch.setattr(TrainingEngine, "status", failed)
    app.run()
    control, none = header_of(app, VIEW)["arms"]
    assert control["problem"] == ""
    assert control["note"].startswith("Waiting")
    assert none["problem"] == "The loss is not a number."
    assert heading(app) == "The verdict comes when all are done"
    assert "experiment_verdict_now" not in {each.key for each in app.button}


def test_what_there_was_to_see_is_asked_after_the_verdict_and_answered_with_a_sentence():
    app = open_page(PAGE, experiment=KEY, predicted="2")
    assert "What did you see?" not in markdown(app)
    app.toggle(key="experiment_show").set_value(True).run()
    seen = EXPERIMENTS[KEY].seen
    assert seen.question in markdown(app)
    app.pills(key=f"experiment_seen_{KEY}").set_value(0).run()
    assert f"Look once more: “{seen.answers[seen.right]}”" in markdown(app)
    app.pills(key=f"experiment_seen_{KEY}").set_value(seen.right).run()
    assert "**That is what happened.**" in markdown(app)
