"""The beam search view: a tree of hypotheses, what each of its nodes adds up to, and the n-best list.

It is fed once per search by one binary message; looking around in the tree costs no round trip. Python hears
of the hypothesis that a visitor opens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.browser.interned import Interned
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.models.beam_trees import BeamNode, BeamTree
from explorer.visitor.reports import Event

_FATES = ("kept", "pruned", "finished", "outside")


@dataclass(frozen=True)
class Opened:
    """The node whose hypothesis a visitor opens."""

    node: int


def pack(tree: BeamTree) -> bytes:
    """The message that the browser draws the tree from.

    The header has a column for each plain fact of the nodes, parents and ranks as -1 where
    there is none. A text is sent as what it adds to its parent's: how many characters stay, and the rest.
    """
    nodes = tree.nodes
    tokens = Interned()
    places = [tokens.place(node.token) for node in nodes]
    message = {
        "key": tree.key,
        "width": tree.width,
        "length_penalty": tree.length_penalty,
        "end": tree.end,
        "n_best": tree.n_best,
        "greedy": tree.greedy,
        "tokens": list(tokens.known),
        "token": places,
        "step": [node.step for node in nodes],
        "parent": [-1 if node.parent is None else node.parent for node in nodes],
        "fate": [_FATES.index(node.fate) for node in nodes],
        "rank": [-1 if node.rank is None else node.rank for node in nodes],
        "ended": [node.token_id == tree.eos_id for node in nodes],
        "text": [_added_text(node, tree) for node in nodes],
        "token_log_prob": np.array([node.token_log_prob for node in nodes]),
        "log_prob": np.array([node.log_prob for node in nodes]),
        "score": np.array([node.score for node in nodes]),
    }
    return pack_message(message)


OPENED: Event[Opened, BeamTree] = Event(
    "opened", lambda payload, tree: Opened(payload["node"].index(len(tree.nodes))), owner="trace"
)
"""The visitor wants to see a hypothesis step by step."""


def _added_text(node: BeamNode, tree: BeamTree) -> tuple[int, str]:
    before = "" if node.parent is None else tree.nodes[node.parent].text
    pairs = enumerate(zip(before, node.text, strict=False))
    same = next((place for place, (old, new) in pairs if old != new), min(len(before), len(node.text)))
    return same, node.text[same:]


beam_view = KeptView(__file__, "beam_view", pack)
"""Draws the tree of a beam search in the browser."""
