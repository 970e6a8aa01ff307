"""The page on which a term can be seen: its file, and what the sidebar calls it."""

from collections.abc import Mapping

from explorer.blocks import BLOCK
from explorer.glossary.terms import Term
from explorer.lessons.parts import HOME, PAGES

_FILES: Mapping[str, str] = {
    **PAGES,
    "one-update": "pages/training/one_update.py",
    "experiments": "pages/training/experiments.py",
}
"""Of all pages, by their addresses: those that lessons go to, and the others."""

_TITLES: Mapping[str, str] = {
    HOME: "Watch it run",
    "map": "Map",
    "tensors": "Tensor inspector",
    "step-by-step": "Step by step",
    "sampling-lab": "Sampling lab",
    "beams": "Beam search",
    "train": "Train",
    "one-update": "One update",
    "experiments": "Experiments",
    "runs": "Runs",
}
"""Of the pages that are about no single block, by their addresses."""


def page_of(term: Term) -> tuple[str, str]:
    """The file and the title of a term's page.

    Raises:
        KeyError: when there is no page of that address.
    """
    address = term.page or HOME
    return _FILES[address], BLOCK[address].title if address in BLOCK else _TITLES[address]
