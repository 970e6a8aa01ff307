"""Whether the view of a stop is one that its page has: the stage that it opens, and the numbers that it explains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from core.errors import ExplorerError
from core.explanation.explain import explain
from explorer.model_store.decodings import recorded_of
from explorer.model_store.runs import loaded_run
from explorer.recorded import Recorded
from explorer.stages.add_norm import add_norm_view
from explorer.stages.attention import attention_view
from explorer.stages.feed_forward import feed_forward_view
from explorer.stages.masks import masks_view
from explorer.stages.output import output_view
from explorer.stages.padded_batch import OWN, masked_batch
from explorer.stages.positions import PositionChoice, positions_view
from explorer.stages.tokens import tokens_view
from explorer.state import ExplorerState
from explorer.tensors import TensorViewData

View = Callable[[Recorded, ExplorerState], TensorViewData]


def view_problems(page: str, state: ExplorerState) -> tuple[str, ...]:
    """A sentence for each part of a stop's view that its page cannot show."""
    try:
        recorded = recorded_of(loaded_run(state.run, state.updates), state.sentence, state.prefix)
    except ExplorerError as error:
        return (str(error),)
    problems = []
    if state.stage and page in _VIEWS:
        stages = [stage.key for stage in _VIEWS[page](recorded, state).stages]
        if state.stage not in stages:
            problems.append(f"the page {page} has no stage {state.stage!r}; use {', '.join(stages)}.")
    for cell in state.trail:
        try:
            explain(recorded.run, recorded.trace, cell.site, cell.index)
        except ExplorerError as error:
            problems.append(f"the number that is explained is not there: {error}.")
    return tuple(problems)


def stages_of(page: str, recorded: Recorded, state: ExplorerState) -> TensorViewData | None:
    """What the view of stages of a page begins with, the explained cell marked; None for a page without one."""
    if page not in _VIEWS:
        return None
    return replace(_VIEWS[page](recorded, state), cell=state.trail[-1] if state.trail else None)


def _masks(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    return masks_view(masked_batch(recorded.run, [(OWN, recorded)], None), state)


_VIEWS: Mapping[str, View] = {
    "tokens": tokens_view,
    "positions": lambda recorded, state: positions_view(
        recorded, state, PositionChoice(len(recorded.source))
    ),
    "self-attention": lambda recorded, state: attention_view(recorded, state, "self-attention"),
    "masked-self-attention": lambda recorded, state: attention_view(recorded, state, "masked-self-attention"),
    "cross-attention": lambda recorded, state: attention_view(recorded, state, "cross-attention"),
    "masks": _masks,
    "add-norm": add_norm_view,
    "feed-forward": feed_forward_view,
    "output": output_view,
}
"""Pages whose stages are known before they are drawn, by their addresses."""
