"""A clicked cell walks down to its explanation through few rooms; only the channel of reports calls back up."""

from dataclasses import replace

from explorer.app import REGISTRY
from explorer.explaining.explained import shown_explanation
from explorer.explaining.panel_data import problem_data
from explorer.tensors import CellPlace
from explorer.view import Contents, Registry
from explorer.visitor.state import ExplorerState, explain_cell
from tests.walk import SENTENCE, clicked_cell, walk_of

MOST_ROOMS = 15
READS_A_REPORT = ("explorer.visitor.reports", "explorer.browser.tensors")
"""The one channel of reports has each read by the component that declared it."""
CELL = CellPlace("decoder.layers.0.cross_attn.scores", (0, 0, 0, 0))


def test_from_its_report_on_a_clicked_cell_walks_through_few_rooms_and_never_back_up():
    walk = walk_of(clicked_cell())
    assert set(walk.climbs) <= {READS_A_REPORT}
    assert len(walk.rooms) <= MOST_ROOMS
    assert {"explorer.browser", "explorer.explaining", "core.explanation"} <= set(walk.rooms)


def test_a_planted_call_back_up_is_seen():
    view = REGISTRY["cross-attention"]

    def load() -> Contents:
        view.load()
        return Contents(explanation=lambda state: problem_data("Planted.", state.look.trail, None))

    planted = Registry((replace(view, own_explanation=True, load=load),))
    state = explain_cell(ExplorerState(run="en-fr", sentence=SENTENCE), CELL)
    walk = walk_of(lambda: shown_explanation(state, planted))
    assert walk.climbs == (("explorer.explaining.explained", "explorer.views.attention"),)
