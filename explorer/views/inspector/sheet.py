"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.explaining.scene import Scene
from explorer.tensors import TensorViewData
from explorer.views.inspector import data as inspector
from explorer.views.inspector.sites import is_known, tensor_of
from explorer.views.inspector.slice import slice_of
from explorer.visitor.step import shown_step
from explorer.worksheets.document import Block, paragraph
from explorer.worksheets.stages import stage_blocks


def blocks(scene: Scene) -> Iterable[Block]:
    """The chosen tensor as it is laid out."""
    recorded, state = scene.recorded, scene.state
    known = state.inspector.site and is_known(recorded, state.inspector.site)
    site = state.inspector.site if known else inspector.default_site(recorded.run.config)
    data: TensorViewData = inspector.inspector_view(
        recorded,
        slice_of(
            tensor_of(recorded, site), state.inspector.cut, state.look.head, shown_step(state, recorded)
        ),
    )
    return (*stage_blocks(data), paragraph(inspector.meaning_of(recorded, site)))
