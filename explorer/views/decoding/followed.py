"""Pages on which a decoding is watched and tokens are forced: what was done in their view, and what it shows next."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.run import Run
from explorer.look.markdown_text import plain
from explorer.models.decodings import translation_of
from explorer.models.translation import Translation
from explorer.views.decoding.branches import reported_state, usable_branches, what_if
from explorer.views.decoding.cached import internals_of
from explorer.views.decoding.component import EVENTS, DecodeViewData
from explorer.views.decoding.data import view_data
from explorer.views.decoding.internals import Internals
from explorer.visitor.reports import last_report, pending
from explorer.visitor.session import store_state
from explorer.visitor.state import ExplorerState, Runs


@dataclass(frozen=True)
class Decoding:
    """What such a page shows.

    Attributes:
        state: The visitor's choices, with what they have just done.
        data: What the view is fed.
        remarks: Of the branches that a link asked for, a sentence for each that cannot be.
    """

    state: ExplorerState
    data: DecodeViewData
    remarks: tuple[str, ...]


def followed_decoding(
    run: Run, state: ExplorerState, runs: Runs, *, key: str, first_look: bool = False
) -> Decoding:
    """Do what the visitor asked for in the view of a page, and find what it shows next.

    Args:
        run: The model.
        state: The visitor's choices.
        runs: All models.
        key: Of the view, in the session.
        first_look: Whether candidates alone can be forced, and what goes on inside of the model is left out.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """

    def decoded(prefix: tuple[int, ...]) -> Translation:
        """The translation of the sentence after a forced prefix."""
        return translation_of(run, state.sentence, prefix)

    def fed(report: int = 0, internals: Internals | None = None) -> DecodeViewData:
        forks = what_if(run, state, decoded, candidates_only=first_look)
        return view_data(
            run, decoded(state.decoding.prefix), state, report, what_if=forks, internals=internals
        )

    usable, remarks = usable_branches(state, decoded)
    if usable != state:
        state = store_state(usable, runs)
    shown = fed()
    for report in pending(key, shown, EVENTS):
        state = store_state(reported_state(state, report, decoded), runs)
    inside = None if first_look else internals_of(run, state.sentence, state.decoding.prefix)
    return Decoding(state, fed(last_report(), inside), remarks)


def draw_remarks(place: DeltaGenerator, decoding: Decoding) -> None:
    """Say above the view which branches cannot be shown, and where the output was stopped."""
    with place:
        for remark in decoding.remarks:
            st.info(plain(remark), icon=":material/link_off:")
        if not decoding.data.ended:
            n_tokens = len(decoding.data.output_tokens)
            st.warning(f"Stopped after {n_tokens} tokens: the model had not ended its output.")
