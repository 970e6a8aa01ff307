"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.token_text import visible
from explorer.views.embedding.data import tokens_view
from explorer.worksheets.document import Block, Heading, Table
from explorer.worksheets.stages import stage_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The tokens with their ids, and the open stage."""
    source = scene.recorded.trace.src.tolist()
    yield Heading("Tokens and ids")
    yield Table(
        ("position", "token", "id"),
        tuple(
            (str(place), visible(token), str(token_id))
            for place, (token, token_id) in enumerate(zip(scene.recorded.source, source, strict=True))
        ),
        (1,),
    )
    yield from stage_blocks(tokens_view(scene.recorded, scene.state))
