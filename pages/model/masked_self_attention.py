"""Masked self-attention: what the output takes from what is already written, number by number."""

from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, recorded_run, take_reports
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
    from explorer.browser.tensor_view import tensor_view
    from explorer.shell.depth import show_depth
    from explorer.tensors import TensorViewData
    from explorer.views.attention.data import attention_view
    from explorer.visitor.state import ExplorerState

    def view_of(state: ExplorerState) -> TensorViewData:
        """What the view is fed for these choices."""
        return attention_view(recorded, state, "masked-self-attention")

    state, data = take_reports(state, runs, view_of, key=VIEW_KEY)
tensor_view(data, key=VIEW_KEY)
show_depth(MASKED_SELF_ATTENTION, recorded, state, data)
