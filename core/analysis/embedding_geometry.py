"""The geometry of an embedding table: its principal axes, nearest neighbours by cosine, and analogies."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

import torch
from torch import Tensor

from core.errors import InputError
from core.notebook import Brief

CHUNK_ROWS = 512
"""Rows that are widened to float64 at once: never the whole table."""


@dataclass(frozen=True, eq=False, repr=False)
class PrincipalAxes(Brief):
    """The directions in which the rows of a table differ most.

    Attributes:
        mean: Of the rows [d_model].
        axes: Unit vectors at right angles [axis, d_model], the one with the largest share first. Each points
            to where its largest number is positive.
        shares: Of the rows' variance that lies along each axis [axis]; together at most 1.
    """

    mean: Tensor
    axes: Tensor
    shares: Tensor

    def project(self, rows: Tensor) -> Tensor:
        """From [row, d_model] to places along the axes [row, axis], in float64."""
        return (rows.double() - self.mean) @ self.axes.mT


@dataclass(frozen=True)
class Neighbour:
    """A row of the table, and the cosine between it and what was asked for."""

    token_id: int
    cosine: float


def principal_axes(table: Tensor, n_axes: int) -> PrincipalAxes:
    """The first principal axes of the rows.

    From the d_model×d_model matrix of covariances, whose size does not grow with the vocabulary.

    Args:
        table: [row, d_model], without rows that nothing was learned for, such as padding's.
        n_axes: How many, at most d_model.

    Raises:
        InputError: when there are fewer than two rows, or not so many axes.
    """
    n_rows, d_model = table.shape
    if n_rows < 2:
        raise InputError(f"principal axes need at least two rows, not {n_rows}")
    if not 1 <= n_axes <= d_model:
        raise InputError(f"ask for 1 to {d_model} axes, not {n_axes}")
    rows = table.detach().cpu()
    mean = rows.mean(dim=0, dtype=torch.float64)
    covariance = torch.zeros(d_model, d_model, dtype=torch.float64)
    for chunk in rows.split(CHUNK_ROWS):
        centred = chunk.double() - mean
        covariance += centred.mT @ centred / n_rows
    directions, variances, _ = torch.linalg.svd(covariance)  # [d, d], [d]
    axes = directions.mT[:n_axes]
    largest = axes.gather(1, axes.abs().argmax(dim=1, keepdim=True))
    total = variances.sum()
    # Rows that are all the same vary along no axis.
    shares = variances[:n_axes] / total if total > 0 else torch.zeros(n_axes, dtype=torch.float64)
    return PrincipalAxes(mean, axes * torch.where(largest < 0, -1.0, 1.0), shares)


def nearest_neighbours(
    table: Tensor, vector: Tensor, k: int, *, leave_out: Collection[int] = ()
) -> tuple[Neighbour, ...]:
    """The rows with the largest cosine to a vector, largest first; equal ones in the order of their ids.

    Args:
        table: [row, d_model].
        vector: [d_model]; one without a length is at right angles to everything.
        k: How many; fewer come back where the table has no more.
        leave_out: Ids that are not asked about, such as the token's own and padding's.

    Raises:
        InputError: when k is below 1.
    """
    if k < 1:
        raise InputError(f"ask for 1 neighbour or more, not {k}")
    rows, direction = table.detach().cpu(), vector.detach().cpu().double()
    cosines = torch.cat([_cosines(chunk.double(), direction) for chunk in rows.split(CHUNK_ROWS)])
    order = cosines.argsort(descending=True, stable=True).tolist()
    ids = (token_id for token_id in order if token_id not in leave_out)
    return tuple(Neighbour(token_id, float(cosines[token_id])) for token_id in islice(ids, k))


def analogy(
    table: Tensor, a: int, b: int, c: int, k: int, *, leave_out: Collection[int] = ()
) -> tuple[Neighbour, ...]:
    """The rows nearest to a − b + c: what is to c as a is to b. The three themselves are left out.

    Args:
        table: [row, d_model].
        a: Id of a row; so are b and c.
        b: Is subtracted.
        c: Is added.
        k: How many.
        leave_out: Further ids that are not asked about.

    Raises:
        InputError: when an id is outside of the table, or k is below 1.
    """
    check_rows(table, (a, b, c))
    row_a, row_b, row_c = table.detach()[[a, b, c]].cpu().double()
    return nearest_neighbours(table, row_a - row_b + row_c, k, leave_out={a, b, c, *leave_out})


def sampled_rows(n_rows: int, limit: int, keep: Collection[int]) -> tuple[int, ...]:
    """At most `limit` ids of a table in ascending order: those to keep, and of the others every so many.

    Args:
        n_rows: Of the table.
        limit: How many at most; those to keep are always among them.
        keep: Ids.
    """
    kept = set(keep)
    others = [row for row in range(n_rows) if row not in kept]
    room = max(0, limit - len(kept))
    if room < len(others):
        others = [others[place * len(others) // room] for place in range(room)]
    return tuple(sorted([*kept, *others]))


def _cosines(rows: Tensor, direction: Tensor) -> Tensor:
    """The cosine of each row [row, d_model] with a direction [d_model]; 0 where one of the two has no length."""
    lengths: Tensor = rows.norm(dim=1) * direction.norm()
    return rows @ direction / lengths.clamp_min(torch.finfo(rows.dtype).tiny)


def check_rows(table: Tensor, ids: Sequence[int]) -> None:
    """
    Raises:
        InputError: when an id is outside of the table.
    """
    wrong = next((token_id for token_id in ids if not 0 <= token_id < len(table)), None)
    if wrong is not None:
        raise InputError(f"id {wrong} is outside the table of {len(table)} rows")
