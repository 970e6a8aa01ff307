"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.views.output import data as output
from explorer.views.output import tables as output_tables
from explorer.worksheets.document import Block, Heading, paragraph_of_markdown, table_of
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The open stage, or all of them, and the loss of every label."""
    recorded, state = scene.recorded, scene.state
    yield from stop_blocks(output.output_view(recorded, state), state.look.stage)
    step = scene.step
    yield Heading("Only the last row is read")
    yield table_of(
        output_tables.step_columns(output.steps(recorded), step), ("row", "reads", "writes", "most probable")
    )
    target = output.target_of(recorded)
    loss = output.loss_of(recorded, target, recorded.run.train_config.label_smoothing)
    yield Heading("Teacher forcing and the loss")
    yield paragraph_of_markdown(output_tables.loss_sentence(loss))
    yield table_of(output_tables.aligned_columns(recorded.run, loss), ("position",))
