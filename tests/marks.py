"""What `make test` looks at, and what it leaves to `make proofs`."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def left_to_proofs(values: Iterable[str], at_once: Collection[str]) -> list[Any]:
    """The values of a parametrized test, of which `make test` takes those alone that are named."""
    values = list(values)
    assert set(at_once) <= set(values), "what is taken at once is one of the values"
    return [pytest.param(each, marks=() if each in at_once else pytest.mark.proof) for each in values]


def proofs(*cases: tuple[Any, ...]) -> list[Any]:
    """Cases of a parametrized test that are left to `make proofs`, each with the values of all its parameters."""
    return [pytest.param(*each, marks=pytest.mark.proof) for each in cases]
