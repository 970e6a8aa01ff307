"""Tokens and embeddings: a text becomes tokens, ids, rows of a learned table, and what the first layer reads."""

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import card
from explorer.look.chart import page_theme, plotly_chart
from explorer.look.token_text import visible
from explorer.models.known import known_runs
from explorer.models.loaded import initial_logits, learned_tokenizers, table_axes
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.shell.term_text import term_text
from explorer.views.embedding import VIEW
from explorer.views.embedding.component import ranking_view, token_view
from explorer.views.embedding.embedding_facts import (
    analogous,
    first_analogy,
    map_places,
    neighbours_of,
    sampling_notice,
    sharing,
    shown_ids,
    tables,
)
from explorer.views.embedding.figure import embedding_map
from explorer.views.embedding.token_page import token_view_data

TOKENS_KEY = "token_view"

runs = known_runs()
state = page_head(VIEW, runs)
recorded, state = draw_stop(VIEW, state, runs, REGISTRY)

with loading(TOKENS_KEY, height=520):
    cut = token_view_data(runs[state.run], learned_tokenizers(state.run), state.sentence)
token_view(cut, key=TOKENS_KEY)

with card("Geometry of the learned table", key="geometry"):
    term_text(
        "The directions in which the rows differ most, and, by cosine similarity, who points the same way. "
        "A small model learns only what its task needs: tokens that are used alike end up close together."
    )
    by_title = {table.title: table for table in tables(recorded)}
    title = next(iter(by_title))
    picture, ranked = st.columns((3, 2), gap="medium")
    with st.container(horizontal=True):
        if len(by_title) > 1:
            title = st.radio("Table", list(by_title), horizontal=True, key="table")
        n_axes = st.radio("Axes", (2, 3), format_func=lambda n: f"{n}-D", horizontal=True, key="axes")
    table = by_title[title]
    ids = shown_ids(table)

    def name_of(token_id: int) -> str:
        """A token in a list to choose from."""
        return visible(table.vocabulary.token(token_id))

    with picture:
        axes = table_axes(recorded.run, table.parameter, n_axes)
        if notice := sampling_notice(table, ids):
            st.info(notice, icon=":material/filter_alt:")
        figure = embedding_map(
            map_places(recorded, table, axes, ids),
            [table.vocabulary.token(token_id) for token_id in ids],
            [table.role(token_id) for token_id in ids],
            axes.shares.tolist(),
            theme=page_theme(),
            revision=f"{state.run}/{table.parameter}",
        )
        plotly_chart(
            figure,
            key="embedding_map",
            alt=f"The tokens of the {table.title.lower()} table along its first {n_axes} principal axes. "
            f"They hold {axes.shares.sum():.1%} of the variance; the list beside it has cosines of single tokens.",
        )
        st.caption(
            f"{n_axes} axes hold {axes.shares.sum():.1%} of the variance of {recorded.run.config.d_model} dimensions: "
            "tokens that are near here may be far apart. Cosines compare all dimensions."
        )
    with ranked:
        place = f"{state.run}/{table.parameter}"
        a, b, c = first_analogy(recorded, table)
        token = st.selectbox("Token", ids, index=ids.index(a), format_func=name_of, key=f"neighbour/{place}")
        asked = []
        for column, label, first in zip(st.columns(3), ("a", "− b", "+ c"), (a, b, c), strict=True):
            with column:
                asked.append(
                    st.selectbox(
                        label,
                        ids,
                        index=ids.index(first),
                        format_func=name_of,
                        key=f"analogy/{label}/{place}",
                    )
                )
        ranking_view(
            (neighbours_of(recorded, table, token), analogous(recorded, table, *asked)), key="rankings"
        )

with card("One matrix or three", key="sharing"):
    for sentence in sharing(recorded.run.config):
        st.markdown(sentence)
    start = initial_logits(recorded.run)
    st.markdown(
        f"The numbers begin with variance 1/d_model, so that such a matrix gives logits of a sensible size: before any "
        f"training their variance is **{start.scaled:.3f}**. With embeddings of variance 1 it would be "
        f"**{start.unscaled:.1f}**, and the softmax would be sure of itself without having learned anything."
    )
    st.caption(
        f"Measured: {start.n_logits:,} logits of two untrained models of this configuration, seed {start.seed}, "
        "over random sequences."
    )
