"""A filmstrip of small matrices of weights, one for each kept moment of a training; each opens its moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from core.numbers import is_whole
from explorer.browser.assets import beside, script, shared, view_style
from explorer.browser.message import pack_message
from explorer.visitor.reports import Event, Payload, handlers

_HERE = Path(__file__).parent
SCRIPTS = (*shared("look", "cells"), *beside(__file__, "view"))

_component = st.components.v2.component(
    "film_view",
    html='<div class="film-view" data-look="light"></div>',
    css=view_style(_HERE / "view.css"),
    js=script(*SCRIPTS),
)


@dataclass(frozen=True)
class Picture:
    """One frame of the film of a training.

    Attributes:
        updates: Of its moment.
        weights: From 0 to 1, [output token, source token].
        about: What it shows, in one sentence.
    """

    updates: int
    weights: np.ndarray
    about: str


@dataclass(frozen=True)
class FilmData:
    """What the strip is fed.

    Attributes:
        key: Of the training and the source: another film begins at its end.
        pictures: The first moment first.
        opens: Whether a frame can be opened.
    """

    key: str
    pictures: Sequence[Picture]
    opens: bool


@dataclass(frozen=True)
class Opened:
    """A frame that was asked for."""

    updates: int
    report: int


def pack(data: FilmData) -> bytes:
    """The message: a header with what is known of each frame, then the weights, frame after frame."""
    header = {
        "key": data.key,
        "opens": data.opens,
        "pictures": [{"updates": each.updates, "about": each.about} for each in data.pictures],
    }
    return pack_message(header, {str(each.updates): each.weights for each in data.pictures})


def film_view(data: FilmData, *, key: str) -> None:
    """Show the strip. Its sentences are untrusted and reach the page as text only."""
    _component(data=pack(data), key=key, **handlers(OPEN.name))


def _read_open(payload: Payload, report: int, data: FilmData) -> Opened | None:
    updates = payload.get("updates")
    if not is_whole(updates) or not any(each.updates == updates for each in data.pictures):
        return None
    return Opened(updates, report) if data.opens else None


OPEN: Event[Opened, FilmData] = Event("open", _read_open)
"""The visitor wants to see the model at one of the frames."""
