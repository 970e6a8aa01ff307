"""Cross-attention: what the output takes from the source, number by number."""

from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, recorded_run, take_reports
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
    from explorer.browser.tensor_view import tensor_view
    from explorer.shell.depth import show_depth
    from explorer.tensors import TensorViewData
    from explorer.views.attention.data import attention_view
    from explorer.visitor.state import ExplorerState

    def view_of(state: ExplorerState) -> TensorViewData:
        """What the view is fed for these choices."""
        return attention_view(recorded, state, "cross-attention")

    state, data = take_reports(state, runs, view_of, key=VIEW_KEY)
tensor_view(data, key=VIEW_KEY)
show_depth(CROSS_ATTENTION, recorded, state, data)
