"""The stages of a residual connection with its norm, their statistics, and the length of the residual stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.activations.derived import mean, variance
from core.activations.location import Stack, locate
from core.analysis.residual_stream import StreamPoint, residual_stream, untrained_streams
from core.config import NormPosition, TransformerConfig
from core.model.shapes import expected_parameters
from core.model.transformer import Transformer
from explorer.explaining.scene import Scene
from explorer.look.rows import row_texts
from explorer.look.theme import format_signed
from explorer.models.recorded import Recorded
from explorer.models.window import renamed
from explorer.tensors import Chooser, Panel, Stage, TensorData, TensorViewData, numbered_chooser
from explorer.visitor.state import ExplorerState
from explorer.visitor.sublayers import SIDES, chosen_stack, chosen_sublayer

MAX_COMPARED_PARAMETERS = 5_000_000
"""Most parameters of a model that is made twice, untrained, while a visitor waits: a tenth of a second."""
ROWS, COLUMNS = ("position",), ("d_model",)


@dataclass(frozen=True)
class NormPlace:
    """Where one norm stands.

    Attributes:
        stack: Encoder or decoder.
        sublayer: What it belongs to, or ``final_norm``.
        layer: Of the stack; None for a final norm.
        norm: Path of the norm.
        x: Site that the norm reads.
        output: Site that it makes.
        stream: Site of the residual stream that the sub-layer's output is added to; empty for a final norm.
        added: Site of that output; empty for a final norm.
        summed: Site of the sum; empty for a final norm.
        post: Whether the norm comes after the sum.
    """

    stack: Stack
    sublayer: str
    layer: int | None
    norm: str
    x: str
    output: str
    stream: str = ""
    added: str = ""
    summed: str = ""
    post: bool = True


@dataclass(frozen=True)
class TokenStatistics:
    """Mean and variance of one token's vector at three places of a norm.

    Attributes:
        row: Whose vector.
        mean: μ of what the norm reads.
        variance: σ² of it.
        normalized_mean: After (x − μ)/√(σ² + ε).
        normalized_variance: Likewise.
        output_mean: After γ and β.
        output_variance: Likewise.
    """

    row: str
    mean: float
    variance: float
    normalized_mean: float
    normalized_variance: float
    output_mean: float
    output_variance: float


@dataclass(frozen=True, eq=False)
class StreamTable:
    """Lengths of the residual stream.

    P points, T tokens.

    Attributes:
        parts: What has just changed the stream at each point, as in `StreamPoint`.
        sizes: ‖x‖, float64 [P, T].
        added: ‖sublayer(x)‖, float64 [P, T]; NaN where nothing is added.
        summed: ‖x + sublayer(x)‖ before any norm, likewise.
    """

    parts: tuple[str, ...]
    sizes: np.ndarray
    added: np.ndarray
    summed: np.ndarray


def norm_place(recorded: Recorded, state: ExplorerState) -> NormPlace:
    """The norm that a visitor looks at."""
    config, stack = recorded.run.config, chosen_stack(state)
    sublayer = chosen_sublayer(state, config)
    site = recorded.trace.activations.site
    if sublayer == "final_norm":
        norm = f"{stack}.final_norm"
        return NormPlace(stack, sublayer, None, norm, site(f"{norm}.mean").inputs[0], f"{norm}.output")
    layer = Scene(recorded, state).layer(stack)
    path = f"{stack}.layers.{layer}.{sublayer}"
    post = config.norm_position == "post"
    norm = f"{path}_add_norm" if post else f"{path}_norm"
    summed = f"{norm}.sum" if post else f"{path}_add.output"
    stream, added = site(summed).inputs
    x = site(f"{norm}.mean").inputs[0]
    return NormPlace(stack, sublayer, layer, norm, x, f"{norm}.output", stream, added, summed, post)


def add_norm_view(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """What the stop is fed for one norm and its sum.

    Which site is added to differs from layer to layer, so only the layer that is looked at is there.
    """
    place = norm_place(recorded, state)
    tensors = _tensors(recorded, place)
    norming = _norm_stages(recorded, place, tensors)
    adding = (_sum_stage(place),) if place.summed else ()
    stages = (*adding, *norming) if place.post else (*norming, *adding)
    choosers: tuple[Chooser, ...] = ()
    if place.layer is not None:
        choosers = (numbered_chooser("layer", recorded.n_layers(place.stack), place.layer, local=False),)
    return TensorViewData(
        key=f"{recorded.key}/add-norm/{place.stack}.{place.sublayer}",
        tensors=tensors,
        stages=stages,
        choosers=choosers,
        stage=state.look.stage if state.look.stage in {stage.key for stage in stages} else stages[0].key,
        row=Scene(recorded, state).place(place.stack),
        row_side=SIDES[place.stack],
    )


def statistics(recorded: Recorded, state: ExplorerState) -> tuple[TokenStatistics, ...]:
    """Mean and variance of every token's vector before the norm, normalised, and after γ and β."""
    place, activations = norm_place(recorded, state), recorded.trace.activations
    columns = [
        activations[f"{place.norm}.mean"][0].tolist(),
        activations[f"{place.norm}.variance"][0].tolist(),
    ]
    for site in (f"{place.norm}.normalized", place.output):
        # In float64: what is left of a mean of 0 is rounding, and this measures it rather than adding to it.
        values = activations[site][0].double()
        columns += [mean(values).tolist(), variance(values).tolist()]
    names = row_texts(recorded.rows(SIDES[place.stack]))
    return tuple(
        TokenStatistics(name, *row) for name, row in zip(names, zip(*columns, strict=True), strict=True)
    )


def stream_table(recorded: Recorded, stack: Stack) -> StreamTable:
    """The residual stream of the recorded run."""
    return _table(residual_stream(recorded.run.config, recorded.trace.activations, stack))


def untrained_tables(
    recorded: Recorded,
    stack: Stack,
    pair_of: Callable[[TransformerConfig], Mapping[NormPosition, Transformer]],
) -> Mapping[NormPosition, StreamTable] | None:
    """The stream of two untrained models over the same tokens, with the norm after and before each sub-layer.

    Args:
        recorded: The run.
        stack: Which side.
        pair_of: Makes the two models of a configuration, or has made them before.

    Returns:
        None where the model is too large to be made twice.
    """
    config, trace = recorded.run.config, recorded.trace
    if expected_parameters(config) > MAX_COMPARED_PARAMETERS:
        return None
    streams = untrained_streams(pair_of(config), trace.src, trace.tgt_in, stack)
    return {position: _table(points) for position, points in streams.items()}


def growth(table: StreamTable) -> float:
    """The stream's mean length after the last sub-layer, before a final norm, as a multiple of the embedding's."""
    last = max(point for point, part in enumerate(table.parts) if locate(part).sublayer)
    return float(table.sizes[last].mean() / table.sizes[0].mean())


def _table(points: tuple[StreamPoint, ...]) -> StreamTable:
    sizes = np.stack([point.size.numpy() for point in points])
    nothing = np.full(sizes.shape[1], np.nan)
    return StreamTable(
        parts=tuple(point.part for point in points),
        sizes=sizes,
        added=np.stack([nothing if point.added is None else point.added.numpy() for point in points]),
        summed=np.stack([nothing if point.summed is None else point.summed.numpy() for point in points]),
    )


def _tensors(recorded: Recorded, place: NormPlace) -> dict[str, TensorData]:
    def site(name: str) -> TensorData:
        # An attention calls its positions queries; here they stand in a sum with positions.
        return renamed(recorded.tensor(name), "query", "position")

    output = site(place.output)
    width = output.axes[1]
    tensors = {
        "x": site(place.x),
        "mean": site(f"{place.norm}.mean"),
        "variance": site(f"{place.norm}.variance"),
        "normalized": site(f"{place.norm}.normalized"),
        "gamma": recorded.parameter(f"{place.norm}.weight", width),
        "beta": recorded.parameter(f"{place.norm}.bias", width),
        "output": output,
    }
    if place.summed:
        tensors |= {"stream": site(place.stream), "added": site(place.added), "summed": site(place.summed)}
    return tensors


def _sum_stage(place: NormPlace) -> Stage:
    name = locate(place.norm).sublayer_title.lower()
    after = "The norm comes after." if place.post else "No norm comes after: this is the residual stream."
    return Stage(
        "sum",
        "Add",
        "sum",
        (
            Panel("stream", "x", ROWS, COLUMNS),
            Panel("added", name, ROWS, COLUMNS),
            Panel("summed", "sum", ROWS, COLUMNS),
        ),
        formula=f"s = x + {'sublayer(x)' if place.post else 'sublayer(norm(x))'}",
        note=f"What the {name} wrote is added to what went past it. {after}",
    )


def _norm_stages(
    recorded: Recorded, place: NormPlace, tensors: Mapping[str, TensorData]
) -> tuple[Stage, ...]:
    letter = "s" if place.post and place.summed else "x"
    title = "sum" if letter == "s" else "x"
    reads = "summed" if letter == "s" else "x"
    means, variances = tensors["mean"].values, tensors["variance"].values
    outputs = tensors["output"].values.var(axis=-1)
    config = recorded.run.config
    return (
        Stage(
            "statistics",
            "Mean and variance",
            "map",
            (
                Panel(reads, title, ROWS, COLUMNS),
                Panel("mean", "μ", ROWS, ()),
                Panel("variance", "σ²", ROWS, ()),
            ),
            formula=f"μ = mean({letter}),  σ² = mean(({letter} − μ)²)",
            note=f"Each token has its own, over its {config.d_model} numbers: here μ is from "
            f"{format_signed(float(means.min()))} to {format_signed(float(means.max()))}, and σ² from "
            f"{format_signed(float(variances.min()))} to {format_signed(float(variances.max()))}.",
            arrows=("mean of each row", "variance of each row"),
        ),
        Stage(
            "normalized",
            "Normalise",
            "map",
            (Panel(reads, title, ROWS, COLUMNS), Panel("normalized", "normalised", ROWS, COLUMNS)),
            formula=f"n = ({letter} − μ) / √(σ² + ε),  ε = {config.norm_eps:g}",
            note="Every row now has mean 0 and variance 1 but for ε, however long its vector was.",
            arrows=(f"({letter} − μ) / √(σ² + ε)",),
        ),
        Stage(
            "output",
            "Scale and shift",
            "map",
            (
                Panel("normalized", "normalised", ROWS, COLUMNS),
                Panel("gamma", "γ", (), COLUMNS),
                Panel("beta", "β", (), COLUMNS),
                Panel("output", "output", ROWS, COLUMNS),
            ),
            formula="y = γ · n + β",
            note="γ and β are learned, one of each for every column, and the same for all tokens. A row's "
            f"variance is now {format_signed(float(outputs.min()))} to {format_signed(float(outputs.max()))}.",
            arrows=("times γ", "plus β", "="),
        ),
    )
