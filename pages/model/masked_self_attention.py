"""Masked self-attention: what the output takes from what is already written, number by number."""

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, recorded_run
from explorer.views.attention import MASKED_SELF_ATTENTION
from explorer.visitor.session import visitor_state

VIEW_KEY = "masked_self_attention"

WITH_MASK = "Each position looks back at what the decoder has read so far; the causal mask hides the rest."
WITHOUT_MASK = "This model has no causal mask: each position looks at those after it as well."

runs = known_runs()
is_masked = runs[visitor_state(runs).run].config.causal
state = page_head(MASKED_SELF_ATTENTION, WITH_MASK if is_masked else WITHOUT_MASK, runs)
with loading(VIEW_KEY, height=700):
    recorded = recorded_run(state)
    from functools import partial

    from explorer.shell.depth import show_depth
    from explorer.shell.stops import show_stop
    from explorer.views.attention.data import attention_view

    build = partial(attention_view, recorded, kind="masked-self-attention")
    state, data, draw = show_stop(
        MASKED_SELF_ATTENTION, recorded, state, runs, REGISTRY, build, picture="attention", key=VIEW_KEY
    )
draw()
show_depth(MASKED_SELF_ATTENTION, recorded, state, data)
