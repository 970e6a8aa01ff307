"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.explaining.scene import Scene
from explorer.look.pieces import number
from explorer.tensors import TensorViewData
from explorer.views.inspector import data as inspector
from explorer.views.inspector.sites import is_known, tensor_of
from explorer.views.inspector.slice import slice_of
from explorer.visitor.step import shown_step
from explorer.worksheets.document import Block, Question, paragraph
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stage_blocks


def blocks(scene: Scene) -> Iterator[Block]:
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
    yield _question(site, tensor_of(recorded, site).values)
    yield from stage_blocks(data)
    yield paragraph(inspector.meaning_of(recorded, site))


def _question(site: str, values: np.ndarray) -> Question:
    shape = " × ".join(map(str, values.shape))
    return question(
        (f"{site} has the shape {shape}. How many numbers are that, and how many bytes as float32?",),
        (number(f"{values.size:,}"), " numbers of 4 bytes: ", number(f"{4 * values.size:,}"), " bytes."),
    )
