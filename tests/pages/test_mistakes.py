"""Mistakes: what the browser is fed is what the core evaluates, and a pair opens where it first goes wrong."""

from itertools import accumulate
from threading import Event

import numpy as np
import pytest

from core.data.vocabulary import EOS
from core.evaluation import pairs
from core.evaluation.held_out import HeldOut
from core.run import load_run
from core.training.plan import dataset_of
from explorer.app import REGISTRY
from explorer.models import held_out
from explorer.models.background import Job, JobLine
from explorer.models.known import known_runs
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import Answer, answer
from explorer.views.mistakes.component import mistakes_view
from explorer.views.mistakes.data import MOST_LISTED, listed_pairs
from tests.conftest import PATIENCE
from tests.explorer.own_runs import train_pairs, train_tiny
from tests.pages.opening import (
    after_report,
    asked,
    header_of,
    is_over,
    message_of,
    open_page,
    query_of,
    said,
    title_of,
)
from tests.unpacked import unpacked

PAGE, VIEW = "pages/training/mistakes.py", "mistakes"
STEPS = "pages/generation/step_by_step.py"


@pytest.fixture
def folder(engine):
    return train_tiny(engine.folder, "tiny", n_test=30, n_validation=6)


def opened(run: str, **query: str):
    """The page, once its evaluation is over."""
    app = open_page(PAGE, model=run, **query)
    for _ in range(2000):
        assert not app.exception
        if is_over(app, VIEW):
            return app
        app.run()
    raise AssertionError("the evaluation never ended")


def tell(app, event: str, **what):
    """The page that is open after a report of the view."""
    report = {"key": header_of(app, VIEW)["key"], **what}
    return after_report(app, event, report, page=VIEW, part=mistakes_view.path)


def evaluated(folder, split="test") -> HeldOut:
    run = load_run(folder)
    return pairs.held_out(run, getattr(dataset_of(folder, run).splits, split), split=split)


def test_the_view_is_fed_what_the_core_evaluates(folder):
    app, found = opened("tiny"), evaluated(folder)
    header = header_of(app, VIEW)
    figures = header["figures"]
    assert figures["loss"] == found.figures.loss
    assert (figures["exact"], figures["n_pairs"]) == (sum(each.exact for each in found.results), 30)
    assert header["splits"] == [["test", "Test"], ["validation", "Validation"]]
    _, arrays, _ = unpacked(message_of(app, VIEW))
    listed, tokens = listed_pairs(found), header["tokens"]
    assert sorted(each.number for each in listed) == list(range(30))
    for place, side in enumerate(("source", "reference", "output")):
        ends = list(accumulate(arrays["sizes"][:, place].astype(int)))
        shown = [[tokens[int(i)] for i in part] for part in np.split(arrays[side], ends[:-1])]
        assert shown == [list(getattr(each, f"{side}_tokens")) for each in listed]
    for kind in header["kinds"]:
        assert {listed[place].number for place in kind["pairs"]} == {
            each.number for each in found.mistakes[kind["key"]]
        }
    named = [[tokens[e], "" if w < 0 else tokens[w], n] for e, w, n in header["confusions"]]
    assert named == [[each.expected, each.written, each.count] for each in found.confusions()]
    for name, shares in (
        ("lengths", found.by_source_length()),
        ("reference_lengths", found.by_reference_length()),
    ):
        assert header[name] == [[each.of, each.n, each.right] for each in shares]
    assert sum(n for _, n, _ in header["firsts"]) == len(found.wrong)


@pytest.mark.proof
def test_a_pair_opens_at_its_first_wrong_step_with_its_reference_as_a_branch(folder):
    app, found = opened("tiny"), evaluated(folder)
    pair = next(each for each in listed_pairs(found) if not each.exact)
    query = query_of(tell(app, "opened", number=pair.number))
    assert query["sentence"] == pair.source
    greedy, reference = header_of(open_page(STEPS, **query), "step_by_step")["what_if"]["branches"]
    assert reference["label"] == "reference"
    assert tuple(reference["tokens"]) == pair.reference_tokens
    assert tuple(greedy["tokens"])[: len(pair.output_tokens)] == pair.output_tokens
    assert reference["differs"] == pair.first_wrong


def test_pair_with_unknown_tokens_opens_without_a_branch(engine):
    # No letter of a held-out pair is in another pair.
    folder = train_pairs(engine.folder)
    app, found = opened(folder.name), evaluated(folder)
    assert header_of(app, VIEW)["figures"]["n_pairs"] == len(found.results)
    assert all(each.reference_tokens[-1] == EOS for each in found.results)
    pair = listed_pairs(found)[0]
    app = tell(app, "opened", number=pair.number)
    assert not app.error
    query = query_of(app)
    assert query["sentence"] == pair.source
    assert load_run(folder).unknown_in(pair.source)
    (notice,) = said(app)
    assert notice.endswith("so there is no branch of it.")
    assert len(header_of(open_page(STEPS, **query), "step_by_step")["what_if"]["branches"]) == 1


def test_of_many_pairs_the_wrong_ones_are_listed_first(folder):
    found = evaluated(folder)
    many = HeldOut("", "test", 10**6, found.results * (MOST_LISTED // 30 + 2))
    listed = listed_pairs(many)
    assert len(listed) == MOST_LISTED
    assert [each.exact for each in listed] == sorted(each.exact for each in listed)


@pytest.fixture
def goes_on(monkeypatch) -> Event:
    """Let an evaluation wait after its first batch for this sign."""
    evaluate, sign = pairs.evaluate_pairs, Event()

    def in_two_parts(*given, **named):
        first, *others = evaluate(*given, **named)
        yield first
        assert sign.wait(PATIENCE)
        yield from others

    monkeypatch.setattr(held_out, "evaluate_pairs", in_two_parts)
    return sign


def opened_early(run: str):
    """Open the page, and look at it until the first results are there."""
    app = open_page(PAGE, model=run)
    for _ in range(200):
        if any(view.key == VIEW for view in app.get("bidi_component")):
            return app
        assert app.get("skeleton"), "what is not there yet is announced"
        app.run()
    raise AssertionError("nothing was shown")


@pytest.mark.proof
def test_waiting_evaluation_shows_its_position(engine, monkeypatch):
    train_tiny(engine.folder, "waits", n_test=30)
    line = JobLine(0)
    for visitor in ("Anna", "Ben"):
        first = Job("measurement", line)
        first.ask(visitor)
        line.add(first, lambda: None)
    monkeypatch.setattr(held_out._EVALUATIONS._jobs, "_line", line)
    app = open_page(PAGE, model="waits")
    assert [bar.proto.text for bar in app.get("progress")] == ["Waiting for 2 other computations"]
    assert app.button(key="mistakes_stop")


@pytest.mark.proof
def test_results_are_shown_while_others_are_computed(engine, goes_on):
    folder = train_tiny(engine.folder, "streamed", n_test=150)
    app = opened_early("streamed")
    header = header_of(app, VIEW)
    assert (header["n_evaluated"], header["n_planned"]) == (pairs.TOGETHER, 150)
    assert app.button(key="mistakes_stop")
    _, arrays, _ = unpacked(message_of(app, VIEW))
    shown = dict(zip(arrays["numbers"].astype(int).tolist(), arrays["log_probs"].tolist(), strict=True))
    goes_on.set()
    for _ in range(2000):
        if is_over(app, VIEW):
            break
        app.run()
    assert header_of(app, VIEW)["n_evaluated"] == 150
    whole = evaluated(folder).results
    assert shown == pytest.approx({number: whole[number].log_prob for number in shown}, abs=1e-5)


@pytest.mark.proof
def test_reports_reach_running_evaluation(engine, goes_on):
    train_tiny(engine.folder, "filtered", n_test=150)
    app = opened_early("filtered")
    filtered = tell(app, "looked", split="", kind="all", group="", sort="number", search="a b")
    goes_on.set()
    assert header_of(filtered, VIEW)["looked"] == {
        "kind": "all",
        "group": "",
        "sort": "number",
        "search": "a b",
    }


@pytest.mark.proof
def test_pair_opens_while_others_are_translated(engine, goes_on):
    train_tiny(engine.folder, "early", n_test=150)
    app = opened_early("early")
    opens = tell(app, "opened", number=0)
    goes_on.set()
    assert title_of(opens) == "Step by step"


def test_request_begins_no_evaluation(engine):
    train_tiny(engine.folder, "asleep", n_test=30, seed=8)
    address = "model=asleep&kind=all"
    found = answer(asked(address, page=VIEW), SCREENS, known_runs(), REGISTRY)
    assert found == Answer(address, {}, is_whole=False)
    assert held_out.held_evaluation("asleep", None, "test") is None


@pytest.mark.proof
def test_stopped_evaluation_still_shows_its_results(engine, goes_on):
    train_tiny(engine.folder, "halted", n_test=140)
    app = opened_early("halted")
    app.button(key="mistakes_stop").click().run()
    goes_on.set()
    for _ in range(2000):
        if any(button.key == "mistakes_again" for button in app.button):
            break
        app.run()
    assert header_of(app, VIEW)["n_evaluated"] == pairs.TOGETHER
    assert "The evaluation was stopped." in [text.value for text in app.text]
    assert title_of(tell(app, "opened", number=0)) == "Step by step"
