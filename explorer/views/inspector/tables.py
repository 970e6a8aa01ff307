"""What stands around the inspector's view: words for its controls, tables of figures, and the slice as a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from explorer.look.theme import format_count, format_signed
from explorer.models.recorded import Recorded
from explorer.models.task_facts import run_title
from explorer.tensors import TensorData
from explorer.views.inspector.data import difference
from explorer.views.inspector.export import csv_bytes, safe_text
from explorer.views.inspector.slice import Slice
from explorer.views.inspector.statistics import statistics, statistics_columns
from explorer.visitor.scope import Runs
from explorer.visitor.state import NO_ROWS, ExplorerState, Pinned


@dataclass(frozen=True, eq=False)
class Part:
    """Numbers that figures are made of.

    Attributes:
        values: Any shape.
        hidden: True where masked; None for nowhere.
        dtype: That the model computed in.
    """

    values: np.ndarray
    hidden: np.ndarray | None
    dtype: str

    def numbers(self) -> np.ndarray:
        """The numbers that are not masked [number]."""
        return self.values if self.hidden is None else self.values[~self.hidden]


def parts_of(a: Slice, b: Slice | None = None) -> dict[str, Part]:
    """What is shown and the whole tensor; of a comparison also B and, where there is one, A − B."""
    shown = {"shown": _shown(a), "whole tensor": Part(a.tensor.values, a.tensor.hidden, a.tensor.dtype)}
    if b is None:
        return shown
    shown["B shown"] = _shown(b)
    if a.shape == b.shape:
        both = difference(a, b)
        shown["A − B"] = Part(both.values, both.hidden, both.dtype)
    return shown


def statistics_table(parts: Mapping[str, Part]) -> dict[str, list[str]]:
    """The figures of each part, a column each."""
    return statistics_columns(
        {name: (statistics(part.values, part.hidden), part.dtype) for name, part in parts.items()}
    )


def histogram_columns(counts: np.ndarray, edges: np.ndarray) -> dict[str, list[str]]:
    """Counts [bin] between edges [bin + 1] as a table; an interval holds its lower end, the last one both."""
    return {
        "from": [format_signed(float(edge)) for edge in edges[:-1]],
        "to": [format_signed(float(edge)) for edge in edges[1:]],
        "numbers": [format_count(int(count)) for count in counts],
    }


def csv_of(shown: Slice) -> bytes:
    """What is shown as a CSV file, with tokens or numbers as labels."""
    values, hidden = np.atleast_2d(shown.values()), shown.hidden()
    return csv_bytes(
        values,
        rows=_labels(shown, shown.rows) if shown.rows else [""],
        columns=_labels(shown, shown.columns),
        corner=f"{shown.rows} / {shown.columns}" if shown.rows else shown.columns,
        hidden=None if hidden is None else np.atleast_2d(hidden),
    )


def place_words(shown: Slice) -> tuple[str, ...]:
    """What the slice holds still, and its window, for a file's name: ``head-2``, ``vocab-64-127``."""
    held = [f"{name}-{place}" for name, place in shown.places.items()]
    windows = [
        f"{side}-{shown.window(side)[0]}-{shown.window(side)[-1]}"
        for side in shown.sides
        if len(shown.window(side)) < shown.axis(side).size
    ]
    return (*held, *windows)


def side_words(tensor: TensorData) -> dict[str, str]:
    """What the choice of rows and columns calls each axis."""
    return {NO_ROWS: "none: one row"} | {axis.name: f"{axis.name} ({axis.size:,})" for axis in tensor.axes}


def pinned_words(pinned: Pinned, state: ExplorerState, runs: Runs) -> str:
    """What B is, in one line: its name, and its model and sentence where they are not those of A."""
    words = [f"B is {pinned.site}"]
    if pinned.run != state.run:
        words.append(f"of the model {run_title(pinned.run, runs[pinned.run])}")
    if (pinned.run, pinned.updates) != (state.run, state.updates):
        words.append(
            "with the best weights" if pinned.updates is None else f"after {pinned.updates:,} updates"
        )
    if pinned.changes != state.changes:
        words.append("with other changes" if pinned.changes else "as the model was trained")
    if pinned.sentence != state.sentence or pinned.run != state.run:
        words.append(f"for “{pinned.sentence}”")
    if pinned.prefix and pinned.prefix != state.decoding.prefix:
        words.append("with forced tokens")
    return " ".join(words) + "."


def dtype_words(recorded: Recorded, other: Recorded) -> str:
    """Say how far the same computation in another dtype comes out from the run's own, in numbers."""
    own, rounded = (each.trace.logits.double() for each in (recorded, other))
    largest = float((own - rounded).abs().max())
    n_same = int((own.argmax(dim=-1) == rounded.argmax(dim=-1)).sum())
    return (
        f"A is recorded in {recorded.dtype}, B in {other.dtype}. The logits differ by at most {largest:.2g}; "
        f"the most probable token is the same at {n_same:,} of {len(own):,} steps."
    )


def _shown(part: Slice) -> Part:
    return Part(part.values(), part.hidden(), part.tensor.dtype)


def _labels(shown: Slice, side: str) -> tuple[str, ...] | tuple[int, ...]:
    """Return names of rows or columns, no two of which are the same: all are numbered where that needs it."""
    axis, places = shown.shown(side), tuple(shown.window(side))
    if not axis.labels:
        return places
    names = axis.labels
    if axis.writes:
        names = tuple(f"{reads} → {writes}" for reads, writes in zip(names, axis.writes, strict=True))
    if len(set(map(safe_text, names))) == len(names):
        return names
    return tuple(f"{place} {name}" for place, name in zip(places, names, strict=True))
