"""The view on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.pieces import number
from explorer.look.theme import format_signed
from explorer.views.positions.data import chosen_view
from explorer.worksheets.document import Block, Question
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stage_blocks

BASE = 10_000
"""Largest base of the wavelengths in the sinusoidal encoding of section 3.5 of the paper."""


def blocks(scene: Scene) -> Iterator[Block]:
    """The open stage, for the positions of the sentence and an offset of 1, as the page begins."""
    config = scene.recorded.run.config
    if config.positional == "sinusoidal":
        yield from _questions(config.d_model)
    yield from stage_blocks(chosen_view(scene.recorded, scene.state))


def _questions(width: int) -> Iterator[Question]:
    yield question(
        (
            "Columns 0 and 1 at position 1 are a sine and a cosine of the same angle. Which numbers stand there?",
        ),
        (
            "sin 1 = ",
            number(format_signed(math.sin(1))),
            " and cos 1 = ",
            number(format_signed(math.cos(1))),
            ".",
        ),
    )
    last = BASE ** ((width - 2) / width)
    yield question(
        (
            f"Columns {width - 2} and {width - 1} turn slowest. After how many positions have they turned once?",
        ),
        (
            f"2π · {BASE:,} to the power {width - 2} ÷ {width}: about ",
            number(f"{2 * math.pi * last:,.0f}"),
            ".",
        ),
    )
