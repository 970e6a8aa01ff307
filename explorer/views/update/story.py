"""One update as four pictures: its batch, the loss of each label, the gradient of one weight, and the weight's step."""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np

from core.explanation.operand import Term
from core.explanation.update import explain_update
from core.explanation.update_sites import PREFIX, update_values
from explorer.explaining.names import name_of
from explorer.look.numbers import exact
from explorer.look.theme import format_count, format_log_prob, format_signed
from explorer.views.update.component import StoryData
from explorer.views.update.scene import UpdateScene
from explorer.visitor.state import ExplorerState

MOST_PAIRS, MOST_TERMS = 8, 6
"""Pairs of the batch, and shares of the gradient, that are drawn."""


def story_of(scene: UpdateScene, state: ExplorerState) -> StoryData:
    """The pictures for the pair, the parameter and the number that somebody looks at."""
    name = scene.parameter(state)
    index = chosen_weight(scene, state)
    key = f"{scene.key}/{name}/{','.join(map(str, index))}"
    return StoryData(
        key,
        {
            "key": key,
            **_batch(scene, scene.pair(state)),
            **_gradient(scene, name, index),
            **_step(scene, name, index),
        },
        name,
        index,
        tuple(len(scene.tokens("label", pair)) for pair in range(scene.n_pairs)),
    )


def chosen_weight(scene: UpdateScene, state: ExplorerState) -> tuple[int, ...]:
    """The weight of the parameter that is explained, or else the one with the largest gradient."""
    name = scene.parameter(state)
    gradient = scene.update.of("gradient", name)
    cell = state.look.cell
    is_of_it = cell and cell.site.startswith(PREFIX) and cell.site.endswith(f".{name}")
    if cell and is_of_it and len(cell.index) == gradient.dim():
        return cell.index
    return tuple(map(int, np.unravel_index(int(gradient.abs().argmax()), gradient.shape)))


def _batch(scene: UpdateScene, pair: int) -> dict[str, Any]:
    losses = update_values(scene.update, f"{PREFIX}token_loss")
    first = max(0, min(pair - 1, scene.n_pairs - MOST_PAIRS))
    rows = []
    for each in range(first, min(scene.n_pairs, first + MOST_PAIRS)):
        labels = scene.tokens("label", each)
        rows.append(
            {
                "pair": each,
                "source": scene.tokens("source", each),
                "labels": labels,
                "losses": [float(losses[each, at]) for at in range(len(labels))],
            }
        )
    return {
        "rows": rows,
        "pair": pair,
        "largest": float(losses.max()),
        "said": {
            "batch": f"{len(rows)} of {scene.n_pairs} pairs",
            "loss": f"{format_count(scene.update.batch.n_tokens)} labels, their mean is the loss "
            f"{format_log_prob(scene.update.step.loss, total=True)}",
        },
    }


def _gradient(scene: UpdateScene, name: str, index: tuple[int, ...]) -> dict[str, Any]:
    explanation = explain_update(scene.update, f"{PREFIX}gradient.{name}", index)
    terms = sorted(explanation.terms, key=lambda term: -abs(term.value))
    shown, rest = terms[:MOST_TERMS], terms[MOST_TERMS:]
    return {
        "weight": f"{name_of(name, scene.run.config)} [{', '.join(map(str, index))}]",
        "terms": [_share(scene, term) for term in shown],
        "rest": {"count": len(rest), "value": fsum(term.value for term in rest)},
        "gradient": float(scene.update.of("gradient", name)[index]),
    }


def _share(scene: UpdateScene, term: Term) -> dict[str, Any]:
    """What a token of the batch adds to the gradient."""
    where = term.token
    if where is None:
        return {"token": term.label, "side": "", "where": "", "value": term.value}
    side = "source" if where.side == "source" else "target"
    token = scene.token("source" if side == "source" else "target", where.row, where.position)
    return {"token": token, "side": side, "where": f"{where.row}, {where.position}", "value": term.value}


def _step(scene: UpdateScene, name: str, index: tuple[int, ...]) -> dict[str, Any]:
    def number(part: str) -> float:
        return float(update_values(scene.update, f"{PREFIX}{part}.{name}")[index])

    return {
        "numbers": {part: format_signed(number(part)) for part in ("gradient", "clipped", "change")}
        # A step is so small that a rounded weight would stay the same.
        | {part: exact(number(part)) for part in ("weight_before", "weight")},
        "change": number("change"),
    }
