"""What must hold in a copy whose model can square its hidden units; tests/recipes/test_recipes.py asks."""

import numpy as np
import pytest

from explorer.app import REGISTRY
from explorer.models.recorded import record_translation
from explorer.models.translation import translate
from explorer.views.feed_forward.data import feed_forward_view
from explorer.views.inspector.sites import entries
from explorer.views.living_map.data import living_map_data
from explorer.visitor.state import ExplorerState
from tests.explorer.random_recording import random_recording
from tests.explorer.stage_cells import assert_explained, matrix
from tests.optional import unwrap

NEW = "decoder.layers.0.feed_forward.bent"


@pytest.fixture(scope="module")
def recorded():
    return random_recording(square_hidden=True)


def test_the_map_the_inspector_and_the_panel_have_the_new_value(recorded):
    run = recorded.run
    written = translate(run, "w4 w5")
    data = living_map_data(record_translation(run, "w4 w5", written), written, written)
    (block,) = (block for block in data.blocks if block.id == "decoder.layers.0.feed_forward")
    assert NEW in [tensor.name for tensor in block.tensors]
    assert NEW in [entry.name for entry in entries(recorded)]
    (site,) = (site for site in recorded.run.model.sites() if site.name == NEW)
    assert unwrap(REGISTRY.showing(site.location)).key == "feed-forward"


def test_its_room_shows_it_and_every_cell_is_explained(recorded):
    view = feed_forward_view(recorded, ExplorerState(run="random", sentence="w4"))
    assert [stage.key for stage in view.stages] == ["pre_activation", "hidden", "square", "output"]
    bent, squared = (matrix(view, panel, layer=0) for panel in view.stages[2].panels)
    np.testing.assert_allclose(bent**2, squared, rtol=1e-6)
    assert_explained(recorded, view)


def test_the_plain_model_has_no_such_value():
    assert not any(".bent" in site.name for site in random_recording().run.model.sites())
