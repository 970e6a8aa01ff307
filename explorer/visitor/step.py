"""The step of the decoding that every page shows: the one that was chosen, or the most telling one."""

from typing import Protocol

from explorer.visitor.state import ExplorerState


class Decoded(Protocol):
    """What a model wrote, step by step."""

    @property
    def last_step(self) -> int:
        """The step at which the output ends."""

    @property
    def telling_step(self) -> int:
        """The step on which it rests until one is chosen."""


def shown_step(state: ExplorerState, decoded: Decoded, last: int | None = None) -> int:
    """The step that a visitor looks at, on every page.

    Args:
        state: The visitor's choices.
        decoded: What the model writes by itself after the forced tokens.
        last: The last step of what is shown, where that is another output, such as a drawn one.
    """
    chosen = state.decoding.step
    step = decoded.telling_step if chosen is None else chosen
    return min(step, decoded.last_step if last is None else last)
