"""Axes, neighbours and analogies of a table: laws, and hand-made tables whose answers are plain."""

import numpy as np
import pytest
import torch

from core.analysis.embedding_geometry import (
    CHUNK_ROWS,
    analogy,
    nearest_neighbours,
    principal_axes,
    sampled_rows,
)
from core.errors import InputError


def random_table(n_rows=50, d_model=7, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n_rows, d_model, generator=generator) * torch.arange(1, d_model + 1) + 3


@pytest.mark.parametrize("n_rows", [5, 50, CHUNK_ROWS + 3])
def test_axes_and_shares_are_those_of_the_centred_rows_singular_values(n_rows):
    table = random_table(n_rows)
    found = principal_axes(table, 3)
    centred = table.double().numpy() - table.double().numpy().mean(axis=0)
    _, singular, rows = np.linalg.svd(centred, full_matrices=False)
    np.testing.assert_allclose(found.shares.numpy(), singular[:3] ** 2 / (singular**2).sum(), rtol=1e-9)
    for axis, expected in zip(found.axes.numpy(), rows, strict=False):
        assert abs(axis @ expected) == pytest.approx(1, abs=1e-9)
        assert axis[abs(axis).argmax()] > 0
    np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(3), atol=1e-12)


def test_places_along_the_axes_vary_as_the_shares_say():
    table = random_table()
    found = principal_axes(table, 7)
    places = found.project(table)
    assert places.shape == (50, 7)
    variances = places.var(dim=0, correction=0)
    torch.testing.assert_close(variances / variances.sum(), found.shares, rtol=1e-9, atol=0)
    assert float(found.shares.sum()) == pytest.approx(1, abs=1e-12)
    torch.testing.assert_close(places @ found.axes + found.mean, table.double(), rtol=0, atol=1e-9)


def test_the_axes_of_one_table_are_always_the_same():
    table = random_table()
    assert torch.equal(principal_axes(table, 2).axes, principal_axes(table.clone(), 2).axes)


def test_equal_rows_vary_along_no_axis():
    assert principal_axes(torch.ones(4, 3), 2).shares.tolist() == [0, 0]


TABLE = torch.tensor([[0.0, 0.0], [2.0, 0.0], [3.0, 0.1], [0.0, 5.0], [-1.0, 0.0], [4.0, 0.0]])


def test_neighbours_come_by_cosine_and_equal_ones_by_id():
    found = nearest_neighbours(TABLE, TABLE[1], 10, leave_out={1})
    assert [each.token_id for each in found] == [5, 2, 0, 3, 4]
    by_hand = [1, 3 / (9.01**0.5), 0, 0, -1]
    assert [each.cosine for each in found] == pytest.approx(by_hand, abs=1e-7)
    assert len(nearest_neighbours(TABLE, TABLE[1], 2)) == 2


def test_neighbours_are_those_that_cosine_similarity_gives():
    table = random_table(CHUNK_ROWS + 9, 5)
    found = nearest_neighbours(table, table[11], 20, leave_out={11})
    cosines = torch.nn.functional.cosine_similarity(table.double(), table[11].double()[None])
    cosines[11] = -2
    best = cosines.topk(20)
    assert [each.token_id for each in found] == best.indices.tolist()
    assert [each.cosine for each in found] == pytest.approx(best.values.tolist(), abs=1e-12)


def test_an_analogy_adds_the_difference_of_two_rows_to_a_third():
    # king − man + woman = queen, with a first number for royalty and a second for gender.
    king, man, woman, queen = (1.0, -1.0, 0.3), (0.0, -1.0, 0.3), (0.0, 1.0, 0.3), (1.0, 1.0, 0.3)
    table = torch.tensor([king, man, woman, (0.0, 0.2, -1.0), queen])
    best = analogy(table, 0, 1, 2, 2)
    assert [each.token_id for each in best] == [4, 3]
    assert best[0].cosine == pytest.approx(1, abs=1e-6)
    assert [each.token_id for each in analogy(table, 0, 1, 2, 2, leave_out={4})] == [3]


def test_a_sample_keeps_what_is_asked_for_and_spreads_the_rest():
    assert sampled_rows(5, 9, keep=[3]) == (0, 1, 2, 3, 4)
    found = sampled_rows(1000, 100, keep=[7, 8, 999])
    assert len(found) == 100 == len(set(found))
    assert {7, 8, 999} <= set(found)
    assert list(found) == sorted(found)
    gaps = np.diff([row for row in found if row not in (7, 8, 999)])
    assert gaps.max() <= 13
    assert sampled_rows(50, 2, keep=[1, 2, 3]) == (1, 2, 3)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: principal_axes(torch.ones(1, 3), 1), "at least two rows, not 1"),
        (lambda: principal_axes(torch.ones(4, 3), 4), "1 to 3 axes, not 4"),
        (lambda: nearest_neighbours(TABLE, TABLE[1], 0), "1 neighbour or more, not 0"),
        (lambda: analogy(TABLE, 0, 6, 1, 3), "id 6 is outside the table of 6 rows"),
        (lambda: analogy(TABLE, 0, 1, -1, 3), "id -1 is outside"),
    ],
)
def test_impossible_questions_are_refused_with_a_sentence(ask, sentence):
    with pytest.raises(InputError, match=sentence):
        ask()
