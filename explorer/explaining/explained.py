"""The number that a visitor has explained: of the recorded run, or of an update that was made again."""

from __future__ import annotations

from core.activations.location import locate
from core.errors import ExplorerError, UnknownSite
from core.explanation.explain import explain
from explorer.browser.explain_panel import ExplanationData
from explorer.explaining.panel_data import explanation_data, problem_data
from explorer.explaining.snippets import cell_snippet
from explorer.view import Registry
from explorer.visitor.running import recorded_run
from explorer.visitor.state import ExplorerState


def shown_explanation(state: ExplorerState, views: Registry) -> ExplanationData:
    """What is shown of the last number of a visitor's trail, be it that there is no such number.

    Args:
        state: With a trail.
        views: All of them: one that owns the number may have an explanation of its own.
    """
    recorded = None
    try:
        owner = views.showing(locate(state.look.trail[-1].site))
        if owner is not None and owner.contents.explanation is not None:
            return owner.contents.explanation(state)
        recorded = recorded_run(state)
        cell = state.look.trail[-1]
        explanation = explain(recorded.run, recorded.trace, cell.site, cell.index)
        place = (cell.site, explanation.index)
        code = cell_snippet(
            state.run,
            state.sentence,
            state.decoding.prefix,
            *place,
            updates=state.updates,
            changes=state.changes,
        )
        return explanation_data(explanation, recorded, state.look.trail, views=views, code=code)
    except UnknownSite:
        name = state.look.trail[-1].site
        return problem_data(f"This model has no numbers called {name}.", state.look.trail, recorded)
    except ExplorerError as error:
        return problem_data(
            f"This number is not there: {str(error).rstrip('.')}.", state.look.trail, recorded
        )
