"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.histories.runs_table import curves_of, exact_of
from explorer.look.theme import format_count, format_signed
from explorer.models.known import known_runs, run_folder
from explorer.models.task_facts import run_title, title_of
from explorer.worksheets.curve import curve_svg
from explorer.worksheets.document import Block, Heading, Picture, Table

MOST_POINTS = 20
"""Rows of the table beside a curve."""


def blocks(scene: Scene) -> Iterator[Block]:
    """All models with what they can do, and how the loss of the visitor's model fell."""
    known = known_runs()
    yield Heading("The models")
    yield Table(
        ("model", "task", "updates", "exact match"),
        tuple(
            (
                run_title(key, run),
                title_of(run.task),
                format_count(run.updates),
                exact_of(run) if "exact_match" in run.evaluation else "",
            )
            for key, run in known.items()
        ),
        (0, 1),
    )
    key = scene.state.run
    losses = curves_of(run_folder(key), known[key]).losses
    if len(losses) < 2:
        return
    yield Heading(f"Loss of {run_title(key, known[key])} in training")
    yield Picture(
        curve_svg(losses, "Loss over the updates"), "Mean loss of a batch, label smoothing included"
    )
    shown = losses[:: max(1, len(losses) // MOST_POINTS)]
    yield Table(("update", "loss"), tuple((format_count(at), format_signed(loss)) for at, loss in shown))
