"""One question of a lesson together with the run that it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from explorer.lessons.array_facts import Options
from explorer.lessons.findings import Finding, measured
from explorer.lessons.lesson import Fact
from explorer.models.recorded import Recorded
from explorer.visitor.running import recorded_run
from explorer.visitor.state import ExplorerState, Runs


@dataclass(frozen=True)
class Asked:
    """One fact with the run that it asks.

    Attributes:
        fact: The question.
        state: The view that it is about.
        runs: All models.
        earlier: What was found of the facts before it.
    """

    fact: Fact
    state: ExplorerState
    runs: Runs
    earlier: Mapping[str, Finding]

    @property
    def options(self) -> Options:
        """What the question needs."""
        return self.fact.options

    @cached_property
    def recorded(self) -> Recorded:
        """Everything that the model computed for the view's sentence."""
        return recorded_run(self.state)

    def number(self, value: float, form: str) -> Finding:
        """A number in its form, with the decimals that the fact asks for."""
        return measured(value, form, self.options.get("decimals"))
