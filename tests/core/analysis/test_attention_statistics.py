"""Attention statistics: cases small enough to compute by hand, and laws on a model's own weights."""

import math
import random

import pytest
import torch

from core import load_run
from core.activations.record import record
from core.analysis.attention_statistics import (
    alignment_error_rate,
    attention_entropy,
    gold_mask,
    looks_at,
)
from core.data.batching import collate, encode_pairs
from core.data.tasks import get_task
from core.errors import InputError

CROSS = "decoder.layers.1.cross_attn.weights"
N_SENTENCES = 50


def exactly(values):
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_uniform_attention_over_n_keys_has_log2_n_bits(n):
    weights = torch.zeros(2, 4, 8, dtype=torch.float64)
    weights[..., :n] = 1 / n
    expected = torch.full((2, 4), math.log2(n), dtype=torch.float64)
    torch.testing.assert_close(attention_entropy(weights), expected, rtol=0, atol=1e-12)


def test_one_key_alone_and_no_key_have_exactly_zero_bits():
    for row in ([1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0 + 1e-9, 0.0]):
        (entropy,) = attention_entropy(exactly([row])).tolist()
        assert math.copysign(1.0, entropy) == 1.0
        assert entropy == 0.0


def test_a_half_and_two_quarters_have_one_and_a_half_bits():
    assert attention_entropy(exactly([[0.5, 0.25, 0.25, 0.0]])).item() == pytest.approx(1.5, abs=1e-12)


def test_entropy_is_between_zero_and_log2_of_the_keys_that_may_be_seen(tiny_model, src, tgt_in):
    with record(tiny_model, "*.weights", "*.mask") as activations:
        tiny_model(src, tgt_in)
    names = [name for name in activations if name.endswith(".weights")]
    assert len(names) == 8
    for name in names:
        seen = activations[name.replace("weights", "mask")].sum(dim=-1)[:, None]  # [batch, 1, query]
        entropy = attention_entropy(activations[name])
        assert entropy.shape == activations[name].shape[:-1]
        assert (entropy >= 0).all()
        assert (entropy <= seen.double().log2() + 1e-12).all()


def test_a_row_looks_at_the_key_with_its_largest_weight_the_first_of_equals():
    weights = exactly(
        [[0.75, 0.25, 0, 0], [0.5, 0.25, 0.25, 0], [0, 0.25, 0.25, 0.5], [1, 0, 0, 0], [0, 0.5, 0.5, 0]]
    )
    gold = gold_mask(((0,), (1, 2), (1, 3), (), (2,)), n_queries=5, n_keys=4)
    assert looks_at(weights, gold).tolist() == [True, False, True, False, False]


def test_rows_without_a_gold_key_do_not_count():
    assert alignment_error_rate(torch.eye(3), gold_mask(((0,), (), ()), 3, 3)) == 0
    assert alignment_error_rate(torch.eye(3), gold_mask((), 3, 3)) is None


def test_a_row_that_sees_nothing_is_a_miss():
    nothing, gold = torch.zeros(1, 2), gold_mask(((0, 1),), 1, 2)
    assert looks_at(nothing, gold).tolist() == [False]
    assert alignment_error_rate(nothing, gold) == 1


def test_the_alignment_error_rate_is_that_of_the_links_that_are_there():
    weights = exactly([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.5, 0.1, 0.4], [0.0, 0.0, 1.0]])
    gold = gold_mask([[0], [1, 2], [2]], 4, 3)
    # Three links are found, of rows with a gold key; two of them are among the four known ones.
    assert alignment_error_rate(weights, gold) == pytest.approx(1 - 2 * 2 / (3 + 4), abs=1e-15)
    assert alignment_error_rate(weights, gold_mask([[0], [1], [0]], 4, 3)) == 0
    assert alignment_error_rate(weights, gold_mask([[1], [2], [1]], 4, 3)) == 1
    assert alignment_error_rate(weights, gold_mask([], 4, 3)) is None
    with pytest.raises(InputError, match="one table"):
        alignment_error_rate(weights[None], gold)


def test_every_head_and_sentence_looks_for_itself():
    weights = torch.stack((torch.eye(3), torch.eye(3).flip(1)))[None].expand(5, 2, 3, 3)
    gold = torch.eye(3, dtype=torch.bool)
    expected = torch.tensor([[True, True, True], [False, True, False]]).expand(5, 2, 3)
    assert (looks_at(weights, gold) == expected).all()
    assert (looks_at(weights, gold.expand(5, 1, 3, 3)) == expected).all()


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: gold_mask(((0,), (1,)), 1, 3), "2 rows, but there are 1 queries"),
        (lambda: gold_mask(((0,), (3,)), 2, 3), "query 1 is aligned with key 3, but there are 3 keys"),
        (lambda: gold_mask(((-1,),), 2, 3), "aligned with key -1"),
        (
            lambda: alignment_error_rate(torch.zeros(5, 7), torch.ones(4, 5, 7) > 0),
            r"not torch.bool \[4, 5, 7\]",
        ),
        (lambda: alignment_error_rate(torch.zeros(5, 7), torch.ones(5, 1) > 0), r"not torch.bool \[5, 1\]"),
        (lambda: alignment_error_rate(torch.zeros(5, 7), torch.ones(5, 7)), "must be bools"),
        (lambda: alignment_error_rate(torch.zeros(5, 7) > 0, torch.ones(5, 7) > 0), "must be real numbers"),
        (lambda: attention_entropy(torch.zeros(7)), r"\[\.\.\., query, key\], not torch.float32 \[7\]"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_numbers(ask, sentence):
    with pytest.raises(InputError, match=sentence):
        ask()


@pytest.fixture(scope="module")
def translations():
    """Cross-attention of the shipped model's last layer [batch, head, query, key] with gold of each pair."""
    run, rng = load_run("checkpoints/en-fr"), random.Random(0)
    pairs = [get_task(run.task).sample(rng) for _ in range(N_SENTENCES)]
    batch = collate(encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer))
    with torch.no_grad(), record(run.model, CROSS) as activations:
        run.model(batch.src, batch.tgt_in)
    n_queries, n_keys = activations[CROSS].shape[2:]
    gold = torch.stack([gold_mask(pair.alignment, n_queries, n_keys) for pair in pairs])
    return activations[CROSS], gold


def scored(weights, gold):
    """Of the rows with a gold key: how many there are, the share that look at one, the mean of their weight on all."""
    counted = gold.any(dim=-1)
    on_gold = weights.masked_fill(~gold, 0.0).sum(dim=-1)[counted]
    return int(counted.sum()), looks_at(weights, gold)[counted].double().mean(), on_gold.double().mean()


def test_the_shipped_translator_looks_at_the_words_that_it_translates(translations):
    weights, gold = translations
    n_rows, score, gold_weight = scored(weights.mean(dim=1), gold)
    assert n_rows > 250
    assert score >= 0.8
    assert gold_weight >= 0.6
    assert max(scored(weights[:, head], gold)[1] for head in range(weights.shape[1])) >= 0.9


def test_the_words_of_another_sentence_are_looked_at_far_less(translations):
    # Not nothing, since words stand in much the same order in every sentence.
    weights, gold = translations
    own, other = (scored(weights.mean(dim=1), keys) for keys in (gold, gold.roll(1, dims=0)))
    assert other[1] < own[1] - 0.3
    assert other[2] < own[2] - 0.3
