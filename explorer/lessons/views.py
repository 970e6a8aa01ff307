"""Whether the view of a stop is one that its page has: the stage that it opens, and the numbers that it explains."""

from __future__ import annotations

from core.errors import ExplorerError
from core.explanation.explain import explain
from explorer.view import View
from explorer.visitor.running import recorded_run
from explorer.visitor.state import ExplorerState


def view_problems(view: View, state: ExplorerState) -> tuple[str, ...]:
    """A sentence for each part of a stop's view that its page cannot show."""
    try:
        recorded = recorded_run(state)
    except ExplorerError as error:
        return (str(error),)
    problems = []
    build = view.contents.stages
    if state.look.stage and build is not None:
        stages = [stage.key for stage in build(recorded, state).stages]
        if state.look.stage not in stages:
            problems.append(
                f"the page {view.key} has no stage {state.look.stage!r}; use {', '.join(stages)}."
            )
    for cell in state.look.trail:
        try:
            explain(recorded.run, recorded.trace, cell.site, cell.index)
        except ExplorerError as error:
            problems.append(f"the number that is explained is not there: {error}.")
    return tuple(problems)
