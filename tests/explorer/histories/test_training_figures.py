"""What a training has told, as lines and tables; and how it stands, in words."""

import json
from dataclasses import replace

import pytest

from core.evaluation.figures import Evaluation
from core.training.records import Probe, TrainStep, Validation
from core.training.run_store import RunStore
from explorer.histories.figures import (
    GOAL,
    MOST_POINTS,
    Figures,
    figures_of,
    group_sentence,
    probe_columns,
    read_figures,
    smoothed,
    update_columns,
    validation_columns,
)
from explorer.histories.words import duration, explanation, rate, state_words
from explorer.look.curves import Curve, chart_rows, chart_spec
from explorer.look.theme import ROLES
from explorer.trainings.status import RunStatus
from tests.hostile import TEXTS


def steps(count: int) -> list[TrainStep]:
    return [TrainStep(i, 4.0 - i / count, i / count, 1.0 + i % 2, 100.0 + i) for i in range(count)]


def validation(updates: int, **figures) -> Validation:
    values = {"n_pairs": 10, "loss": 1.0, "exact_match": 0.5, "token_accuracy": 0.75} | figures
    return Validation(updates, Evaluation(**values))


def status(**changes) -> RunStatus:
    told = RunStatus(
        run_id="abcdefgh", title="mine", task="copy", state="training", updates=5, of=10, loss=1.0, place=None,
        seconds_left=None, begun=0.0, reason="", can_resume=False, has_checkpoint=False,
    )  # fmt: skip
    return replace(told, **changes)


def test_a_short_training_has_a_point_for_each_update():
    found = figures_of(steps(50), [validation(25), validation(50, loss=0.5)], [])
    assert found.group == 1
    assert found.loss.updates == tuple(range(50))
    assert found.loss.values[7] == 4.0 - 7 / 50
    assert found.validation_loss.updates == (25, 50)
    assert found.validation_loss.values == (1.0, 0.5)
    assert found.tokens_per_second == pytest.approx(sum(range(130, 150)) / 20)


@pytest.mark.parametrize("count", [MOST_POINTS, MOST_POINTS + 1, 3 * MOST_POINTS + 7])
def test_a_long_training_is_thinned_by_means_and_ends_where_it_is(count):
    told = steps(count)
    found = figures_of(told, [], [])
    assert len(found.loss) <= MOST_POINTS
    assert found.loss.updates[-1] == count - 1
    first = [step.loss for step in told[: found.group]]
    assert found.loss.values[0] == pytest.approx(sum(first) / len(first))
    assert found.loss.updates == found.smoothed.updates == found.learning_rate.updates
    assert found.learning_rate.values[-1] == told[-1].learning_rate
    last = found.group - 1
    assert found.learning_rate.values[0] == told[last].learning_rate
    assert found.smoothed.values[0] == smoothed([step.loss for step in told])[last]
    assert f"{found.group} updates: loss and gradient norm are their means" in group_sentence(found.group)


def test_smoothing_is_a_mean_from_the_first_value_on():
    assert smoothed([3.0, 3.0, 3.0]) == pytest.approx([3.0, 3.0, 3.0])
    up = smoothed([0.0, 1.0, 1.0, 1.0])
    assert up[0] == 0.0
    assert up == sorted(up)
    assert up[-1] < 1.0


def test_a_run_that_has_not_begun_has_nothing_to_show(tmp_path):
    assert read_figures(tmp_path) == Figures()


def test_figures_are_read_while_another_writes(tmp_path):
    store = RunStore.create(tmp_path)
    for step in steps(3):
        store.add_step(step)
    store.add_probes([Probe(2, "abc", "ab")])
    store.commit()
    found = read_figures(tmp_path)
    assert len(found.loss) == 3
    assert found.probes == (Probe(2, "abc", "ab"),)
    store.close()


def test_probes_are_a_row_for_each_time_the_newest_first():
    told = [
        Probe(0, "a b", "x"),
        Probe(0, "c", ""),
        Probe(10, "a b", "b a"),
        Probe(10, "c", "<i>c\u200b</i>"),
    ]
    assert probe_columns(told, {}) == {
        "after updates": ["10", "0"],
        "a b": ["b a", "x"],
        "c": ["<i>c\\u{200b}</i>", "∅"],
    }
    right = probe_columns(told, {"a b": "b a"})
    assert right["after updates"] == [GOAL, "10", "0"]
    assert right["a b"][0] == "b a"
    assert right["c"][0] == ""


def test_sources_that_look_alike_keep_their_columns():
    told = [Probe(0, "x" * 100 + "a", "1"), Probe(0, "x" * 100 + "b", "2"), Probe(0, "after updates", "3")]
    columns = probe_columns(told, {})
    assert len(columns) == 4
    assert [cells[0] for cells in columns.values()] == ["0", "1", "2", "3"]


def test_tables_have_the_numbers_of_the_charts():
    found = figures_of(steps(3), [validation(1), validation(3, chrf=41.25, bleu=None)], [])
    assert update_columns(found)["update"] == ["2", "1", "0"]
    assert update_columns(found)["loss"][-1] == "4.0000"
    table = validation_columns(found.validations)
    assert table["after updates"] == ["3", "1"]
    assert table["chrF"] == ["41.2", ""]
    assert "BLEU" not in table


def test_new_points_only_come_after_the_old_ones():
    def rows(count: int) -> list[tuple]:
        told = figures_of(steps(count), [validation(n) for n in range(5, count, 5)], [])
        curves = [
            Curve("batch", told.loss.updates, told.loss.values, "mute"),
            Curve("validation", told.validation_loss.updates, told.validation_loss.values, "target"),
        ]
        return list(zip(*chart_rows(curves).values(), strict=True))

    # Not quite: a loss depends on how many steps there are here, so places alone are compared.
    for fewer, more in ((3, 4), (10, 11), (11, 30)):
        before, after = rows(fewer), rows(more)
        assert [row[::2] for row in after[: len(before)]] == [row[::2] for row in before]


def test_the_look_of_a_chart_does_not_depend_on_its_points():
    empty = [Curve("a", (), (), "ink"), Curve("b", (), (), "target")]
    full = [Curve("a", (0, 1), (1.0, 2.0), "ink"), Curve("b", (5,), (1.0,), "target")]
    spec = chart_spec(full, title="loss", of=100, theme="dark")
    assert spec == chart_spec(empty, title="loss", of=100, theme="dark")
    assert spec["encoding"]["x"]["scale"]["domain"] == [0, 100]
    assert spec["encoding"]["color"]["legend"] == {"title": None, "columns": 3}
    # Two legends that differ would be a warning in the browser's console at each look.
    assert spec["layer"][0]["encoding"]["strokeDash"]["legend"] == spec["encoding"]["color"]["legend"]
    four = chart_spec([*full, *full], title="loss", of=100, theme="dark")
    assert four["encoding"]["color"]["legend"]["columns"] == 2
    assert spec["encoding"]["color"]["scale"]["range"] == [ROLES["dark"]["ink"], ROLES["dark"]["target"]]


def test_words_about_a_run():
    assert state_words(status()) == "Training"
    assert state_words(status(state="waiting", place=0)) == "Waiting, next in the queue"
    assert state_words(status(state="waiting", place=2)) == "Waiting, 2 in the queue before it"
    assert "test pairs" in explanation(status(updates=10))
    assert explanation(status(state="failed")) == ""


@pytest.mark.parametrize(
    ("state", "can_resume", "has_checkpoint", "said", "meaning"),
    [
        ("stopped", True, True, "Stopped at a checkpoint", "Resume goes on from it"),
        ("stopped", True, False, "Stopped before its first update", "Resume begins with its first update"),
        ("stopped", False, False, "Stopped", "no checkpoint that its training could go on from"),
        ("starting", False, True, "Starting", "reads the last checkpoint"),
        ("starting", False, False, "Starting", "the first, random weights"),
    ],
)
def test_a_checkpoint_is_spoken_of_only_where_there_is_one(state, can_resume, has_checkpoint, said, meaning):
    found = status(state=state, can_resume=can_resume, has_checkpoint=has_checkpoint)
    assert state_words(found) == said
    assert meaning in explanation(found)


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "1 s"), (59.4, "59 s"), (61, "1 min 1 s"), (3725, "1 h 2 min")]
)
def test_durations(seconds, said):
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0"), (0.006, "0.006"), (0.003368, "0.00337"), (2.6e-5, "2.6 · 10⁻⁵"), (1e-10, "1.0 · 10⁻¹⁰")],
)
def test_learning_rates(value, said):
    assert rate(value) == said


@pytest.mark.parametrize("name", TEXTS.values())
def test_a_name_is_a_text_in_an_expression_whatever_it_says(name):
    spec = chart_spec([Curve(name, [1], [0.5], "source")], title="norm", of=9, theme="light")
    (width,) = spec["layer"][0]["encoding"]["strokeWidth"]["condition"]
    test = width["test"]
    assert test.startswith("datum.curve === ")
    assert json.loads(test.removeprefix("datum.curve === ")) == name
