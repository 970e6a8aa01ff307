"""Output: logits multiply out, probabilities are a softmax over all tokens, losses are torch's for what is shown."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.explanation.explain import explain
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.recorded import record_translation
from explorer.models.translation import translate
from explorer.tensors import check
from explorer.views.output.data import (
    MOST_PROBABLE,
    Target,
    longer_pair,
    loss_of,
    output_view,
    shown_tokens,
    smoothed_rows,
    steps,
    target_of,
)
from explorer.views.output.tables import (
    aligned_columns,
    loss_sentence,
    padding_sentence,
    smoothing_columns,
    smoothing_sentence,
    step_columns,
    step_sentence,
    target_sentence,
)
from tests.explorer.random_recording import random_recording
from tests.explorer.stage_cells import assert_explained, matrix
from tests.optional import unwrap
from tests.states import state_of

pytestmark = pytest.mark.sweep

VARIANTS: dict[str, dict[str, Any]] = {
    "post": {},
    "pre gelu": {"norm_position": "pre", "activation": "gelu"},
    "untied": {"tie_embeddings": False},
    "bfloat16": {"dtype": "bfloat16"},
    "large vocabulary": {"src_vocab_size": 70, "tgt_vocab_size": 70},
}


@pytest.fixture(scope="module", params=VARIANTS)
def recorded(request):
    return random_recording(**VARIANTS[request.param])


@pytest.fixture(scope="module")
def shipped():
    run = load_run(CHECKPOINTS / "en-fr")
    sentence = "the small cat sleeps"
    return record_translation(run, sentence, translate(run, sentence))


def state(**choices):
    return state_of("random", "w4", **choices)


def test_every_cell_is_the_one_that_explain_explains(recorded):
    assert_explained(recorded, output_view(recorded, state()))


def test_logits_multiply_out_and_probabilities_are_their_softmax_over_all_tokens(recorded):
    view = output_view(recorded, state(stage="softmax", step=2))
    check(view)
    assert (view.stage, view.row) == ("softmax", 2)
    tolerance = 0.1 if recorded.dtype == "bfloat16" else 1e-4
    logits_stage, softmax_stage = view.stages
    x, weight, logits = (matrix(view, panel) for panel in logits_stage.panels)
    np.testing.assert_allclose(x @ weight, logits, atol=tolerance)
    _, log_probs, probs = (matrix(view, panel) for panel in softmax_stage.panels)
    whole = torch.tensor(recorded.values("generator.logits")).double().softmax(dim=-1).numpy()
    shown = shown_tokens(recorded, 2)
    expected = whole if shown is None else whole[:, list(shown)]
    np.testing.assert_allclose(np.exp(log_probs), expected, atol=tolerance)
    np.testing.assert_allclose(probs, expected, atol=tolerance)


def test_logits_have_the_letter_of_the_paper_in_every_formula(recorded):
    logits, softmax = (stage.formula for stage in output_view(recorded, state()).stages)
    assert logits.startswith("z = x·")
    assert softmax == "log P = z − log Σ exp(z),  P = exp(log P)"


def test_the_note_says_whose_matrix_it_is(recorded):
    note = output_view(recorded, state()).stages[0].note
    assert ("three uses" in note) == recorded.run.config.tie_embeddings


def test_a_window_holds_the_written_tokens_and_the_ten_most_probable_of_each_step():
    recorded = random_recording(**VARIANTS["large vocabulary"])
    shown = unwrap(shown_tokens(recorded, 0))
    written = list(dict.fromkeys(recorded.trace.tgt_out.tolist()))
    assert list(shown[: len(written)]) == written
    best = np.argsort(-recorded.values("generator.log_probs"), axis=1, kind="stable")[:, :MOST_PROBABLE]
    assert set(shown) == {*written, *best.flatten().tolist()}
    assert len(shown) == len(set(shown))
    (axis,) = [axis for axis in output_view(recorded, state()).tensors["logits"].axes if axis.name == "vocab"]
    assert axis.window == (
        f"The written tokens and the 10 most probable ones of each step: {len(shown)} of 70 tokens."
    )
    assert axis.labels == tuple(recorded.run.tgt_tokenizer.vocabulary.token(token) for token in shown)


def test_a_small_vocabulary_is_all_there():
    assert shown_tokens(random_recording(), 0) is None


def test_of_a_wide_model_the_ten_of_the_lit_row_are_there_and_follow_it(monkeypatch):
    monkeypatch.setattr("explorer.views.output.data.MAX_NUMBERS", 100)
    recorded = random_recording(**VARIANTS["large vocabulary"])
    written = set(recorded.trace.tgt_out.tolist())
    for step in (0, 3):
        best = np.argsort(-recorded.values("generator.log_probs")[step], kind="stable")[:MOST_PROBABLE]
        assert set(unwrap(shown_tokens(recorded, step))) == {*written, *best.tolist()}


def test_the_skyline_has_every_logit_of_every_row():
    recorded = random_recording(**VARIANTS["large vocabulary"])
    skyline = output_view(recorded, state(step=2)).tensors["skyline"]
    assert [axis.places for axis in skyline.axes] == [None, None]
    np.testing.assert_array_equal(skyline.values, recorded.values("generator.logits"))


def test_of_too_many_logits_only_the_lit_row_is_sent_and_of_a_long_vocabulary_its_two_ends(monkeypatch):
    recorded = random_recording(**VARIANTS["large vocabulary"])
    row = recorded.values("generator.logits")[2]
    monkeypatch.setattr("explorer.views.output.data.MAX_LOGITS", 100)
    skyline = output_view(recorded, state(step=2)).tensors["skyline"]
    assert [axis.places for axis in skyline.axes] == [(2,), None]
    np.testing.assert_array_equal(skyline.values[0], row)
    monkeypatch.setattr("explorer.views.output.data.ENDS", 3)
    skyline = output_view(recorded, state(step=2)).tensors["skyline"]
    position, vocab = skyline.axes
    order = np.argsort(-row, kind="stable")
    assert position.places == (2,)
    assert set(unwrap(vocab.places)) == {*order[:3], *order[-3:]}
    assert vocab.window == "The 3 largest and the 3 smallest of 70 logits at step 2."
    np.testing.assert_array_equal(skyline.values[0], row[list(unwrap(vocab.places))])


def test_steps_are_read_from_the_whole_distribution(recorded):
    probs = torch.tensor(recorded.values("generator.logits")).double().softmax(dim=-1)
    for t, step in enumerate(steps(recorded)):
        assert (step.reads, step.writes) == (recorded.inputs[t], recorded.outputs[t])
        assert step.prob == pytest.approx(float(probs[t, recorded.trace.tgt_out[t]]), rel=1e-5)
        assert step.best_prob == pytest.approx(float(probs[t].max()), rel=1e-5)
    columns = step_columns(steps(recorded), 2)
    assert columns["row"] == ["read before", "read before", "read now", "not there yet", "not there yet"]
    assert "there are 3 rows, and only the last one, row 2" in step_sentence(2, causal=True)
    assert "no causal mask" in step_sentence(2, causal=False)


def test_without_an_answer_of_the_task_the_target_is_the_models_own_output(recorded):
    target = target_of(recorded)
    assert target.ids == tuple(recorded.trace.tgt_out.tolist()[:-1])
    assert not target.known
    assert "what the model itself wrote" in target_sentence(target)
    assert longer_pair(recorded.run, target) is None


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.3])
def test_the_loss_is_torchs_and_every_word_about_it_is_computed(recorded, alpha):
    target = target_of(recorded)
    loss = loss_of(recorded, target, alpha)
    tolerance = 0.05 if recorded.dtype == "bfloat16" else 1e-5
    logits = torch.tensor(recorded.values("generator.logits")).double()
    labels = recorded.trace.tgt_out
    expected = F.cross_entropy(logits, labels, label_smoothing=alpha, reduction="none")
    torch.testing.assert_close(loss.smoothed, expected, rtol=0, atol=tolerance)
    if alpha == recorded.run.train_config.label_smoothing:
        explained = explain(recorded.run, recorded.trace, "hypothesis.loss")
        assert loss.mean_smoothed == pytest.approx(explained.recorded, abs=tolerance)
    total, mean = f"{loss.smoothed.sum():.3f}", f"{loss.smoothed.mean():.3f}"
    assert f"{total} / 5 = {mean} with ε_ls = {alpha:g}" in loss_sentence(loss)
    columns = aligned_columns(recorded.run, loss)
    assert [columns[str(at)][0] for at in range(5)] == list(recorded.inputs)
    assert [columns[str(at)][1] for at in range(5)] == list(recorded.outputs)
    assert columns["0"][4] == f"{loss.smoothed[0]:.3f}"


def test_the_rows_of_a_smoothed_target_add_up_to_its_distribution_and_its_loss(recorded):
    loss = loss_of(recorded, target_of(recorded), 0.2)
    for position in range(5):
        rows = smoothed_rows(recorded, loss, position)
        size = recorded.run.config.tgt_vocab_size
        assert sum(row.n_tokens for row in rows) == size
        for part in ("before", "after", "prob"):
            assert sum(getattr(row, part) * row.n_tokens for row in rows) == pytest.approx(1)
        assert sum(row.loss for row in rows) == pytest.approx(float(loss.smoothed[position]))
        assert rows[0].token == recorded.outputs[position]
        assert rows[0].after == pytest.approx(0.8 + 0.2 / size)
        assert smoothing_columns(rows)["token"][-1] == f"each of {rows[-1].n_tokens} others"
        assert f"At position {position} the label has {rows[0].after:.3f} instead of 1" in smoothing_sentence(
            loss, position, 0.1
        )


def test_the_tasks_own_answer_is_the_target_where_it_is_known(shipped):
    target = target_of(shipped)
    assert (target.known, target.same) == (True, True)
    assert target.ids == tuple(shipped.trace.tgt_out.tolist()[:-1])
    other = replace(shipped, sentence="the small cats sleep")
    assert target_of(other).known
    assert not target_of(other).same
    assert "another one" in target_sentence(target_of(other))


def test_padding_changes_nothing_and_the_sentence_says_how_much_that_is(shipped):
    target = target_of(shipped)
    loss, longer = loss_of(shipped, target, 0.1), longer_pair(shipped.run, target)
    assert longer
    padded = loss_of(shipped, target, 0.1, beside=longer)
    n_pads = len(padded.tgt_out) - loss.n_tokens
    assert n_pads > 0
    assert padded.mean_smoothed == pytest.approx(loss.mean_smoothed, abs=1e-5)
    sentence = padding_sentence(loss, padded)
    assert f"padding fills {n_pads} more position" in sentence
    assert "less than 10⁻" in sentence or "by nothing" in sentence
    columns = aligned_columns(shipped.run, padded)
    last = columns[str(len(padded.tgt_out) - 1)]
    assert (last[1], last[2], last[3]) == ("<pad>", "", "0.000")


def test_an_own_target_can_be_anything_that_the_decoder_reads(shipped):
    loss = loss_of(shipped, Target((), known=False, same=False), 0.1)
    assert (loss.n_tokens, loss.tgt_out.tolist()) == (1, [2])
    assert "Over 1 token the" in loss_sentence(loss)
