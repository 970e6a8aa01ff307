"""Whether the source's tokens or the target's are shown."""

from explorer.tensors import Side
from explorer.visitor.state import ExplorerState
from explorer.visitor.sublayers import chosen_side

SOURCE_STAGES = ("source-rows", "source-scaled", "source-sum")
TARGET_STAGES = ("target-rows", "target-scaled", "target-sum")
"""Keys of the stages of what the decoder reads; so of the source above."""


def open_side(state: ExplorerState) -> Side:
    """Return the side of the open stage, or else of the chosen stack; the source where neither is chosen."""
    if state.look.stage in (*SOURCE_STAGES, *TARGET_STAGES):
        return "target" if state.look.stage in TARGET_STAGES else "source"
    return chosen_side(state) if state.look.block else "source"
