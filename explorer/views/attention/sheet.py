"""The view on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from explorer.explaining.scene import Scene
from explorer.views.attention.data import attention_view
from explorer.worksheets.document import Block
from explorer.worksheets.stages import stage_blocks

Kind = Literal["self-attention", "masked-self-attention", "cross-attention"]


def blocks(kind: Kind) -> Callable[[Scene], Iterable[Block]]:
    """The open stage of one of the three attentions."""

    def of(scene: Scene) -> Iterable[Block]:
        return stage_blocks(attention_view(scene.recorded, scene.state, kind))

    return of
