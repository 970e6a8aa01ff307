"""The screen of the page *What if*: its data, and the page that is open after each report."""

from __future__ import annotations

from core.run import Run
from explorer.models.decodings import recorded_of
from explorer.shell.blocks import AtPage
from explorer.shell.depth import note_of
from explorer.shell.screen import Part, Screen
from explorer.view import HOME, Registry, View
from explorer.views.what_if import VIEW
from explorer.views.what_if.component import EVENTS, Report, Went, what_if_view
from explorer.views.what_if.data import scenery
from explorer.views.what_if.followed import changing_after, changing_data, sweep_of
from explorer.visitor.running import run_of
from explorer.visitor.state import ExplorerState

PAGES = {"map": HOME, "steps": "step-by-step"}
"""Keys of the views that the view leads to, by its names for them."""


def _after(
    run: Run, state: ExplorerState, report: Report, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    if isinstance(report, Went) and report.to in PAGES:
        opened = views[PAGES[report.to]]
        return opened, at(state, opened.address)
    return VIEW, changing_after(run, state, report)


def _rest(state: ExplorerState) -> ExplorerState | None:
    """Return what the button for a large sweep, and its progress, depend on; None where there is none.

    It is the whole state: the map is to be drawn for what the visitor has chosen meanwhile.
    """
    sweep = sweep_of(scenery(run_of(state), state), state)
    return None if sweep is None or sweep.is_there else state


SCREEN = Screen(
    view=VIEW.key,
    parts=(
        Part(
            component=what_if_view,
            events=EVENTS,
            show=lambda run, state, views: changing_data(scenery(run, state), state),
            after=_after,
            tells_refusal=True,
        ),
    ),
    note=lambda run, state: note_of(VIEW, recorded_of(run, state.sentence), state),
    rest=_rest,
)
