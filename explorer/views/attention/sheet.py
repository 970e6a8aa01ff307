"""The view on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from core.activations.location import Stack, locate
from explorer.explaining.scene import Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_probability, format_signed
from explorer.look.token_text import twin_place
from explorer.tensors import TensorViewData
from explorer.views.attention.data import attention_view
from explorer.visitor.extent import PATHS, AttentionKind
from explorer.worksheets.document import Block, Question
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stop_blocks

WEIGHTS = "softmax"
"""Key of the stage that ends in the weights, of which the questions are."""


def blocks(kind: AttentionKind) -> Callable[[Scene], Iterable[Block]]:
    """The open stage of one of the three attentions and its weights, and what its lit row reads."""

    def of(scene: Scene) -> Iterator[Block]:
        view = attention_view(scene.recorded, scene.state, kind)
        yield from _questions(scene, view, locate(PATHS[kind]).stack)
        if view.stage != WEIGHTS:
            yield from stop_blocks(view, view.stage)
        yield from stop_blocks(view, WEIGHTS)

    return of


def _questions(scene: Scene, view: TensorViewData, stack: Stack) -> Iterator[Question]:
    chosen = {each.axis: each.value for each in view.choosers}
    weights, scores = (
        scene.recorded.values(view.tensors[name].site_of(chosen["layer"]))[chosen["head"], scene.place(stack)]
        for name in ("weights", "masked_scores")
    )
    keys = view.tensors["weights"].axes[-1]
    order = np.argsort(-weights, kind="stable")[:2]
    first, second = (
        (Piece(keys.labels[place], keys.side), Piece(twin_place(keys.labels, place)))
        for place in (order[0], order[-1])
    )
    most, next_most = (float(weights[place]) for place in order)
    yield question(
        (*scene.where(stack), f"head {chosen['head']} reads one token most. Which, and with what weight?"),
        (*first, ", with weight ", number(format_probability(most)), "."),
    )
    if len(order) < 2 or next_most <= 0:
        return
    high, low = (float(scores[place]) for place in order)
    yield question(
        ("Its score is larger than that of ", *second, ". How many times as large is its weight, and why?"),
        (
            f"The scores are {format_signed(high)} and {format_signed(low)}. The softmax turns their difference of "
            f"{format_signed(high - low)} into a factor of e to that power: ",
            number(f"{most / next_most:,.4g}"),
            " times.",
        ),
    )
