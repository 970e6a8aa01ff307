"""The stages of a feed-forward network, its silent units, and what its strongest ones write."""

from __future__ import annotations

from dataclasses import dataclass

from core.activations.location import LAYER, Stack, locate
from core.analysis.neurons import (
    Neuron,
    ZeroCount,
    count_zeros,
    describe_neurons,
    strongest_neurons,
    strongest_units,
)
from core.numbers import counted
from explorer.explaining.scene import Scene
from explorer.look.rows import row_texts
from explorer.look.theme import format_count
from explorer.look.token_text import twin_place
from explorer.models.recorded import Recorded
from explorer.models.window import windowed
from explorer.tensors import Axis, Panel, Stage, TensorData, TensorViewData, numbered_chooser
from explorer.visitor.state import ExplorerState
from explorer.visitor.sublayers import SIDES, chosen_stack

MAX_UNITS = 256
"""Hidden units that are all shown; of more only the strongest."""
SHOWN_UNITS = 64
MAX_NUMBERS = 128 * 2**10
"""Numbers in one message; above only the layer that is looked at is there."""
STRONGEST = 8
"""Units in the table of one token."""

ROWS, WIDE, NARROW = ("position",), ("d_ff",), ("d_model",)
_FORMULAS = {
    "relu": ("ReLU: max(0, f)", "g = max(0, f)"),
    "gelu": ("GELU: f · Φ(f)", "g = f · Φ(f)"),
    "silu": ("SiLU: f / (1 + e⁻ᶠ)", "g = f / (1 + e⁻ᶠ)"),
}
ACTIVATION_NAMES = {"relu": "ReLU", "gelu": "GELU", "silu": "SiLU"}


@dataclass(frozen=True)
class TokenUnits:
    """The hidden units of one token in one line.

    Attributes:
        row: Whose.
        zeros: How many are exactly 0.
        strongest: Units and values, the furthest from 0 first.
    """

    row: str
    zeros: int
    strongest: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class UnitStory:
    """One hidden unit in the lit row.

    Attributes:
        path: Of its network.
        stack: Whose network it is.
        reads: The token that the row reads.
        where: Its place in words, where its text stands twice; else empty.
        before: Its number before the non-linearity.
        neuron: What it became, and what it writes.
    """

    path: str
    stack: Stack
    reads: str
    where: str
    before: float
    neuron: Neuron


def feed_forward_view(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """What the tensor view is fed: x W₁ + b₁, the non-linearity, and the hidden units times W₂ plus b₂."""
    scene, stack = Scene(recorded, state), chosen_stack(state)
    config, layer = recorded.run.config, scene.layer(stack)
    units = shown_units(recorded, state)
    n_layers = recorded.n_layers(stack)
    tokens = recorded.rows(SIDES[stack]).size
    numbers = 2 * config.d_ff * (config.d_model + tokens) + 2 * tokens * config.d_model
    all_layers = units is None and n_layers * numbers <= MAX_NUMBERS
    path = f"{stack}.layers.{'{layer}' if all_layers else layer}.feed_forward"
    tensors = _tensors(recorded, path)
    if units is not None:
        sentence = (
            f"The {len(units)} of {format_count(config.d_ff)} hidden units that are furthest from 0 "
            f"at position {scene.place(stack)}."
        )
        tensors = {name: _with_units(tensor, units, sentence) for name, tensor in tensors.items()}
    stages = _stages(recorded, stack, layer, units is not None)
    return TensorViewData(
        key=f"{recorded.key}/feed-forward/{stack}",
        tensors=tensors,
        stages=stages,
        choosers=(numbered_chooser("layer", n_layers, layer, local=all_layers),),
        stage=state.look.stage if state.look.stage in {stage.key for stage in stages} else stages[0].key,
        # The page's choice of a token shows one from the beginning.
        row=scene.place(stack),
        row_side=SIDES[stack],
    )


def shown_units(recorded: Recorded, state: ExplorerState) -> tuple[int, ...] | None:
    """The hidden units of the view where there are too many: the strongest ones of the chosen token. None: all."""
    if recorded.run.config.d_ff <= MAX_UNITS:
        return None
    scene, stack = Scene(recorded, state), chosen_stack(state)
    hidden = recorded.trace.activations[f"{network(recorded, state)}.hidden"][0, scene.place(stack)]
    return strongest_units(hidden, SHOWN_UNITS)


def network(recorded: Recorded, state: ExplorerState) -> str:
    """Path of the feed-forward network that a visitor looks at."""
    stack = chosen_stack(state)
    return f"{stack}.layers.{Scene(recorded, state).layer(stack)}.feed_forward"


def zeros(recorded: Recorded, state: ExplorerState) -> ZeroCount:
    """How many hidden values of each token are exactly 0."""
    return count_zeros(recorded.trace.activations[f"{network(recorded, state)}.hidden"][0])


def units_by_token(recorded: Recorded, state: ExplorerState, k: int = 3) -> tuple[TokenUnits, ...]:
    """The zeros and the k strongest units of every token."""
    hidden = recorded.trace.activations[f"{network(recorded, state)}.hidden"][0]
    rows = recorded.rows(SIDES[chosen_stack(state)])
    counted, names = zeros(recorded, state).zeros, row_texts(rows)
    return tuple(
        TokenUnits(names[at], n, tuple((unit, float(units[unit])) for unit in strongest_units(units, k)))
        for at, (n, units) in enumerate(zip(counted, hidden, strict=True))
    )


def neurons(recorded: Recorded, state: ExplorerState) -> tuple[Neuron, ...]:
    """The strongest units of the chosen token with what they write."""
    path, place = network(recorded, state), Scene(recorded, state).place(chosen_stack(state))
    hidden = recorded.trace.activations[f"{path}.hidden"][0, place]
    return strongest_neurons(recorded.run.model, path, hidden, k=STRONGEST)


def told_unit(recorded: Recorded, state: ExplorerState) -> int:
    """The hidden unit whose story the page tells: the one that is explained, else the strongest of the lit row."""
    path, cell = network(recorded, state), state.look.cell
    if cell is not None and cell.site in (f"{path}.hidden", f"{path}.pre_activation"):
        return cell.index[-1]
    hidden = recorded.trace.activations[f"{path}.hidden"][
        0, Scene(recorded, state).place(chosen_stack(state))
    ]
    return strongest_units(hidden, 1)[0]


def unit_story(recorded: Recorded, state: ExplorerState) -> UnitStory:
    """What one hidden unit sees in the lit row, how strongly it fires there and what it writes."""
    stack, unit, path = chosen_stack(state), told_unit(recorded, state), network(recorded, state)
    place = Scene(recorded, state).place(stack)
    hidden = recorded.trace.activations[f"{path}.hidden"][0, place]
    (neuron,) = describe_neurons(recorded.run.model, path, hidden, (unit,))
    reads = recorded.source if stack == "encoder" else recorded.inputs
    before = float(recorded.values(f"{path}.pre_activation")[place, unit])
    return UnitStory(path, stack, reads[place], twin_place(reads, place), before, neuron)


def between(recorded: Recorded, state: ExplorerState) -> str:
    """What stands between the network that is looked at and the logits, in words."""
    config, stack = recorded.run.config, chosen_stack(state)
    layer, n_layers = Scene(recorded, state).layer(stack), recorded.n_layers(stack)
    if stack == "encoder":
        return "the rest of the encoder and, through cross-attention, the decoder"
    normed = config.norm_position == "post" or config.has_final_norm
    later = n_layers - 1 - layer
    layers = f" and {counted(later, 'later decoder layer')}" if later else ""
    return f"{'a norm' if normed else 'a sum'}{layers}"


def _tensors(recorded: Recorded, path: str) -> dict[str, TensorData]:
    config = recorded.run.config
    first = recorded.trace.activations.site(f"{path.format(layer=0)}.pre_activation").inputs[0]
    # What the network reads has the same name in every layer: the output of the norm before it.
    layer = locate(path).layer
    reads = locate(first).in_layer(LAYER if layer is None else layer)
    wide, narrow = Axis("d_ff", config.d_ff), Axis("d_model", config.d_model)
    return {
        "x": recorded.tensor(reads),
        "w1": recorded.parameter(f"{path}.linear1.weight", wide, narrow),
        "b1": recorded.parameter(f"{path}.linear1.bias", wide),
        "pre": recorded.tensor(f"{path}.pre_activation"),
        "hidden": recorded.tensor(f"{path}.hidden"),
        "w2": recorded.parameter(f"{path}.linear2.weight", narrow, wide),
        "b2": recorded.parameter(f"{path}.linear2.bias", narrow),
        "output": recorded.tensor(f"{path}.output"),
    }


def _with_units(tensor: TensorData, units: tuple[int, ...], sentence: str) -> TensorData:
    has_units = any(axis.name == "d_ff" for axis in tensor.axes)
    return windowed(tensor, "d_ff", units, sentence) if has_units else tensor


def _stages(recorded: Recorded, stack: Stack, layer: int, window: bool) -> tuple[Stage, ...]:
    config = recorded.run.config
    arrow, formula = _FORMULAS[config.activation]
    widths = f"{config.d_model} numbers become {format_count(config.d_ff)}"
    rest = " The sum runs over all hidden units, also those outside of the window." if window else ""
    return (
        Stage(
            "pre_activation",
            "Widen",
            "product",
            (
                Panel("x", "x", ROWS, NARROW),
                Panel("w1", "W₁", NARROW, WIDE),
                Panel("pre", "before the non-linearity", ROWS, WIDE),
                Panel("b1", "b₁", (), WIDE),
            ),
            formula="f = x W₁ + b₁",
            note=f"{widths}, at every position by the same matrix.",
        ),
        Stage(
            "hidden",
            ACTIVATION_NAMES[config.activation],
            "map",
            (
                Panel("pre", "before", ROWS, WIDE),
                Panel("hidden", "hidden", ROWS, WIDE),
            ),
            formula=formula,
            note=_activation_note(config.activation),
            arrows=(arrow,),
        ),
        Stage(
            "output",
            "Narrow",
            "product",
            (
                Panel("hidden", "hidden", ROWS, WIDE),
                Panel("w2", "W₂", WIDE, NARROW),
                Panel("output", "output", ROWS, NARROW),
                Panel("b2", "b₂", (), NARROW),
            ),
            formula="y = g W₂ + b₂",
            note=f"Each hidden unit writes its own row of W₂, as strongly as its value says.{rest}",
        ),
    )


def _activation_note(activation: str) -> str:
    if activation == "relu":
        return "What is below 0 becomes exactly 0, and the rest stays as it is."
    return f"{ACTIVATION_NAMES[activation]} bends smoothly: far below 0 little is left, but hardly ever exactly 0."
