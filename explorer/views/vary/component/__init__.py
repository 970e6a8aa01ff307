"""The picture of one varied token: a row for each token that can stand at its place.

It is fed all steps of the decoding in one binary message, so that another step costs no round trip. Python hears of
another position, and of a value that is to become the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.analysis.substitution import Kind
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.visitor.reports import Event, Payload, Refused


@dataclass(frozen=True)
class Part:
    """A stretch of an output: as in the one that is shown, another than there, or missing beside it."""

    text: str
    mark: Literal["same", "other", "missing"]


@dataclass(frozen=True)
class Output:
    """What the model writes for one value, and whether it ended the output itself."""

    parts: tuple[Part, ...]
    ended: bool


@dataclass(frozen=True)
class Rivals:
    """Two tokens that may come next at a step, by their ids.

    Attributes:
        own: What is written there.
        other: The other one.
        origin: Name of the branch that writes it there; empty for the most probable other token.
    """

    own: int
    other: int
    origin: str


@dataclass(frozen=True)
class VaryData:
    """V values at one position of a source, and T steps of the decoding that is shown.

    Attributes:
        key: Names model, sentence and forced prefix.
        source_tokens: Of the sentence, without EOS.
        position: The varied one.
        values: The tokens that stand there, one in each row.
        own: Row of the sentence itself.
        sentences: The source of each row.
        kind: What the values have in common, as `core.analysis.substitution.Alternatives` says; so do the next two.
        n_between: How many stand between the same two neighbours.
        n_sources: How many sources were looked through.
        own_pairs: Whether these were somebody's own.
        unit: What one token of the source is called.
        outputs: Of each row.
        log_prob: log P of each output [V].
        rivals: Of each step.
        written: The text before each step.
        tokens: Texts of all tokens that are named by an id.
        rival_probs: P of the rivals [V, T, 2].
        best_ids: The most probable next token [V, T].
        best_probs: Its probability [V, T].
        n_forced: Tokens with which every output has to begin.
        step: That is looked at.
        report: Number of the last report that the choices know of.
    """

    key: str
    source_tokens: tuple[str, ...]
    position: int
    values: tuple[str, ...]
    own: int
    sentences: tuple[str, ...]
    kind: Kind
    n_between: int
    n_sources: int
    own_pairs: bool
    unit: str
    outputs: tuple[Output, ...]
    log_prob: np.ndarray
    rivals: tuple[Rivals, ...]
    written: tuple[str, ...]
    tokens: Mapping[int, str]
    rival_probs: np.ndarray
    best_ids: np.ndarray
    best_probs: np.ndarray
    n_forced: int
    step: int
    report: int = 0


@dataclass(frozen=True)
class Varied:
    """Another position that is to be varied."""

    position: int


@dataclass(frozen=True)
class Used:
    """The row whose source is to be the sentence, and the step that was looked at, of which Python may not know yet."""

    value: int
    step: int


def _read_used(payload: Payload, data: VaryData) -> Used:
    if payload["position"].whole() != data.position:
        raise Refused
    return Used(payload["value"].index(len(data.values)), payload["step"].index(len(data.rivals)))


EVENTS: tuple[Event[Varied | Used, VaryData], ...] = (
    Event("varied", lambda payload, data: Varied(payload["position"].index(len(data.source_tokens)))),
    Event("used", _read_used),
)


def pack(data: VaryData) -> bytes:
    """The message that the browser draws the picture from."""
    return pack_message({**vars(data), "best_ids": data.best_ids.tolist()})


vary_view = KeptView(__file__, "vary_view", pack)
"""Draws the picture in the browser."""
