"""One step of the decoding for the whole app: where every page rests, and what is chosen on one is shown on all."""

import pytest

from explorer.app import REGISTRY
from tests.pages.opening import header_of, open_page

VIEWS = {
    "home": ("decode_view", "step"),
    "step-by-step": ("step_by_step", "step"),
    "sampling-lab": ("sampling_view", "step"),
    "map": ("map_view", "step"),
    "masked-self-attention": ("masked_self_attention", "row"),
    "cross-attention": ("cross_attention", "row"),
    "masks": ("masks", "row"),
    "add-norm": ("add_norm", "row"),
    "feed-forward": ("feed_forward", "row"),
    "output": ("output", "row"),
}
"""The pages that mark a step: key of their view, and what says the step in its message."""


def step_on(page: str, **query: str) -> int:
    """The step that a page marks."""
    view, name = VIEWS[page]
    return header_of(open_page(REGISTRY[page].page, **query), view)[name]


@pytest.mark.parametrize("page", VIEWS)
def test_a_page_that_is_opened_directly_rests_where_dort_is_written_and_not_on_the_end(page):
    assert step_on(page) == 4


@pytest.mark.parametrize("page", VIEWS)
def test_the_step_of_a_link_is_the_step_of_the_page(page):
    assert step_on(page, step="2") == 2
