"""The living map of a run, worked out once for all visitors."""

from __future__ import annotations

from core.run import Run
from explorer.models.decodings import recorded_of, translation_of
from explorer.models.shared_cache import SharedCache
from explorer.view import Registry
from explorer.views.living_map.choices import with_pages
from explorer.views.living_map.component.data import LivingMapData
from explorer.views.living_map.data import living_map_data
from explorer.visitor.state import ExplorerState

_MAPS: SharedCache[LivingMapData] = SharedCache("living map: maps", 32 * 2**20)


def living_map_of(run: Run, state: ExplorerState, views: Registry) -> LivingMapData:
    """The living map of a visitor's sentence and branch, whatever they look at in it.

    Args:
        run: The model.
        state: The visitor's choices.
        views: All views, whose titles the blocks name.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    text, prefix, compared = state.sentence, state.decoding.prefix, state.look.compared
    return _MAPS.get(
        (run.fingerprint, text, prefix, compared),
        lambda: with_pages(
            living_map_data(
                recorded_of(run, text, prefix),
                translation_of(run, text, prefix),
                translation_of(run, text),
                compared=compared,
            ),
            views,
        ),
    )
