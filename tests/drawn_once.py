"""Pairs of the shipped models, drawn once for all tests of a process: those of a grammar take ten seconds."""

from collections.abc import Iterator
from functools import cache

import pytest

from core.data import dataset
from core.data.splits import split_pairs

_draw = cache(split_pairs)


@pytest.fixture(autouse=True, scope="module")
def pairs_are_drawn_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "split_pairs", _draw)
        yield
