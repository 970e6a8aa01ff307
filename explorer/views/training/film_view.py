"""Cross-attention as it forms, on the page of a training: a source to choose, the filmstrip and its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.config import MOST_MOMENTS
from core.errors import ExplorerError
from explorer.histories.cached import film_of
from explorer.histories.film import FilmFrame, axes_sentence, film_columns, film_sources, first_source
from explorer.look.number_table import number_table
from explorer.look.token_text import visible
from explorer.models.known import own_description
from explorer.models.references import reference_of
from explorer.trainings.status import LIVING, RunStatus
from explorer.views.training.component import OPEN, FilmData, Picture, film_view
from explorer.visitor.reports import pending

VIEW_KEY, SOURCE_KEY, TABLE_KEY = "train_film", "train_film_source", "train_film_table"


def draw_film(status: RunStatus, *, has_model: bool, travel: Callable[[int, str], None]) -> None:
    """Draw what the last cross-attention reads of a fixed source at each kept moment of a training.

    While the training goes on, one moment at most is computed at a time, the newest first.

    Args:
        status: Of the training.
        has_model: Whether its moments can be opened in the app.
        travel: Opens the moment after so many updates, with a source.
    """
    sources = film_sources(own_description(status.run_id))
    st.subheader("Where it looks while it learns", anchor=False)
    if not sources:
        st.caption("There is no fixed source that could be looked at.")
        return
    key, first = f"{SOURCE_KEY}_{status.run_id}", sources.index(first_source(sources))
    source = st.selectbox("Source", sources, index=first, key=key, format_func=_shown_source, width=360)
    known = reference_of(status.run_id, status.task, source)
    answer = known.target if known else None
    try:
        frames = film_of(
            status.run_id, source, answer, most_new=1 if status.state in LIVING else MOST_MOMENTS
        )
    except ExplorerError as error:
        st.text(error.sentence)
        return
    if not frames:
        st.caption("Nothing yet: the first moment is that of the first, random weights.")
        return
    data = _film(f"{status.run_id}/{source}", frames, opens=has_model)
    for opened in pending(VIEW_KEY, data, (OPEN,)):
        travel(opened.updates, source)
    film_view(data, key=VIEW_KEY)
    _words(frames[-1], led=answer is not None, opens=has_model)
    with st.expander("Table of these moments"):
        number_table(film_columns(frames), key=TABLE_KEY, alt="How sharp the attention was at each moment")


def _film(key: str, frames: Sequence[FilmFrame], *, opens: bool) -> FilmData:
    pictures = [
        Picture(
            frame.updates,
            frame.weights,
            f"After {frame.updates:,} updates: strongest weight {frame.strongest:.3f}, "
            f"entropy {frame.entropy:.2f} bits",
        )
        for frame in frames
    ]
    return FilmData(key, pictures, opens)


def _words(frame: FilmFrame, *, led: bool, opens: bool) -> None:
    with st.container(key="train_film_words", gap=None):
        st.text(f"Mean over the heads of the last cross-attention. {axes_sentence(frame, led=led)}")
        st.text(
            "Under each picture stand the updates; it opens the app with the weights of its moment."
            if opens
            else "Under each picture stand the updates; with the first validation each can be opened."
        )


def _shown_source(source: str) -> str:
    return " ".join(map(visible, source.split(" ")))
