"""The screens of what is computed over held-out pairs: *Mistakes* and *What parts are worth*."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from core.evaluation.held_out import HeldOut
from core.run import Run
from explorer.models.background import Job
from explorer.models.held_out import held_evaluation
from explorer.models.known import known_runs, loaded_run
from explorer.shell.blocks import AtPage
from explorer.shell.screen import Part, Screen, Unready
from explorer.view import Registry, View
from explorer.views import mistakes, worth
from explorer.views.decoding import STEP_BY_STEP
from explorer.views.mistakes import component as pairs
from explorer.views.mistakes.data import chosen_split, mistakes_data, opened_pair, told_of
from explorer.views.worth import component as parts
from explorer.views.worth.cached import Plan, held, plan_of
from explorer.views.worth.data import UNDONE, opened, worth_data
from explorer.views.worth.measured import Measured
from explorer.visitor.state import ExplorerState

D = TypeVar("D")
F = TypeVar("F")


def split_of(state: ExplorerState) -> str:
    """Return the split that *Mistakes* shows."""
    return chosen_split(known_runs()[state.run], state)


def plan_at(state: ExplorerState) -> Plan:
    """Return the measurement that *What parts are worth* shows."""
    return plan_of(state.run, state.updates, known_runs()[state.run], state.worth.parts)


def _evaluation(state: ExplorerState) -> HeldOut | Job | None:
    return held_evaluation(state.run, state.updates, split_of(state))


def _measurement(state: ExplorerState) -> Measured | Job | None:
    return held(plan_at(state))


def _data_of_result(found: F | Job | None, data: Callable[[F | None], D]) -> D:
    """Return the data of a result.

    Raises:
        Unready: when there is none, with the data of its parts that are done.
    """
    if found is None or isinstance(found, Job):
        raise Unready(data(None if found is None else found.so_far))
    return data(found)


def _mistakes(run: Run, state: ExplorerState, views: Registry) -> pairs.MistakesData:
    return _data_of_result(
        _evaluation(state), lambda found: mistakes_data(run, split_of(state), found, state)
    )


def _worth(run: Run, state: ExplorerState, views: Registry) -> parts.WorthData:
    return _data_of_result(_measurement(state), lambda found: worth_data(run, plan_at(state), found, state))


def _after_mistakes(
    run: Run, state: ExplorerState, report: pairs.Opened | pairs.Filtered, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    if isinstance(report, pairs.Opened):
        return STEP_BY_STEP, opened_pair(run, at(state, STEP_BY_STEP.address), report.pair)
    return mistakes.VIEW, replace(state, mistakes=report.applied_to(state.mistakes))


def _after_worth(
    run: Run, state: ExplorerState, report: parts.Opened | parts.Looked, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    if isinstance(report, parts.Opened):
        return opened(state, report, views, at)
    return worth.VIEW, replace(state, worth=replace(state.worth, order=report.order, chosen=report.chosen))


SCREENS = (
    Screen(
        view=mistakes.VIEW.key,
        parts=(Part(pairs.mistakes_view, pairs.EVENTS, _mistakes, _after_mistakes),),
        # The progress.
        rest=lambda state: isinstance(_evaluation(state), HeldOut),
    ),
    Screen(
        view=worth.VIEW.key,
        parts=(Part(parts.worth_view, parts.EVENTS, _worth, _after_worth),),
        # The progress, and the choice of the parts.
        rest=lambda state: (isinstance(_measurement(state), Measured), state.worth.parts),
    ),
)


def arrival_notices(left: View, before: ExplorerState, here: View, state: ExplorerState) -> tuple[str, ...]:
    """Return why a page was opened from one of these pages; nothing if the visitor came another way.

    An answer that opens a page carries no sentence for it. The page finds out from its state and the one before.

    Args:
        left: Page that was open before.
        before: State there.
        here: Page that has been opened.
        state: State here.
    """
    if left is worth.VIEW and before.changes and not (state.changes or state.learning.lesson):
        return (UNDONE,)
    if left is mistakes.VIEW and here is STEP_BY_STEP:
        found = _evaluation(before)
        results = found.so_far if isinstance(found, Job) else found
        return told_of(loaded_run(before.run, before.updates), results.results, state) if results else ()
    return ()
