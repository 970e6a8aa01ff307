"""What `make test` looks at, and what it leaves to `make proofs`."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def left_to_proofs(values: Iterable[str], at_once: Collection[str]) -> list[Any]:
    """The values of a parametrized test, of which `make test` takes those alone that are named."""
    return [pytest.param(each, marks=() if each in at_once else pytest.mark.proof) for each in values]
