"""Evaluations of held-out pairs: made once whoever asks, kept with the run; each can be stopped and begun anew."""

import threading

import pytest

from core.errors import InputError
from core.evaluation.pairs import held_out
from core.evaluation.store import HELD_OUT_FILE
from core.run import load_run
from core.training.plan import dataset_of
from explorer.models.background import Job
from explorer.models.held_out import Evaluations
from tests.explorer.own_runs import train_tiny

MOST_SECONDS = 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("runs"), n_test=210)


@pytest.fixture
def run(folder):
    return load_run(folder)


@pytest.fixture
def pairs(folder, run):
    return dataset_of(folder, run).splits.test


def until(condition):
    """Wait for a condition, without asking after an evaluation."""
    for _ in range(MOST_SECONDS * 100):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came")


def results(evaluations, run, pairs, folder=None):
    """The results, once they are there."""

    def asked():
        return evaluations.of(run, "test", lambda: pairs, folder)

    until(lambda: not isinstance(asked(), Job))
    return asked()


def test_the_results_are_those_of_the_core_and_are_made_once(run, pairs):
    evaluations, made = Evaluations(), []

    def counted_pairs():
        made.append(1)
        return pairs

    def ask():
        return evaluations.of(run, "test", counted_pairs, None)

    first, second = ask(), ask()
    assert first is second
    until(lambda: not isinstance(ask(), Job))
    assert first.n_done == first.n_all == len(pairs)
    assert ask() == held_out(run, pairs)
    assert made == [1]


def test_an_evaluation_that_is_stopped_says_so_and_begins_anew_when_it_is_wanted(run, pairs):
    evaluations, begun, goes_on = Evaluations(), threading.Event(), threading.Event()

    def slow_pairs():
        begun.set()
        goes_on.wait(MOST_SECONDS)
        return pairs

    job = evaluations.of(run, "test", slow_pairs, None)
    assert isinstance(job, Job)
    assert begun.wait(MOST_SECONDS)
    job.stop()
    goes_on.set()
    until(lambda: job.has_ended)
    assert job.reason_for("") == "The evaluation was stopped."
    assert job.n_done == 0
    assert evaluations.of(run, "test", lambda: pairs, None) is job
    job.again()
    assert results(evaluations, run, pairs) == held_out(run, pairs)


@pytest.mark.proof
def test_one_that_nobody_asks_about_ends_and_leaves_nothing_behind(run, pairs, monkeypatch):
    monkeypatch.setattr("explorer.models.background.FORGOTTEN_AFTER", -1.0)
    evaluations = Evaluations()
    job = evaluations.of(run, "test", lambda: pairs, None)
    assert isinstance(job, Job)
    until(lambda: job.has_ended)
    assert job.reason == ""
    monkeypatch.undo()
    assert results(evaluations, run, pairs) == held_out(run, pairs)


def test_results_are_kept_with_the_run_and_those_of_other_weights_are_not_taken(run, pairs, folder):
    found = results(Evaluations(), run, pairs, folder)
    assert (folder / HELD_OUT_FILE).exists()

    def never():
        raise AssertionError("they are there already")

    again = Evaluations()
    until(lambda: not isinstance(again.of(run, "test", never, folder), Job))
    assert again.of(run, "test", never, folder) == found
    (folder / HELD_OUT_FILE).write_text(
        (folder / HELD_OUT_FILE).read_text().replace(run.fingerprint, "0" * 16)
    )
    assert results(Evaluations(), run, pairs, folder) == found


def test_what_cannot_be_evaluated_says_why(run):
    def none():
        raise InputError("this run has no test pairs; choose others")

    evaluations = Evaluations()
    job = evaluations.of(run, "test", none, None)
    assert isinstance(job, Job)
    until(lambda: job.has_ended)
    assert job.reason == "This run has no test pairs; choose others."
