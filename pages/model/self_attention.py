"""Self-attention: what the encoder's words find in each other, number by number."""

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, recorded_run
from explorer.views.attention import SELF_ATTENTION

VIEW_KEY = "self_attention"

runs = known_runs()
state = page_head(
    SELF_ATTENTION,
    "Every source token compares its query with every key and gathers the values, weighted by how well they match.",
    runs,
)
with loading(VIEW_KEY, height=700):
    recorded = recorded_run(state)
    from functools import partial

    from explorer.shell.depth import show_depth
    from explorer.shell.stops import show_stop
    from explorer.views.attention.data import attention_view

    build = partial(attention_view, recorded, kind="self-attention")
    state, data, draw = show_stop(
        SELF_ATTENTION, recorded, state, runs, REGISTRY, build, picture="attention", key=VIEW_KEY
    )
draw()
show_depth(SELF_ATTENTION, recorded, state, data)
