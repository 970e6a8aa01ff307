"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.views.add_norm import data as add_norm
from explorer.views.add_norm import tables as add_norm_tables
from explorer.visitor.sublayers import chosen_stack
from explorer.worksheets.document import Block, Heading, paragraph_of_markdown, table_of
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The open stage, or all of them, and mean and variance of every token."""
    yield from stop_blocks(add_norm.add_norm_view(scene.recorded, scene.state), scene.state.look.stage)
    statistics = add_norm.statistics(scene.recorded, scene.state)
    yield Heading("Mean and variance of every token")
    yield paragraph_of_markdown(add_norm_tables.statistics_sentence(statistics))
    yield table_of(add_norm_tables.statistics_columns(statistics), ("row",))
    stack = chosen_stack(scene.state)
    stream = add_norm.stream_table(scene.recorded, stack)
    yield Heading("The residual stream by layer")
    yield paragraph_of_markdown(add_norm_tables.stream_sentence(stream, scene.recorded.run.config, stack))
