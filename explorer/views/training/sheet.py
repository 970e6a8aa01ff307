"""A training on paper: how it stands, its curves, what it said and where it looked on the way, and its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.training.history import history
from explorer.histories.cached import moments_of, probes_of
from explorer.histories.figures import (
    Figures,
    probe_columns,
    read_figures,
    right_answers,
    validation_columns,
)
from explorer.histories.moments import ONE
from explorer.histories.runs_table import settings_of
from explorer.histories.words import explanation, progress_words, result_sentence, state_words
from explorer.models.known import own_description, run_folder
from explorer.models.server import training_engine
from explorer.models.task_facts import title_of
from explorer.trainings.status import RunStatus
from explorer.visitor.state import ExplorerState
from explorer.worksheets.curve import curve_svg
from explorer.worksheets.document import (
    Block,
    Heading,
    Picture,
    Sheet,
    html_of,
    paragraph,
    paragraph_of_markdown,
    table_of,
)
from explorer.worksheets.matrix import Matrix, matrix_svg

MOST_ROWS = 16
"""Most rows of a table that grows with a training: the first, the last, and some between."""
MOST_MOMENTS = 4
"""Most moments of the attention that are printed as pictures."""
EXACT_MATCH = "Share of the validation pairs that come out exactly right"

Columns = Mapping[str, list[str]]


def document(title: str, state: ExplorerState, address: str) -> str:
    """The HTML of the worksheet of the training that is watched.

    Raises:
        RunError: when there is no such run any more, or its figures are damaged.
    """
    engine = training_engine()
    status = engine.status(state.training)
    facts = (
        ("Training", status.title),
        *([("Task", title_of(status.task))] if status.task else []),
        (
            "State",
            f"{state_words(status)}: {progress_words(status)}",
        ),
    )
    figures = read_figures(engine.run_folder(status.run_id))
    blocks = (
        *_stands(status),
        *_curves(figures),
        *_outputs(status, figures),
        *_looked(status),
        *_settings(status.run_id),
    )
    return html_of(Sheet(title, facts, blocks, address))


def _stands(status: RunStatus) -> Iterator[Block]:
    """What its state means, or what came out of it."""
    if words := status.reason or explanation(status):
        yield paragraph(words)
    described = own_description(status.run_id) if status.state == "finished" else None
    if described and (words := result_sentence(described)):
        yield paragraph_of_markdown(words)


def _curves(figures: Figures) -> Iterator[Block]:
    shown = (
        ("Smoothed loss of the batches, in nats per token", figures.smoothed),
        ("Loss of the validation pairs, without label smoothing", figures.validation_loss),
        (EXACT_MATCH, figures.exact_match),
        ("Learning rate", figures.learning_rate),
        ("Norm of the gradient before it is clipped", figures.gradient_norm),
    )
    drawn = [each for each in shown if len(each[1]) > 1]
    if drawn:
        yield Heading("How it learned")
    for name, line in drawn:
        points = list(zip(line.updates, line.values, strict=True))
        yield Picture(curve_svg(points, name, share=name == EXACT_MATCH), name)
    if figures.validations:
        columns = validation_columns(figures.validations)
        yield table_of(_spread(columns), (), _caption("The validations", len(figures.validations)))


def _outputs(status: RunStatus, figures: Figures) -> Iterator[Block]:
    if not figures.probes:
        return
    moments = sorted({each.updates for each in figures.probes})
    kept = {moments[place] for place in _places(len(moments), MOST_ROWS)}
    answers = right_answers(status.run_id, status.task, figures.probes)
    columns = probe_columns([each for each in figures.probes if each.updates in kept], answers)
    yield Heading("What it said while it learned")
    yield table_of(columns, tuple(columns)[1:], _caption("Its outputs for fixed sources", len(moments)))


def _looked(status: RunStatus) -> Iterator[Block]:
    """The attention at some of the moments that the page shows."""
    described = own_description(status.run_id)
    probes = probes_of(status.run_id, described) if described else ()
    updates = history(run_folder(status.run_id))
    if not probes or not updates:
        return
    place = max(range(len(probes)), key=lambda each: len(probes[each].right))
    shown = [updates[each] for each in _places(len(updates), MOST_MOMENTS)]
    probe = probes[place]
    led = "the right answer" if probe.is_reference else "what its best weights write"
    yield Heading("Where it looked while it learned")
    yield paragraph(
        f"Mean over the heads of the last cross-attention for the source {probe.text}, with the decoder reading "
        f"{led}: its tokens are the rows, those of the source the columns."
    )
    for moment in moments_of(status.run_id, shown, probes):
        weights = moment.weights[-1][place].mean(axis=0, dtype=np.float32) / ONE
        name = f"Cross-attention after {moment.updates:,} updates"
        matrix = Matrix(name, weights, probe.right, probe.source, "target", "source", "weight")
        yield Picture(matrix_svg(matrix), f"After {moment.updates:,} updates")


def _settings(run_id: str) -> Iterator[Block]:
    described = own_description(run_id)
    if described is None:
        return
    found = settings_of([described])
    yield Heading("Its settings")
    yield table_of(
        {"setting": [each.name for each in found], "value": [each.values[0] for each in found]}, ("setting",)
    )


def _spread(columns: Columns) -> Columns:
    """Some rows of a table, the first and the last among them."""
    count = len(next(iter(columns.values())))
    return {head: [cells[place] for place in _places(count, MOST_ROWS)] for head, cells in columns.items()}


def _caption(words: str, count: int) -> str:
    return f"{words}, the newest first" + (f": {MOST_ROWS} of {count}" if count > MOST_ROWS else "")


def _places(count: int, most: int) -> Sequence[int]:
    """At most so many places of a list, evenly spread."""
    if count <= most:
        return range(count)
    return [round(part * (count - 1) / (most - 1)) for part in range(most)]
