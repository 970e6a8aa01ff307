"""The hidden units of a feed-forward network: which are silent, which are strong, and what each one writes.

After Geva et al., "Transformer Feed-Forward Layers Build Predictions by Promoting Concepts in the Vocabulary
Space" (2022): a unit adds its value times its own column of W₂ to the residual stream.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import InputError
from core.model.parameters import find_parameter
from core.model.transformer import Transformer
from core.notebook import Brief


@dataclass(frozen=True, repr=False)
class ZeroCount(Brief):
    """How many hidden values are exactly 0.

    Attributes:
        zeros: Of each position.
        units: Hidden units of one position.
    """

    zeros: tuple[int, ...]
    units: int

    @property
    def total(self) -> int:
        """Zeros of all positions together."""
        return sum(self.zeros)

    @property
    def share(self) -> float:
        """The share of zeros among all values."""
        return self.total / (self.units * len(self.zeros))


@dataclass(frozen=True)
class Neuron:
    """One hidden unit at one position.

    Attributes:
        unit: Counted from 0.
        value: After the non-linearity.
        length: ‖W₂[:, u]‖: the length of what it writes for a value of 1.
        raised: The tokens whose logits its direction raises most, the strongest first: ids and logits for a value
            of 1.
        lowered: Those that it lowers most, likewise.
    """

    unit: int
    value: float
    length: float
    raised: tuple[tuple[int, float], ...]
    lowered: tuple[tuple[int, float], ...]

    @property
    def contribution(self) -> float:
        """Value times length: signed size of what it adds to the network's output here."""
        return self.value * self.length


@dataclass(frozen=True, repr=False)
class Firing(Brief):
    """One place at which a hidden unit is above 0.

    Attributes:
        text: Which of the texts, counted from 0.
        position: In that text.
        value: After the non-linearity.
    """

    text: int
    position: int
    value: float


def count_zeros(hidden: Tensor) -> ZeroCount:
    """Count the exact zeros of each position.

    Args:
        hidden: [position, d_ff].

    Raises:
        InputError: when there is no value.
    """
    if hidden.dim() != 2 or not hidden.numel():
        raise InputError(
            f"hidden must be [position, d_ff] with at least one of each, not {list(hidden.shape)}"
        )
    return ZeroCount(tuple((hidden == 0).sum(dim=1).tolist()), hidden.shape[1])


def strongest_units(hidden: Tensor, k: int) -> tuple[int, ...]:
    """The k units of one position that are furthest from 0, the furthest first; of equals the first unit.

    Args:
        hidden: [d_ff].
        k: All of them where there are fewer.

    Raises:
        InputError: when k is below 1.
    """
    if k < 1:
        raise InputError(f"ask for 1 unit or more, not {k}")
    order = hidden.abs().double().sort(descending=True, stable=True).indices
    return tuple(order[:k].tolist())


def strongest_firings(texts: Sequence[Tensor], unit: int, k: int) -> tuple[Firing, ...]:
    """The k places of several texts at which a unit fires most, the strongest first; of equals the first place.

    Args:
        texts: The hidden values of each [position, d_ff].
        unit: Which of the d_ff.
        k: Fewer are found where the unit is above 0 at fewer places.

    Raises:
        InputError: when a text has no such unit.
    """
    if any(hidden.dim() != 2 or not 0 <= unit < hidden.shape[1] for hidden in texts):
        raise InputError(f"each text must have [position, d_ff] hidden values, with a unit {unit}")
    found = [
        Firing(text, position, value)
        for text, hidden in enumerate(texts)
        for position, value in enumerate(hidden[:, unit].tolist())
        if value > 0
    ]
    return tuple(sorted(found, key=lambda firing: -firing.value)[:k])


def unit_directions(model: Transformer, path: str, units: Sequence[int]) -> Tensor:
    """What each unit writes for a value of 1, read through the output matrix: E W₂[:, u], in float64 [unit, vocab].

    It is a direction, not an effect: between the network and the logits stand norms and perhaps later layers.

    Args:
        model: Its weights are read, it is not run.
        path: Of the network, such as ``decoder.layers.1.feed_forward``.
        units: Which of the d_ff hidden units.

    Raises:
        InputError: when the model has no such network, or the network no such unit.
    """
    return _written(model, path, units) @ model.generator.weight.detach().cpu().double().T


def strongest_neurons(
    model: Transformer, path: str, hidden: Tensor, *, k: int = 8, n_tokens: int = 3
) -> tuple[Neuron, ...]:
    """The k strongest units of one position with what they write.

    Args:
        model: Its weights are read, it is not run.
        path: Of the network.
        hidden: Of this position [d_ff].
        k: How many units.
        n_tokens: How many raised and lowered tokens of each.

    Raises:
        InputError: when k is below 1, or path and hidden do not fit the model.
    """
    return describe_neurons(model, path, hidden, strongest_units(hidden, k), n_tokens=n_tokens)


def describe_neurons(
    model: Transformer, path: str, hidden: Tensor, units: Sequence[int], *, n_tokens: int = 3
) -> tuple[Neuron, ...]:
    """These units of one position with what they write; the arguments are those of `strongest_neurons`.

    Raises:
        InputError: when path, hidden and units do not fit the model.
    """
    lengths = _written(model, path, units).norm(dim=1).tolist()
    directions = unit_directions(model, path, units)
    n_tokens = min(n_tokens, directions.shape[1])
    high, low = directions.topk(n_tokens), (-directions).topk(n_tokens)
    return tuple(
        Neuron(
            unit,
            float(hidden[unit]),
            lengths[place],
            tuple(zip(high.indices[place].tolist(), high.values[place].tolist(), strict=True)),
            tuple(zip(low.indices[place].tolist(), (-low.values[place]).tolist(), strict=True)),
        )
        for place, unit in enumerate(units)
    )


def _written(model: Transformer, path: str, units: Sequence[int]) -> Tensor:
    """The columns of W₂ of these units as rows, in float64 [unit, d_model]."""
    weight = find_parameter(model, f"{path}.linear2.weight")
    if weight is None:
        raise InputError(f"this model has no feed-forward network {path!r}")
    outside = next((unit for unit in units if not 0 <= unit < weight.shape[1]), None)
    if outside is not None:
        raise InputError(f"unit {outside} is outside of {path!r}, which has {weight.shape[1]}")
    return weight.cpu().double().T[torch.tensor(units, dtype=torch.int64)]
