"""The page on which a term can be seen: its file, and what the sidebar calls it."""

from collections.abc import Mapping

from explorer.blocks import BLOCK
from explorer.glossary.terms import Term

_OTHERS: Mapping[str, tuple[str, str]] = {
    "": ("pages/home/translate.py", "Watch it run"),
    "map": ("pages/model/map.py", "Map"),
    "tensors": ("pages/model/tensors.py", "Tensor inspector"),
    "step-by-step": ("pages/generation/step_by_step.py", "Step by step"),
    "sampling-lab": ("pages/generation/sampling.py", "Sampling lab"),
    "beams": ("pages/generation/beam_search.py", "Beam search"),
    "train": ("pages/training/train.py", "Train"),
    "runs": ("pages/training/runs.py", "Runs"),
}
"""Pages that are about no single block, by their addresses."""


def page_of(term: Term) -> tuple[str, str]:
    """The file and the title of a term's page.

    Raises:
        KeyError: when there is no page of that address.
    """
    if term.page in BLOCK:
        return BLOCK[term.page].page, BLOCK[term.page].title
    return _OTHERS[term.page]
