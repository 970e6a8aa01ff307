"""The experiments: every arm can be trained and differs in what is named, and what is said was measured."""

import re
from dataclasses import asdict, replace

import pytest

from core.experiments import EXPERIMENTS
from core.experiments.arms import describe_arm, is_of_arm
from core.experiments.experiment import Choice, Claim, Condition, figures_of
from core.experiments.measure import digest_of_arm
from core.experiments.measured import figures_by_arm, read_measured
from core.model.shapes import expected_parameters
from tests.another_python import said_by

ALL = list(EXPERIMENTS.values())
FIGURE = re.compile(r"\{([^}]*)\}")
measured = read_measured()


def settings(experiment, arm, seed: int = 0) -> dict[str, object]:
    run = describe_arm(experiment, arm, seed)
    return {"task": run.task} | asdict(run.config) | asdict(run.train_config)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_every_arm_differs_from_the_control_in_exactly_what_it_names(experiment):
    control = settings(experiment, experiment.control)
    assert not experiment.control.model
    assert not experiment.control.training
    for arm in experiment.arms[1:]:
        own = settings(experiment, arm)
        assert {name for name in own if own[name] != control[name]} == {*arm.model, *arm.training} != set()


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_an_arm_is_known_by_its_settings_whatever_its_seed(experiment):
    for arm in experiment.arms:
        run = describe_arm(experiment, arm, 7)
        assert [other for other in experiment.arms if is_of_arm(run, experiment, other)] == [arm]
        longer = replace(run, train_config=replace(run.train_config, steps=run.train_config.steps + 1))
        assert not is_of_arm(longer, experiment, arm)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_only_figures_that_are_measured_are_named(experiment):
    known = {f"{arm.key}.{name}" for arm in experiment.arms for name in experiment.figures}
    said = [each.sentence for each in experiment.claims] + [each.reply for each in experiment.choices]
    conditions = [each for claim in experiment.claims for each in claim.holds_if]
    conditions += [each for choice in experiment.choices for each in choice.is_right_if]
    named = {name for sentence in said for name in FIGURE.findall(sentence)}
    named |= {each.left for each in conditions}
    named |= {each.right for each in conditions if isinstance(each.right, str)}
    assert named
    assert named <= known


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_titles_are_told_apart(experiment):
    for names in (
        [arm.key for arm in experiment.arms],
        [arm.label for arm in experiment.arms],
        [arm.title for arm in experiment.arms],
        [choice.text for choice in experiment.choices],
    ):
        assert len(set(names)) == len(names) > 1
    # A chart's legend puts the label into an expression.
    assert not any("'" in arm.label for arm in experiment.arms)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_every_arm_was_measured_with_three_seeds_as_it_is_now(experiment):
    found = measured[experiment.key]
    assert list(found) == [arm.key for arm in experiment.arms]
    for arm in experiment.arms:
        own, run = found[arm.key], describe_arm(experiment, arm, 0)
        assert own.settings == digest_of_arm(experiment, arm)
        assert own.seeds == (0, 1, 2)
        assert own.parameters == expected_parameters(run.config)
        assert own.updates == run.train_config.steps
        assert len(own.cpu_seconds) == 3
        assert list(own.figures) == list(experiment.figures)
        assert all(len(values) == 3 for values in own.figures.values())


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.key)
def test_exactly_one_answer_is_right_and_every_claim_holds_for_every_seed(experiment):
    figures = figures_by_arm(measured[experiment.key])
    assert sum(choice.is_right(figures) for choice in experiment.choices) == 1
    assert experiment.right_choice(figures) is not None
    assert all(claim.holds(figures) for claim in experiment.claims)
    for place in range(3):
        alone = {name: values[place : place + 1] for name, values in figures.items()}
        assert experiment.right_choice(alone) is experiment.right_choice(figures)


def test_a_condition_compares_the_least_favourable_seeds():
    figures = {"a.x": (0.5, 0.9), "b.x": (0.1, 0.4)}
    assert Condition("a.x", "at least", "b.x", by=0.1).holds(figures)
    assert not Condition("a.x", "at least", "b.x", by=0.11).holds(figures)
    assert Condition("b.x", "at most", "a.x", by=0.09).holds(figures)
    assert not Condition("b.x", "at most", 0.3).holds(figures)
    assert Condition("b.x", "at most", 0.4).holds(figures)
    assert not Condition("c.x", "at least", 0.0).holds(figures)
    assert not Condition("a.x", "at least", "c.x").holds(figures)


def test_two_right_answers_are_none():
    experiment = EXPERIMENTS["copy-without-positions"]
    always = Choice("always", (Condition("none.exact_match", "at least", 0.0),), "")
    figures = figures_of({"none": {"exact_match": 0.0}, "control": {"exact_match": 1.0}})
    assert experiment.right_choice(figures) is experiment.choices[2]
    assert replace(experiment, choices=(*experiment.choices, always)).right_choice(figures) is None
    assert experiment.right_choice({}) is None
    assert not Claim("", (Condition("none.exact_match", "at least", 0.5),)).holds(figures)


@pytest.mark.proof
def test_listing_the_experiments_needs_no_torch():
    program = "import sys, core.experiments, core.experiments.measured; print('torch' in sys.modules)"
    assert said_by(program) == "False\n"
