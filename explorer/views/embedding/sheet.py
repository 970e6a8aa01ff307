"""The view on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_signed
from explorer.look.token_text import visible
from explorer.views.embedding.data import tokens_view
from explorer.worksheets.document import Block, Heading, Question, Table
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The tokens with their ids, and the open stage or all of them."""
    yield from _questions(scene)
    view = tokens_view(scene.recorded, scene.state)
    vocabulary = view.tensors["rows"].axes[0]
    yield Heading("Tokens and ids")
    yield Table(
        ("position", "token", "id"),
        tuple(
            (str(place), visible(token), str(token_id))
            for place, (token, token_id) in enumerate(
                zip(vocabulary.labels, vocabulary.places or (), strict=True)
            )
        ),
        (1,),
    )
    yield from stop_blocks(view, scene.state.look.stage)


def _questions(scene: Scene) -> Iterator[Question]:
    recorded, config = scene.recorded, scene.recorded.run.config
    at, width = scene.source_position, config.d_model
    token = Piece(recorded.source[at], "source")
    scaled = float(recorded.values("src_embed.tokens")[at, 0])
    yield question(
        (
            "The table has a row for each token. Its row for ",
            token,
            f" begins with {format_signed(scaled / math.sqrt(width))}. What stands there after × √{width}?",
        ),
        (number(format_signed(scaled)), "."),
    )
    yield question(
        (
            f"A {recorded.run.source_unit} stands twice in a source. Are its two rows of the table alike? And the two "
            "vectors that the first layer reads?",
        ),
        (
            "The rows are the same row. ",
            "The vectors are alike, too: nothing says where a token stands."
            if config.positional == "none"
            else "The vectors are not: each has its own position added.",
        ),
    )
