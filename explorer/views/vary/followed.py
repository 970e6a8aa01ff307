"""The picture of one varied token on a page: what was done in it, and what it shows next."""

from __future__ import annotations

import streamlit as st

from core.run import Run
from explorer.models.decodings import translation_of
from explorer.views.vary.cached import sweep_of
from explorer.views.vary.component import EVENTS, Used, VaryData, vary_view
from explorer.views.vary.data import Branch, rivals_of, varied_position, vary_data
from explorer.visitor.reports import last_report, pending
from explorer.visitor.scope import Runs
from explorer.visitor.session import store_state
from explorer.visitor.state import ExplorerState, choose_varied, choose_varied_sentence
from explorer.visitor.step import shown_step


def show_varied_token(run: Run, state: ExplorerState, runs: Runs, *, key: str) -> None:
    """Draw the picture under the view of a decoding, after what the visitor asked for in it.

    A value that becomes the sentence is one for the whole page, which begins anew.

    Args:
        run: The model.
        state: The visitor's choices, whose branches can all be shown.
        runs: All models.
        key: Of the picture, in the session.

    Raises:
        InputError: when the model cannot read the sentence, or its weights are damaged.
    """
    shown = fed(run, state)
    for report in pending(key, shown, EVENTS):
        if isinstance(report, Used):
            sentence = shown.sentences[report.value]
            store_state(choose_varied_sentence(state, sentence, shown.position, report.step), runs)
            st.rerun()
        state = store_state(choose_varied(state, report.position), runs)
    vary_view(fed(run, state, last_report()), key=key)


def fed(run: Run, state: ExplorerState, report: int = 0) -> VaryData:
    """What the picture shows of a visitor's choices.

    Args:
        run: The model.
        state: The choices.
        report: Number of the last report that they know of.

    Raises:
        InputError: as `show_varied_token`.
    """
    text, decoding = state.sentence, state.decoding
    shown = translation_of(run, text, decoding.prefix)
    named = {branch.prefix: branch.name for branch in decoding.branches}
    if decoding.prefix:
        named[()] = "greedy"
    others = [
        Branch(name, translation_of(run, text, prefix).output_ids)
        for prefix, name in named.items()
        if prefix != decoding.prefix
    ]
    rivals, step = rivals_of(shown, others), shown_step(state, shown)
    sweep = sweep_of(run, state.run, text, shown, varied_position(state, shown, step), rivals)
    return vary_data(run, shown, sweep, rivals, step=step, report=report)
