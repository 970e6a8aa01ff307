"""Cross-attention: what the output takes from the source, number by number."""

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, recorded_run
from explorer.views.attention import CROSS_ATTENTION

VIEW_KEY = "cross_attention"

runs = known_runs()
state = page_head(
    CROSS_ATTENTION,
    "The output asks the source: queries come from the decoder, keys and values from the encoder's output.",
    runs,
)
with loading(VIEW_KEY, height=700):
    recorded = recorded_run(state)
    from functools import partial

    from explorer.shell.depth import show_depth
    from explorer.shell.stops import show_stop
    from explorer.views.attention.data import attention_view

    build = partial(attention_view, recorded, kind="cross-attention")
    state, data, draw = show_stop(
        CROSS_ATTENTION, recorded, state, runs, REGISTRY, build, picture="attention", key=VIEW_KEY
    )
draw()
show_depth(CROSS_ATTENTION, recorded, state, data)
