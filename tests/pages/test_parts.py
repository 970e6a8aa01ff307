"""What parts are worth: the browser gets what the core measures; a sentence opens with the part and without it."""

import contextlib
import io
import threading

import numpy as np
import pytest

from core import head_ablations, head_looks, load_run, neuron_ablations, worths
from core.analysis.head_looks import PLACES
from core.interventions.intervention import ZeroAblation
from core.interventions.links import write_link
from core.interventions.worth import WorthSweep
from core.training.plan import dataset_of
from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import Answer, answer
from explorer.views.worth.cached import measurements
from explorer.views.worth.component import worth_view
from tests.conftest import PATIENCE
from tests.explorer.own_runs import train_pairs, train_tiny
from tests.explorer.trainings.conftest import wait_until
from tests.pages.opening import (
    after_report,
    asked,
    header_of,
    is_over,
    message_of,
    open_page,
    query_of,
    title_of,
)
from tests.unpacked import unpacked

PAGE, VIEW = "pages/generation/parts.py", "worth"
NETWORK = "decoder.layers.0.feed_forward"


@pytest.fixture
def folder(engine):
    return train_tiny(engine.folder, "tiny", n_test=30, n_validation=6)


def waited(app):
    """The page, once its measurement is over."""
    for _ in range(2000):
        assert not app.exception
        if is_over(app, VIEW):
            return app
        app.run()
    raise AssertionError("the measurement never ended")


def opened(run: str, **query: str):
    return waited(open_page(PAGE, model=run, **query))


def pairs_of(folder):
    return dataset_of(folder, load_run(folder)).splits.test


def arrays_of(app):
    _, arrays, _ = unpacked(message_of(app, VIEW))
    return arrays


def tell(app, name: str, **what):
    """The page that is open after a report of the view."""
    report = {"key": header_of(app, VIEW)["key"], **what}
    return after_report(app, name, report, page="parts", part=worth_view.path)


@pytest.mark.sweep
@pytest.mark.parametrize("parts", ["", "decoder-0"])
def test_the_view_is_fed_what_the_core_measures(folder, parts):
    app, run, pairs = opened("tiny", parts=parts), load_run(folder), pairs_of(folder)
    changes = neuron_ablations(run.model, NETWORK) if parts else head_ablations(run.model)
    found, header, arrays = worths(run, pairs, changes), header_of(app, VIEW), arrays_of(app)
    figures = [
        [number for one in (each.loss, each.exact) for number in (one.value, one.low, one.high)]
        for each in found
    ]
    np.testing.assert_allclose(arrays["estimates"], figures, atol=1e-6)
    assert (header["n_pairs"], header["n_available"]) == (len(pairs), len(pairs))
    evaluated = run.evaluate(pairs).figures
    assert header["loss"] == pytest.approx(evaluated.loss, abs=1e-6)
    assert header["n_exact"] == round(evaluated.exact_match * len(pairs))
    looks = [] if parts else head_looks(run, pairs)
    shares = [[look.rows[place].share if place in look.rows else -1 for place in PLACES] for look in looks]
    np.testing.assert_allclose(
        arrays["shares"].reshape(len(looks), len(PLACES)),
        np.array(shares).reshape(len(looks), len(PLACES)),
        atol=1e-6,
    )
    rows = [[number, cost.row, cost.exact] for number, each in enumerate(found) for cost in each.strongest]
    assert arrays["rows"].tolist() == rows
    texts, at = [header["tokens"][int(place)] for place in arrays["texts"]], 0
    for (_, row, _), (n_source, n_reference) in zip(rows, arrays["sizes"].astype(int), strict=True):
        assert texts[at : at + n_source] == run.src_tokenizer.tokenize(pairs[row].source)
        assert texts[at + n_source : at + n_source + n_reference][:-1] == run.tgt_tokenizer.tokenize(
            pairs[row].target
        )
        at += n_source + 2 * n_reference
    assert at == len(texts)


@pytest.mark.proof
def test_a_head_is_named_by_a_rule_that_stands_beside_it(folder):
    header = header_of(opened("tiny"), VIEW)
    assert header["roles"] == [look.role or "" for look in head_looks(load_run(folder), pairs_of(folder))]
    assert len(header["titles"]) == len(header["roles"])
    assert [bool(title) for title in header["titles"]] == [bool(role) for role in header["roles"]]
    assert "75 % of its rows" in header["rule"]
    assert "gold" in header["places"]
    assert header["no_gold"] == ""
    assert header_of(opened("tiny", parts="encoder-0"), VIEW)["rule"] == ""


OWN = "\n".join(f"{one} {other} end\t{other} {one} stop" for one in "abcdefgh" for other in "ijklmn")


def test_own_pairs_have_no_alignment_and_the_page_says_so(engine):
    header = header_of(opened(train_pairs(engine.folder, text=OWN).name), VIEW)
    assert "gold" not in header["places"]
    assert "no gold alignment" in header["no_gold"]
    assert len(header["parts"]) == 6


def test_a_single_held_out_pair_has_no_interval_and_the_page_says_so(engine):
    folder = train_pairs(engine.folder)
    assert len(pairs_of(folder)) == 1
    app = open_page(PAGE, model=folder.name)
    for _ in range(2000):
        if any("needs at least two held-out pairs" in text.value for text in app.text):
            break
        app.run()
    assert app.button(key="worth_again").label == "Measure again"
    assert not app.exception


def test_a_layer_that_is_not_there_gives_the_heads(folder):
    header = header_of(opened("tiny", parts="encoder-7"), VIEW)
    assert [part["name"] for part in header["parts"][:2]] == ["head 0", "head 1"]


@pytest.mark.proof
def test_a_sentence_opens_where_the_part_stands(folder):
    app, run, pairs = opened("tiny"), load_run(folder), pairs_of(folder)
    heads = head_ablations(run.model)
    number = next(i for i, each in enumerate(heads) if "cross" in each.site and each.head == 1)
    (found,) = worths(run, pairs, [heads[number]])
    row = found.strongest[1].row
    app = tell(app, "opened", part=number, row=row, without=False)
    query = query_of(app)
    assert query["sentence"] == pairs[row].source
    assert (query.get("layer", "0"), query["head"]) == ("0", "1")
    assert not app.exception
    assert title_of(app) == "Cross-attention"


@pytest.mark.proof
def test_a_sentence_opens_without_the_part(folder):
    app, run, pairs = opened("tiny", parts="encoder-0"), load_run(folder), pairs_of(folder)
    change = ZeroAblation("encoder.layers.0.feed_forward.hidden", unit=3)
    (found,) = worths(run, pairs, [change])
    row = found.strongest[0].row
    app = tell(app, "opened", part=3, row=row, without=True)
    query = query_of(app)
    assert (query["sentence"], query["way"]) == (pairs[row].source, "off")
    assert query["changes"] == write_link((change,))
    assert not app.exception
    assert title_of(app) == "What if"


@pytest.mark.proof
def test_what_takes_long_is_asked_for_and_can_be_stopped_and_made_anew(engine, monkeypatch):
    monkeypatch.setattr("explorer.views.worth.cached.MOST_AT_ONCE", 0.0)
    folder, goes_on = train_tiny(engine.folder, "large", n_test=25, seed=7), threading.Event()

    def slow(*_):
        goes_on.wait(PATIENCE)
        return pairs_of(folder)

    monkeypatch.setattr("explorer.views.worth.cached.pairs_of", slow)
    app = open_page(PAGE, model="large").run()
    begin = app.button(key="worth_begin")
    assert "6 heads over 25 held-out pairs" in begin.label
    app = begin.click().run()
    app = app.button(key="worth_stop").click().run()
    goes_on.set()
    # Stopped for this visitor at once, the job ends at its next step.
    wait_until(lambda: all(job.has_ended for job in measurements()._running.values()))
    for _ in range(2000):
        if any(text.value == "The measurement was stopped." for text in app.text):
            break
        app.run()
    app = app.button(key="worth_again").click().run()
    app = app.button(key="worth_begin").click().run()
    assert header_of(waited(app), VIEW)["n_pairs"] == 25


@pytest.mark.proof
def test_the_same_in_python_prints_what_the_table_begins_with(folder, monkeypatch):
    app = opened("tiny")
    code = header_of(app, VIEW)["python"]
    assert len([line for line in code.splitlines() if line and not line.startswith("from ")]) <= 3
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "the same in Python", "exec"), {})
    found = worths(load_run(folder), pairs_of(folder), head_ablations(load_run(folder).model))
    assert out.getvalue() == f"{max(found, key=lambda each: each.loss.value)}\n"


@pytest.mark.proof
def test_a_changed_model_is_measured_as_it_was_trained_and_the_page_says_so(folder):
    plain = opened("tiny")
    changed = opened("tiny", changes=write_link((ZeroAblation("decoder.layers.0.cross_attn.output"),)))
    assert header_of(changed, VIEW)["changed"]
    assert not header_of(plain, VIEW)["changed"]
    assert np.array_equal(arrays_of(changed)["estimates"], arrays_of(plain)["estimates"])


def test_request_begins_no_measurement(engine):
    folder = train_tiny(engine.folder, "asleep", n_test=30, seed=8)
    address = "model=asleep&order=rest"
    found = answer(asked(address, page="parts"), SCREENS, known_runs(), REGISTRY)
    assert found == Answer(address, {}, is_whole=False)
    assert measurements().held((load_run(folder).fingerprint, "")) is None


@pytest.mark.proof
def test_figures_are_shown_while_others_are_computed(engine, monkeypatch):
    train_tiny(engine.folder, "streamed", n_test=40)
    measure, goes_on, groups = WorthSweep.passes_over, threading.Event(), []

    def after_a_sign(sweep, rows):
        groups.append(rows)
        assert len(groups) == 1 or goes_on.wait(PATIENCE)
        yield from measure(sweep, rows)

    monkeypatch.setattr(WorthSweep, "passes_over", after_a_sign)
    app = open_page(PAGE, model="streamed")
    for _ in range(200):
        if any(view.key == VIEW for view in app.get("bidi_component")):
            break
        assert app.get("skeleton"), "what is not there yet is announced"
        app.run()
    header, run = header_of(app, VIEW), load_run(engine.folder / "streamed")
    assert (header["n_pairs"], header["n_planned"]) == (len(groups[0]), 40)
    shown = arrays_of(app)["estimates"][:, 0]
    assert header_of(tell(app, "looked", order="rest", chosen=4), VIEW)["looked"]["chosen"] == 4
    first = [pairs_of(engine.folder / "streamed")[row] for row in groups[0]]
    goes_on.set()
    found = worths(run, first, head_ablations(run.model))
    np.testing.assert_allclose(shown, [each.loss.value for each in found], atol=1e-6)
    assert header_of(waited(app), VIEW)["n_pairs"] == 40
