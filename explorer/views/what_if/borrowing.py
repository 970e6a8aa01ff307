"""Borrow from another sentence: which sentence, the map of what each borrowed vector brings along, and its words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import zip_longest

from core.activations.location import locate
from core.errors import InputError
from core.interventions.intervention import Patch
from core.interventions.patching import PatchingMap
from core.run_description import RunDescription
from explorer.models.task_facts import contrasts_of, examples_of
from explorer.visitor.state import ExplorerState

SITE_TITLES = {"k": "keys", "v": "values"}


@dataclass(frozen=True)
class Row:
    """One row of the map.

    Attributes:
        name: ``0 · self-attention``.
        site: Whose vectors are borrowed.
        shares: Of the difference, for each position; None where a stop left it out.
    """

    name: str
    site: str
    shares: tuple[float | None, ...]


@dataclass(frozen=True)
class Panel:
    """Rows whose columns are the same tokens.

    Attributes:
        key: ``encoder``, ``cross`` or ``decoder``.
        columns: The tokens.
        marked: Those in which the two sentences differ.
        rows: In the order of the computation.
    """

    key: str
    columns: tuple[str, ...]
    marked: tuple[bool, ...]
    rows: tuple[Row, ...]


def offered(run: RunDescription, sentence: str) -> tuple[tuple[str, str], ...]:
    """Second sentences, by what differs: what the task's grammar knows, else its examples of the same length."""
    length = len(run.source_ids(sentence))
    known = [(kind, other) for kind, other in contrasts_of(run.task, sentence) if _fits(run, other, length)]
    if known:
        return tuple(known)
    others = ((each.title.lower(), each.source) for each in examples_of(run.task) if each.source != sentence)
    return tuple((title, source) for title, source in others if _fits(run, source, length))[:4]


def _fits(run: RunDescription, sentence: str, length: int) -> bool:
    try:
        return len(run.source_ids(sentence)) == length
    except InputError:
        return False


def donor_of(state: ExplorerState, pairs: tuple[tuple[str, str], ...]) -> str:
    """The second sentence: the chosen one, one that a change borrows from, or the first that is offered."""
    borrowed = [each.sentence for each in state.changes if isinstance(each, Patch)]
    return state.what_if.donor or next(iter(borrowed), "") or (pairs[0][1] if pairs else "")


def row_name(site: str) -> str:
    """What a row of the map is called."""
    where = locate(site)
    if where.kind == "embedding":
        return "embedding"
    if where.crosses:
        return f"{where.layer} · {SITE_TITLES[where.value]}"
    return f"{where.layer} · {where.sublayer_title.lower()}"


def panels(
    found: PatchingMap, donor_source: tuple[str, ...], donor_target: tuple[str, ...]
) -> tuple[Panel, ...]:
    """The map in its three parts."""
    bos = "<s>"
    own_inputs, donor_inputs = ((bos, *tokens[:-1]) for tokens in (found.target_tokens, donor_target))
    columns = {
        "encoder": (found.source_tokens, donor_source),
        "cross": (found.source_tokens, donor_source),
        "decoder": (own_inputs, donor_inputs),
    }
    rows: dict[str, list[Row]] = {key: [] for key in columns}
    for site, shares in zip(found.sites, found.shares, strict=True):
        where = locate(site)
        key = "cross" if where.crosses else where.stack
        values = tuple(None if math.isnan(share) else share for share in shares.tolist())
        rows[key].append(Row(row_name(site), site, values))
    return tuple(
        Panel(
            key,
            own,
            tuple(one != two for one, two in zip_longest(own, other))[: len(own)],
            tuple(rows[key]),
        )
        for key, (own, other) in columns.items()
    )


def patch_at(site: str, position: int, donor: str) -> Patch:
    """One vector, taken from the same place of the second sentence."""
    return Patch(site, donor, positions=(position,))
