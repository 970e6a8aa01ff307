"""Stops: pages that show one block of the model in one picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import streamlit as st

from core.activations.location import locate
from core.run import Run
from explorer.browser.note import Note
from explorer.browser.stop import (
    EVENTS,
    Gone,
    PictureName,
    RailBlock,
    StopData,
    Typed,
    stop,
    stop_below,
)
from explorer.browser.tensors import Looked
from explorer.models.decodings import recorded_of
from explorer.models.recorded import Recorded
from explorer.shell.blocks import AtPage, block_page, inspector_page, rail_of
from explorer.shell.covering import with_cover
from explorer.shell.depth import note_of, show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import asked_state, take_reports
from explorer.shell.screen import Part, Screen
from explorer.tensors import TensorViewData
from explorer.view import Registry, View
from explorer.views import add_norm, attention, embedding, feed_forward, masks, output, positions
from explorer.views.masks.data import STAGES
from explorer.visitor.links import query_of
from explorer.visitor.reports import Event, Explain
from explorer.visitor.running import recorded_run
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState, choose_row

STOP_KEY = "stop"
"""Key of the container of a stop, whose rail reaches over the words beside it."""
WHOLE = "whole"
"""In place of a stage: all of them, where a stop is paused at one by itself."""
Shown = tuple[ExplorerState, TensorViewData, Callable[[], None]]


@dataclass(frozen=True)
class Stop:
    """The stop of a page.

    Attributes:
        view: View of the page; its part ``view`` is the component.
        picture: How it is drawn.
        build: Returns the values that it shows, with their stages.
        paused: Stage at which the picture stops if none is chosen; `WHOLE` stands for the choice of all stages then.
    """

    view: View
    picture: PictureName
    build: Callable[[Recorded, ExplorerState], TensorViewData]
    paused: str = ""

    def tensors(self, recorded: Recorded, state: ExplorerState) -> TensorViewData:
        """Return the values that it shows, at the stage where the picture stops, with the explained cell."""
        data = self.build(recorded, state)
        # The same values on another page are another stop.
        return replace(
            data,
            key=f"{data.key}/{self.view.key}",
            cell=state.look.cell,
            stage=_stage_of(data, state, self.paused) or data.stage,
        )

    def data(self, recorded: Recorded, state: ExplorerState, tensors: TensorViewData) -> StopData:
        """Return the data of the component."""
        is_target, stage = tensors.row_side == "target", _stage_of(tensors, state, self.paused)
        rail = rail_of(recorded.run)
        return StopData(
            tensors=tensors,
            picture=self.picture,
            rail=rail,
            here=_block_of(tensors, stage, self.view, rail),
            stage=stage,
            row=tensors.row or 0,
            grows=is_target and recorded.run.config.causal,
            reads=recorded.inputs if is_target else recorded.source,
            writes=recorded.outputs if is_target else (),
        )

    def looked(self, state: ExplorerState, looked: Looked, shown: TensorViewData) -> ExplorerState:
        """Return the state after a visitor has chosen a stage, a layer, a head or a row."""
        # The stage at which a picture is paused is no choice; all of its stages are one.
        stage = "" if looked.stage == self.paused else looked.stage or WHOLE
        return _looked(state, looked, shown, stage)


def _stop(view: View, picture: PictureName, *, stages_of: View | None = None, paused: str = "") -> Stop:
    build = (stages_of or view).contents.stages
    assert build is not None, view.key
    return Stop(view, picture, build, paused)


STOPS = {
    each.view.key: each
    for each in (
        _stop(attention.SELF_ATTENTION, "attention"),
        _stop(attention.MASKED_SELF_ATTENTION, "attention"),
        _stop(attention.CROSS_ATTENTION, "attention"),
        _stop(masks.VIEW, "attention", stages_of=attention.MASKED_SELF_ATTENTION, paused="masked"),
        _stop(feed_forward.VIEW, "feed-forward"),
        _stop(add_norm.VIEW, "norm"),
        _stop(embedding.VIEW, "embedding"),
        _stop(output.VIEW, "output"),
        _stop(positions.VIEW, "positions"),
    )
}
"""The stops by the keys of their views."""


def draw_stop(
    view: View, state: ExplorerState, runs: Runs, views: Registry, *, height: int = 700
) -> tuple[Recorded, ExplorerState]:
    """Draw the stop of a page, with the words beside it.

    Args:
        view: View of the page, one of `STOPS`.
        state: The visitor's choices.
        runs: All models.
        views: All views.
        height: Height of its skeleton, in pixels.

    Returns:
        The recorded run, and the state.
    """
    shown, key, opened = STOPS[view.key], view.parts["view"], view

    def go(state: ExplorerState, report: Gone) -> ExplorerState:
        nonlocal opened
        opened, state = _gone(view, state, report, recorded.run, views)
        return state

    with loading(key, height=height):
        recorded = recorded_run(state)
        state, data = take_reports(
            state,
            runs,
            lambda state: with_cover(shown.tensors(recorded, state)),
            lambda state, looked: shown.looked(state, looked, shown.tensors(recorded, state)),
            key=key,
            go=go,
        )
        if opened is not view:
            st.switch_page(opened.page, query_params=query_of(state, runs))
    _draw(shown.data(recorded, state, data), key)
    show_depth(view, recorded, state, data)
    return recorded, state


def _stage_of(data: TensorViewData, state: ExplorerState, paused: str) -> str:
    """The stage that a picture stops at; empty for all of them."""
    chosen = state.look.stage
    if chosen in {each.key for each in data.stages}:
        return chosen
    return "" if chosen == WHOLE else paused


def show_below(
    state: ExplorerState,
    runs: Runs,
    build: Callable[[ExplorerState], TensorViewData],
    *,
    picture: PictureName,
    reads: tuple[str, ...],
    writes: tuple[str, ...],
    key: str,
) -> Shown:
    """The same of a second picture, below a stop: it stands there whole, without a rail and stages of its own.

    Args:
        state: The visitor's choices; where their stage is one of the picture's, that is pointed out.
        runs: All models.
        build: What the picture is fed for a state.
        picture: How it is drawn.
        reads: The tokens that its rows read.
        writes: The tokens that they write.
        key: Of the component in the session.
    """

    def look(state: ExplorerState, looked: Looked) -> ExplorerState:
        return _looked(state, looked, build(state), state.look.stage)

    before = state
    state, data = take_reports(state, runs, build, look, key=key)
    if state != before:
        # The stop above it has been drawn as it was before.
        st.rerun()
    stage = _stage_of(data, state, "")
    shown = StopData(
        tensors=data,
        picture=picture,
        rail=(),
        here="",
        stage=stage,
        row=data.row or 0,
        grows=False,
        reads=reads,
        writes=writes,
    )
    return state, data, partial(_draw, shown, key)


def _draw(shown: StopData, key: str) -> None:
    if shown.rail:
        with st.container(key=STOP_KEY):
            stop(shown, key=key)
    else:
        stop_below(shown, key=key)


def _looked(state: ExplorerState, looked: Looked, shown: TensorViewData, stage: str) -> ExplorerState:
    """The state after another look at what was shown, with this stage."""
    # A report says all that is looked at; what was shown anyway nobody has chosen.
    before = {chooser.axis: chooser.value for chooser in shown.choosers}
    chosen = {axis: place for axis, place in looked.choices.items() if place != before[axis]}
    layer, head = (
        chosen.get(axis, held) for axis, held in (("layer", state.look.layer), ("head", state.look.head))
    )
    state = replace(state, look=replace(state.look, stage=stage, layer=layer, head=head))
    return state if looked.row in (None, shown.row or 0) else choose_row(state, shown.row_side, looked.row)


def _gone(
    here: View, state: ExplorerState, report: Gone, run: Run, views: Registry, at: AtPage = at_page
) -> tuple[View, ExplorerState]:
    """Return the page of another block, or of all numbers of one, and the state there."""
    sites = [site.name for site in run.model.sites() if locate(site.name).path == report.block]
    if report.block and not sites:
        return here, state
    if report.inspects:
        return inspector_page(sites[0], state, views, at)
    return block_page(report.block, state, views, at)


def _block_of(data: TensorViewData, stage: str, view: View, rail: tuple[RailBlock, ...]) -> str:
    """The block on the rail that is open: that of what the open stage computes, or else the last one.

    Stages of a picture lie in two blocks where a norm stands before its sub-layer; others only show what goes in.
    """
    layer, blocks = (
        next((each.value for each in data.choosers if each.axis == "layer"), None),
        {each.id for each in rail},
    )
    tensors = {each.key: data.tensors[each.result.tensor] for each in data.stages}
    made = {stage: locate(each.site_of(layer)) for stage, each in tensors.items() if each.askable}
    opened = made.get(stage)
    if opened and opened.path in blocks and view.owns(opened):
        return opened.path
    return next(where.path for where in reversed(made.values()) if where.path in blocks)


@lru_cache(maxsize=2)
def _tensors(key: str, recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """Return the values that a stop shows: an answer needs those before and after a report, each more than once."""
    return STOPS[key].tensors(recorded, state)


def _screen(shown: Stop, rest: Callable[[ExplorerState], object] | None) -> Screen:
    def tensors(recorded: Recorded, state: ExplorerState) -> TensorViewData:
        return _tensors(shown.view.key, recorded, state)

    def recorded(run: Run, state: ExplorerState) -> Recorded:
        return recorded_of(run, state.sentence, state.decoding.prefix)

    def data(run: Run, state: ExplorerState, views: Registry) -> StopData:
        seen = recorded(run, state)
        return shown.data(seen, state, tensors(seen, state))

    def note(run: Run, state: ExplorerState) -> Note:
        seen = recorded(run, state)
        return note_of(shown.view, seen, state, tensors(seen, state))

    def after(
        run: Run,
        state: ExplorerState,
        report: Looked | Explain | Gone | Typed,
        views: Registry,
        at: AtPage,
    ) -> tuple[View, ExplorerState]:
        match report:
            case Gone():
                return _gone(shown.view, state, report, run, views, at)
            case Explain():
                return shown.view, asked_state(state, tensors(recorded(run, state), state), report)
            case Looked():
                return shown.view, shown.looked(state, report, tensors(recorded(run, state), state))
        return shown.view, state

    part = Part(
        component=stop,
        events=tuple(map(_on_stop, EVENTS)),
        show=data,
        after=after,
        numbered=lambda data, report: replace(data, tensors=replace(data.tensors, report=report)),
    )
    return Screen(shown.view.key, (part,), note, rest, layout="stop", is_covered=True)


def _on_stop(
    event: Event[Looked | Explain | Gone | Typed, TensorViewData],
) -> Event[Looked | Explain | Gone | Typed, StopData]:
    return Event(event.name, lambda payload, data: event.read(payload, data.tensors))


def _without_stage(state: ExplorerState) -> ExplorerState:
    return replace(state, look=replace(state.look, stage="", trail=()))


def _without_row(state: ExplorerState) -> ExplorerState:
    whole = _without_stage(state)
    return replace(
        whole, look=replace(whole.look, position=None), decoding=replace(whole.decoding, step=None)
    )


_RESTS: dict[str, Callable[[ExplorerState], object] | None] = {
    attention.SELF_ATTENTION.key: None,
    attention.MASKED_SELF_ATTENTION.key: None,
    attention.CROSS_ATTENTION.key: None,
    # The unit that is explained has its story there.
    feed_forward.VIEW.key: lambda state: (_without_stage(state), state.look.cell),
    add_norm.VIEW.key: _without_row,
    embedding.VIEW.key: lambda state: (state.sentence, state.changes),
    output.VIEW.key: _without_stage,
    positions.VIEW.key: lambda state: (state.sentence, state.positions),
    masks.VIEW.key: lambda state: (
        _without_stage(state),
        state.look.stage if state.look.stage in STAGES else "",
    ),
}
"""What the tables and charts below each stop depend on, of the stops that update by requests; None without any."""
SCREENS = tuple(_screen(STOPS[key], rest) for key, rest in _RESTS.items())
"""The stops that update by requests."""
