"""The number that a visitor has explained: of the recorded run, or of an update that was made again."""

from __future__ import annotations

from collections.abc import Collection

from core.activations.location import locate
from core.errors import ExplorerError, UnknownSite
from explorer.components.explain_panel import ExplanationData
from explorer.explaining import explanation_data, problem_data
from explorer.model_store.decodings import recorded_of
from explorer.model_store.runs import loaded_run
from explorer.state import ExplorerState


def shown_explanation(state: ExplorerState, pages: Collection[str] = ()) -> ExplanationData:
    """What is shown of the last number of a visitor's trail, be it that there is no such number.

    Args:
        state: With a trail.
        pages: Keys of the blocks that have a page.
    """
    recorded = None
    try:
        if locate(state.trail[-1].site).kind == "update":
            from explorer.update_panel import shown_update

            return shown_update(state)
        run = loaded_run(state.run, state.updates)
        from core.explanation.explain import explain
        from explorer.explanations.snippets import cell_snippet

        recorded = recorded_of(run, state.sentence, state.prefix)
        cell = state.trail[-1]
        explanation = explain(run, recorded.trace, cell.site, cell.index)
        place = (cell.site, explanation.index)
        code = cell_snippet(state.run, state.sentence, state.prefix, *place, updates=state.updates)
        return explanation_data(explanation, recorded, state.trail, pages=pages, code=code)
    except UnknownSite:
        name = state.trail[-1].site
        return problem_data(f"This model has no numbers called {name}.", state.trail, recorded)
    except ExplorerError as error:
        return problem_data(f"This number is not there: {str(error).rstrip('.')}.", state.trail, recorded)
