"""The film of a training's attention, each moment of it computed once for all visitors."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import RunError
from core.training.history import history_path
from explorer.models.byte_bounded_cache import ByteBoundedCache
from explorer.models.known import kept_moments, run_folder
from explorer.models.listing import version_of
from explorer.models.server import import_for_all

if TYPE_CHECKING:
    from explorer.histories.film import FilmFrame


FILM_BYTES = 32 * 2**20


def film_of(name: str, source: str, answer: str | None, *, most_new: int) -> list[FilmFrame]:
    """What a run's last cross-attention made of a source at its kept moments, each computed once; the first one first.

    Args:
        name: Of the run.
        source: That its model can read.
        answer: As for `explorer.histories.film.make_frame`.
        most_new: Moments that are computed now, the newest first; the others come with later calls.

    Raises:
        InputError: when the model cannot read the source.
    """
    import_for_all()
    from explorer.histories.film import make_frame

    folder, cache = run_folder(name), _films()
    frames: list[FilmFrame] = []
    for updates in reversed(kept_moments(name)):
        version = version_of(folder, str(history_path(folder, updates).relative_to(folder)))
        key = (str(folder), updates, version, source, answer)
        if cache.held(key) is None:
            if most_new <= 0:
                continue
            most_new -= 1
        with suppress(RunError):  # Discarded meanwhile by a training that was resumed.
            frames.append(cache.get(key, partial(make_frame, folder, updates, source, answer)))
    return frames[::-1]


@st.cache_resource(show_spinner=False)
def _films() -> ByteBoundedCache[FilmFrame]:
    return ByteBoundedCache(FILM_BYTES)
