"""Masked self-attention: what the output takes from what is already written, number by number."""

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.views.attention import MASKED_SELF_ATTENTION

runs = known_runs()
state = page_head(MASKED_SELF_ATTENTION, runs)
draw_stop(MASKED_SELF_ATTENTION, state, runs, REGISTRY)
