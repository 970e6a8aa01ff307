"""The choice of a tensor: a field that searches all names, over a tree of them that arrow keys walk through."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_json
from explorer.views.inspector.sites import Entry
from explorer.visitor.reports import Event


@dataclass(frozen=True)
class SiteTreeData:
    """What can be chosen, and what is.

    Attributes:
        key: Names the model and the recording; a new key folds the tree.
        entries: In the order of the tree.
        chosen: Name of one of them.
        report: Number of the last report that this message knows of.
    """

    key: str
    entries: Sequence[Entry]
    chosen: str
    report: int = 0


@dataclass(frozen=True)
class ChosenSite:
    """A visitor has chosen a tensor."""

    site: str


def pack(data: SiteTreeData) -> bytes:
    """The message. A group is written once; an entry names it by its place.

    Raises:
        ValueError: when nothing of the chosen name is there.
    """
    if all(entry.name != data.chosen for entry in data.entries):
        raise ValueError(f"{data.chosen!r} is not one of the {len(data.entries)} entries")
    groups = {path: at for at, path in enumerate(dict.fromkeys(entry.path for entry in data.entries))}
    message = {
        "key": data.key,
        "chosen": data.chosen,
        "report": data.report,
        "groups": list(groups),
        "entries": [
            [entry.name, entry.label, entry.kind, "×".join(map(str, entry.shape)), groups[entry.path]]
            for entry in data.entries
        ],
    }
    return pack_json(message)


CHOSEN: Event[ChosenSite, Collection[str]] = Event(
    "chosen", lambda payload, names: ChosenSite(payload["site"].one_of(names)), owner=""
)
"""The visitor has chosen one of the names."""

site_tree = KeptView(__file__, "site_tree", pack, (CHOSEN,))
"""Draws the field and, when it is asked for, the tree under it."""
