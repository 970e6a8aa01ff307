"""Figures that are shipped with a model are those that the model gives now, and no other model gets them."""

import shutil
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch

from core.evaluation.held_out import HeldOut
from core.evaluation.pairs import held_out
from core.interventions.worth import WorthSweep
from core.run import load_run, save_run
from core.run_description import RUN_FILE
from core.training.replay import first_batches
from explorer.models.held_out import evaluation_of, pairs_of, splits_of
from explorer.models.known import CHECKPOINTS
from explorer.models.shipped_figures import FOLDER, read_figures, read_held_out
from explorer.views.update.shipped import read_first_batches
from explorer.views.worth.cached import Measurement, choices, measured, plan_of
from explorer.views.worth.measured import Measured
from explorer.views.worth.shipped import read_measured
from tests.drawn_once import pairs_are_drawn_once  # noqa: F401
from tests.marks import left_to_proofs

NAMES = sorted(path.parent.name for path in CHECKPOINTS.glob(f"*/{RUN_FILE}"))
MEASURED_AGAIN = "copy"
"""Model whose figures are all measured again; one program has written those of all, and each names its weights."""
FEW = 40
MOST_BYTES = 600_000
"""Bytes of all figures of one model."""


def stored_results(name: str, split: str):
    found = read_held_out(CHECKPOINTS / name, load_run(CHECKPOINTS / name), split)
    assert found is not None, f"run python -m checkpoints.make --only-figures {name}"
    return found


def assert_same_results(stored, computed) -> None:
    """Compare results, of which rounding on another processor may turn a few."""
    same = 0
    for one, other in zip(stored, computed, strict=True):
        named = ("number", "split", "source", "reference", "source_tokens", "reference_tokens", "others")
        assert {name: getattr(one, name) for name in named} == {name: getattr(other, name) for name in named}
        if one.output_tokens == other.output_tokens:
            same += one.output == other.output and one.teacher_forced_tokens == other.teacher_forced_tokens
            np.testing.assert_allclose(one.log_probs, other.log_probs, atol=0.01, rtol=0.01)
        np.testing.assert_allclose(one.losses, other.losses, atol=0.01, rtol=0.01)
    assert same >= 0.99 * len(stored)


@pytest.mark.parametrize("name", NAMES)
def test_shipped_model_has_small_figures_of_itself(name):
    run = load_run(CHECKPOINTS / name)
    keys = [f"held-out-{split}" for split, _ in splits_of(run)]
    keys += [f"worth-{parts or 'heads'}" for parts in choices(run)]
    keys.append("first-batches")
    again = f"run python -m checkpoints.make --only-figures {name}"
    assert all(read_figures(CHECKPOINTS / name, key, run.fingerprint) for key in keys), again
    files = list((CHECKPOINTS / name / FOLDER).iterdir())
    assert {file.name for file in files} == {f"{key}.json.gz" for key in keys}, again
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


# One program has written the results of all, and each names its weights.
@pytest.mark.parametrize("name", ["copy", "reverse"])
def test_shipped_results_match_the_model(name):
    run, stored = load_run(CHECKPOINTS / name), stored_results(name, "validation")
    pairs = pairs_of(name, "validation")
    assert (len(stored.results), stored.n_available) == (len(pairs), len(pairs))
    assert_same_results(stored.results[:FEW], held_out(run, pairs[:FEW], split="validation").results)


@pytest.mark.proof
def test_all_shipped_results_match_the_model():
    name, run = MEASURED_AGAIN, load_run(CHECKPOINTS / MEASURED_AGAIN)
    for split, _ in splits_of(run):
        stored, computed = stored_results(name, split), held_out(run, pairs_of(name, split), split=split)
        assert_same_results(stored.results, computed.results)
        assert stored.figures.loss == pytest.approx(computed.figures.loss, abs=1e-4)
        assert stored.figures.exact_match == pytest.approx(computed.figures.exact_match, abs=0.005)
        for name_of in ("chrf", "bleu"):
            one, other = getattr(stored, name_of), getattr(computed, name_of)
            assert one == other or one == pytest.approx(other, abs=0.2)


def assert_same_worths(stored: Measured, computed: Measured) -> None:
    assert (stored.split, stored.n_available, stored.network) == (
        computed.split,
        computed.n_available,
        computed.network,
    )
    assert [(pair.source, pair.target) for pair in stored.pairs] == [
        (pair.source, pair.target) for pair in computed.pairs
    ]
    assert stored.parts == computed.parts
    assert stored.loss == pytest.approx(computed.loss, abs=1e-4)
    assert stored.n_exact == pytest.approx(computed.n_exact, abs=0.01 * len(stored.pairs))
    for one, other in zip(stored.worths, computed.worths, strict=True):
        np.testing.assert_allclose(
            list(asdict(one.loss).values()), list(asdict(other.loss).values()), rtol=0.02, atol=1e-3
        )
        np.testing.assert_allclose(
            list(asdict(one.exact).values()), list(asdict(other.exact).values()), atol=0.02
        )
        # Pairs that a change costs equally much may come in another order.
        mine, theirs = (sorted(cost.cost for cost in worth.strongest) for worth in (one, other))
        np.testing.assert_allclose(mine, theirs, rtol=0.02, atol=0.01)
    for look, again in zip(stored.looks, computed.looks, strict=True):
        assert (look.site, look.head, set(look.rows)) == (again.site, again.head, set(again.rows))
        for place, rows in look.rows.items():
            assert rows.share == pytest.approx(again.rows[place].share, abs=0.01)


def measured_now(name: str, parts: str) -> Measured:
    run = load_run(CHECKPOINTS / name)
    measurement = Measurement(run, plan_of(name, None, run, parts))
    assert len(list(measurement.passes())) > 1
    return measurement.measured()


@pytest.mark.proof
def test_shipped_worths_of_heads_match_the_model():
    name, run = MEASURED_AGAIN, load_run(CHECKPOINTS / MEASURED_AGAIN)
    stored = read_measured(CHECKPOINTS / name, run, "")
    assert stored is not None
    assert_same_worths(stored, measured_now(name, ""))


@pytest.mark.proof
def test_shipped_worths_of_neurons_match_the_model():
    name, run = MEASURED_AGAIN, load_run(CHECKPOINTS / MEASURED_AGAIN)
    # One layer is enough: all are measured in the same way, and each takes up to half a minute.
    *_, parts = choices(run)
    assert parts
    stored = read_measured(CHECKPOINTS / name, run, parts)
    assert stored is not None
    assert_same_worths(stored, measured_now(name, parts))


@pytest.mark.proof
@pytest.mark.parametrize("name", left_to_proofs(NAMES, ["copy"]))
def test_shipped_batches_match_the_first_updates(name):
    folder = CHECKPOINTS / name
    run = load_run(folder)
    stored, made = read_first_batches(folder, run.fingerprint), first_batches(folder, run)
    assert len(stored) == len(made) > 1
    for one, other in zip(stored, made, strict=True):
        assert one.n_tokens == other.n_tokens
        for side in ("src", "tgt_in", "tgt_out"):
            assert torch.equal(getattr(one, side), getattr(other, side))


def test_shipped_figures_are_served_without_a_computation(monkeypatch):
    def refuse(*given, **named):
        raise AssertionError("the model is evaluated")

    monkeypatch.setattr("explorer.models.held_out.evaluate_pairs", refuse)
    monkeypatch.setattr(WorthSweep, "passes_over", refuse)
    run = load_run(CHECKPOINTS / "copy")
    results = evaluation_of("copy", None, "test")
    assert isinstance(results, HeldOut)
    assert len(results.results) == 2000
    found = measured(plan_of("copy", None, run, ""))
    assert isinstance(found, Measured)
    assert found.n_done == len(found.pairs) == 1000


def test_changed_model_is_not_served_with_old_figures(tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(CHECKPOINTS / "copy", folder)
    run = load_run(folder)
    assert read_held_out(folder, run, "test")
    assert read_measured(folder, run, "")
    next(run.model.parameters()).data[3] += 0.1
    save_run(replace(run, fingerprint=""), folder)
    changed = load_run(folder)
    assert changed.fingerprint != run.fingerprint
    assert read_held_out(folder, changed, "test") is None
    assert read_measured(folder, changed, "") is None
    assert read_first_batches(folder, run.fingerprint)
    assert not read_first_batches(folder, changed.fingerprint)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8b\x08broken", b"no gzip", b'{"fingerprint": 1}'],
    ids=["empty", "cut", "text", "json"],
)
def test_damaged_figures_are_as_good_as_none(tmp_path, content):
    folder = tmp_path / "copy"
    shutil.copytree(CHECKPOINTS / "copy", folder)
    for file in (folder / FOLDER).iterdir():
        file.write_bytes(content)
    run = load_run(folder)
    assert read_held_out(folder, run, "test") is None
    assert read_measured(folder, run, "") is None
