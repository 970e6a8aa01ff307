"""Edit attention: one query's row of weights, as trained and as it is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.interventions.intervention import AttentionRow
from explorer.models.recorded import Recorded
from explorer.models.translation import SITES
from explorer.visitor.state import ExplorerState

DIGITS = 4


@dataclass(frozen=True)
class EditedRow:
    """A row of attention that can be edited.

    Attributes:
        site: Of the weights.
        layer: Of its stack.
        n_layers: Of that.
        head: None for all heads.
        query: Its position.
        keys: The tokens that it may look at.
        trained: Weights as the model was trained; of all heads their mean.
        now: The same with the changes.
        is_set: Whether a change has set it.
    """

    site: str
    layer: int
    n_layers: int
    head: int | None
    query: int
    keys: tuple[str, ...]
    trained: tuple[float, ...]
    now: tuple[float, ...]
    is_set: bool


def edited_row(trained: Recorded, changed: Recorded, state: ExplorerState, step: int) -> EditedRow:
    """The row that is looked at.

    Args:
        trained: The sentence as the trained model reads it.
        changed: The same of the changed one.
        state: The visitor's choices: attention, layer and head, of an encoder's row the position.
        step: Of the decoding.
    """
    kind = state.look.attention
    pattern = SITES[kind]
    n_layers = trained.n_layers(pattern)
    layer = n_layers - 1 if state.look.layer is None else min(state.look.layer, n_layers - 1)
    site = pattern.format(layer=layer)
    last = len(trained.source) - 1
    query = (
        min(state.look.position or 0, last)
        if kind == "encoder"
        else min(step, changed.last_step, trained.last_step)
    )
    keys = {"cross": trained.source, "encoder": trained.source, "self": trained.inputs[: query + 1]}[kind]
    head = None if state.look.head is None else min(state.look.head, trained.run.config.n_heads - 1)
    return EditedRow(
        site,
        layer,
        n_layers,
        head,
        query,
        keys,
        _weights(trained, site, head, query, len(keys)),
        _weights(changed, site, head, query, len(keys)),
        any(is_set(each, site, head, query) for each in state.changes),
    )


def is_set(change: object, site: str, head: int | None, query: int) -> bool:
    """Whether a change sets this row."""
    return isinstance(change, AttentionRow) and (change.site, change.head, change.positions) == (
        site,
        head,
        (query,),
    )


def _weights(recorded: Recorded, site: str, head: int | None, query: int, n_keys: int) -> tuple[float, ...]:
    rows = recorded.values(site)[:, query, :n_keys]
    row = rows.mean(axis=0) if head is None else rows[head]
    return tuple(row.tolist())


def row_change(row: EditedRow, weights: Sequence[float]) -> AttentionRow:
    """The change that gives a row these weights."""
    rounded = tuple(round(each, DIGITS) for each in weights)
    return AttentionRow(row.site, rounded, head=row.head, positions=(row.query,))
