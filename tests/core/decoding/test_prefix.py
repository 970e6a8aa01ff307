"""A forced prefix: it comes first whatever the model says, and its probabilities are the model's all the same."""

import pytest
import torch

from core.activations.trace import trace
from core.config import BeamConfig, DecodeConfig
from core.decoding.autoregressive import decode_steps
from core.decoding.beam import beam_search, beam_steps
from core.decoding.decode import decode
from core.decoding.step import last_step
from core.errors import InputError
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model

PREFIX = (7, 4, 11)
DECODE_CONFIGS = [
    DecodeConfig(max_length=8),
    DecodeConfig(max_length=8, use_cache=False),
    DecodeConfig(max_length=8, temperature=1.2, seed=3),
]
CONFIGS = [
    *DECODE_CONFIGS,
    BeamConfig(width=3, max_length=8),
    BeamConfig(width=3, max_length=8, use_cache=False),
]
EACH = pytest.mark.parametrize(
    "config", CONFIGS, ids=["greedy", "uncached", "sampling", "beam", "uncached beam"]
)


@pytest.mark.sweep
@EACH
def test_every_hypothesis_begins_with_it_and_its_steps_are_marked(config, tiny_model, src):
    steps = list(decode(tiny_model, src, config, prefix=PREFIX))
    assert [step.forced for step in steps] == [True] * 3 + [False] * (len(steps) - 3)
    for step in steps:
        assert [tuple(row) for row in step.hypotheses[:, :3].tolist()] == [PREFIX[: step.index + 1]] * 2
    assert steps[-1].hypotheses.shape[1] > 3


@pytest.mark.parametrize("use_cache", [True, False], ids=["cached", "uncached"])
def test_its_probabilities_are_the_models(tiny_model, src, use_cache):
    config = DecodeConfig(max_length=6, use_cache=use_cache)
    steps = list(decode_steps(tiny_model, src[:1], config, prefix=PREFIX))
    whole = trace(tiny_model, src[0], steps[-1].hypotheses[0])
    for step, logits in zip(steps, whole.logits, strict=True):
        expected = logits.log_softmax(-1)
        torch.testing.assert_close(step.log_probs[0], expected, rtol=0, atol=1e-12)
        torch.testing.assert_close(step.log_prob[0], expected[step.chosen[0]], rtol=0, atol=1e-12)


def test_forcing_what_would_be_chosen_changes_nothing(tiny_model, src):
    for config in DECODE_CONFIGS:
        free = last_step(decode_steps(tiny_model, src[:1], config)).hypotheses
        forced = decode_steps(tiny_model, src[:1], config, prefix=free[0, :4].tolist())
        assert torch.equal(last_step(forced).hypotheses, free)


def test_a_forced_beam_keeps_one_hypothesis_and_shows_the_best_others(tiny_model, src):
    free = next(beam_steps(tiny_model, src[:1], BeamConfig(width=3))).beams[0]
    ranked = sorted((*free.kept, *free.pruned, *free.finished), key=lambda h: -h.score)
    first, second, *_ = beam_steps(tiny_model, src[:1], BeamConfig(width=3), prefix=PREFIX)
    (forced,) = first.beams[0].kept
    assert forced.ids == PREFIX[:1]
    assert first.beams[0].finished == ()
    assert first.beams[0].n_best == (forced,)
    assert first.beams[0].pruned == tuple(h for h in ranked if h.ids != forced.ids)[:6]
    (longer,) = second.beams[0].kept
    assert longer.log_prob == forced.log_prob + longer.token_log_prob


@torch.no_grad()
def test_a_forced_beam_finds_the_best_of_the_targets_that_begin_so(src):
    model = random_model(TINY)
    config = BeamConfig(width=4, length_penalty=0.0, max_length=4)
    answer = beam_search(model, src[:1], config, prefix=PREFIX)
    logits = model(src[:1], torch.tensor([[BOS, *PREFIX]]))[0].log_softmax(-1)
    so_far = logits[range(3), list(PREFIX)].sum()
    log_probs = {token: float(so_far + logits[3, token]) for token in range(19) if token not in (PAD, BOS)}
    # eos ends its hypothesis, if it is among the best at all; what ended comes first.
    best = sorted(log_probs, key=lambda token: -log_probs[token])
    expected = [EOS] * (EOS in best[:4]) + [token for token in best if token != EOS]
    assert [h.ids for h in answer] == [(*PREFIX, token) for token in expected[:4]]
    assert [h.log_prob for h in answer] == pytest.approx(
        [log_probs[t] for t in expected[:4]], rel=0, abs=1e-12
    )


@EACH
def test_a_prefix_may_be_all_that_is_produced(config, tiny_model, src):
    steps = list(decode(tiny_model, src, config, prefix=[5] * 8))
    assert all(step.forced for step in steps)
    assert steps[-1].hypotheses.tolist() == [[5] * 8] * 2


@pytest.mark.sweep
@EACH
@pytest.mark.parametrize(
    ("prefix", "sentence"),
    [
        ([5, PAD], "must be words, but 0 is padding"),
        ([BOS], "must be words, but 1 is bos"),
        ([5, EOS, 6], "must be words, but 2 is eos"),
        ([19], "has token 19, outside the vocabulary of 19 tokens"),
        ([-1], "has token -1, outside"),
        (["la"], "made of token ids, whole numbers, not 'la'"),
        ([True], "not True"),
        ([5] * 9, "has 9 tokens, but 8 at most are produced"),
    ],
)
def test_what_cannot_be_forced_is_refused_with_a_sentence(config, prefix, sentence, tiny_model, src):
    with pytest.raises(InputError, match=sentence):
        next(decode(tiny_model, src, config, prefix=prefix))


def test_the_end_can_be_forced_and_decoding_ends_there(tiny_model, src):
    for config in DECODE_CONFIGS:
        steps = list(decode_steps(tiny_model, src, config, prefix=[5, EOS]))
        assert steps[-1].hypotheses.tolist() == [[5, EOS]] * 2
        assert steps[-1].finished.all()
        assert steps[-1].forced
    with pytest.raises(InputError, match="must be words, but 2 is eos"):
        next(beam_steps(tiny_model, src, prefix=[5, EOS]))


def test_a_beam_cannot_be_forced_where_the_model_gives_no_probability(tiny_model, src):
    from core import edit

    def never_7(logits):
        logits[..., 7] = -torch.inf
        return logits

    with edit(tiny_model, {"generator.logits": never_7}), pytest.raises(InputError, match="forced token 7"):
        next(beam_steps(tiny_model, src[:1], prefix=PREFIX))
