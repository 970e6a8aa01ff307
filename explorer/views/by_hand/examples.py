"""Worked examples: what is written down, and what there is to see in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from explorer.visitor.by_hand import ByHand


@dataclass(frozen=True)
class Example:
    """One of them.

    Attributes:
        title: On its button.
        see: What there is to see.
        hand: What is written down.
    """

    title: str
    see: str
    hand: ByHand


_FIRST = ByHand()
_WRITTEN = ("size", "tokens", "x", "w_q", "w_k", "w_v")
"""What an example writes down."""
_SWITCHED = ("causal", "scaled")
"""What it switches; a visitor may switch it otherwise, and the example is still the same one."""
EXAMPLES = (
    Example(
        "I love transformers",
        "Divided by √4 = 2, the scores of “I” are 1, 0 and 2: the softmax takes e¹ = 2.72, e⁰ = 1 and e² = 7.39 and "
        "divides each by their sum, 11.11.",
        _FIRST,
    ),
    Example(
        "One query picks one key",
        "The query of “it” has a large dot product with the key of “cat” alone: its output is nearly the value of "
        "“cat”. A query of zeros, that of “cat”, takes the mean.",
        replace(
            _FIRST,
            size=(2, 2, 2),
            tokens=("it", "cat", "token 3"),
            x=(1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0),
            w_q=(0, 6, 0, 0, *(0,) * 12),
            w_k=(1, 0, 0, 0, 0, 1, 0, 0, *(0,) * 8),
            w_v=(2, 0, 0, 0, 8, 4, 0, 0, *(0,) * 8),
        ),
    ),
    Example(
        "Why divide by √d_k",
        "Undivided, the scores are large, and in two of the three rows one key takes nearly everything: there a small "
        "change of a score hardly changes the weights. Switch ÷√d_k on, and the weights spread.",
        replace(
            _FIRST,
            tokens=("one", "wide", "head"),
            x=(1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1),
            w_q=(2, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 2),
            w_k=(1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1),
            w_v=(1, 0, 2, 0, 0, 3, 0, 1, 2, 0, 0, 4, 0, 1, 1, 0),
            scaled=False,
        ),
    ),
)


def example_of(hand: ByHand) -> Example | None:
    """The example whose numbers these are, whatever is switched or left blank; None where somebody has changed them."""
    written = _values(hand, _WRITTEN)
    return next((example for example in EXAMPLES if _values(example.hand, _WRITTEN) == written), None)


def opened(example: Example, hand: ByHand) -> ByHand:
    """An example in place of what was written down; what is left blank stays blank, without answers."""
    return replace(hand, **_values(example.hand, (*_WRITTEN, *_SWITCHED)), answers=())


def _values(hand: ByHand, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(hand, name) for name in names}
