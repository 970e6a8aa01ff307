"""Self-attention: what the encoder's words find in each other, number by number."""

from explorer.loading import loading
from explorer.model_page import page_head, recorded_run, take_reports
from explorer.model_store.runs import known_runs

VIEW_KEY = "self_attention"

runs = known_runs()
state = page_head(
    "self-attention",
    "Every source token compares its query with the key of every token, itself included. "
    "What it finds there, the values, it takes along in proportion to the weights.",
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
        return attention_view(recorded, state, "self-attention")

    state, data = take_reports(state, runs, view_of, key=VIEW_KEY)
tensor_view(data, key=VIEW_KEY)
show_depth("self-attention", recorded, state, data)
