"""Cross-attention: what the output takes from the source, number by number."""

from explorer.loading import loading
from explorer.model_page import page_head, recorded_run, take_reports
from explorer.model_store.runs import known_runs

VIEW_KEY = "cross_attention"

runs = known_runs()
state = page_head(
    "cross-attention",
    "Each output token asks the source: its query comes from the decoder, keys and values from the encoder's output. "
    "This is the only place where the decoder learns what the sentence says.",
    runs,
)
with loading(VIEW_KEY, height=700):
    recorded = recorded_run(state)
    from explorer.components.tensor_view import tensor_view
    from explorer.depth import show_depth
    from explorer.stages.attention import attention_view
    from explorer.state import ExplorerState
    from explorer.tensors import TensorViewData

    def view_of(state: ExplorerState) -> TensorViewData:
        """What the view is fed for these choices."""
        return attention_view(recorded, state, "cross-attention")

    state, data = take_reports(state, runs, view_of, key=VIEW_KEY)
tensor_view(data, key=VIEW_KEY)
show_depth("cross-attention", recorded, state, data)
