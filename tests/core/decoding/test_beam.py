"""Beam search: a beam of one is greedy, an exhaustive one is brute force, and it never stops too early."""

import itertools
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from core import edit, generate, load_run
from core.config import BeamConfig
from core.decoding.beam import BeamHypothesis, beam_score, beam_search, beam_steps, length_penalty
from core.errors import ConfigError, InputError
from core.model.cache import KeyValueCache
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model

CHECKPOINTS = Path(__file__).parents[3] / "checkpoints"
SMALL = replace(TINY, src_vocab_size=7, tgt_vocab_size=7, tie_embeddings=False)
"""Seven tokens, five of which can be produced: few enough to try every target, and eos comes often."""
SMALL_SRC = torch.tensor([[5, 3, 6, 4, EOS]])
WORDS = (3, 4, 5, 6)
ALPHAS = (0.0, 0.6, 1.0)
CLOSE: dict[str, Any] = {"rel": 0, "abs": 1e-12}


def beams(model, source, config=None):
    """The beam of the only source after each step."""
    return (step.beams[0] for step in beam_steps(model, source, config))


@cache
def small_model(seed=0):
    """Sharper than a random model is, so that an early ending is sometimes overtaken by a later one."""
    model = random_model(SMALL, seed)
    with torch.no_grad():
        model.generator.weight.mul_(2)
    return model


@torch.no_grad()
def next_log_probs(model, src, targets):
    """Return the log-probabilities of what follows each of some targets of one length, by one forward pass."""
    targets = list(targets)
    logits = model(src.expand(len(targets), -1), torch.tensor([[BOS, *ids] for ids in targets]))
    return dict(zip(targets, logits[:, -1].log_softmax(-1).tolist(), strict=True))


@torch.no_grad()
def teacher_forced_log_probs(model, src, targets):
    """Return the log-probability of each target, by one forward pass for each length."""
    log_probs: dict[tuple[int, ...], float] = {}
    for length, same in itertools.groupby(sorted(targets, key=len), key=len):
        rows = torch.tensor(list(same))
        read = torch.cat((torch.full((len(rows), 1), BOS), rows[:, :-1]), 1)
        steps = model(src.expand(len(rows), -1), read).log_softmax(-1).gather(2, rows[:, :, None])
        assert steps.shape[1] == length
        log_probs |= zip(map(tuple, rows.tolist()), steps.sum((1, 2)).tolist(), strict=True)
    return log_probs


def wu_score(log_prob, length, alpha):
    """Written once more, from equation 14 of Wu et al. 2016."""
    return log_prob * 6**alpha / (5 + length) ** alpha


@cache
def search_without_stop_rule(seed, width, max_length):
    """A plain beam search to max_length, without cache: what finished, as {ids: log P}.

    No penalty is needed: all hypotheses of one step are of one length, which it orders as log P does.
    """
    model, finished = small_model(seed), dict[tuple[int, ...], float]()
    kept: dict[tuple[int, ...], float] = {(): 0.0}
    for _ in range(max_length):
        grown: dict[tuple[int, ...], float] = {}
        following = next_log_probs(model, SMALL_SRC, kept)
        for ids, log_prob in kept.items():
            grown |= {(*ids, token): log_prob + following[ids][token] for token in (EOS, *WORDS)}
        ranked = sorted(grown, key=lambda ids: -grown[ids])
        finished |= {ids: grown[ids] for ids in ranked[:width] if ids[-1] == EOS}
        kept = {ids: grown[ids] for ids in [ids for ids in ranked if ids[-1] != EOS][:width]}
    return finished


def test_length_penalty_is_that_of_wu_et_al():
    assert length_penalty(1, 0.6) == 1.0
    assert length_penalty(7, 1.0) == 2.0
    assert length_penalty(19, 0.5) == 2.0
    assert length_penalty(30, 0.0) == 1.0
    assert beam_score(-6.0, 7, 1.0) == -3.0


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_without_penalty_is_greedy(seed, src):
    for model, source in ((random_model(TINY, seed), src[:1]), (small_model(seed), SMALL_SRC)):
        for max_length in (1, 3, 9):
            config = BeamConfig(width=1, length_penalty=0.0, max_length=max_length)
            (best,) = beam_search(model, source, config)
            assert list(best.ids) == generate(model, source, max_length)[0].tolist()


@cache
def log_prob_of_every_target():
    """Of every target of at most three tokens, by teacher forcing; those that end come first."""
    ended = [(*body, EOS) for n in range(3) for body in itertools.product(WORDS, repeat=n)]
    targets = [*ended, *itertools.product(WORDS, repeat=3)]
    log_probs = teacher_forced_log_probs(small_model(), SMALL_SRC, targets)
    return {ids: log_probs[ids] for ids in targets}


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n_best", [1, 10, 85])
def test_an_exhaustive_beam_finds_what_brute_force_finds(alpha, n_best):
    found = {ids: wu_score(p, len(ids), alpha) for ids, p in log_prob_of_every_target().items()}
    expected = sorted(found, key=lambda ids: (ids[-1] != EOS, -found[ids]))
    assert len(expected) == 1 + 4 + 16 + 64

    config = BeamConfig(width=85, n_best=n_best, max_length=3, length_penalty=alpha)
    answer = beam_search(small_model(), SMALL_SRC, config)
    assert [h.ids for h in answer] == expected[:n_best]
    assert [h.ended for h in answer] == [ids[-1] == EOS for ids in expected[:n_best]]
    assert [h.score for h in answer] == pytest.approx([found[ids] for ids in expected[:n_best]], **CLOSE)


@pytest.mark.sweep
@pytest.mark.parametrize("alpha", [*ALPHAS, 3.0])
def test_the_stop_rule_changes_no_answer_and_does_stop(alpha):
    stopped_early = overtaken = 0
    for seed, n_best in itertools.product((0, 3, 8, 11), (1, 2, 3)):
        config = BeamConfig(width=3, n_best=n_best, max_length=10, length_penalty=alpha)
        finished = search_without_stop_rule(seed, 3, 10)
        scores = {ids: wu_score(log_prob, len(ids), alpha) for ids, log_prob in finished.items()}
        expected = sorted(scores, key=lambda ids: -scores[ids])[:n_best]
        steps = list(beams(small_model(seed), SMALL_SRC, config))
        answer = [h for h in steps[-1].n_best if h.ended]
        assert [h.ids for h in answer] == expected
        assert [h.score for h in answer] == pytest.approx([scores[ids] for ids in expected], **CLOSE)
        stopped_early += len(steps) < 10
        answered = [step.n_best for step in steps if all(h.ended for h in step.n_best)]
        overtaken += answered != [] and answered[0] != answered[-1]
    # The law says something only where the search did stop, and where stopping at once would be wrong.
    assert stopped_early > 0
    assert overtaken > 0


def test_the_search_stops_exactly_when_nothing_kept_can_get_into_the_answer():
    for seed, alpha, n_best in itertools.product((0, 3), ALPHAS, (1, 3)):
        config = BeamConfig(width=3, n_best=n_best, max_length=9, length_penalty=alpha)
        steps = list(beams(small_model(seed), SMALL_SRC, config))
        for step in steps:
            bound = wu_score(step.kept[0].log_prob, 9, alpha)
            answered = all(h.ended for h in step.n_best)
            settled = answered and bound < step.n_best[-1].score
            assert (step is steps[-1]) == (settled or step.index == 8)


@pytest.mark.sweep
@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("positional", ["sinusoidal", "learned", "none"])
def test_cached_search_equals_uncached(norm, positional, src):
    model = random_model(replace(TINY, norm_position=norm, positional=positional))
    for source in (src[:1], src[1:]):
        config = BeamConfig(width=5, max_length=9)
        cached = list(beams(model, source, config))
        uncached = list(beams(model, source, replace(config, use_cache=False)))
        assert len(cached) == len(uncached)
        for a, b in zip(cached, uncached, strict=True):
            for name in ("kept", "pruned", "finished", "n_best"):
                ours, theirs = getattr(a, name), getattr(b, name)
                assert [(h.ids, h.parent, h.ended) for h in ours] == [
                    (h.ids, h.parent, h.ended) for h in theirs
                ]
                for field in ("log_prob", "score", "token_log_prob"):
                    assert [getattr(h, field) for h in ours] == pytest.approx(
                        [getattr(h, field) for h in theirs], **CLOSE
                    )


def test_the_parents_cross_in_the_searches_that_are_compared(tiny_model, src):
    # Were every hypothesis to stay in its row, a cache that is not reordered would pass unseen.
    steps = list(beams(tiny_model, src[:1], BeamConfig(width=5, max_length=9)))[1:]
    assert any([h.parent for h in step.kept] != list(range(5)) for step in steps[:-1])


@pytest.mark.parametrize("source", [SMALL_SRC, torch.tensor([[4, 6, EOS, PAD, PAD]])], ids=["full", "padded"])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_log_prob_is_the_teacher_forced_log_probability(alpha, source):
    *_, last = beams(small_model(), source, BeamConfig(width=6, max_length=8, length_penalty=alpha))
    assert last.n_best[0].ended
    found = (*last.n_best, *last.kept, *last.pruned)
    log_probs = teacher_forced_log_probs(small_model(), source, {h.ids for h in found})
    for h in found:
        log_prob = log_probs[h.ids]
        assert h.log_prob == pytest.approx(log_prob, **CLOSE)
        assert h.score == pytest.approx(wu_score(log_prob, len(h.ids), alpha), **CLOSE)
        assert h.ended == (h.ids[-1] == EOS)


def test_every_hypothesis_extends_its_parent_by_one_token():
    kept = None
    for step in beams(small_model(), SMALL_SRC, BeamConfig(width=4, max_length=8)):
        following = next_log_probs(small_model(), SMALL_SRC, [each.ids for each in kept] if kept else [()])
        for h in (*step.kept, *step.pruned, *step.finished):
            assert len(h.ids) == step.index + 1
            assert (h.parent is None) == (kept is None)
            parent = kept[h.parent] if kept else BeamHypothesis((), 0.0, 0.0, None, 0.0, ended=False)
            assert h.ids[:-1] == parent.ids
            assert h.log_prob == parent.log_prob + h.token_log_prob
            assert h.token_log_prob == pytest.approx(following[parent.ids][h.ids[-1]], **CLOSE)
        kept = step.kept


def test_every_list_is_sorted_without_repetition_and_of_the_promised_size():
    for seed, width in itertools.product(range(3), (1, 2, 4)):
        config = BeamConfig(width=width, max_length=8)
        for step in beams(small_model(seed), SMALL_SRC, config):
            for hypotheses in (step.kept, step.pruned, step.finished):
                assert list(hypotheses) == sorted(hypotheses, key=lambda h: (-h.score, h.ids))
            assert list(step.n_best) == sorted(step.n_best, key=lambda h: (not h.ended, -h.score, h.ids))
            new = [h.ids for h in (*step.kept, *step.pruned, *step.finished)]
            assert len(set(new)) == len(new)
            assert len({h.ids for h in step.n_best}) == len(step.n_best)
            assert len(step.kept) == min(width, 4 ** (step.index + 1))
            assert len(step.n_best) == min(width, 4 ** (step.index + 1)) or step.finished
            assert len(step.pruned) <= 2 * width
            assert all(h.ended for h in step.finished)
            assert not any(h.ended for h in step.kept)


def test_what_is_pruned_is_no_better_than_what_was_taken_and_nothing_better_is_missing():
    kept = {(): 0.0}
    for step in beams(small_model(1), SMALL_SRC, BeamConfig(width=3, n_best=3, max_length=6)):
        following = next_log_probs(small_model(1), SMALL_SRC, kept)
        grown = {
            (*ids, token): log_prob + following[ids][token]
            for ids, log_prob in kept.items()
            for token in (EOS, *WORDS)
        }
        ranked = sorted(grown, key=lambda ids: -grown[ids])
        taken = {h.ids for h in (*step.kept, *step.finished)}
        assert {h.ids for h in step.finished} == {ids for ids in ranked[:3] if ids[-1] == EOS}
        assert [h.ids for h in step.pruned] == [ids for ids in ranked if ids not in taken][:6]
        kept = {h.ids: h.log_prob for h in step.kept}


def with_equal_logits(model):
    model.generator.weight = torch.nn.Parameter(torch.zeros_like(model.generator.weight))
    return model


def test_equal_scores_are_ordered_by_their_ids():
    model = with_equal_logits(random_model(SMALL))
    first, second, *_ = beams(model, SMALL_SRC, BeamConfig(width=3, n_best=1, max_length=4))
    assert [h.ids for h in first.finished] == [(EOS,)]
    assert [h.ids for h in first.kept] == [(3,), (4,), (5,)]
    assert [h.ids for h in first.pruned] == [(6,)]
    assert [h.ids for h in second.finished] == [(3, EOS)]
    assert [h.ids for h in second.kept] == [(3, 3), (3, 4), (3, 5)]
    assert [h.ids for h in second.pruned] == [(3, 6), *((4, t) for t in (EOS, *WORDS))]


def test_a_bound_that_equals_the_worst_finished_score_does_not_stop_the_search():
    model = with_equal_logits(random_model(SMALL))
    steps = list(beams(model, SMALL_SRC, BeamConfig(n_best=1, length_penalty=0.0)))
    assert steps[0].kept[0].log_prob == steps[0].n_best[0].score
    assert len(steps) == 2


def test_padding_and_bos_are_never_produced(src):
    model = random_model(TINY)
    with torch.no_grad():
        model.generator.weight = torch.nn.Parameter(torch.zeros(19, 24, dtype=torch.float64))
        # Every logit equal but for padding and bos, which would win.
        model.generator.weight[[PAD, BOS]] = model.get_parameter(
            "decoder.layers.2.feed_forward_add_norm.bias"
        )
    for step in beams(model, src[:1], BeamConfig(width=20, max_length=4)):
        for h in (*step.kept, *step.pruned, *step.finished, *step.n_best):
            assert not {PAD, BOS} & set(h.ids)


def test_one_token_at_most_gives_the_first_step_alone():
    (only,) = beams(small_model(), SMALL_SRC, BeamConfig(width=9, max_length=1))
    assert [h.ids for h in only.finished] == [(EOS,)]
    assert sorted(h.ids for h in only.kept) == [(token,) for token in WORDS]
    assert only.n_best == (*only.finished, *only.kept)
    assert only.pruned == ()


def test_learned_positions_end_the_search_where_they_end_and_bound_its_stop_rule():
    lengths = set()
    for seed in range(4):
        model = random_model(replace(SMALL, positional="learned", max_len=9), seed)
        config = BeamConfig(width=3, n_best=1, max_length=50, length_penalty=1.0)
        steps = list(beams(model, SMALL_SRC, config))
        assert steps == list(beams(model, SMALL_SRC, replace(config, max_length=9)))
        lengths.add(len(steps))
    assert max(lengths) == 9
    assert min(lengths) < 9


def test_what_the_length_limit_cuts_off_is_reported_as_unfinished():
    def no_eos(logits):
        logits = logits.clone()
        logits[..., EOS] = -torch.inf
        return logits

    steps = []
    search = beams(small_model(), SMALL_SRC, BeamConfig(width=3, max_length=4))
    for _ in range(4):
        with edit(small_model(), {"generator.logits": no_eos}):
            steps.append(next(search))
    assert next(search, None) is None
    assert steps[-1].n_best == steps[-1].kept
    assert all(len(h.ids) == 4 and not h.ended for h in steps[-1].n_best)


def test_a_vocabulary_without_words_ends_at_once():
    config = replace(TINY, src_vocab_size=3, tgt_vocab_size=3)
    (only,) = beams(random_model(config), torch.tensor([[EOS]]), BeamConfig())
    assert [h.ids for h in only.n_best] == [(EOS,)]
    assert only.n_best[0].log_prob < 0
    assert only.kept == ()


def test_a_model_that_gives_no_token_a_probability_is_refused():
    with (
        edit(small_model(), {"generator.logits": lambda logits: logits * torch.nan}),
        pytest.raises(InputError, match="gives no token a probability"),
    ):
        beam_search(small_model(), SMALL_SRC)


def test_without_a_causal_mask_the_cache_is_not_used():
    model = random_model(replace(SMALL, causal=False))
    config = BeamConfig(max_length=6)
    assert beam_search(model, SMALL_SRC, config) == beam_search(
        model, SMALL_SRC, replace(config, use_cache=False)
    )


def test_a_model_in_training_mode_is_refused(tiny_model, src):
    with pytest.raises(InputError, match="evaluation mode"):
        next(beams(tiny_model.train(), src[:1]))


@pytest.mark.parametrize("shape", [(2, 7), (7,), (0, 7)])
def test_anything_but_one_source_is_refused(tiny_model, shape):
    with pytest.raises(InputError, match="one source of shape"):
        beam_search(tiny_model, torch.full(shape, EOS))


def test_an_abandoned_search_leaves_no_trace_and_the_grad_mode_alone():
    whole = list(beams(small_model(), SMALL_SRC))
    search = beams(small_model(), SMALL_SRC)
    assert next(search) == whole[0]
    assert torch.is_grad_enabled()
    search.close()
    assert torch.is_grad_enabled()
    assert list(beams(small_model(), SMALL_SRC)) == whole


def test_no_gradient_is_kept_though_the_caller_may_want_them():
    watched = []

    def watch(logits):
        watched.append(logits.requires_grad)
        return logits

    with edit(small_model(), {"generator.logits": watch}):
        beam_search(small_model(), SMALL_SRC)
    assert watched
    assert not any(watched)


def test_interleaved_searches_do_not_disturb_each_other():
    sources = (SMALL_SRC, torch.tensor([[3, 4, EOS]]))
    alone = [list(beams(small_model(), source)) for source in sources]
    assert alone[0] != alone[1]
    together = itertools.zip_longest(*(beams(small_model(), source) for source in sources))
    first, second = zip(*together, strict=True)
    assert [[step for step in steps if step] for steps in (first, second)] == alone


@torch.no_grad()
def test_a_reordered_cache_continues_the_rows_it_was_given(tiny_model, src):
    memory, mask = tiny_model.encode(src)
    tgt_in = torch.tensor([[BOS, 5, 9], [BOS, 7, 4]])
    kept = KeyValueCache.empty(3)
    tiny_model.decode(tgt_in, memory, mask, kept)
    rows = torch.tensor([1, 1, 0])
    kept.reorder(rows)
    newest = torch.tensor([[8], [6], [3]])
    ours = tiny_model.decode(newest, memory[rows], mask[rows], kept)
    theirs = tiny_model.decode(torch.cat((tgt_in[rows], newest), 1), memory[rows], mask[rows])[:, -1:]
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


def test_an_empty_cache_stays_empty_when_reordered():
    empty = KeyValueCache.empty(3)
    empty.reorder(torch.tensor([0]))
    assert (empty.length, empty.n_bytes) == (0, 0)


def test_the_shipped_translator_finds_the_greedy_answer_to_an_easy_sentence():
    run = load_run(CHECKPOINTS / "en-fr")
    sentence = "the small cat does not sleep"
    best, *others = beam_search(run.model, run.encode_source(sentence)[None])
    assert run.tgt_tokenizer.decode(list(best.ids)) == run.translate(sentence) == "le petit chat ne dort pas"
    assert len(others) == 3
    assert all(h.ended for h in (best, *others))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"width": 0}, "width must be a whole number of at least 1, not 0"),
        ({"width": 1_001}, "width must be at most 1,000, not 1001"),
        ({"max_length": 0}, "max_length must be a whole number of at least 1, not 0"),
        ({"length_penalty": -0.1}, "length_penalty must be a number from 0 to 10, not -0.1"),
        ({"length_penalty": float("nan")}, "not nan"),
        ({"length_penalty": "long"}, "not 'long'"),
        ({"n_best": 0}, "n_best must be a whole number of at least 1, not 0"),
        ({"n_best": 5}, "n_best 5 must be at most width 4"),
        ({"use_cache": 1}, "use_cache must be true or false, not 1"),
    ],
)
def test_impossible_searches_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        BeamConfig(**changes)


def test_the_answer_is_as_long_as_the_beam_is_wide_unless_asked():
    assert BeamConfig(width=7).n_returned == 7
    assert BeamConfig(width=7, n_best=2).n_returned == 2
