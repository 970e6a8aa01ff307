"""An experiment in the app: its sentences and tables, its arms as runs, and where they can be looked into."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.data.tasks import get_task
from core.errors import RunError
from core.experiments import EXPERIMENTS
from core.experiments.arms import describe_arm
from core.experiments.experiment import figures_of
from core.experiments.measured import figures_by_arm, read_measured
from core.training.plan import pairs_key
from explorer.models.task_facts import can_read
from explorer.server.limits import Limits, limits_from
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.rules import Visitor
from explorer.views.experiments.arms import begin_arms, resume_arms, seed_of, stop_arms, trials_here
from explorer.views.experiments.looks import LOOKS
from explorer.views.experiments.words import (
    MISSING,
    answer_words,
    arm_columns,
    claim_sentences,
    extent,
    figure_text,
    filled,
    is_predicted,
    measured_with,
    pairs_words,
    reason,
    reply_words,
    result_columns,
    seeds_sentence,
    seeds_words,
)
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import JUST_SEE, default_state
from tests.addresses import TITLES
from tests.marks import left_to_proofs

ROOT = Path(__file__).parents[4]
ALL = list(EXPERIMENTS.values())
COPY = EXPERIMENTS["copy-without-positions"]
MEASURED = read_measured()
KNOWN = figures_by_arm(MEASURED[COPY.key])
HERE = {
    "control": {"exact_match": 0.99, "led_accuracy": 0.999, "letters_any_order": 0.99, "loss": 0.1},
    "none": {"exact_match": 0.05, "led_accuracy": 0.4, "letters_any_order": 0.5, "loss": 1.5},
}


@pytest.fixture
def engine(tmp_path, monkeypatch) -> TrainingEngine:
    """An engine of which nothing ever starts."""
    monkeypatch.setattr(TrainingEngine, "_start_waiting", lambda engine: None)
    return TrainingEngine(tmp_path / "runs")


def described(engine: TrainingEngine):
    from core.run_description import read_description

    def find(run_id: str):
        try:
            return read_description(engine.run_folder(run_id))
        except RunError:
            return None

    return find


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_models_are_said_to_learn_the_same_pairs_only_where_they_do(experiment):
    keys = {pairs_key(experiment.task, experiment.training_of(arm, 0)) for arm in experiment.arms}
    assert ("every model with the same" in pairs_words(experiment)) == (len(keys) == 1)
    assert ("may see" in pairs_words(experiment)) == (len(keys) > 1)


def test_a_sentence_gets_the_median_of_each_figure_in_the_form_of_its_kind():
    figures = {"a.loss": (1.5, -0.25, 1.0), "b_c.exact_11_letters": (0.0123,)}
    assert filled("{a.loss} and {b_c.exact_11_letters}, {a.none}", figures) == f"1.000 and 0.0123, {MISSING}"
    assert figure_text("loss", 12.3456) == "12.346"
    assert figure_text("exact_match", 0.98765) == "0.988"


def test_a_prediction_is_an_answer_or_none_at_all():
    assert [is_predicted(COPY, text) for text in ("", "0", "2", JUST_SEE, "3", "9")] == [
        False, True, True, True, False, False,
    ]  # fmt: skip


def test_the_verdict_names_the_guess_and_says_why():
    here = figures_of(HERE)
    assert answer_words(COPY, "2", KNOWN, here) == "Hardly any, as you said."
    assert answer_words(COPY, "1", KNOWN, here) == "Hardly any; you said “About half”."
    assert answer_words(COPY, JUST_SEE, KNOWN) == "Hardly any."
    right = reason(COPY, "2", KNOWN, here)
    assert right.startswith("To the decoder the source is a bag of letters")
    assert "0.0500 without positions, 0.990 with them" in right
    assert reason(COPY, "1", KNOWN, here).startswith("Length is not the limit")
    # Without a run of one's own the numbers are the measured ones.
    middle = sorted(MEASURED[COPY.key]["none"].figures["exact_match"])[1]
    assert f"{figure_text('exact_match', middle)} without" in reason(COPY, "2", KNOWN)


def test_the_seeds_are_told_one_by_one_and_this_run_after_them():
    sentence = seeds_sentence(COPY, MEASURED[COPY.key])
    for arm in COPY.arms:
        values = [
            figure_text("exact_match", value) for value in MEASURED[COPY.key][arm.key].figures["exact_match"]
        ]
        assert f"**{values[0]}, {values[1]} and {values[2]}** ({arm.label})" in sentence
    assert sentence.startswith("Exact match, test words, with seeds 0, 1 and 2: ")
    assert seeds_sentence(COPY, MEASURED[COPY.key], HERE) == f"{sentence} In this run: 0.990 and 0.0500."
    missing = {**HERE, "none": {}}
    assert seeds_sentence(COPY, MEASURED[COPY.key], missing).endswith(f"0.990 and {MISSING}.")


def test_a_run_that_turned_out_differently_is_not_talked_over():
    odd = figures_of({**HERE, "none": {**HERE["none"], "exact_match": 0.5, "led_accuracy": 0.9}})
    assert answer_words(COPY, "1", KNOWN, odd) == "This seed turned out differently from the measured ones."
    assert "0.500" not in reason(COPY, "1", KNOWN, odd)
    assert claim_sentences(COPY.claims[:1], KNOWN, odd) == []
    assert claim_sentences(COPY.claims, KNOWN, figures_of(HERE))[0].count("0.400") == 1
    # What was never measured is not claimed.
    assert claim_sentences(COPY.claims, {}) == []
    assert answer_words(COPY, "2", {}) == "The measured seeds do not agree on an answer."
    assert reason(COPY, "2", {}) == ""


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_every_sentence_is_filled(experiment):
    figures = figures_by_arm(MEASURED[experiment.key])
    answers = [str(place) for place in range(len(experiment.choices))]
    heads = [answer_words(experiment, answer, figures) for answer in [*answers, JUST_SEE]]
    said = [reason(experiment, answer, figures) for answer in [*answers, JUST_SEE]]
    said += claim_sentences(experiment.claims, figures)
    assert len(said) == len(answers) + 1 + len(experiment.claims)
    said += [seeds_sentence(experiment, MEASURED[experiment.key])]
    assert experiment.seen.holds(figures)
    said += [reply_words(experiment.seen, place, figures) for place in range(len(experiment.seen.answers))]
    assert not any(re.search(rf"[{{}}]|{MISSING}", sentence) for sentence in [*heads, *said])
    assert sum(head.endswith(", as you said.") for head in heads) == 1
    assert sum("That is what happened" in sentence for sentence in said) == 1
    # The guess is named by what it says, which no other one says.
    assert len(set(heads)) == len(heads)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_the_tables_name_every_model_and_every_figure(experiment):
    found = MEASURED[experiment.key]
    models = arm_columns(experiment, found, describe_arm(experiment, experiment.control, 0).config)
    assert models["Model"] == [arm.label for arm in experiment.arms]
    assert models["Differs in"][0] == "control"
    assert all(" (not " in cell and "None" not in cell for cell in models["Differs in"][1:])
    results = result_columns(experiment, found)
    assert {len(cells) for cells in results.values()} == {len(experiment.arms) * len(experiment.figures)}
    assert "This run" not in results


def test_this_run_stands_beside_the_measured_seeds():
    table = result_columns(COPY, MEASURED[COPY.key], {"control": HERE["control"]})
    assert table["This run"] == ["0.990", MISSING, "0.999", MISSING, "0.990", MISSING, "0.100", MISSING]
    row = MEASURED[COPY.key]["none"].figures["exact_match"]
    cells = [table[head][1] for head in ("Lowest", "Median of the seeds", "Highest")]
    assert cells == [f"{value:.4f}" for value in sorted(row)]
    assert extent(COPY, MEASURED[COPY.key]).startswith("2 models, 225 updates each, about ")
    assert seeds_words((0, 1, 2)) == "0, 1 and 2"
    assert seeds_words((4,)) == "4"


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_every_arm_can_be_looked_into_with_a_source_that_it_reads(experiment):
    assert set(LOOKS) == set(EXPERIMENTS)
    for look in LOOKS[experiment.key]:
        assert (ROOT / look.page).is_file()
        assert look.label in TITLES.values()
        assert get_task(experiment.task).reference(look.source)
        runs = {arm.key: describe_arm(experiment, arm, 0) for arm in experiment.arms}
        for key, run in runs.items():
            assert can_read(run, look.source)
            there = look.state_of(default_state(runs), key, runs)
            assert (there.run, there.sentence, there.look.stage) == (key, look.source, look.stage)
            assert state_from_query(query_of(there, runs), runs)[1] == ()


def test_where_the_answer_is_led_its_letters_are_forced():
    experiment = EXPERIMENTS["without-causal-mask"]
    runs = {"open": describe_arm(experiment, experiment.arms[1], 0)}
    forced = LOOKS[experiment.key][0].state_of(default_state(runs), "open", runs).decoding.prefix
    assert runs["open"].tgt_tokenizer.decode(list(forced)) == "smrofsnart"
    assert LOOKS[experiment.key][1].state_of(default_state(runs), "open", runs).decoding.prefix == ()


def test_arms_are_begun_together_and_found_again_by_what_they_are(engine):
    arms = begin_arms(engine, COPY, 5)
    assert [engine.status(run_id).title for run_id in arms] == [arm.title for arm in COPY.arms]
    assert [engine.status(run_id).place for run_id in arms] == [0, 1]
    assert seed_of(COPY, arms, described(engine)) == 5
    assert [(each.seed, each.arms) for each in trials_here(COPY, engine.statuses(), described(engine))] == [
        (5, arms)
    ]
    assert trials_here(EXPERIMENTS["longer-words"], engine.statuses(), described(engine)) == []
    again = begin_arms(engine, COPY, 5)
    assert not set(again) & set(arms)
    stop_arms(engine, arms)
    assert [engine.status(run_id).state for run_id in (*arms, *again)] == ["stopped"] * 2 + ["waiting"] * 2
    assert trials_here(COPY, engine.statuses(), described(engine))[0].arms == again
    resume_arms(engine, arms)
    assert [engine.status(run_id).place for run_id in arms] == [2, 3]


def test_runs_that_are_no_arms_of_the_experiment_are_refused(engine):
    arms = begin_arms(engine, COPY, 5)
    other = begin_arms(engine, COPY, 6)
    for wrong in (arms[::-1], (arms[0], other[1]), arms[:1], (*arms, arms[0])):
        with pytest.raises(RunError, match="are not the models of this experiment"):
            seed_of(COPY, wrong, described(engine))
    engine.delete(arms[1])
    with pytest.raises(RunError, match="has been deleted"):
        seed_of(COPY, arms, described(engine))
    assert [each.seed for each in trials_here(COPY, engine.statuses(), described(engine))] == [6]


def test_where_there_is_no_room_for_all_none_is_begun(tmp_path, monkeypatch):
    monkeypatch.setattr(TrainingEngine, "_start_waiting", lambda engine: None)
    full = TrainingEngine(tmp_path / "runs", Limits(most_runs=1))
    with pytest.raises(RunError, match="room for 1 more, of 1 run in all, and this begins 2; begin fewer"):
        begin_arms(full, COPY, 0)
    assert full.statuses() == []


@pytest.mark.proof
@pytest.mark.parametrize("key", left_to_proofs(EXPERIMENTS, {"longer-words"}))
def test_every_experiment_fits_a_class_and_is_steered_by_whoever_began_it(tmp_path, key):
    # The limits that a server of a class begins with; nothing starts, so that it ends with the test.
    limits = replace(limits_from({"EXPLORER_PUBLIC": "1"}), most_at_once=0)
    public, anna, ben = TrainingEngine(tmp_path, limits), Visitor("a" * 64), Visitor("b" * 64)
    arms = begin_arms(public, EXPERIMENTS[key], 0, anna)
    with pytest.raises(RunError, match="Only the browser that began"):
        stop_arms(public, arms, ben)
    stop_arms(public, arms, anna)
    assert {public.status(run_id).state for run_id in arms} == {"stopped"}


def test_a_shorter_training_is_no_arm(engine):
    shorter = replace(COPY, training=replace(COPY.training, steps=100))
    arms = begin_arms(engine, shorter, 1)
    with pytest.raises(RunError, match="are not the models"):
        seed_of(COPY, arms, described(engine))


def test_measured_figures_name_their_seeds_and_machine():
    measured = MEASURED[COPY.key]
    assert measured_with(COPY, measured) == f"seeds 0, 1 and 2 on {measured['control'].machine}"
