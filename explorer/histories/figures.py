"""What a training has told so far, as the lines of its charts and the rows of its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from core.training.records import Probe, TrainStep, Validation
from core.training.run_store import STORE_FILE, RunStore
from explorer.look.theme import format_share
from explorer.look.token_text import visible
from explorer.models.references import reference_of

MOST_POINTS = 400
"""Most points of a line. In a longer training each stands for some updates that follow each other: in the lines of loss
and gradient norm for their mean, in those of smoothed loss and learning rate for the last of them."""
SMOOTHING = 0.9
"""What the smoothed loss keeps of itself at an update: it looks back over about 10 of them."""
RECENT = 20
"""Updates over which the speed is averaged."""
MOST_PROBE_ROWS = 200
GOAL = "right answer"

Point = TypeVar("Point")


@dataclass(frozen=True)
class Line:
    """A line of a chart: the updates and the values there."""

    updates: tuple[int, ...] = ()
    values: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.updates)


@dataclass(frozen=True)
class Figures:
    """Everything that a live view shows of a training.

    Attributes:
        loss: Of the batches; so are the others up to gradient_norm.
        smoothed: Exponentially weighted mean of the loss.
        validation_loss: On the validation pairs; so are the others up to exact_match.
        tokens_per_second: Mean of the last updates; None before the first.
        validations: In their order.
        probes: In their order.
        group: How many updates a point of a line stands for.
    """

    loss: Line = Line()
    smoothed: Line = Line()
    learning_rate: Line = Line()
    gradient_norm: Line = Line()
    validation_loss: Line = Line()
    exact_match: Line = Line()
    tokens_per_second: float | None = None
    validations: tuple[Validation, ...] = ()
    probes: tuple[Probe, ...] = field(default=())
    group: int = 1


def read_figures(folder: Path) -> Figures:
    """What the training in a folder has told so far; nothing where it has not begun to.

    Raises:
        RunError: when its figures are damaged.
    """
    if not (folder / STORE_FILE).is_file():
        return Figures()
    with closing(RunStore.read(folder)) as store:
        return figures_of(store.steps(), store.validations(), store.probes())


def figures_of(
    steps: Sequence[TrainStep], validations: Sequence[Validation], probes: Sequence[Probe]
) -> Figures:
    """Lines of at most `MOST_POINTS` points from what was told."""
    group = max(1, -(-len(steps) // MOST_POINTS))
    recent = steps[-RECENT:]
    return Figures(
        loss=_line(steps, [step.loss for step in steps], group),
        smoothed=_last_of_each(steps, smoothed([step.loss for step in steps]), group),
        learning_rate=_last_of_each(steps, [step.learning_rate for step in steps], group),
        gradient_norm=_line(steps, [step.grad_norm for step in steps], group),
        validation_loss=_validated(validations, "loss"),
        exact_match=_validated(validations, "leading_exact"),
        tokens_per_second=(sum(step.tokens_per_second for step in recent) / len(recent) if recent else None),
        validations=tuple(validations),
        probes=tuple(probes),
        group=group,
    )


def smoothed(values: Sequence[float]) -> list[float]:
    """The exponentially weighted mean up to each value; the first ones are not drawn towards zero."""
    means: list[float] = []
    total = weight = 0.0
    for value in values:
        total = SMOOTHING * total + (1 - SMOOTHING) * value
        weight = SMOOTHING * weight + (1 - SMOOTHING)
        means.append(total / weight)
    return means


def thinned(points: Sequence[Point], most: int) -> tuple[Point, ...]:
    """At most so many points of a curve, and its last one; points are left out evenly."""
    every = max(1, -(-len(points) // most))
    kept = points[::every]
    return tuple(kept) if not points or kept[-1] == points[-1] else (*kept, points[-1])


def right_answers(name: str, task: str, probes: Sequence[Probe]) -> dict[str, str]:
    """The right answers to the sources of some probes of a run, where they are known."""
    known = ((source, reference_of(name, task, source)) for source in {probe.source for probe in probes})
    return {source: pair.target for source, pair in known if pair is not None}


def probe_columns(probes: Sequence[Probe], answers: Mapping[str, str]) -> dict[str, list[str]]:
    """The table of the probes: a row for each time, the newest first, and a column for each source.

    Where right answers are known, they are the first row, to compare with.

    Args:
        probes: In their order.
        answers: The right answer to a source, where it is known.
    """
    sources = list(dict.fromkeys(probe.source for probe in probes))
    outputs: dict[int, dict[str, str]] = {}
    for probe in probes:
        outputs.setdefault(probe.updates, {})[probe.source] = probe.output
    times = sorted(outputs, reverse=True)[:MOST_PROBE_ROWS]
    goal = [GOAL] if answers else []
    columns = {"after updates": goal + [f"{updates:,}" for updates in times]}
    for number, source in enumerate(sources):
        head = _shown(source)
        # Two sources may look alike once they are cut.
        head = head if head not in columns else f"{head} ({number})"
        right = [_shown(answers[source]) if source in answers else ""] if answers else []
        columns[head] = right + [_shown(outputs[updates].get(source, "")) for updates in times]
    return columns


def validation_columns(validations: Sequence[Validation]) -> dict[str, list[str]]:
    """The table of the validations, the newest first."""
    newest = validations[::-1]
    columns = {
        "after updates": [f"{each.updates:,}" for each in newest],
        "loss": [f"{each.figures.loss:.4f}" for each in newest],
        "token accuracy": [format_share(each.figures.token_accuracy) for each in newest],
        "exact match": [format_share(each.figures.leading_exact) for each in newest],
    }
    if any(each.figures.leading_exact != each.figures.exact_match for each in newest):
        columns["exact by token"] = [format_share(each.figures.exact_match) for each in newest]
    for name, head in (("chrf", "chrF"), ("bleu", "BLEU")):
        values = [getattr(each.figures, name) for each in newest]
        if any(value is not None for value in values):
            columns[head] = ["" if value is None else f"{value:.1f}" for value in values]
    return columns


def update_columns(figures: Figures) -> dict[str, list[str]]:
    """The table of the charts' points, the newest first."""
    rows = range(len(figures.loss) - 1, -1, -1)
    return {
        "update": [f"{figures.loss.updates[row]:,}" for row in rows],
        "loss": [f"{figures.loss.values[row]:.4f}" for row in rows],
        "smoothed loss": [f"{figures.smoothed.values[row]:.4f}" for row in rows],
        "learning rate": [f"{figures.learning_rate.values[row]:.2e}" for row in rows],
        "gradient norm": [f"{figures.gradient_norm.values[row]:.3f}" for row in rows],
    }


def group_sentence(group: int) -> str:
    """What a row of `update_columns` is where it stands for several updates."""
    return (
        f"each row stands for {group} updates: loss and gradient norm are their means, smoothed loss and learning "
        "rate those of the last one."
    )


def _shown(text: str) -> str:
    """A probe's text, letter by letter; the spaces between words stay spaces."""
    return " ".join(visible(part) for part in text.split(" ")) if text else "∅"


def _line(steps: Sequence[TrainStep], values: Sequence[float], group: int) -> Line:
    """The mean of each group, at its last update."""
    starts = range(0, len(values), group)
    parts = [values[start : start + group] for start in starts]
    updates = [steps[min(start + group, len(steps)) - 1].index for start in starts]
    return Line(tuple(updates), tuple(sum(part) / len(part) for part in parts))


def _last_of_each(steps: Sequence[TrainStep], values: Sequence[float], group: int) -> Line:
    last = [min(start + group, len(values)) - 1 for start in range(0, len(values), group)]
    return Line(tuple(steps[place].index for place in last), tuple(values[place] for place in last))


def _validated(validations: Sequence[Validation], name: str) -> Line:
    return Line(
        tuple(each.updates for each in validations),
        tuple(getattr(each.figures, name) for each in validations),
    )
