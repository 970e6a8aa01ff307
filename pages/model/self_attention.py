"""Self-attention: what the encoder's words find in each other, number by number."""

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.views.attention import SELF_ATTENTION

runs = known_runs()
state = page_head(SELF_ATTENTION, runs)
draw_stop(SELF_ATTENTION, state, runs, REGISTRY)
