"""Measurements of shipped models as they are stored with the models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.analysis.head_looks import HeadLook, RestCost, Rows
from core.data.tasks import Pair
from core.interventions.intervention import ZeroAblation
from core.interventions.worth import Estimate, PairCost, Worth
from core.run import Run
from explorer.models.shipped_figures import from_parts, in_parts, read_figures, write_figures
from explorer.views.worth.measured import Measured, parts_of

_DIGITS = 7
"""Significant digits of a figure."""


def write_measured(folder: Path, run: Run, parts: str, found: Measured) -> None:
    """Store what some parts of a shipped model are worth.

    Args:
        folder: Folder of the model.
        run: The model.
        parts: Key of the parts, one of `choices`.
        found: Figures over all pairs.

    Raises:
        RunError: when the file cannot be written.
    """
    figures = {
        "split": found.split,
        "pairs": [[pair.source, pair.target] for pair in found.pairs],
        "n_available": found.n_available,
        "worths": [_stored(worth) for worth in found.worths],
        "looks": [
            [
                look.site,
                look.head,
                {place: [rows.n, rows.hits] for place, rows in look.rows.items()},
                look.rest_cost and [_rounded(look.rest_cost.rise), look.rest_cost.n_lost],
            ]
            for look in found.looks
        ],
        "loss": _rounded(found.loss),
        "n_exact": found.n_exact,
    }
    write_figures(folder, _of_parts(parts), run.fingerprint, figures)


def read_measured(folder: Path, run: Run, parts: str) -> Measured | None:
    """Return what some parts of a shipped model are worth; None where its figures are missing or another model's."""
    figures = read_figures(folder, _of_parts(parts), run.fingerprint)
    if figures is None:
        return None
    try:
        return _measured(run, parts, figures)
    except (KeyError, TypeError, ValueError):
        return None


def _of_parts(parts: str) -> str:
    return f"worth-{parts or 'heads'}"


def _stored(worth: Worth) -> list[object]:
    estimates = [
        _rounded(value)
        for estimate in (worth.loss, worth.exact)
        for value in (estimate.value, estimate.low, estimate.high)
    ]
    strongest = [[cost.row, in_parts(cost.losses), cost.tokens, int(cost.exact)] for cost in worth.strongest]
    return [estimates, strongest]


def _measured(run: Run, parts: str, figures: dict[str, Any]) -> Measured:
    pairs = tuple(Pair(source, target, ()) for source, target in figures["pairs"])
    network, changes = parts_of(run, parts)
    return Measured(
        figures["split"],
        pairs,
        len(pairs),
        figures["n_available"],
        network,
        changes,
        tuple(_worth(change, *stored) for change, stored in zip(changes, figures["worths"], strict=True)),
        tuple(
            HeadLook(
                site,
                head,
                {place: Rows(*counts) for place, counts in places.items()},
                RestCost(*rest_cost) if rest_cost else None,
            )
            for site, head, places, rest_cost in figures["looks"]
        ),
        figures["loss"],
        figures["n_exact"],
    )


def _worth(change: ZeroAblation, estimates: list[float], strongest: list[list[Any]]) -> Worth:
    costs = (
        PairCost(row, from_parts(losses), tuple(tokens), bool(exact))
        for row, losses, tokens, exact in strongest
    )
    return Worth(change, Estimate(*estimates[:3]), Estimate(*estimates[3:]), tuple(costs))


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
