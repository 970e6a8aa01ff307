"""Worksheets of what is about training: an update, a training that is watched, and the experiments."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import RunError
from core.experiments import EXPERIMENTS
from core.experiments.measured import read_measured
from core.training.history import history
from core.training.records import Probe
from core.training.run_store import RunStore
from explorer.app import REGISTRY
from explorer.histories.figures import Figures
from explorer.models.known import known_runs
from explorer.models.server import training_engine
from explorer.shell.worksheet_download import view_sheet
from explorer.tensors import CellPlace
from explorer.trainings.run_folders import clean_title
from explorer.views.experiments.sheet import OwnRun, _answer
from explorer.views.experiments.sheet import document as experiment_sheet
from explorer.views.experiments.words import figure_text
from explorer.views.training.sheet import MOST_MOMENTS, MOST_ROWS, _outputs, _places
from explorer.views.training.sheet import document as training_sheet
from explorer.views.update import cached
from explorer.views.update.cached import update_of
from explorer.views.update.choices import chosen_update
from explorer.views.update.panel import choices_of
from explorer.views.update.sheet import document as update_sheet
from explorer.visitor.state import ExperimentChoice, ExplorerState, default_state, explain_cell
from explorer.worksheets.curve import curve_svg
from explorer.worksheets.document import Sheet, Table, html_of, paragraph_of_markdown
from explorer.worksheets.number import MOST_TERMS
from explorer.worksheets.pages import worksheet_of
from tests.app_tests import another_server
from tests.explorer.own_runs import train_tiny
from tests.explorer.updates_here import make_updates_here
from tests.explorer.worksheets.test_sheets import parsed

RUN = "tiny0001"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    return train_tiny(tmp_path_factory.mktemp("runs"), RUN)


@pytest.fixture
def state(trained: Path, monkeypatch) -> Iterator[ExplorerState]:
    """Of a visitor who watches the run of this module."""
    monkeypatch.setenv("EXPLORER_RUNS", str(trained.parent))
    make_updates_here(monkeypatch)
    another_server()
    yield replace(default_state(known_runs(), RUN), training=RUN)
    training_engine().close()
    another_server()


@pytest.mark.proof
def test_an_update_is_printed_with_its_numbers_and_the_one_that_is_explained(state):
    choice = chosen_update(state.update.key, choices_of(RUN))
    made = update_of(RUN, choice)
    html = update_sheet("One update", explain_cell(state, CellPlace("update.loss", ())), "http://x/")
    text = " ".join(parsed(html).text)
    assert f"Loss {made.update.step.loss:.3f}." in text
    n_labels = made.update.batch.n_tokens
    assert (
        f"{MOST_TERMS} of {n_labels} terms" in text
        if n_labels > MOST_TERMS
        else f"All {n_labels} terms" in text
    )
    for name in made.update.parameters:
        assert name in html.replace("<wbr>", "")
    assert "Live at http://x/" in text


def test_an_update_that_is_not_kept_any_more_says_where_it_is_made_again(state):
    cached._updates().clear()
    html = update_sheet("One update", state, "")
    assert "open the page One update, which makes it again" in html
    parsed(html)


def test_an_explained_number_of_an_update_does_not_spoil_the_sheet_of_another_page(state):
    update_of(RUN, chosen_update(state.update.key, choices_of(RUN)))
    html = worksheet_of(REGISTRY["output"], explain_cell(state, CellPlace("update.loss", ())), "", REGISTRY)
    parsed(html)
    assert "update.loss" in html
    gone = worksheet_of(REGISTRY["output"], explain_cell(state, CellPlace("no.such.site", ())), "", REGISTRY)
    assert "This model has no numbers called no.such.site." in gone


def test_a_training_is_printed_with_its_curves_outputs_looks_and_settings(state, trained):
    html = training_sheet("Train", state, "http://x/train")
    text = " ".join(parsed(html).text)
    store = RunStore.read(trained)
    validations, probes = store.validations(), store.probes()
    store.close()
    assert f"{validations[-1].figures.loss:.4f}" in text
    assert {probe.source for probe in probes} <= set(parsed(html).text)
    assert "Finished: 20 of 20 updates" in text
    assert html.count("<svg") == 5 + min(len(history(trained)), MOST_MOMENTS)
    assert "for the source keyboard, with the decoder reading the right answer" in text
    assert "<b>0 of 4</b> test sources, none of which was trained on, come out exactly right" in html
    assert "An answer counts only if every token of it is right" in text
    assert "was still falling after the last of 20 updates: train on" in text
    assert re.search(r"<td class=\"words long\">d_model</td><td>16</td>", html)


def test_of_many_outputs_the_newest_and_the_first_are_printed_below_the_right_answer(state):
    status = training_engine().status(RUN)
    said = tuple(Probe(updates, "cat", f"c{updates}") for updates in range(1, 81))
    table = list(_outputs(status, Figures(probes=said)))[-1]
    assert isinstance(table, Table)
    assert [row[1] for row in table.rows][:2] == ["cat", "c80"]
    assert table.rows[-1][1] == "c1"
    assert len(table.rows) == 1 + MOST_ROWS
    assert table.caption.endswith(f"{MOST_ROWS} of 80")


def test_a_trainings_title_is_never_markup(state):
    engine = training_engine()
    engine.rename(RUN, HOSTILE)
    html = training_sheet("Train", state, "")
    engine.rename(RUN, RUN)
    parsed(html)
    assert clean_title(HOSTILE).replace("<", "&lt;").replace(">", "&gt;") in html


def test_a_training_whose_description_is_damaged_says_so_in_a_sentence(state, trained):
    description = trained / "run.json"
    whole = description.read_bytes()
    description.write_bytes(b"{")
    html = training_sheet("Train", state, "")
    description.write_bytes(whole)
    parsed(html)
    assert "<p>tiny0001/run.json is not JSON; make the run again.</p>" in html
    assert "<dt>Task</dt>" not in html


def test_a_training_that_is_gone_is_a_sheet_with_a_sentence(state):
    gone = replace(state, training="nosuch01")
    with pytest.raises(RunError):
        training_sheet("Train", gone, "")
    html = view_sheet(REGISTRY["train"], gone, "", REGISTRY)
    parsed(html)
    assert "There is no such run" in html


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_an_experiment_asks_first_and_answers_on_another_page(state, key):
    experiment, measured = EXPERIMENTS[key], read_measured()[key]
    html = experiment_sheet("Experiments", replace(state, experiment=ExperimentChoice(key)), "")
    parsed(html)
    question, _, answer = html.partition('<div class="break"></div>')
    assert question.count("☐") == len(experiment.choices)
    assert "*" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    for arm in experiment.arms:
        for name in experiment.figures:
            low = figure_text(name, min(measured[arm.key].figures[name]))
            assert f"<td>{low}</td>" in answer
            assert f"<td>{low}</td>" not in question


def test_all_experiments_questions_are_one_sheet_without_an_answer(state):
    html = experiment_sheet("Experiments", state, "")
    parsed(html)
    assert html.count('class="line"') == len(EXPERIMENTS)
    # On paper no question is torn apart.
    assert html.count('<section class="whole"><h2>') == len(EXPERIMENTS)
    assert "What it showed" not in html
    assert html.count("☐") == sum(len(each.choices) for each in EXPERIMENTS.values())


def test_another_runs_ids_in_an_experiments_link_are_not_believed(state):
    key = next(iter(EXPERIMENTS))
    html = experiment_sheet(
        "Experiments", replace(state, experiment=ExperimentChoice(key, arms=(RUN, RUN))), ""
    )
    assert "This run" not in html


def test_a_run_of_ones_own_stands_beside_the_measured_ones_with_its_seed():
    experiment = EXPERIMENTS["longer-words"]
    own = OwnRun(7, {arm.key: dict.fromkeys(experiment.figures, 0.5) for arm in experiment.arms})
    table = list(_answer(experiment, read_measured()["longer-words"], own))[-1]
    assert isinstance(table, Table)
    assert table.heads[2] == "This run"
    assert {row[2] for row in table.rows} == {"0.500"}
    assert table.caption.endswith("; this run has seed 7")


@pytest.mark.parametrize(("count", "places"), [(0, []), (1, [0]), (4, [0, 1, 2, 3]), (9, [0, 3, 5, 8])])
def test_rows_that_are_left_out_are_spread_evenly(count, places):
    assert list(_places(count, 4)) == places
    assert MOST_ROWS > MOST_MOMENTS


@pytest.mark.parametrize(("points", "updates", "values"), [
    ([(0, 0.01), (2, 0.05)], ["0", "1", "2"], ["0", "0.02", "0.04", "0.06"]),
    ([(0, 4.41), (79, 1.0)], ["0", "20", "40", "59", "79"], ["0", "2", "4", "6"]),
    ([(0, 2e-5), (4000, 1e-5)], ["0", "1,000", "2,000", "3,000", "4,000"], ["0", *(f"{n}.0 · 10⁻⁵" for n in "123")]),
    ([(0, 3e9), (1, 1.0)], ["0", "1"], ["0", "1.00 G", "2.00 G", "3.00 G"]),
    ([(0, 0.0), (1, 0.0)], ["0", "1"], ["0", "0.25", "0.5", "0.75", "1"]),
    ([(0, 1.0), (4, float("inf"))], ["0", "1", "2", "3", "4"], ["0", "0.25", "0.5", "0.75", "1"]),
])  # fmt: skip
def test_a_curves_marks_are_round_and_each_stands_once_where_it_says(points, updates, values):
    svg = curve_svg(points, "loss")
    drawn = [
        (float(x), text) for x, text in re.findall(r'<text x="([\d.]+)"[^>]*"middle"[^>]*>([^<]+)<', svg)
    ]
    assert [text for _, text in drawn] == [*updates, "update"]
    left, right = drawn[0][0], drawn[-2][0]
    for x, text in drawn[:-1]:
        assert x == pytest.approx(left + (right - left) * int(text.replace(",", "")) / points[-1][0], abs=0.1)
    assert re.findall(r'"end"[^>]*>([^<]+)<', svg) == values
    assert "nan" not in svg
    assert "inf" not in svg


def test_a_share_is_drawn_as_part_of_all():
    assert re.findall(r'"end"[^>]*>([^<]+)<', curve_svg([(0, 0.0), (9, 0.05)], "share", share=True)) == [
        "0%", "25%", "50%", "75%", "100%"
    ]  # fmt: skip


def test_only_a_column_with_a_long_word_may_be_torn_anywhere():
    table = Table(("Model", "parameter"), (("Sinusoidal one", "a.b_norm.c"), ("x", "w" * 11)), (0, 1))
    html = html_of(Sheet("t", (), (table,)))
    assert "<td class=words>Sinusoidal one</td>" in html
    assert '<th scope="col" class="words long">parameter</th>' in html
    assert "a.<wbr>b_<wbr>norm.<wbr>c" in html


def test_what_is_emphasised_stands_out_and_an_escaped_star_is_a_star():
    pieces = paragraph_of_markdown(r"finds *which*, not **where**: 2 \* 3").pieces
    assert [(piece.text, piece.kind) for piece in pieces] == [
        ("finds ", ""), ("which", "number"), (", not ", ""), ("where", "number"), (": 2 * 3", ""),
    ]  # fmt: skip
