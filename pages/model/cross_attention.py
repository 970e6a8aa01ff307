"""Cross-attention: what the output takes from the source, number by number."""

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.views.attention import CROSS_ATTENTION

runs = known_runs()
state = page_head(CROSS_ATTENTION, runs)
draw_stop(CROSS_ATTENTION, state, runs, REGISTRY)
