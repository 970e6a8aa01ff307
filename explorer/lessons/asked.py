"""One question of a lesson together with the run that it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.activations.location import locate
from explorer.lessons.asks import AXES
from explorer.lessons.findings import FactError, Finding, measured
from explorer.lessons.lesson import Fact
from explorer.lessons.places import axis_names, find_tensor, place_on
from explorer.models.recorded import Recorded
from explorer.tensors import Axis
from explorer.visitor.running import recorded_run
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState


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
    def options(self) -> Mapping[str, object]:
        """What the question needs."""
        return self.fact.options

    @cached_property
    def recorded(self) -> Recorded:
        """Everything that the model computed for the view's sentence."""
        return recorded_run(self.state)

    @property
    def values(self) -> np.ndarray:
        """What is left of the fact's site when a place was chosen on some of its axes, or their mean taken.

        Raises:
            FactError: when the run has no such numbers, or the places do not fit them.
        """
        return self._left[0]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of `values`.

        Raises:
            FactError: as `values`.
        """
        return self._left[1]

    @cached_property
    def _left(self) -> tuple[np.ndarray, tuple[Axis, ...]]:
        """
        Raises:
            FactError: when the run has no such numbers, or the places do not fit them.
        """
        tensor = find_tensor(str(self.options["site"]), self.recorded)
        values, axes = tensor.values, list(tensor.axes)
        for name in [key for key in self.options if key in AXES]:
            at = next((i for i, axis in enumerate(axes) if axis.name == name), None)
            if at is None:
                raise FactError(f"{tensor.site} has no axis {name!r}; it has {axis_names(axes)}.")
            place = place_on(axes.pop(at), self.options[name])
            values = values.mean(axis=at) if place is None else values.take(place, axis=at)
        return values, tuple(axes)

    def number(self, value: float, form: str = "") -> Finding:
        """A number in a form, or in that of the fact's site, with the decimals that the fact asks for."""
        return measured(value, form or locate(str(self.options["site"])).value, self.options.get("decimals"))
