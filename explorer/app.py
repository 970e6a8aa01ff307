"""The composition root: it knows every room, makes the registry of views, and hands it down to all others."""

from explorer.view import Registry
from explorer.views import (
    add_norm,
    attention,
    beam_search,
    by_hand,
    decoding,
    embedding,
    experiments,
    feed_forward,
    glossary,
    inspector,
    lessons,
    living_map,
    masks,
    mistakes,
    output,
    positions,
    runs,
    sampling,
    training,
    update,
    what_if,
    worth,
)

REGISTRY = Registry(
    (
        living_map.VIEW,
        embedding.VIEW,
        positions.VIEW,
        attention.SELF_ATTENTION,
        attention.MASKED_SELF_ATTENTION,
        attention.CROSS_ATTENTION,
        masks.VIEW,
        add_norm.VIEW,
        feed_forward.VIEW,
        output.VIEW,
        # About no block in particular, but about all of them.
        inspector.VIEW,
        # Lessons go through all the other pages; the glossary has what their words mean.
        lessons.VIEW,
        glossary.VIEW,
        by_hand.VIEW,
        decoding.STEP_BY_STEP,
        sampling.VIEW,
        beam_search.VIEW,
        what_if.VIEW,
        worth.VIEW,
        mistakes.VIEW,
        # In the order of their use: a run is trained, looked into, then kept.
        training.VIEW,
        update.VIEW,
        runs.VIEW,
        experiments.VIEW,
    )
)
"""Every view, in the order of the menus."""
