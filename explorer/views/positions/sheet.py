"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.explaining.scene import Scene
from explorer.views.positions.data import first_view
from explorer.worksheets.document import Block
from explorer.worksheets.stages import stage_blocks


def blocks(scene: Scene) -> Iterable[Block]:
    """The open stage, for the positions of the sentence and an offset of 1, as the page begins."""
    return stage_blocks(first_view(scene.recorded, scene.state))
