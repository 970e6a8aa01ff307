"""The masks over a padded batch: every number is the recorded one, and the words say what the numbers say."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.activations.activations import Activations
from core.activations.record import edit, record
from core.analysis.masking import weight_on_future, weight_on_padding
from core.config import TransformerConfig
from core.interventions.changes import bind
from core.interventions.intervention import Unmask
from core.run import load_run
from explorer.browser.tensors import ASK, pack
from explorer.look.theme import format_signed
from explorer.models.known import CHECKPOINTS
from explorer.models.padded_batch import MaskedBatch, default_titles, masked_batch, other_examples
from explorer.models.recorded import Recorded, record_translation
from explorer.models.translation import translate
from explorer.tensors import check
from explorer.views.masks.data import STAGES, masks_view
from explorer.views.masks.findings import findings
from explorer.visitor.state import ExplorerState
from tests.explorer.random_recording import random_recording, random_run, recording_of

STATE = ExplorerState(run="random", sentence="w4")
SENTENCE = "the small cat does not sleep"


@pytest.fixture(scope="module")
def shipped():
    return load_run(CHECKPOINTS / "en-fr")


@pytest.fixture(scope="module")
def sentences(shipped) -> list[tuple[str, Recorded]]:
    """The visitor's sentence, a shorter and a longer one, each with its translation."""
    texts = {
        "Yours": SENTENCE,
        "Short": "the cats are happy",
        "Long": "the old black car is in front of the house",
    }
    return [
        (name, record_translation(shipped, text, translate(shipped, text))) for name, text in texts.items()
    ]


@pytest.fixture(scope="module", params=[None, "padding", "causal"])
def masked(shipped, sentences, request) -> MaskedBatch:
    return masked_batch(shipped, sentences, request.param)


@pytest.fixture(scope="module")
def batch_of(shipped, sentences):
    return lambda off: masked_batch(shipped, sentences, off)


def run_again(masked: MaskedBatch, off) -> Activations:
    """The sites of the batch, recorded apart from the code under test."""
    model, batch = masked.run.model, masked.batch
    edits = () if off is None else bind(model, [Unmask(off)]).edits
    with torch.no_grad(), edit(model, edits), record(model, "decoder.*") as activations:
        model(batch.src, batch.tgt_in)
    return activations


@pytest.mark.proof
def test_rows_are_padded_on_the_right_and_named_after_their_tokens(batch_of, shipped):
    masked = batch_of(None)
    own, short, long = masked.rows
    assert own.source == (*SENTENCE.split(), "</s>", *["<pad>"] * (len(long.source) - 7))
    assert own.inputs[: own.n_target] == own.alone.inputs
    assert own.outputs[: own.n_target] == own.alone.outputs
    assert set(short.inputs[short.n_target :]) == {"<pad>"}
    assert "<pad>" not in (*long.source, *long.inputs)


@pytest.mark.sweep
@pytest.mark.parametrize("sentence", [0, 1, 2])
def test_every_number_is_the_recorded_one(masked, sentence):
    view = masks_view(masked, STATE, sentence)
    check(view)
    recorded = run_again(masked, masked.effect.off)
    names = {"scores": "self_attn", "mask": "self_attn", "masked_scores": "self_attn", "weights": "self_attn"}
    names |= {"cross_mask": "cross_attn", "cross_weights": "cross_attn"}
    for name, attention in names.items():
        site = f"decoder.layers.1.{attention}.{name.removeprefix('cross_')}"
        assert view.tensors[name].site.format(layer=1) == site
        assert np.array_equal(view.tensors[name].values[1], recorded[site][sentence].float().numpy()), name
    if masked.effect.off is not None:
        with_all = run_again(masked, None)
        for name, attention in (("weights_before", "self_attn"), ("cross_weights_before", "cross_attn")):
            expected = with_all[f"decoder.layers.1.{attention}.weights"][sentence]
            assert np.array_equal(view.tensors[name].values[1], expected.numpy())


def test_the_combined_mask_is_both_together(batch_of):
    view = masks_view(batch_of(None), STATE, 0)
    both = view.tensors["padding"].values * view.tensors["causal"].values
    assert np.array_equal(view.tensors["mask"].values[0], both)
    assert not both[0, 1:].any()
    assert not both[:, 7:].any()
    combined = next(stage for stage in view.stages if stage.key == "combined")
    assert [panel.tensor for panel in combined.panels] == ["padding", "causal", "mask"]


@pytest.mark.parametrize(("off", "left"), [("padding", "causal"), ("causal", "padding")])
def test_with_one_mask_off_the_other_one_decides_alone(batch_of, off, left):
    view = masks_view(batch_of(off), STATE, 0)
    assert np.array_equal(view.tensors["mask"].values[0], view.tensors[left].values)
    combined = next(stage for stage in view.stages if stage.key == "combined")
    assert [panel.tensor for panel in combined.panels] == [left, "mask"]
    assert f"{off} mask is switched off" in combined.note


def test_ids_and_changes_are_never_below_0(batch_of):
    tensors = masks_view(batch_of("padding"), STATE).tensors
    for name in ("src", "tgt_in", "change"):
        assert tensors[name].scale == "size"
        assert (tensors[name].values >= 0).all()
    assert tensors["src"].dtype == "int64"


def test_padding_of_all_sentences_is_seen_at_once(batch_of):
    masked = batch_of(None)
    tensors = masks_view(masked, STATE, 0).tensors
    assert tensors["src"].values.astype(int).tolist() == masked.batch.src.tolist()
    assert np.array_equal(tensors["src_padding"].values, tensors["src"].values != 0)
    assert np.array_equal(tensors["tgt_in_padding"].values, tensors["tgt_in"].values != 0)
    assert masks_view(masked, STATE, 0).choosers[0].options == ("0 Yours", "1 Short", "2 Long")


@pytest.mark.parametrize("sentence", [0, 1])
def test_labels_are_the_tokens_of_the_chosen_sentence(batch_of, sentence):
    masked = batch_of(None)
    view, row = masks_view(masked, STATE, sentence), masked.rows[sentence]
    labels = {axis.name: axis.labels for axis in view.tensors["scores"].axes}
    assert (labels["query"], labels["key"]) == (row.inputs, row.inputs)
    assert view.tensors["cross_weights"].axes[-1].labels == row.source
    assert view.tensors["scores"].lead == (sentence,)
    assert view.choosers[0].value == sentence
    assert not view.choosers[0].local


def test_nothing_of_a_batch_can_be_asked(masked):
    view = masks_view(masked, STATE, 0)
    assert not any(tensor.askable for tensor in view.tensors.values())
    ask = {"key": view.key, "tensor": "scores", "index": [0, 1, 1], "layer": 1, "report": 3}
    assert ASK.parse(ask, view) is None
    askable = {name: replace(tensor, askable=True) for name, tensor in view.tensors.items()}
    assert ASK.parse(ask, replace(view, tensors=askable)) is not None


def test_what_is_hidden_has_no_weight_and_every_row_sums_to_1(masked):
    weights = masks_view(masked, STATE, 0).tensors["weights"]
    assert not weights.values[weights.hidden].any()
    np.testing.assert_allclose(weights.values.sum(axis=-1), 1.0, atol=1e-6)


def test_stages_of_comparison_are_there_when_there_is_something_to_compare(batch_of):
    def keys(off):
        return [stage.key for stage in masks_view(batch_of(off), STATE, 0).stages]

    always = ["batch", "padding", "causal", "combined", "weights", "memory"]
    assert keys(None) == always
    assert keys("padding") == keys("causal") == [*always, "without", "memory-without", "change"]
    assert set(keys("padding")) == STAGES


def test_the_key_is_that_of_the_sentences_so_that_the_switch_leaves_the_view_where_it_is(
    batch_of, shipped, sentences
):
    assert batch_of(None).key == batch_of("padding").key
    assert masked_batch(shipped, sentences[:2], None).key != batch_of(None).key


def test_the_words_say_that_padding_changes_nothing(batch_of):
    masked = batch_of(None)
    first, second = findings(masked, 0, 1, 0)
    own, here = (
        masked.rows[0].alone.values("generator.log_probs"),
        masked.effect.before["generator.log_probs"][0],
    )
    difference = np.abs(here[: len(own)].numpy() - own).max()
    assert difference < 1e-4
    assert first == "“Yours” has 4 source positions and 2 target positions of padding."
    assert second.endswith(f"agrees to {format_signed(difference)}.")
    assert "no padding" in findings(masked, 2, 1, 0)[0]


def test_the_words_say_how_much_padding_gets_without_its_mask(batch_of):
    masked = batch_of("padding")
    weights = masked.effect.after["decoder.layers.1.cross_attn.weights"]
    given = weight_on_padding(weights, masked.batch.src == 0)[0, 2, :7]
    first, second = findings(masked, 0, 1, 2)
    token = masked.rows[0].inputs[int(given.argmax())]
    reader = f"the position that reads “{token}”"
    assert f"cross-attention, layer 1, head 2, {reader} gives it {float(given.max()):.4f} of 1" in first
    assert format_signed(float(masked.effect.largest_change[0].max())) in second
    assert findings(masked, 2, 1, 0) == (
        "“Long” has the longest source of the batch, so there is no <pad> to look at.",
        "Nothing changes: the log P of every next token stays as it was.",
    )


def test_the_words_say_how_much_of_the_future_is_read_without_the_causal_mask(batch_of):
    masked = batch_of("causal")
    weights = masked.effect.after["decoder.layers.1.self_attn.weights"]
    given = weight_on_future(weights)[0, 1]
    place = max(range(6), key=lambda t: float(weights[0, 1, t, t + 1]))
    first, second = findings(masked, 0, 1, 1)
    assert f"gives {float(given[place]):.4f} of its weight to later positions" in first
    assert (
        f"{float(weights[0, 1, place, place + 1]):.4f} of it to “{masked.rows[0].outputs[place]}”, "
        "the answer that it is to write." in first
    )
    n_changed = int(masked.effect.changed[0, :7].sum())
    assert n_changed > 0
    assert f"at {n_changed} of 7 positions another token becomes the most probable" in second


def test_words_stay_words_where_there_is_nothing_to_say(shipped):
    alone = random_recording(n_target=1)
    masked = masked_batch(alone.run, [("Yours", alone)], "causal")
    assert (
        findings(masked, 0, 0, 0)[0] == "“Yours” has one target position only, so it has no future to read."
    )


def test_without_a_causal_mask_there_is_none_to_be_seen():
    first, second = random_recording(causal=False), random_recording(n_source=9, n_target=4, causal=False)
    rows = [("Yours", first), ("Other", replace(second, run=first.run))]
    for off in (None, "padding"):
        view = masks_view(masked_batch(first.run, rows, off), STATE, 0)
        check(view)
        assert "causal" not in [stage.key for stage in view.stages]
        assert "causal" not in view.tensors
    combined = next(stage for stage in view.stages if stage.key == "combined")
    assert (combined.kind, [panel.tensor for panel in combined.panels]) == ("one", ["mask"])
    assert "gives it" in findings(masked_batch(first.run, rows, "padding"), 1, 0, 0)[0]


def test_a_sentence_alone_is_a_batch_without_padding(shipped, sentences):
    masked = masked_batch(shipped, sentences[:1], None)
    view = masks_view(masked, STATE, 0)
    assert view.tensors["src_padding"].values.all()
    assert "no padding" in findings(masked, 0, 0, 0)[0]
    assert masks_view(masked, STATE, 5).choosers[0].value == 0


@pytest.mark.proof
def test_the_base_model_with_64_tokens_stays_below_a_megabyte():
    config = TransformerConfig.base(
        src_vocab_size=200, tgt_vocab_size=200, n_encoder_layers=1, n_decoder_layers=2, d_ff=64
    )
    run = random_run(config)
    rows = [("Yours", recording_of(run, 64, 64)), ("Other", recording_of(run, 20, 30))]
    view = masks_view(
        masked_batch(run, rows, "padding"), replace(STATE, look=replace(STATE.look, layer=0, head=5)), 1
    )
    check(view)
    assert len(pack(view)) <= 2**20
    _, layer, head = view.choosers
    assert (layer.value, layer.local, head.value, head.local) == (0, False, 5, False)
    assert view.tensors["weights"].site == "decoder.layers.0.self_attn.weights"
    assert view.tensors["weights"].axes[0].places == (5,)


def test_other_examples_leave_out_the_sentence_and_what_the_model_cannot_read(shipped):
    titles = other_examples(shipped, SENTENCE)
    assert SENTENCE not in titles.values()
    assert len(titles) == 5
    short = replace(shipped, max_source_tokens=7)
    assert "Adjective order" not in other_examples(short, SENTENCE)
    own = other_examples(shipped, "the cats sleep")
    assert len(own) == 6
    lengths = {title: len(text.split()) for title, text in own.items()}
    first, last = default_titles(shipped, "the cats sleep")
    assert (lengths[first], lengths[last]) == (min(lengths.values()), max(lengths.values()))
