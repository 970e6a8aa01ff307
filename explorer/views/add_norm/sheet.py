"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.pieces import number
from explorer.look.theme import format_signed
from explorer.views.add_norm import data as add_norm
from explorer.views.add_norm import tables as add_norm_tables
from explorer.visitor.sublayers import chosen_stack
from explorer.worksheets.document import Block, Heading, Question, paragraph_of_markdown, table_of
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The open stage, or all of them, and mean and variance of every token."""
    yield from _questions(scene)
    yield from stop_blocks(add_norm.add_norm_view(scene.recorded, scene.state), scene.state.look.stage)
    statistics = add_norm.statistics(scene.recorded, scene.state)
    yield Heading("Mean and variance of every token")
    yield paragraph_of_markdown(add_norm_tables.statistics_sentence(statistics))
    yield table_of(add_norm_tables.statistics_columns(statistics), ("row",))
    stack = chosen_stack(scene.state)
    stream = add_norm.stream_table(scene.recorded, stack)
    yield Heading("The residual stream by layer")
    yield paragraph_of_markdown(add_norm_tables.stream_sentence(stream, scene.recorded.run.config, stack))


def _questions(scene: Scene) -> Iterator[Question]:
    recorded, place = scene.recorded, add_norm.norm_place(scene.recorded, scene.state)
    at = scene.place(place.stack)
    x = float(recorded.values(place.x)[at, 0])
    mean, variance, result = (
        float(recorded.values(f"{place.norm}.{name}")[at].flat[0])
        for name in ("mean", "variance", "normalized")
    )
    yield question(
        (
            *scene.where(place.stack),
            f"the norm reads a first number of {format_signed(x)}; the row has the mean {format_signed(mean)} and the "
            f"variance {format_signed(variance)}. What does the number become, before γ and β?",
        ),
        (
            f"({format_signed(x)} {'−' if mean >= 0 else '+'} {format_signed(abs(mean))}) ÷ "
            f"√({format_signed(variance)} + ε) = ",
            number(format_signed(result)),
            ".",
        ),
    )
    yield question(
        ("After normalising, before γ and β: what are the mean and the variance of every row?",),
        (
            "The mean is ",
            number("0"),
            ", and the variance just below ",
            number("1"),
            ", since ε stands under the root.",
        ),
    )
