"""What the page Add & norm says in tables and sentences; every number in them is computed elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.activations.location import Stack
from core.config import NormPosition, TransformerConfig
from explorer.look.rows import row_brief
from explorer.look.theme import format_signed
from explorer.tensors import Axis
from explorer.views.add_norm.data import StreamTable, TokenStatistics, growth
from explorer.visitor.sublayers import point_label

Columns = Mapping[str, Sequence[str]]

TITLES: dict[NormPosition, str] = {"post": "post-norm", "pre": "pre-norm"}
FORMULAS: dict[NormPosition, str] = {"post": "norm(x + sublayer(x))", "pre": "x + sublayer(norm(x))"}


def statistics_columns(rows: Sequence[TokenStatistics]) -> Columns:
    """Mean and variance of each token's vector, before and after."""
    numbers = {
        "μ before": [row.mean for row in rows],
        "σ² before": [row.variance for row in rows],
        "μ normalised": [row.normalized_mean for row in rows],
        "σ² normalised": [row.normalized_variance for row in rows],
        "μ after γ, β": [row.output_mean for row in rows],
        "σ² after γ, β": [row.output_variance for row in rows],
    }
    return {
        "row": [row.row for row in rows],
        **{head: [format_signed(value) for value in values] for head, values in numbers.items()},
    }


def statistics_sentence(rows: Sequence[TokenStatistics]) -> str:
    """State how close to mean 0 and variance 1 the normalised vectors are, and the variances after γ and β."""
    mean = max(abs(row.normalized_mean) for row in rows)
    variance = max(abs(row.normalized_variance - 1) for row in rows)
    outputs = [row.output_variance for row in rows]
    return (
        f"Normalised, no token's mean is further from 0 than {format_signed(mean)}, and no variance further from 1 "
        f"than {format_signed(variance)}: ε and rounding. After γ and β the variance is {format_signed(min(outputs))} "
        f"to {format_signed(max(outputs))}."
    )


def stream_columns(table: StreamTable, rows: Axis) -> Columns:
    """The length of the stream at each point: the means, then row by row."""
    return {
        "after": [point_label(part) for part in table.parts],
        "mean ‖x‖": _column(table.sizes.mean(axis=1)),
        "mean ‖sub-layer(x)‖": _column(table.added.mean(axis=1)),
        "mean ‖sum‖": _column(table.summed.mean(axis=1)),
        **{row_brief(rows, at): _column(table.sizes[:, at]) for at in range(rows.size)},
    }


def stream_sentence(table: StreamTable, config: TransformerConfig, stack: Stack) -> str:
    """What the norm's place does to the stream's length in this model."""
    times = f"From the {stack}'s embedding to the last sub-layer the mean length is multiplied by {growth(table):.2f}."
    if config.norm_position == "post":
        return (
            f"A norm after every sum gives each vector the length √d_model = {math.sqrt(config.d_model):.2f} "
            f"but for γ and β, whatever was added. {times}"
        )
    return f"No norm stands on the way itself, so that what the sub-layers add stays in the stream. {times}"


def untrained_columns(tables: Mapping[NormPosition, StreamTable]) -> Columns:
    """Mean length and mean addition of both untrained models at each point that either has."""
    parts = all_parts(tables)
    columns: dict[str, list[str]] = {"after": [point_label(part) for part in parts]}
    for position, table in tables.items():
        at = {part: row for row, part in enumerate(table.parts)}
        for head, values in (("mean ‖x‖", table.sizes), ("mean ‖sub-layer(x)‖", table.added)):
            means = values.mean(axis=1)
            columns[f"{TITLES[position]}: {head}"] = [
                _number(float(means[at[part]])) if part in at else "" for part in parts
            ]
    return columns


def untrained_sentence(
    tables: Mapping[NormPosition, StreamTable], config: TransformerConfig, seed: int
) -> str:
    """Which place of the norm this model has, and what both do before any training."""
    own = config.norm_position
    times = " and ".join(
        f"by {growth(table):.2f} with {TITLES[position]}" for position, table in tables.items()
    )
    return (
        f"This model is {TITLES[own]}, {FORMULAS[own]}. Here are two others of its size over the same tokens, both "
        f"untrained with the same first weights (seed {seed}): from the embedding to the last sub-layer the mean "
        f"length is multiplied {times}."
    )


def all_parts(tables: Mapping[NormPosition, StreamTable]) -> tuple[str, ...]:
    """The points of all models, in order; only a pre-norm model must have a final norm."""
    return max((table.parts for table in tables.values()), key=len)


def _column(values: np.ndarray) -> list[str]:
    return [_number(float(value)) for value in values]


def _number(value: float) -> str:
    return "" if math.isnan(value) else format_signed(value)
