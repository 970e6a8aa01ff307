"""The open stage of a tensor view on paper: its formula and note, and each matrix as a picture with its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from explorer.tensors import Panel, TensorData, TensorViewData
from explorer.worksheets.document import Block, Heading, Picture, paragraph
from explorer.worksheets.matrix import MOST_NUMBERS, matrix_of, matrix_svg, number_tables


def stage_blocks(data: TensorViewData) -> tuple[Block, ...]:
    """What a tensor view shows at its open stage, for its chosen layer and head."""
    return tuple(_blocks(data))


def stop_blocks(data: TensorViewData, stage: str) -> tuple[Block, ...]:
    """What a stop shows: the stage that it is open at, or all of them in their order.

    Args:
        data: Of the block.
        stage: Key of the open one; of the whole picture it is not one of theirs.
    """
    keys = [each.key for each in data.stages]
    shown = [stage] if stage in keys else keys
    return tuple(block for key in shown for block in _blocks(replace(data, stage=key)))


def _blocks(data: TensorViewData) -> Iterator[Block]:
    stage = next((each for each in data.stages if each.key == data.stage), data.stages[0])
    shown = _axes_held(data, stage.panels)
    held = [
        f"{each.label.lower()} {each.options[each.value]}" for each in data.choosers if each.axis in shown
    ]
    yield Heading(", ".join((stage.title, *held)))
    if stage.formula:
        yield paragraph(stage.formula)
    if stage.note:
        yield paragraph(stage.note)
    chosen = {each.axis: each.value for each in data.choosers}
    for place, panel in enumerate(stage.panels):
        tensor = data.tensors[panel.tensor]
        matrix = matrix_of(panel, tensor, chosen)
        arrow = stage.arrows[place] if place < len(stage.arrows) else ""
        yield Picture(matrix_svg(matrix), _caption(panel, tensor, chosen))
        yield from number_tables(matrix)
        if matrix.values.size > MOST_NUMBERS:
            yield paragraph(
                f"More than {MOST_NUMBERS:,} numbers: the app has them as a table and a file.", quiet=True
            )
        if arrow:
            yield paragraph(f"↓ {arrow}")


def _axes_held(data: TensorViewData, panels: tuple[Panel, ...]) -> set[str]:
    """Axes of which a chooser holds one place in some panel."""
    return {
        axis.name
        for panel in panels
        for axis in data.tensors[panel.tensor].axes
        if axis.name not in (*panel.rows, *panel.columns)
    }


def _caption(panel: Panel, tensor: TensorData, chosen: dict[str, int]) -> str:
    layer = chosen.get("layer") if any(axis.name == "layer" for axis in tensor.axes) else None
    shape = "×".join(str(axis.size) for axis in tensor.axes if axis.name != "layer")
    windows = " ".join(axis.window for axis in tensor.axes if axis.window)
    return " ".join(
        filter(None, (f"{panel.title}: {tensor.site_of(layer)}, {shape} {tensor.dtype}.", windows))
    )
