"""Stacks and sub-layers by name: which ones a model has, and which one a visitor looks at. Needs no torch."""

from core.activations.location import Stack, locate
from core.config import TransformerConfig
from explorer.tensors import Side
from explorer.visitor.state import ExplorerState

SHORT = {"self_attn": "self-attn", "cross_attn": "cross-attn", "feed_forward": "feed-fwd"}
DEFAULT_STACK: Stack = "decoder"
SIDES: dict[Stack, Side] = {"encoder": "source", "decoder": "target"}
"""Whose tokens the rows of a stack are."""


def chosen_stack(state: ExplorerState) -> Stack:
    """The stack that a visitor looks at."""
    return locate(state.look.block).stack if state.look.block else DEFAULT_STACK


def chosen_side(state: ExplorerState) -> Side:
    """Whose tokens the rows of the chosen stack are."""
    return SIDES[chosen_stack(state)]


def chosen_sublayer(state: ExplorerState, config: TransformerConfig) -> str:
    """The sub-layer that a visitor looks at, or ``final_norm``; the stack's first where it has no such one."""
    names = sublayer_names(chosen_stack(state), config)
    chosen = locate(state.look.block).part
    return chosen if chosen in names else names[0]


def sublayer_names(stack: Stack, config: TransformerConfig) -> tuple[str, ...]:
    """What a stack has norms around, in the order of the computation."""
    crossing = ("cross_attn",) if stack == "decoder" else ()
    final = ("final_norm",) if config.has_final_norm else ()
    return ("self_attn", *crossing, "feed_forward", *final)


def point_label(part: str) -> str:
    """A point of the residual stream by what has just changed it, in two words: ``self-attn 0``."""
    where = locate(part)
    if where.sublayer:
        return f"{SHORT[where.sublayer]} {where.layer}"
    return "final norm" if where.kind == "final_norm" else "embedding"
