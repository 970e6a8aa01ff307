"""“Explain this number” for a number of an update: what the panel shows of it in a visitor's state."""

from __future__ import annotations

from core.explanation.update import explain_update
from explorer.browser.explain_panel import ExplanationData
from explorer.explaining.panel_data import problem_data
from explorer.explaining.snippets import update_snippet
from explorer.models.known import kept_checkpoints, kept_moments, known_run
from explorer.views.update.cached import known_update
from explorer.views.update.choices import UpdateChoice, chosen_update, update_choices
from explorer.views.update.explaining import update_data
from explorer.views.update.scene import UpdateScene, scene_key
from explorer.visitor.state import ExplorerState


def choices_of(name: str) -> tuple[UpdateChoice, ...]:
    """The updates of a run that can be taken apart.

    Raises:
        RunError: when the run is gone.
    """
    run = known_run(name)
    told = [int(point["index"]) for point in run.history]
    return update_choices(run.train_config.steps, kept_checkpoints(name), kept_moments(name), told)


def shown_update(state: ExplorerState) -> ExplanationData:
    """What the panel shows, be it that the number is not there.

    Raises:
        ExplorerError: when the run is gone, or there is no such number.
    """
    choice = chosen_update(state.update.key, choices_of(state.run))
    replayed = known_update(state.run, choice)
    if replayed is None:
        problem = "This is a number of an update: open the page One update to have it made again."
        return problem_data(problem, state.look.trail, None)
    scene = UpdateScene(scene_key(state.run, choice), known_run(state.run), choice, replayed)
    cell = state.look.trail[-1]
    explanation = explain_update(replayed.update, cell.site, cell.index)
    code = update_snippet(state.run, choice.update, choice.checkpoint, cell.site, explanation.index)
    return update_data(explanation, scene, state.look.trail, code=code)
