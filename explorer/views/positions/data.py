"""Positional encodings as stages of the tensor view: the table, the sum, products, rotations, and learned ones.

The rows come from the recording or from the core's own modules; what is made of them, from `core.analysis`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch

from core.analysis.position_geometry import similarity
from core.config import TransformerConfig
from core.model.positional_encoding import sinusoidal_table
from explorer.explaining.scene import Scene
from explorer.look.theme import format_count, format_signed
from explorer.models.arrays import array_of
from explorer.models.recorded import Recorded
from explorer.models.window import narrowed, windowed
from explorer.tensors import Axis, Panel, Stage, TensorData, TensorViewData
from explorer.views.positions.rows import (
    LEARNED_SEED,
    Shift,
    learned_rows,
    longest_table,
    position_rows,
    shift,
    trained_positions,
)
from explorer.visitor.state import ExplorerState

SUM_NUMBERS = 160 * 2**10
"""Numbers of the sum's three summands together; with all other stages a message stays below 2 MB."""


@dataclass(frozen=True)
class PositionChoice:
    """Settings of the page of positions, within what its model has.

    Attributes:
        length: Positions in the table.
        offset: How far a rotation shifts.
        pair: Which pair of dimensions it is shown on.
    """

    length: int
    offset: int = 1
    pair: int = 0

    @classmethod
    def of(cls, recorded: Recorded, state: ExplorerState) -> PositionChoice:
        """Clamp a visitor's choices; the table has at least the positions of the sentence."""
        config, n_tokens = recorded.run.config, len(recorded.source)
        longest, asked = longest_table(config), state.positions
        length = min(max(asked.length or 0, n_tokens), longest)
        return cls(length, asked.offset, min(asked.pair, config.d_model // 2 - 1))


def chosen_view(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """Return the stages for a visitor's choices."""
    return positions_view(recorded, state, PositionChoice.of(recorded, state))


def positions_view(recorded: Recorded, state: ExplorerState, choice: PositionChoice) -> TensorViewData:
    """Return the stages of one choice."""
    tensors: dict[str, TensorData] = {}
    stages: list[Stage] = []
    for stage, found in _parts(recorded, choice):
        stages.append(stage)
        tensors |= found
    keys = {stage.key for stage in stages}
    return TensorViewData(
        key=f"{recorded.key}/positions",
        tensors=tensors,
        stages=tuple(stages),
        stage=state.look.stage if state.look.stage in keys else stages[0].key,
        row=min(Scene(recorded, state).place("encoder"), choice.length - 1),
        row_side="source",
    )


Part = tuple[Stage, dict[str, TensorData]]


def _parts(recorded: Recorded, choice: PositionChoice) -> Iterator[Part]:
    config = recorded.run.config
    has_table = config.positional != "none" or config.d_model % 2 == 0
    if has_table:
        table = _table(recorded, choice.length)
        yield _table_stage(recorded, table)
    yield _sum_stage(recorded)
    if has_table:
        yield _similarity_stage(table)
    if config.d_model % 2 == 0:
        shifted = shift(config.d_model, choice.offset, min(choice.length, len(recorded.source)))
        yield _rotation_stage(shifted, choice)
        yield _shifted_stage(shifted, choice)
    yield _learned_stage(recorded, choice)


def _table(recorded: Recorded, length: int) -> TensorData:
    """The recorded rows where the sentence is that long, and else what the model's own module gives."""
    n_tokens = len(recorded.source)
    if recorded.run.config.positional != "none" and length <= n_tokens:
        whole = recorded.tensor("src_embed.positions")
        if length == n_tokens:
            return whole
        return windowed(whole, "position", range(length), f"The first {length} of {n_tokens} positions.")
    name = "learned_positions" if recorded.run.config.positional == "learned" else "sinusoidal_table"
    return _made(name, position_rows(recorded, length), _positions(recorded, length), _width(recorded))


def _positions(recorded: Recorded, length: int) -> Axis:
    """Positions by number, those that training never saw with a mark."""
    trained = trained_positions(recorded)
    if length <= trained:
        return Axis("position", length)
    labels = tuple(f"{place}*" if place >= trained else str(place) for place in range(length))
    sentence = f"* beyond the {trained} positions of the longest source that the model was made for."
    return Axis("position", length, labels, window=sentence)


def _width(recorded: Recorded) -> Axis:
    return Axis("d_model", recorded.run.config.d_model)


def _table_stage(recorded: Recorded, table: TensorData) -> Part:
    titles = {"sinusoidal": "Sinusoids", "learned": "Learned positions", "none": "What sinusoids would be"}
    notes = {
        "sinusoidal": "Dimensions come in pairs, a sine and a cosine; each pair turns more slowly than the one before. "
        "No number of it is learned.",
        "learned": "One learned vector for each position, and none beyond the last.",
        "none": "This model adds no positions. For comparison, this is what the paper's sinusoids of its width are.",
    }
    kind = recorded.run.config.positional
    formula = "PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i+1) = cos(p / 10000^(2i/d))"
    panel = _panel("table", titles[kind])
    return Stage("table", "Table", "one", (panel,), "" if kind == "learned" else formula, notes[kind]), {
        "table": table
    }


def _sum_stage(recorded: Recorded) -> Part:
    none = recorded.run.config.positional == "none"
    names = ("tokens", "output") if none else ("tokens", "positions", "output")
    titles = {"tokens": "Token vectors", "positions": "Positions", "output": "Output"}
    room = max(1, SUM_NUMBERS // (len(names) * len(recorded.source)))
    tensors = {f"sum_{name}": narrowed(recorded.tensor(f"src_embed.{name}"), room) for name in names}
    panels = tuple(_panel(f"sum_{name}", titles[name]) for name in names)
    if none:
        note = "This model adds nothing: a token has the same vector wherever it stands."
        return Stage("sum", "Sum", "map", panels, "output = x", note, ("nothing is added",)), tensors
    note = "The same word at two positions enters the first layer as two different vectors."
    return Stage("sum", "Sum", "sum", panels, "output = x + PE", note), tensors


def _similarity_stage(table: TensorData) -> Part:
    rows = table.axes[0]
    products = array_of(similarity(torch.from_numpy(table.values.copy())))
    result = _made("similarity", products, rows, replace(rows, name="other", window=""))
    stage = Stage(
        "similarity",
        "Similarity",
        "product",
        (
            _panel("table", "PE"),
            Panel("table", "PEᵀ", ("d_model",), ("position",)),
            Panel("similarity", "Products", ("position",), ("other",)),
        ),
        "S = PE PEᵀ",
        "Each position's vector times every other's. With sinusoids every diagonal holds one number: the product "
        "depends on the distance alone.",
    )
    return stage, {"similarity": result}


def _rotation_stage(shifted: Shift, choice: PositionChoice) -> Part:
    pair = slice(2 * choice.pair, 2 * choice.pair + 2)
    waves = ("sin", "cos")
    before, after, positions = (
        Axis("from", 2, waves),
        Axis("to", 2, waves),
        Axis("position", len(shifted.real)),
    )
    tensors = {
        "rotation": _made("rotation", array_of(shifted.matrices[choice.pair]), after, before),
        "pair": _made("sinusoidal_table", array_of(shifted.before[:, pair].mT), before, positions),
        "turned": _made("rotate", array_of(shifted.predicted[:, pair].mT), after, positions),
    }
    stage = Stage(
        "rotation",
        "Rotation",
        "product",
        (
            Panel("rotation", f"R, k = {choice.offset}", ("to",), ("from",)),
            Panel("pair", f"PE(p), pair {choice.pair}", ("from",), ("position",)),
            Panel("turned", f"PE(p + {choice.offset})", ("to",), ("position",)),
        ),
        f"R = [cos kω, sin kω; −sin kω, cos kω], k = {choice.offset}",
        f"One matrix of 2 × 2 numbers shifts this pair by {choice.offset} at every position. It is made of "
        f"PE({choice.offset}) alone.",
    )
    return stage, tensors


def _shifted_stage(shifted: Shift, choice: PositionChoice) -> Part:
    n_positions, d_model = shifted.real.shape
    axes = Axis("position", n_positions), Axis("d_model", d_model)
    difference = shifted.largest_difference
    stage = Stage(
        "shifted",
        "Predicted and real",
        "one",
        (
            _panel("predicted", "R · PE(p)"),
            _panel("real", f"PE(p + {choice.offset})"),
        ),
        f"PE(p + {choice.offset}) = R·PE(p)",
        f"All {format_count(d_model // 2)} pairs turned at once. The largest difference to the real rows is "
        f"{format_signed(difference)}, in float64.",
    )
    return stage, {
        "predicted": _made("rotate", array_of(shifted.predicted), *axes),
        "real": _made("sinusoidal_table", array_of(shifted.real), *axes),
    }


def _learned_stage(recorded: Recorded, choice: PositionChoice) -> Part:
    """A learned table beside sinusoids; the one that the model adds is in the view already."""
    config = recorded.run.config
    rows, own = learned_rows(recorded, min(choice.length, config.max_len))
    tensors, panels = {}, []
    if config.d_model % 2 == 0:
        panels.append(_panel("sinusoids" if own else "table", "Sinusoids"))
    if own:
        panels.append(_panel("table", "Learned, this model's"))
        if config.d_model % 2 == 0:
            sinusoids = array_of(sinusoidal_table(0, choice.length, config.d_model))
            axes = _positions(recorded, choice.length), _width(recorded)
            tensors["sinusoids"] = _made("sinusoidal_table", sinusoids, *axes)
    else:
        panels.append(_panel("learned", f"Learned, untrained, seed {LEARNED_SEED}"))
        tensors["learned"] = _made("learned_positions", rows, Axis("position", len(rows)), _width(recorded))
    note = _learned_note(config, own, ends=choice.length > config.max_len)
    return Stage("learned", "Learned", "one", tuple(panels), "", note), tensors


def _learned_note(config: TransformerConfig, own: bool, *, ends: bool) -> str:
    size = (
        f"{format_count(config.max_len)} × {config.d_model} = {format_count(config.max_len * config.d_model)}"
    )
    if own:
        return f"This model's own table: {size} learned numbers, on each side."
    second = (
        f"It ends with position {config.max_len - 1}, where the sinusoids go on."
        if ends
        else "It begins without any order of its positions."
    )
    return f"A fresh table of this model's size, untrained: {size} numbers to learn, on each side. {second}"


def _made(name: str, values: np.ndarray, *axes: Axis) -> TensorData:
    """Numbers that are no part of the recording, by the name of the function of the core that made them."""
    return TensorData(name, values, axes, lead=(), askable=False)


def _panel(tensor: str, title: str) -> Panel:
    return Panel(tensor, title, ("position",), ("d_model",))
