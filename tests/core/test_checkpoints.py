"""The shipped models do on held-out sources what is written beside them."""

import numpy as np
import pytest

from checkpoints.make import HERE, LEAST_EXACT_MATCH, RECIPES, report
from core.activations.trace import trace
from core.data.dataset import task_dataset
from core.data.tasks import TASKS, get_task
from core.decoding.autoregressive import decode_steps, last_step
from core.evaluation.answers import evaluate
from core.run import load_run
from core.training.history import history, load_run_at, moments_of
from explorer.histories.figures import read_figures
from explorer.histories.moments import ONE, make_moment, make_probe, probe_sources, run_of_moment
from explorer.histories.recording import read_recording
from explorer.models.known import RECORDED
from tests.drawn_once import pairs_are_drawn_once  # noqa: F401
from tests.marks import left_to_proofs
from tests.optional import unwrap

CROSS = "decoder.layers.1.cross_attn.weights"
MAX_BYTES = 3_000_000
"""Of all shipped models together: a clone should stay small."""
MAX_HISTORY_BYTES = 2_500_000
"""Of all moments on the way to them."""


def test_every_task_has_a_shipped_model_and_together_they_are_small():
    assert {recipe.task for recipe in RECIPES.values()} == set(TASKS)
    assert {path.parent.name for path in HERE.glob("*/run.json")} == set(RECIPES)
    assert sum(path.stat().st_size for path in HERE.glob("*/*")) < MAX_BYTES
    assert sum(path.stat().st_size for path in HERE.glob("*/history/*")) < MAX_HISTORY_BYTES


QUICK = {"copy", "reverse"}
"""Their data are made at once."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", left_to_proofs(RECIPES, QUICK))
def test_a_shipped_model_is_right_on_sources_that_it_never_saw(name):
    run = load_run(HERE / name)
    dataset = task_dataset(get_task(run.task), run.train_config)
    splits = dataset.splits
    sources = [{pair.source for pair in split} for split in (splits.train, splits.validation, splits.test)]
    assert sum(map(len, sources)) == len(set.union(*sources))
    assert evaluate(run.model, dataset.encode(splits.test[:300])).exact_match >= LEAST_EXACT_MATCH
    assert run.evaluation["n_pairs"] >= 1000
    assert run.evaluation["exact_match"] >= LEAST_EXACT_MATCH


@pytest.mark.sweep
@pytest.mark.proof
@pytest.mark.parametrize("name", [name for name, recipe in RECIPES.items() if recipe.moments])
def test_shipped_moments_lead_to_the_shipped_model(name):
    assert tuple(history(HERE / name)) == RECIPES[name].moments
    run = load_run(HERE / name)
    pairs = task_dataset(get_task(run.task), run.train_config)
    held_out = pairs.encode(pairs.splits.test[:50])
    moments = [load_run_at(HERE / name, updates) for updates in RECIPES[name].moments]
    losses = [evaluate(each.model, held_out).loss for each in (*moments, run)]
    # The first few updates may lead up; from then on each moment knows more than the one before.
    assert losses[2:] == sorted(losses[2:], reverse=True)
    assert losses[0] > 10 * losses[-1]


def test_what_was_recorded_of_the_training_that_plays_is_what_its_weights_make():
    folder, run = HERE / RECORDED, load_run(HERE / RECORDED)
    probes = [unwrap(make_probe(RECORDED, run, source)) for source in probe_sources(run)]
    recorded = read_recording(folder).moments(probes)
    assert set(recorded) == set(moments_of(run.config, run.train_config))
    assert len(read_figures(folder).exact_match) > 10
    for updates in (*RECIPES[RECORDED].moments, unwrap(run.best_after)):
        found, told = (
            make_moment(run_of_moment(folder, updates, run.best_after), updates, probes),
            recorded[updates],
        )
        assert told.outputs == found.outputs
        for ours, theirs in zip(told.probabilities, found.probabilities, strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-4)
        for ours, theirs in zip(told.weights[0], found.weights[0], strict=True):
            np.testing.assert_allclose(ours / ONE, theirs / ONE, atol=1e-4)
    assert read_recording(folder).moments(probes[1:]) == {}


@pytest.mark.proof
def test_the_shipped_translator_is_good_at_combinations_that_it_never_saw():
    run = load_run(HERE / "en-fr")
    dataset = task_dataset(get_task(run.task), run.train_config)
    assert len(dataset.splits.unseen) == run.evaluation["n_unseen"] >= 1000
    right = evaluate(run.model, dataset.encode(dataset.splits.unseen[:300])).exact_match
    assert right == pytest.approx(run.evaluation["unseen_exact_match"], abs=0.03)


def test_first_sentence_matches_the_tour():
    run = load_run(HERE / "en-fr")
    source = run.encode_source("the small cat does not sleep")
    assert run.translate("the small cat does not sleep") == "le petit chat ne dort pas"
    output = last_step(decode_steps(run.model, source[None])).hypotheses[0]
    assert run.tgt_tokenizer.vocabulary.token(int(output[4])) == "dort"
    weights = trace(run.model, source, output, CROSS).activations[CROSS][0, :, 4].mean(dim=0)
    assert run.src_tokenizer.vocabulary.token(int(source[weights.argmax()])) == "sleep"
    assert weights.max() > 0.5
    told = " ".join((HERE.parent / "docs" / "tour.md").read_text(encoding="utf-8").split())
    assert "the step that wrote *dort*" in told
    assert "most of its attention is on *sleep*" in told


def test_the_table_of_shipped_models_is_the_one_that_their_files_give():
    assert (HERE / "README.md").read_text(encoding="utf-8") == report(HERE)
