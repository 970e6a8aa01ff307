"""Attention by hand against the same arithmetic in NumPy, and each of its numbers against its explanation."""

import itertools

import numpy as np
import pytest

from core.activations.derived import MOST_PLAIN
from core.errors import InputError, UnknownSite
from core.explanation.explain import explain_by_hand
from core.model.by_hand import SITES, attend_by_hand

SHAPES = list(itertools.product((2, 3), (2, 3, 4), (2, 3, 4)))


def drawn(n_tokens, d_model, d_k, largest=3):
    """Vectors and matrices of small whole numbers."""
    numbers = np.random.default_rng(n_tokens * 100 + d_model * 10 + d_k)
    sizes = ((n_tokens, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_k))
    return [numbers.integers(-largest, largest + 1, size) for size in sizes]


def in_numpy(x, w_q, w_k, w_v, *, causal, scaled):
    """The same with nothing of core."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    products = q @ k.T
    scores = products / np.sqrt(w_q.shape[1]) if scaled else products.astype(float)
    later = np.triu(np.ones(scores.shape, bool), k=1) if causal else np.zeros(scores.shape, bool)
    masked = np.where(later, -np.inf, scores)
    largest = masked.max(axis=1, keepdims=True)
    exps = np.exp(masked - np.where(largest > 20, largest, 0))
    total = exps.sum(axis=1)
    weights = exps / total[:, None]
    return {
        **{"q": q, "k": k, "v": v, "products": products, "scores": scores, "masked_scores": masked},
        **{"exps": exps, "total": total, "weights": weights, "context": weights @ v},
    }


@pytest.mark.parametrize(("causal", "scaled"), list(itertools.product((False, True), repeat=2)))
def test_every_stage_is_what_numpy_computes(causal, scaled):
    for shape in SHAPES:
        matrices = drawn(*shape)
        found = attend_by_hand(*(each.tolist() for each in matrices), causal=causal, scaled=scaled)
        for name, values in in_numpy(*matrices, causal=causal, scaled=scaled).items():
            np.testing.assert_allclose(
                found.activations[f"by_hand.{name}"][0, 0], values, rtol=1e-12, atol=1e-12
            )


def test_the_largest_numbers_overflow_nowhere():
    matrices = [np.full(size, 9) for size in ((3, 4), (4, 4), (4, 4), (4, 4))]
    found = attend_by_hand(*(each.tolist() for each in matrices))
    assert all(bool(found.activations[site.name].isfinite().all()) for site in SITES)
    np.testing.assert_allclose(found.activations["by_hand.weights"][0, 0], np.full((3, 3), 1 / 3))


@pytest.mark.parametrize(("causal", "scaled"), [(False, True), (True, False)])
def test_every_number_agrees_with_its_explanation(causal, scaled):
    for largest in (2, 9):
        given = (each.tolist() for each in drawn(3, 4, 2, largest))
        found = attend_by_hand(*given, causal=causal, scaled=scaled)
        for site in SITES:
            for index in itertools.product(*map(range, found.activations[site.name].shape)):
                explanation = explain_by_hand(found, site.name, index)
                assert explanation.agrees, (site.name, index, explanation)
        assert explain_by_hand(found, "by_hand.w_q", (1, 3)).recorded == drawn(3, 4, 2, largest)[1][3, 1]


def test_sizes_that_do_not_fit_are_refused_with_a_sentence():
    with pytest.raises(InputError, match="2 rows and 2 columns"):
        attend_by_hand([[1, 2]], [[1, 0], [0, 1]], [[1, 0]], [[1, 0], [0, 1]])
    with pytest.raises(InputError, match="must have 2 numbers"):
        attend_by_hand([[1, 2, 3]], *([[1, 0], [0, 1]],) * 3)
    with pytest.raises(UnknownSite, match="no_such"):
        explain_by_hand(attend_by_hand([[1]], [[1]], [[1]], [[1]]), "by_hand.no_such", (0,))


def test_text_of_exponentials_names_subtracted_score():
    (text,) = [site.meaning for site in SITES if site.name == "by_hand.exps"]
    for number, is_subtracted in ((1, False), (9, True)):
        rows = [[[number] * columns] * rows for rows, columns in ((2, 2), (2, 2), (2, 2), (2, 2))]
        found = attend_by_hand(*rows).activations
        scores = found["by_hand.masked_scores"]
        assert (scores.amax() > MOST_PLAIN) == is_subtracted
        assert found["by_hand.exps"].equal(scores.exp()) != is_subtracted
    assert f"if a row's largest is above {MOST_PLAIN:g}, that is subtracted first" in text
