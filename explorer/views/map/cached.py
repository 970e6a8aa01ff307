"""The map of a run, drawn up once for all visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from explorer.models.byte_bounded_cache import ByteBoundedCache
from explorer.models.decodings import recorded_of

if TYPE_CHECKING:
    from core.run import Run
    from explorer.views.map.component import MapData


MAP_BYTES = 16 * 2**20


def map_of(run: Run, text: str, prefix: tuple[int, ...] = (), *, compact: bool = False) -> MapData:
    """The map of the model with a recording's values, drawn up once for all visitors.

    Args:
        run: The model.
        text: The sentence.
        prefix: What is forced.
        compact: Whether only its overview is wanted, which takes a fifth of the time.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    from explorer.views.map.architecture import map_data

    return _maps().get(
        (run.fingerprint, text, prefix, compact),
        lambda: map_data(recorded_of(run, text, prefix), compact=compact),
    )


@st.cache_resource(show_spinner=False)
def _maps() -> ByteBoundedCache[MapData]:
    return ByteBoundedCache(MAP_BYTES)
