"""Gold alignment: which source tokens stand behind each target token, told by the roles that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """A token in its text, with the roles it plays there; a target token has those of its source tokens."""

    text: str
    roles: tuple[str, ...]


def align(source: Sequence[Word], target: Sequence[Word]) -> tuple[tuple[int, ...], ...]:
    """Return for each target token the sorted positions of the source tokens that share a role with it."""
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(source):
        for role in word.roles:
            positions.setdefault(role, []).append(position)
    return tuple(
        tuple(sorted({position for role in word.roles for position in positions.get(role, ())}))
        for word in target
    )
