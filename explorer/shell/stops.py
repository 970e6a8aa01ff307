"""The stops: blocks of the model that are looked at in one picture each, and the ways between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from core.activations.location import Kind, Location, locate
from core.run import Run
from explorer.browser.stop import Gone, PictureName, RailBlock, StopData, stop
from explorer.browser.tensors import Looked
from explorer.models.recorded import Recorded
from explorer.shell.covering import with_cover
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import take_reports
from explorer.tensors import TensorViewData
from explorer.view import HOME, INSPECTOR, Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.running import recorded_run
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState, choose_block, choose_row, choose_site

STOP_KEY = "stop"
"""Key of the container of a stop, whose rail reaches over the words beside it."""
WHOLE = "whole"
"""In place of a stage: all of them, where a stop is paused at one by itself."""
Shown = tuple[ExplorerState, "TensorViewData", Callable[[], None]]
AtPage = Callable[[ExplorerState, str], ExplorerState]
"""Returns the state for a link to a page, from the visitor's choices and the page's address."""
_TITLES: dict[Kind, str] = {"embedding": "Embedding", "generator": "Output"}
_WEIGHTS: dict[Kind, int] = {"embedding": 10, "attention": 14, "feed_forward": 9, "generator": 7}


def rail_of(run: Run) -> tuple[RailBlock, ...]:
    """The blocks of a model in the order of the computation."""
    return tuple(
        RailBlock(
            where.path,
            _title(where),
            _short(where),
            where.side,
            where.layer,
            _WEIGHTS.get(where.kind, 3),
            where.crosses,
        )
        for where in _modules(run)
    )


def _modules(run: Run) -> Iterator[Location]:
    """Every block that has a picture, once."""
    modules = dict.fromkeys(locate(site.name).module for site in run.model.sites())
    return (where for where in modules if where.title or where.kind in _TITLES)


def _title(where: Location) -> str:
    if where.joins or where.kind == "norm":
        return f"{where.title} around {where.sublayer_title.lower()}"
    return where.title or _TITLES[where.kind]


def _short(where: Location) -> str:
    """What stands on a block of the rail, where there is little room."""
    return "+" if where.joins else "norm" if where.normalizes else _title(where)


def block_page(
    block: str, state: ExplorerState, views: Registry, at: AtPage = at_page
) -> tuple[View, ExplorerState]:
    """The view that shows a block, and the state that it opens with: at the block's layer and sub-layer.

    Args:
        block: Module path; empty for the whole picture.
        state: The choices before.
        views: All of them.
        at: Returns the state for a link to a page.
    """
    if not block:
        return views[HOME], at(state, views[HOME].address)
    where = locate(block)
    view = views.showing(where)
    assert view is not None, block
    there = at(state, view.address)
    layer = there.look.layer if where.layer is None else where.layer
    # A view of one sub-layer needs not be told which.
    is_known = view.subject is not None and bool(view.subject.sublayer)
    chosen = "" if is_known else f"{where.stack}.{where.part}" if where.part else where.stack
    # A norm before its sub-layer is in one picture with the sum after it: it is that picture as far as the norm.
    stage = "output" if where.kind == "norm" else ""
    there = replace(there, look=replace(there.look, stage=stage, layer=layer))
    return view, choose_block(there, chosen)


def inspector_page(
    name: str, state: ExplorerState, views: Registry, at: AtPage = at_page
) -> tuple[View, ExplorerState]:
    """The view of all numbers of a recorded value or a parameter, and the state that it opens with."""
    view = views[INSPECTOR]
    return view, choose_site(at(state, view.address), name)


def draw_stop(
    view: View,
    state: ExplorerState,
    runs: Runs,
    views: Registry,
    *,
    picture: PictureName,
    stages_of: View | None = None,
    paused: str = "",
    height: int = 700,
) -> tuple[Recorded, ExplorerState]:
    """Draw the stop of a page with the words beside it, after what was done in it.

    Args:
        view: That is open; its part ``view`` is the component.
        state: The visitor's choices.
        runs: All models.
        views: All views.
        picture: How it is drawn.
        stages_of: The view whose stages it shows; None for its own.
        paused: Stage that it stops at where none is chosen.
        height: Of its skeleton, in pixels.

    Returns:
        The recorded run, and the state.
    """
    key = view.parts["view"]
    with loading(key, height=height):
        recorded = recorded_run(state)
        build = (stages_of or view).contents.stages
        assert build is not None, view.key
        state, data, draw = prepare_stop(
            view,
            recorded,
            state,
            runs,
            views,
            partial(build, recorded),
            picture=picture,
            key=key,
            paused=paused,
        )
    draw()
    show_depth(view, recorded, state, data)
    return recorded, state


def prepare_stop(
    view: View,
    recorded: Recorded,
    state: ExplorerState,
    runs: Runs,
    views: Registry,
    build: Callable[[ExplorerState], TensorViewData],
    *,
    picture: PictureName,
    key: str,
    paused: str = "",
) -> Shown:
    """Act on what a stop reports, and say what it shows now.

    Args:
        view: That is open.
        recorded: The run.
        state: The visitor's choices.
        runs: All models.
        views: All views.
        build: What the picture is fed for a state.
        picture: How it is drawn.
        key: Of the component in the session.
        paused: Stage that it stops at where none is chosen; the whole picture is chosen as `WHOLE` then.

    Returns:
        The state, what is shown, and the call that draws it: after the page's skeleton is gone.
    """
    gone: list[View] = []

    def stopped(state: ExplorerState) -> TensorViewData:
        data = with_cover(build(state))
        return replace(data, stage=_stage_of(data, state, paused) or data.stage)

    def look(state: ExplorerState, looked: Looked) -> ExplorerState:
        # Where a picture stops anyway nobody has chosen; of one that is paused the whole is a choice.
        stage = "" if looked.stage == paused else looked.stage or WHOLE
        return _looked(state, looked, build(state), stage)

    go = partial(_go, run=recorded.run, views=views, gone=gone)
    state, data = take_reports(state, runs, stopped, look, key=key, go=go)
    if gone and gone[-1] is not view:
        st.switch_page(gone[-1].page, query_params=query_of(state, runs))
    is_target, stage, rail = data.row_side == "target", _stage_of(data, state, paused), rail_of(recorded.run)
    shown = StopData(
        tensors=data,
        picture=picture,
        rail=rail,
        here=_block_of(data, stage, view, rail),
        stage=stage,
        row=data.row or 0,
        grows=is_target and recorded.run.config.causal,
        reads=recorded.inputs if is_target else recorded.source,
        writes=recorded.outputs if is_target else (),
    )
    return state, data, partial(_draw, shown, key)


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
    with st.container(key=STOP_KEY if shown.rail else None):
        stop(shown, key=key)


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


def _go(state: ExplorerState, report: Gone, *, run: Run, views: Registry, gone: list[View]) -> ExplorerState:
    """The state at another block, or at all numbers of one; ``gone`` gets its view."""
    sites = [site.name for site in run.model.sites() if locate(site.name).path == report.block]
    if report.block and not sites:
        return state
    if report.inspects:
        view, moved = inspector_page(sites[0], state, views)
    else:
        view, moved = block_page(report.block, state, views)
    gone.append(view)
    return moved


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
