"""Masked self-attention: what the output takes from what is already written, number by number."""

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.views.attention import MASKED_SELF_ATTENTION
from explorer.visitor.session import visitor_state

WITH_MASK = "Each position looks back at what the decoder has read so far; the causal mask hides the rest."
WITHOUT_MASK = "This model has no causal mask: each position looks at those after it as well."

runs = known_runs()
is_masked = runs[visitor_state(runs).run].config.causal
state = page_head(MASKED_SELF_ATTENTION, WITH_MASK if is_masked else WITHOUT_MASK, runs)
draw_stop(MASKED_SELF_ATTENTION, state, runs, REGISTRY)
