"""The branch that a page goes on from: without what cannot be forced, which is said above the view."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import InputError
from core.run import Run
from explorer.look.markdown_text import plain
from explorer.models.decodings import translation_of
from explorer.models.translation import Translation
from explorer.visitor.forms import Branch
from explorer.visitor.scope import Runs
from explorer.visitor.session import store_state
from explorer.visitor.state import ExplorerState


def usable_state(run: Run, state: ExplorerState, runs: Runs) -> tuple[ExplorerState, tuple[str, ...]]:
    """The visitor's choices with branches that can be shown, and a sentence for each that a link asked for in vain.

    Raises:
        InputError: when the model cannot read the sentence.
    """
    usable, remarks = usable_branches(state, lambda prefix: translation_of(run, state.sentence, prefix))
    return (store_state(usable, runs) if usable != state else state), remarks


def usable_branches(
    state: ExplorerState, decoded: Callable[[tuple[int, ...]], Translation]
) -> tuple[ExplorerState, tuple[str, ...]]:
    """The state with prefixes as short as they can be and without those that cannot be forced, and why not.

    Greedy decoding itself is no branch; and of two prefixes with the same output one is enough.
    """
    problems: list[str] = []

    def plain(prefix: tuple[int, ...]) -> tuple[int, ...]:
        try:
            return decoded(prefix).branch
        except InputError as error:
            problems.append(f"A branch of the link was left out: {error}.")
            return ()

    kept: dict[tuple[int, ...], Branch] = {}
    for branch in state.decoding.branches:
        if prefix := plain(branch.prefix):
            kept.setdefault(prefix, replace(branch, prefix=prefix))
    usable = replace(
        state,
        decoding=replace(state.decoding, prefix=plain(state.decoding.prefix), branches=tuple(kept.values())),
    )
    return usable, tuple(dict.fromkeys(problems))


def draw_remarks(place: DeltaGenerator, remarks: tuple[str, ...], shown: Translation) -> None:
    """Say above the view which branches cannot be shown, and where the output was stopped."""
    with place:
        for remark in remarks:
            st.info(plain(remark), icon=":material/link_off:")
        if not shown.ended:
            n_tokens = len(shown.output_tokens)
            st.warning(f"Stopped after {n_tokens} tokens: the model had not ended its output.")
