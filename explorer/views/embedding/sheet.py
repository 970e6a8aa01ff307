"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.token_text import visible
from explorer.views.embedding.data import tokens_view
from explorer.worksheets.document import Block, Heading, Table
from explorer.worksheets.stages import stop_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The tokens with their ids, and the open stage or all of them."""
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
