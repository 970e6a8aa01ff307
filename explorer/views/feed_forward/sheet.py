"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.pieces import number
from explorer.views.feed_forward import data as feed_forward
from explorer.views.feed_forward import tables as feed_forward_tables
from explorer.visitor.sublayers import chosen_stack
from explorer.worksheets.document import Block, Heading, Question, paragraph_of_markdown, table_of
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The open stage, or all of them, and which hidden units are strong or silent."""
    recorded, state = scene.recorded, scene.state
    stack, config = chosen_stack(state), recorded.run.config
    yield from _questions(scene)
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


def _questions(scene: Scene) -> Iterator[Question]:
    recorded, stack = scene.recorded, chosen_stack(scene.state)
    path, config = feed_forward.network(recorded, scene.state), recorded.run.config
    before = recorded.values(f"{path}.pre_activation")[scene.place(stack)]
    if config.activation == "relu":
        silent = int((before <= 0).sum())
        yield question(
            (
                *scene.where(stack),
                f"how many of the {config.d_ff} hidden units are exactly 0, and why those?",
            ),
            (number(str(silent)), ": those whose sum x W₁ + b₁ is not above 0, since ReLU is max(0, ·)."),
        )
    d_model, d_ff = config.d_model, config.d_ff
    yield question(
        (f"The network is {d_model} → {d_ff} → {d_model} with two biases. How many parameters has it?",),
        (
            f"{d_model} · {d_ff} + {d_ff} for W₁ and b₁, and {d_ff} · {d_model} + {d_model} for W₂ and b₂: ",
            number(f"{2 * d_model * d_ff + d_ff + d_model:,}"),
            ". They are the same at every position.",
        ),
    )
