"""The picture of one varied token below a decoding: its data, and the state after each report."""

from __future__ import annotations

from core.run import Run
from explorer.models.decodings import translation_of
from explorer.views.vary.cached import sweep_of
from explorer.views.vary.component import Used, Varied, VaryData
from explorer.views.vary.data import Branch, rivals_of, varied_position, vary_data
from explorer.visitor.state import ExplorerState, choose_varied, choose_varied_sentence
from explorer.visitor.step import shown_step


def varied_data(run: Run, state: ExplorerState) -> VaryData:
    """Return the data of the picture.

    Args:
        run: The model.
        state: The visitor's choices; every branch of them can be shown.

    Raises:
        InputError: when the model cannot read the sentence, or its weights are damaged.
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
    return vary_data(run, shown, sweep, rivals, step=step)


def varied_after(run: Run, state: ExplorerState, report: Varied | Used) -> ExplorerState:
    """Return the state after a report; a value that becomes the sentence is one for the whole page."""
    if isinstance(report, Used):
        shown = varied_data(run, state)
        return choose_varied_sentence(state, shown.sentences[report.value], shown.position, report.step)
    return choose_varied(state, report.position)
