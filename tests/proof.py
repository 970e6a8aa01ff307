"""A pytest plugin: how far this project's numbers were from those of torch's own layers, in a file to quote.

When all tests of test_parity.py have passed, the largest absolute difference that their comparisons saw
is written to build/proof.json, or to the file that PROOF_FILE names; when one fails, the file goes.
"""

import ast
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

if TYPE_CHECKING:
    import torch

PARITY = Path(__file__).parent / "core/model/test_parity.py"
DEFAULT = "build/proof.json"


class Proof:
    """What the comparisons of one test run saw.

    Attributes:
        largest: Absolute difference, over all values and gradients.
        compared: Numbers that were compared.
        passed: Test functions of which a case passed.
        failed: Whether a case failed.
        partial: Whether a case was left out.
    """

    def __init__(self) -> None:
        self.largest = 0.0
        self.compared = 0
        self.passed: set[str] = set()
        self.failed = self.partial = False

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Look at what each assertion of the block compares."""
        import torch  # Not above: the process that hands out the tests loads this plugin before it starts a worker.

        assert_close = torch.testing.assert_close

        def measured(actual: "torch.Tensor", expected: "torch.Tensor", **options: Any) -> None:
            assert_close(actual, expected, **options)
            self.largest = max(self.largest, (actual - expected).abs().max().item())
            self.compared += actual.numel()

        with patch("torch.testing.assert_close", measured):
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Function) -> Iterator[None]:
        """Measure the tests of the parity file, and only those against torch."""
        if item.path != PARITY or not compares_with_torch(item.originalname):
            return (yield)
        try:
            with self.measuring():
                result = yield
        except BaseException:
            self.failed = True
            raise
        self.passed.add(item.originalname)
        return result

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """A figure of some of the tests would not be the one that it is taken for."""
        self.partial = self.partial or any(item.path == PARITY for item in items)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the file if the whole proof was given; take an old one away if it no longer holds."""
        path = session.config.rootpath / os.environ.get("PROOF_FILE", DEFAULT)
        if self.failed:
            path.unlink(missing_ok=True)
        if self.failed or self.partial or self.passed != parity_tests():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        figures = {
            "largest_difference": self.largest,
            "compared": self.compared,
            "torch": version("torch"),
        }
        path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def compares_with_torch(test: str) -> bool:
    """By its name: the other tests of the file compare with a formula."""
    return "torchs" in test


def parity_tests() -> set[str]:
    """The functions that must have passed."""
    tree = ast.parse(PARITY.read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {name for name in names if name.startswith("test_") and compares_with_torch(name)}


def pytest_configure(config: pytest.Config) -> None:
    """One proof for each test run."""
    config.pluginmanager.register(Proof())
