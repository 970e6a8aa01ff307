"""A changed model in the room of models: whatever is computed for a visitor is computed with the changes."""

import numpy as np
import pytest

from core.config import BeamConfig
from core.errors import CaptureError
from core.interventions.intervention import Patch, Unmask, ZeroAblation
from explorer.models.decodings import beam_of, recorded_of, translation_of
from explorer.models.known import loaded_run
from explorer.models.padded_batch import OWN, masked_batch
from explorer.views.decoding.internals import compute_internals
from explorer.views.output.data import loss_of, target_of
from explorer.views.sampling.data import draw_samples, sample_output, sampling_config
from explorer.visitor.running import run_of
from tests.states import state_of

SENTENCE = "the small cat does not sleep"
PLURAL = Patch("src_embed.output", "the small cat do not sleep", positions=(3,))


@pytest.fixture(scope="module")
def trained():
    return loaded_run("en-fr")


@pytest.fixture(scope="module")
def changed():
    return run_of(state_of("en-fr", SENTENCE, changes=(PLURAL,)))


def test_it_is_loaded_once_and_known_by_its_changes(trained, changed):
    assert run_of(state_of("en-fr", SENTENCE, changes=(PLURAL,))) is changed
    assert changed.fingerprint != trained.fingerprint
    assert changed.model is trained.model
    assert run_of(state_of("en-fr", SENTENCE)) is trained


def test_translation_and_recording_are_of_the_changed_model(trained, changed):
    shown, recorded = translation_of(changed, SENTENCE), recorded_of(changed, SENTENCE)
    expected = changed.trace(SENTENCE)
    assert shown.output_tokens == recorded.outputs == expected.target_tokens
    assert shown.output_tokens != translation_of(trained, SENTENCE).output_tokens
    assert shown.key != translation_of(trained, SENTENCE).key
    site = "decoder.layers.1.cross_attn.weights"
    assert np.array_equal(recorded.values(site), expected.activations[site][0].numpy())
    assert np.allclose(shown.weights[1], recorded.values(site), atol=1e-6)


def test_beams_samples_lens_and_loss_are_of_the_changed_model(trained, changed):
    tree, before = (beam_of(run, SENTENCE, 4, 0.6) for run in (changed, trained))
    best = tree.nodes[tree.n_best[0]].text
    assert best == changed.translate(SENTENCE, BeamConfig(width=4, length_penalty=0.6))
    assert best != before.nodes[before.n_best[0]].text
    config = sampling_config(changed, state_of("en-fr", SENTENCE, temperature=0.0))
    assert sample_output(changed, SENTENCE, config).text == changed.translate(SENTENCE)
    drawn = sampling_config(changed, state_of("en-fr", SENTENCE, temperature=0.4))
    most = draw_samples(changed, SENTENCE, drawn, n=8).outputs[0]
    assert most.text == changed.translate(SENTENCE)
    assert most.probability != draw_samples(trained, SENTENCE, drawn, n=8).outputs[0].probability
    ids = translation_of(changed, SENTENCE).output_ids
    lenses = [compute_internals(run, SENTENCE, ids).lens.arrays for run in (changed, trained)]
    assert any(not np.array_equal(lenses[0][name], lenses[1][name]) for name in lenses[0])
    losses = [
        loss_of(recorded, target_of(recorded_of(trained, SENTENCE)), 0.0).plain
        for recorded in (recorded_of(changed, SENTENCE), recorded_of(trained, SENTENCE))
    ]
    assert float(losses[0].sum()) > float(losses[1].sum()) + 1


def test_the_masks_show_the_changed_model_in_a_batch(trained, changed):
    # Over one and the same output, so that nothing but the change can make a difference.
    own = recorded_of(trained, SENTENCE)
    before, after = (masked_batch(run, [(OWN, own)], None).effect.before for run in (trained, changed))
    site = "decoder.layers.1.cross_attn.weights"
    assert not np.array_equal(before[site].numpy(), after[site].numpy())


def test_no_cache_is_shown_for_a_run_that_none_is_valid_for(trained):
    whole = run_of(state_of("en-fr", SENTENCE, changes=(Unmask("causal"),)))
    ids = translation_of(whole, SENTENCE).output_ids
    assert compute_internals(whole, SENTENCE, ids).cache is None
    assert compute_internals(trained, SENTENCE, ids).cache is not None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Patch("src_embed.output", "the cats sleep", positions=(1, 8)), "position 8 is not there"),
        (ZeroAblation("src_embed.output", positions=(9,)), "needs at least 10 source tokens; this has 7"),
        (Patch("src_embed.output", "the cats sleep"), "needs 4 source tokens; this has 7"),
    ],
)
def test_a_change_that_does_not_fit_the_sentence_says_so(change, said):
    with pytest.raises(CaptureError, match=said):
        recorded_of(run_of(state_of("en-fr", SENTENCE, changes=(change,))), SENTENCE)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (ZeroAblation("decoder.layers.1.cross_attn.context", head=9), "head 9 is outside"),
        (ZeroAblation("encoder.layers.0.self_attn.scaled"), "no site of this model matches"),
        (ZeroAblation("decoder.layers.0.self_attn_add_norm.variance"), "is derived, nothing reads it"),
    ],
)
def test_a_change_that_the_model_does_not_have_says_so(change, said):
    with pytest.raises(Exception, match=said):
        run_of(state_of("en-fr", SENTENCE, changes=(change,)))
