"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.views.feed_forward import data as feed_forward
from explorer.views.feed_forward import tables as feed_forward_tables
from explorer.visitor.sublayers import chosen_stack
from explorer.worksheets.document import Block, Heading, paragraph_of_markdown, table_of
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The open stage, or all of them, and which hidden units are strong or silent."""
    recorded, state = scene.recorded, scene.state
    stack, config = chosen_stack(state), recorded.run.config
    yield from stop_blocks(feed_forward.feed_forward_view(recorded, state), state.look.stage)
    yield Heading("The strongest units of the lit row")
    yield paragraph_of_markdown(
        feed_forward_tables.neuron_sentence(stack, feed_forward.between(recorded, state))
    )
    neurons = feed_forward.neurons(recorded, state)
    yield table_of(feed_forward_tables.neuron_columns(recorded, neurons, stack), ("raises", "lowers"))
    yield Heading("Silent units")
    counted = feed_forward.zeros(recorded, state)
    yield paragraph_of_markdown(feed_forward_tables.zeros_sentence(counted, config.activation))
