"""Sampling: every column of the pipeline, exact frequencies, rows that do not depend on each other."""

import math

import pytest
import torch

from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps, generate
from core.decoding.sampling import UniformDraws, sampling_pipeline
from core.errors import ConfigError, InputError
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model
from tests.marks import proofs
from tests.optional import unwrap

LOGITS = torch.tensor([[9.0, 8.0, 1.0, 3.0, 2.0, 3.0, 0.0]])
"""Ids 3 and 5 are equal; 0 and 1 would win but are never produced."""
HALF = torch.tensor([0.5])


def pipeline(logits=LOGITS, uniform=HALF, **settings):
    config = DecodeConfig(**{"temperature": 1.0, **settings})
    return sampling_pipeline(logits, config, uniform, never=(0, 1))


def kept(columns):
    return columns.kept_by_top_p[0].nonzero()[:, 0].tolist()


def test_every_column_follows_from_the_one_before():
    columns = pipeline(temperature=0.5, top_k=4, top_p=0.8)
    assert torch.equal(columns.logits, LOGITS.double())
    assert torch.equal(columns.scaled, LOGITS.double() * 2)
    assert columns.allowed[0].tolist() == [False, False, True, True, True, True, True]
    assert columns.kept_by_top_k[0].tolist() == [False, False, True, True, True, True, False]
    # e^6, e^6, e^4, e^2: the first two have 0.94 of the probability, the first alone 0.47.
    assert columns.kept_by_top_p[0].tolist() == [False, False, False, True, False, True, False]
    assert columns.probs[0].tolist() == [0, 0, 0, 0.5, 0, 0.5, 0]
    assert columns.cumulative[0].tolist() == [0, 0, 0, 0.5, 0.5, 1, 1]


@pytest.mark.parametrize(
    ("uniform", "drawn"), [(0.0, 3), (0.49999, 3), (0.5, 5), (math.nextafter(1.0, 0.0), 5)]
)
def test_the_number_hits_the_part_of_one_token(uniform, drawn):
    columns = pipeline(top_k=2, uniform=torch.tensor([uniform], dtype=torch.float64))
    assert columns.token_ids.tolist() == [drawn]


@pytest.mark.parametrize(
    ("top_k", "expected"),
    [(1, [3]), (2, [3, 5]), (3, [3, 4, 5]), (5, [2, 3, 4, 5, 6]), (99, [2, 3, 4, 5, 6])],
)
def test_top_k_keeps_the_most_probable_and_of_equal_ones_the_smaller_ids(top_k, expected):
    assert kept(pipeline(top_k=top_k)) == expected


@pytest.mark.parametrize(
    ("top_p", "expected"),
    # e^3, e^3, e^2, e^1, e^0 of 51.28 in all: 0.392, 0.392, 0.144, 0.053, 0.020.
    [
        (1e-9, [3]),
        (0.38, [3]),
        (0.40, [3, 5]),
        (0.79, [3, 4, 5]),
        (0.93, [2, 3, 4, 5]),
        (1.0, [2, 3, 4, 5, 6]),
    ],
)
def test_top_p_keeps_the_fewest_most_probable_that_reach_the_share(top_p, expected):
    assert kept(pipeline(top_p=top_p)) == expected


def test_top_p_counts_the_probability_among_what_top_k_kept():
    assert kept(pipeline(top_k=2, top_p=0.49)) == [3]
    assert kept(pipeline(top_k=2, top_p=0.51)) == [3, 5]


def test_a_top_p_of_1_keeps_also_what_rounding_would_lose():
    steep = torch.tensor([[0.0, 0.0, 0.0, 60.0, -60.0]])
    assert kept(pipeline(steep, top_p=1.0)) == [2, 3, 4]


def test_one_row_of_a_batch_is_that_row_alone():
    logits = torch.randn(3, 9, generator=torch.Generator().manual_seed(4))
    uniform = torch.tensor([0.2, 0.7, 0.9])
    together = pipeline(logits, uniform, top_k=5, top_p=0.9).row(1)
    alone = pipeline(logits[1:2], uniform[1:2], top_k=5, top_p=0.9).row(0)
    for name in vars(alone):
        assert torch.equal(getattr(together, name), getattr(alone, name)), name


def test_without_a_temperature_nothing_is_drawn():
    with pytest.raises(ConfigError, match="draws none"):
        pipeline(temperature=0.0)


CHI_SQUARE_999 = {2: 13.8, 4: 18.5, 16: 39.3}
"""The 99.9 % quantiles, by degrees of freedom."""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("settings", "freedom"),
    [
        *proofs(({"temperature": 0.7}, 16), ({"top_k": 5}, 4)),
        ({"temperature": 0.5, "top_k": 7, "top_p": 0.6}, None),
    ],
)
def test_frequencies_are_those_of_the_filtered_softmax(settings, freedom, src):
    config = DecodeConfig(**{"temperature": 1.0, "seed": 5, **settings})
    model, n = random_model(TINY), 4_000
    step = next(decode_steps(model, src[:1].expand(n, -1), config))
    # Written once more, without the columns of the pipeline.
    weights = {i: math.exp(lp / config.temperature) for i, lp in enumerate(step.log_probs[0].tolist())}
    ranked = sorted(set(weights) - {PAD, BOS}, key=lambda i: -weights[i])[: config.top_k]
    total, nucleus = sum(weights[i] for i in ranked), list[int]()
    while config.top_p < 1 and sum(weights[i] for i in nucleus) < config.top_p * total:
        nucleus.append(ranked[len(nucleus)])
    ranked = nucleus or ranked
    expected = {i: n * weights[i] / sum(weights[j] for j in ranked) for i in ranked}
    counts = torch.bincount(step.chosen, minlength=19).tolist()
    assert {i for i, count in enumerate(counts) if count} <= set(ranked)
    assert len(ranked) == (3 if freedom is None else freedom + 1)
    chi_square = sum((counts[i] - expected[i]) ** 2 / expected[i] for i in ranked)
    assert chi_square < CHI_SQUARE_999[len(ranked) - 1]


@pytest.mark.proof
def test_successive_numbers_of_a_row_are_even_and_independent():
    draws = UniformDraws(3, range(2))
    numbers = torch.stack([draws.next() for _ in range(4000)])  # [step, row]
    assert ((numbers >= 0) & (numbers < 1)).all()
    assert (numbers.mean(dim=0) - 0.5).abs().max() < 4 / math.sqrt(12 * 4000)
    now, later = numbers[:-1, 0] - 0.5, numbers[1:, 0] - 0.5
    assert (12 * now * later).mean().abs() < 4 / math.sqrt(4000)
    assert (12 * (numbers - 0.5).prod(dim=1)).mean().abs() < 4 / math.sqrt(4000)


def test_numbers_of_a_place_do_not_depend_on_the_others():
    all_of_them, few = UniformDraws(8, range(2500)), UniformDraws(8, [2400, 0, 1023, 1024])
    for _ in range(5):
        numbers = all_of_them.next()
        assert len(numbers.unique()) == 2500
        assert torch.equal(few.next(), numbers[[2400, 0, 1023, 1024]])


def test_places_must_be_as_many_as_sources(tiny_model, src):
    with pytest.raises(InputError, match="one place for each source, not 1 for 2"):
        next(decode_steps(tiny_model, src, places=[4]))


@pytest.mark.parametrize("use_cache", [True, False], ids=["cached", "uncached"])
def test_what_a_source_gets_does_not_depend_on_the_others(tiny_model, src, use_cache):
    settings = {"temperature": 1.3, "top_p": 0.9, "seed": 6, "max_length": 12, "use_cache": use_cache}
    alone = generate(tiny_model, src[:1], **settings)[0]
    together = generate(tiny_model, src, **settings)[0]
    assert torch.equal(together[: len(alone)], alone)
    assert not together[len(alone) :].any()


def test_rows_of_one_source_are_drawn_apart(tiny_model, src):
    drawn = generate(tiny_model, src[:1].expand(12, -1), max_length=6, temperature=1.5)
    assert len({tuple(row) for row in drawn.tolist()}) > 6


def test_a_step_shows_how_its_token_was_drawn(tiny_model, src):
    config = DecodeConfig(temperature=1.2, top_k=6, max_length=5, seed=2)
    for step in decode_steps(tiny_model, src[:1], config):
        columns = unwrap(step.sampling)
        assert torch.equal(columns.token_ids, step.chosen)
        assert not columns.allowed[0, [PAD, BOS]].any()
        assert int(columns.kept_by_top_k.sum()) == 6
        torch.testing.assert_close(columns.logits.log_softmax(-1), step.log_probs)
        assert step.log_prob[0] == step.log_probs[0, step.chosen[0]]
    assert all(
        step.sampling is None for step in decode_steps(tiny_model, src[:1], DecodeConfig(max_length=2))
    )


def test_top_k_of_1_is_greedy(tiny_model, src):
    greedy = generate(tiny_model, src, max_length=8)
    assert torch.equal(generate(tiny_model, src, max_length=8, temperature=1.0, top_k=1), greedy)
    assert torch.equal(generate(tiny_model, src, max_length=8, temperature=1.0, top_p=1e-9), greedy)


@pytest.mark.parametrize("setting", [{"top_k": 1}, {"top_p": 0.5}, {"seed": 9}])
def test_setting_of_sampling_is_rejected_at_temperature_0(setting, tiny_model, src):
    (name,) = setting
    with pytest.raises(ConfigError, match=f"{name} applies to sampling; add temperature above 0"):
        DecodeConfig(**setting)
    with pytest.raises(ConfigError, match=f"{name} applies to sampling"):
        generate(tiny_model, src, **setting)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"top_k": 0}, "top_k must be a whole number of at least 1, not 0"),
        ({"top_k": 2.5}, "not 2.5"),
        ({"top_k": True}, "not True"),
        ({"top_p": 0}, "top_p must be a number above 0, and 1 at most, not 0"),
        ({"top_p": 1.01}, "not 1.01"),
        ({"top_p": float("nan")}, "not nan"),
        ({"top_p": "most"}, "not 'most'"),
        ({"top_p": True}, "not True"),
    ],
)
def test_impossible_filters_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ConfigError, match=sentence):
        DecodeConfig(**changes)


def test_eos_can_be_drawn_and_ends_its_row(tiny_model, src):
    steps = list(
        decode_steps(tiny_model, src[:1].expand(40, -1), DecodeConfig(temperature=3.0, max_length=20))
    )
    ended = [(row == EOS).nonzero() for row in steps[-1].hypotheses]
    assert any(len(places) for places in ended)
    for row, places in zip(steps[-1].hypotheses, ended, strict=True):
        assert len(places) <= 1
        if len(places):
            assert not row[int(places[0]) + 1 :].any()
