"""Tensor inspector: any recorded or learned tensor by its name, any two of its axes, and the difference of two."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.activations.location import locate
from core.config import DTypeName
from core.errors import ExplorerError
from explorer.app import REGISTRY
from explorer.browser.tensor_view import tensor_view
from explorer.look.card import card
from explorer.look.chart import page_theme, plotly_chart
from explorer.look.number_table import number_table
from explorer.models.decodings import recorded_in, recorded_of
from explorer.models.known import known_runs, loaded_run
from explorer.models.recorded import Recorded
from explorer.shell.depth import show_depth
from explorer.shell.explain_panel import at_site
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, take_reports
from explorer.tensors import TensorViewData
from explorer.views.inspector import VIEW
from explorer.views.inspector import data as inspector
from explorer.views.inspector import export as tensor_export
from explorer.views.inspector import tables as inspector_tables
from explorer.views.inspector.component import CHOSEN, SiteTreeData, site_tree
from explorer.views.inspector.figure import bins, histogram_figure
from explorer.views.inspector.sites import entries, is_known, tensor_of
from explorer.views.inspector.slice import Slice, choose_sides, side_options, slice_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.running import recorded_run
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import NO_ROWS, ExplorerState, choose_site
from explorer.visitor.step import shown_step
from explorer.visitor.values import SessionValue

VIEW_KEY, TREE_KEY = "tensors", "site_tree"
DTYPES: tuple[DTypeName, ...] = ("float32", "bfloat16")
DTYPE = SessionValue[str]("tensor_dtype", "")
ROWS, COLUMNS = SessionValue("tensor_rows", NO_ROWS), SessionValue("tensor_columns", "")


def first_of(side: str) -> SessionValue[int]:
    """The field with the first row or column of the window."""
    return SessionValue(f"tensor_first_{side}", 0)


runs = known_runs()
state = page_head(VIEW, runs, words=False)
tree_place = st.container(key="tensor_choice", gap="xsmall")
picture = st.container()
controls = st.container(key="tensor_layout", horizontal=True, vertical_alignment="bottom", gap="medium")
pinned_place = st.container(key="tensor_pinned")

with picture, loading(VIEW_KEY, height=560):
    recorded = recorded_run(state)

    choices = entries(recorded)
    for chosen in pending(TREE_KEY, [entry.name for entry in choices], (CHOSEN,)):
        state = store_state(choose_site(state, chosen.site), runs)
    missing = bool(state.inspector.site) and not is_known(recorded, state.inspector.site)
    site = (
        inspector.default_site(recorded.run.config)
        if missing or not state.inspector.site
        else state.inspector.site
    )
    tensor = tensor_of(recorded, site)

    problem, other = "", None
    if state.inspector.pinned is not None:
        try:
            pinned = state.inspector.pinned
            pinned_run = loaded_run(pinned.run, pinned.updates, pinned.changes)
            other = recorded_of(pinned_run, pinned.sentence, pinned.prefix)
        except ExplorerError as error:
            problem = f"What is pinned as B cannot be computed. {error.sentence}"
        if other is not None and not is_known(other, state.inspector.pinned.site):
            problem, other = "The model of B has no tensor of the pinned name.", None

    # What else the run could compute in; the values that a change sets are of the run's own dtype.
    other_dtypes = [dtype for dtype in DTYPES if dtype == DTYPE.value and dtype != recorded.dtype]
    is_rounded = bool(other_dtypes) and not state.changes and state.inspector.pinned is None
    if is_rounded:
        other = recorded_in(recorded, other_dtypes[0])

    def a_of(state: ExplorerState) -> Slice:
        """The chosen tensor as it is laid out."""
        return slice_of(tensor, state.inspector.cut, state.look.head, shown_step(state, recorded))

    def b_of(state: ExplorerState) -> tuple[Recorded, Slice] | None:
        """The pinned tensor as it is laid out, if one is pinned that can be shown."""
        if other is None:
            return None
        if state.inspector.pinned is None:
            beside = tensor_of(other, site)
            return other, slice_of(beside, state.inspector.cut, state.look.head, shown_step(state, recorded))
        return other, inspector.slice_of_pinned(state.inspector.pinned, other, a_of(state))

    def view_of(state: ExplorerState) -> TensorViewData:
        """What the view is fed for these choices."""
        second = b_of(state)
        if second is None:
            view = inspector.inspector_view(recorded, a_of(state))
        else:
            view = inspector.comparison_view(recorded, a_of(state), *second, together=is_rounded)
        return replace(view, row=shown_step(state, recorded))

    look = partial(inspector.looked_state, shown=a_of(state))
    state, data = take_reports(state, runs, view_of, look, key=VIEW_KEY)
    shown, second = a_of(state), b_of(state)


def take_sides() -> None:
    """Other rows or columns; where both would be the same they change places."""
    chosen = choose_sides(visitor_state(runs), shown, rows=ROWS.value, columns=COLUMNS.value)
    store_state(chosen, runs)


def take_first(side: str) -> None:
    """The window begins elsewhere."""
    held = visitor_state(runs)
    first: dict[str, Any] = {f"first_{side}": int(first_of(side).value)}
    cut = replace(held.inspector.cut, **first)
    store_state(replace(held, inspector=replace(held.inspector, cut=cut)), runs)


def take_pin() -> None:
    """What is shown now is B from here on."""
    store_state(inspector.pinned_as_shown(visitor_state(runs), shown), runs)


def take_trained() -> None:
    """What is shown now, but as the model was trained, is B from here on."""
    pinned = inspector.pinned_as_shown(visitor_state(runs), shown)
    store_state(inspector.as_trained(pinned), runs)


def take_unpin() -> None:
    """Nothing is B any more."""
    held = visitor_state(runs)
    store_state(replace(held, inspector=replace(held.inspector, pinned=None)), runs)


with tree_place:
    site_tree(SiteTreeData(recorded.key, choices, site, last_report()), key=TREE_KEY)
with controls:
    rows, columns = side_options(tensor)
    if columns:
        ROWS.set(shown.rows or NO_ROWS)
        COLUMNS.set(shown.columns)
        words = inspector_tables.side_words(tensor)
        st.selectbox(
            "Rows", rows, key=ROWS.key, on_change=take_sides, width=160, format_func=words.__getitem__
        )
        st.selectbox(
            "Columns",
            columns,
            key=COLUMNS.key,
            on_change=take_sides,
            width=160,
            format_func=words.__getitem__,
        )
    for side, label, name in (("row", "First row", shown.rows), ("column", "First column", shown.columns)):
        if name and len(shown.window(name)) < shown.axis(name).size:
            window = shown.window(name)
            first_of(side).set(window[0])
            st.number_input(
                label,
                min_value=0,
                max_value=shown.axis(name).size - len(window),
                step=len(window),
                key=first_of(side).key,
                on_change=take_first,
                args=(side,),
                width=150,
            )
    if state.changes and (state.inspector.pinned is None or state.inspector.pinned.changes):
        st.button(
            "Compare with the model as trained",
            icon=":material/difference:",
            key="pin_trained",
            on_click=take_trained,
            width="content",
        )
    if not state.changes and state.inspector.pinned is None and recorded.dtype in DTYPES:
        if DTYPE.value not in DTYPES:
            DTYPE.set(recorded.dtype)
        st.segmented_control(
            "Recorded in",
            DTYPES,
            required=True,
            key=DTYPE.key,
            help="bfloat16 keeps 8 binary digits of each number, float32 keeps 24. With the other dtype than the "
            "model's own, B is the same computation in that dtype.",
        )
    st.button("Pin as B", icon=":material/keep:", key="pin", on_click=take_pin, width="content")
    if state.inspector.pinned is not None:
        st.button("Unpin B", icon=":material/keep_off:", key="unpin", on_click=take_unpin, width="content")
with pinned_place:
    if missing:
        st.info("This model has no tensor of that name; this is the default one.", icon=":material/link_off:")
    if problem:
        st.info(problem, icon=":material/link_off:")
    elif is_rounded and other is not None:
        st.text(inspector_tables.dtype_words(recorded, other))
    elif second is not None and state.inspector.pinned is not None:
        # Plain text: what somebody has typed is in it.
        st.text(inspector_tables.pinned_words(state.inspector.pinned, state, runs))
owner = REGISTRY.showing(locate(site))
with picture:
    tensor_view(data, key=VIEW_KEY)
    if owner is not None and owner.is_block:
        show_depth(owner, recorded, at_site(state, site, ()))

# Side by side where the table is narrow, one under the other where it holds a comparison.
statistics_place, histogram_place = (
    st.columns(2)
    if second is None
    else (st.container(key="wide_statistics"), st.container(key="wide_histogram"))
)
with statistics_place, card("Statistics", key="tensor_statistics"):
    parts = inspector_tables.parts_of(shown, second[1] if second else None)
    number_table(
        inspector_tables.statistics_table(parts),
        texts=("figure",),
        key="statistics_table",
        alt="Extremes, mean, spread, norms and counts of what is shown and of the whole tensor",
    )
    st.caption("Minimum to norms and the zeros are of the finite numbers that are not masked.")

with histogram_place, card("How the numbers are spread", key="tensor_histogram"):
    picked = st.segmented_control(
        "Numbers of",
        list(parts),
        default="shown",
        required=True,
        key="histogram_of",
        label_visibility="collapsed",
    )
    part = parts[picked if picked in parts else "shown"]
    counts, edges = bins(part.numbers())
    if counts.size:
        plotly_chart(
            histogram_figure(counts, edges, theme=page_theme(), revision=f"{data.key}/{picked}"),
            theme=None,
            key="histogram",
            alt="How many numbers lie in each of the intervals; the same counts are in the table below",
        )
        with st.expander("Table of these counts"):
            number_table(
                inspector_tables.histogram_columns(counts, edges),
                key="histogram_table",
                alt="Intervals of values and how many numbers lie in each",
            )
    else:
        st.markdown("There is no finite number to count.")

with card("Take it along", key="tensor_export"):
    st.markdown(
        "NPY holds all of the tensor, CSV what is shown with its labels, both with every digit. "
        "A picture is saved with the PNG link above each matrix."
    )
    with st.container(horizontal=True):
        st.download_button(
            "Whole tensor (NPY)",
            data=lambda: tensor_export.npy_bytes(tensor.values, tensor.dtype),
            file_name=tensor_export.file_name(state.run, site, ending="npy"),
            mime="application/octet-stream",
            icon=":material/download:",
            on_click="ignore",
            key="npy",
        )
        st.download_button(
            "What is shown (CSV)",
            data=lambda: inspector_tables.csv_of(shown),
            file_name=tensor_export.file_name(
                state.run, site, *inspector_tables.place_words(shown), ending="csv"
            ),
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="csv",
        )
