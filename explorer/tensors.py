"""What is drawn of a tensor: its axes, its values, the panels that lay it out and the stages that panels make up.

Pure data, without Streamlit: pages compute it, and the views of the browser, the worksheets and the tests read it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

Scale = Literal["weight", "signed", "size", "mask"]
Kind = Literal["one", "product", "sum", "difference", "map"]
Letter = Literal["", "q", "k", "v"]
Side = Literal["", "source", "target"]


@dataclass(frozen=True)
class CellPlace:
    """One number of the model.

    Attributes:
        site: A recorded site, a parameter, or what else `core.explain` explains.
        index: Its place in there, one number for each axis.
    """

    site: str
    index: tuple[int, ...]


@dataclass(frozen=True)
class Axis:
    """One axis of a tensor.

    Attributes:
        name: As in the catalogue of sites: ``head``, ``query``, ``d_model``; ``layer`` where layers are stacked.
        size: Places of the whole axis.
        labels: What its shown places are called, such as the tokens that are read there; empty for their numbers.
        side: Whose colour the labels have.
        places: Which places are here, where it is a window of the whole; None for all.
        window: One sentence that says which window this is; it is shown.
        writes: Where its places are rows of the decoder, the token that each of them writes, which stands at the
            row's other end; empty for every other axis, such as the keys, which are only read.
    """

    name: str
    size: int
    labels: tuple[str, ...] = ()
    side: Side = ""
    places: tuple[int, ...] | None = None
    window: str = ""
    writes: tuple[str, ...] = ()

    @property
    def shown(self) -> int:
        """How many places are here."""
        return self.size if self.places is None else len(self.places)


def decoder_rows(name: str, reads: tuple[str, ...], writes: tuple[str, ...]) -> Axis:
    """An axis of rows of the decoder, each called by the token that it reads; at its end stands what it writes."""
    return Axis(name, len(reads), reads, "target", writes=writes)


@dataclass(frozen=True, eq=False)
class TensorData:
    """Recorded or learned numbers with their name and their place in the model.

    Attributes:
        site: Name that `core.explain` knows. With a ``layer`` axis it holds ``{layer}``, unless ``sites`` is given.
        values: float32, one axis for each of ``axes``.
        axes: Without the batch, which is ``lead``.
        index: How a cell's place becomes its index, as `core.explain` takes it, after ``lead``: for each number
            of the index the axes that it runs over, the last one fastest. Empty: each axis but ``layer`` by itself.
        lead: What the index begins with: (0,) for a recorded site, () for a parameter.
        scale: How values become colours: weights run from 0 to 1, signed ones are symmetric around 0, sizes run
            from 0 to the largest, a mask is yes or no.
        letter: Whether these are queries, keys or values.
        dtype: That the model computed in.
        hidden: Which cells are masked, bool, of the same shape; None for none.
        covered: Which cells are kept back, bool, of the same shape; their values are zeros. None for none.
        sites: The name in each layer of the layer axis, where no one name with ``{layer}`` fits them all.
        askable: Whether `core.explain` explains these very numbers; not those of a batch, or of an edited run.
    """

    site: str
    values: np.ndarray
    axes: tuple[Axis, ...]
    index: tuple[tuple[str, ...], ...] = ()
    lead: tuple[int, ...] = (0,)
    scale: Scale = "signed"
    letter: Letter = ""
    dtype: str = "float32"
    hidden: np.ndarray | None = None
    covered: np.ndarray | None = None
    sites: tuple[str, ...] = ()
    askable: bool = True

    def site_of(self, layer: int | None) -> str:
        """The name of the site in one layer; None for a tensor without a layer axis."""
        return self.sites[layer] if self.sites and layer is not None else self.site.format(layer=layer)

    @property
    def index_axes(self) -> tuple[tuple[str, ...], ...]:
        """For each number of the index the axes that it runs over."""
        return self.index or tuple((axis.name,) for axis in self.axes if axis.name != "layer")

    @property
    def index_shape(self) -> tuple[int, ...]:
        """The whole tensor's size along each number of the index, after ``lead``."""
        sizes = {axis.name: axis.size for axis in self.axes}
        return tuple(math.prod(sizes[name] for name in names) for names in self.index_axes)


@dataclass(frozen=True)
class Panel:
    """One tensor as a matrix.

    Attributes:
        tensor: Its key among the view's tensors.
        title: What it is here: ``Q queries``.
        rows: Axes along which it runs down, the last one fastest; none for a single row.
        columns: Axes along which it runs to the right. Every other axis follows the chooser of its name.
        group: Panels of the same group share their colour scale; empty for an own one.
    """

    tensor: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    group: str = ""


@dataclass(frozen=True)
class Scaling:
    """What a product is multiplied by before it is the result.

    Attributes:
        words: As the readout of a cell writes it: ``÷ √16``.
        factor: The number itself: 0.25.
    """

    words: str
    factor: float


@dataclass(frozen=True)
class Stage:
    """One operation, as a picture of the tensors that go in and come out.

    Attributes:
        key: Short name, for the link: ``scores``.
        title: For the visitor: ``Scores``.
        kind: ``product``: A, B, A·B, scaled where ``scaling`` says so, and perhaps the bias that is added.
            ``sum``: the summands and their sum.
            ``difference``: A, B and A − B.
            ``map``: a value, and what becomes of it cell by cell or row by row. ``one``: just values.
        panels: In that order; the result of a product is the third.
        formula: In one line of plain text: ``S = Q Kᵀ / √16``.
        note: One or two sentences.
        arrows: In a ``map``, what happens between each panel and the next.
        scaling: Of a product, what makes A·B the result; None where it is the result itself.
    """

    key: str
    title: str
    kind: Kind
    panels: tuple[Panel, ...]
    formula: str = ""
    note: str = ""
    arrows: tuple[str, ...] = ()
    scaling: Scaling | None = None

    @property
    def result(self) -> Panel:
        """The panel of what comes out of the operation."""
        return self.panels[2] if self.kind == "product" else self.panels[-1]


@dataclass(frozen=True)
class Chooser:
    """One axis of which a single place is shown: the layer, the head.

    Attributes:
        axis: Its name: ``layer``, ``head``.
        label: For the visitor.
        options: What each place is called.
        value: The place that is shown.
        local: Whether the message holds all places; otherwise Python is asked for another one.
    """

    axis: str
    label: str
    options: tuple[str, ...]
    value: int
    local: bool = True


def numbered_chooser(axis: str, size: int, value: int, *, local: bool) -> Chooser:
    """The chooser of a layer or a head: it and its places are called by the axis and their numbers."""
    return Chooser(axis, axis.capitalize(), tuple(map(str, range(size))), value, local)


@dataclass(frozen=True, eq=False)
class TensorViewData:
    """What the view is fed.

    Attributes:
        key: Names the run and the page; a new key resets the view.
        tensors: By the names that the panels use.
        stages: In the order of the computation.
        choosers: Layer and head, where the page has them.
        stage: Key of the open stage.
        cell: The number that is explained, to be marked wherever it is shown.
        row: Place on the rows of results that the page is about, as the current step; None for none.
        row_side: Whose tokens those rows are; empty where they are not those of the visitor's sentence.
        report: Number of the last report that this message knows of.
    """

    key: str
    tensors: Mapping[str, TensorData]
    stages: tuple[Stage, ...]
    choosers: tuple[Chooser, ...] = ()
    stage: str = ""
    cell: CellPlace | None = None
    row: int | None = None
    row_side: Side = "target"
    report: int = 0


def check(data: TensorViewData) -> None:
    """Whether all parts of a view fit one another.

    Raises:
        ValueError: an axis, a panel, a stage or a choice does not fit the others; the sentence says which.
    """
    for name, tensor in data.tensors.items():
        check_tensor(name, tensor)
    keys = [stage.key for stage in data.stages]
    if not keys or len(set(keys)) != len(keys):
        raise ValueError("the view needs at least one stage, and stages with different keys")
    if data.stage and data.stage not in keys:
        raise ValueError(f"{data.stage!r} is not one of the stages {', '.join(keys)}")
    for chooser in data.choosers:
        if not 0 <= chooser.value < len(chooser.options):
            raise ValueError(
                f"{chooser.label} {chooser.value} is not one of its {len(chooser.options)} options"
            )
    for stage in data.stages:
        if stage.kind == "product" and len(stage.panels) not in (3, 4):
            raise ValueError(f"stage {stage.key!r}: a product has two factors, a result and perhaps a bias")
        if stage.scaling is not None and (stage.kind != "product" or len(stage.panels) != 3):
            raise ValueError(f"stage {stage.key!r}: only a product without a bias is scaled")
        if stage.kind == "map" and len(stage.arrows) != len(stage.panels) - 1:
            raise ValueError(f"stage {stage.key!r}: a map needs an arrow between each two panels")
        if not stage.panels:
            raise ValueError(f"stage {stage.key!r} has nothing to show")
        for panel in stage.panels:
            if panel.tensor not in data.tensors:
                raise ValueError(
                    f"stage {stage.key!r} shows {panel.tensor!r}, which is not among the tensors"
                )
            _check_panel(panel, data.tensors[panel.tensor], data.choosers)


def _check_panel(panel: Panel, tensor: TensorData, choosers: tuple[Chooser, ...]) -> None:
    axes = {axis.name: axis for axis in tensor.axes}
    along = (*panel.rows, *panel.columns)
    if unknown := set(along) - set(axes):
        raise ValueError(
            f"panel {panel.title!r} runs along {', '.join(sorted(unknown))}, which its tensor lacks"
        )
    if len(set(along)) != len(along):
        raise ValueError(f"panel {panel.title!r} runs along the same axis twice")
    held = set(axes) - set(along)
    chosen = {chooser.axis: chooser for chooser in choosers}
    if missing := held - set(chosen):
        raise ValueError(f"panel {panel.title!r} needs a chooser for {', '.join(sorted(missing))}")
    for name in held:
        axis, chooser = axes[name], chosen[name]
        if len(chooser.options) != axis.size:
            raise ValueError(
                f"{chooser.label} has {len(chooser.options)} options, panel {panel.title!r} {axis.size}"
            )
        here = tuple(range(axis.size)) if axis.places is None else axis.places
        if chooser.value not in here:
            raise ValueError(f"panel {panel.title!r} has no {name} {chooser.value}, which is chosen")
        if chooser.local and len(here) < axis.size:
            raise ValueError(
                f"{chooser.label} cannot be local: panel {panel.title!r} lacks some of its places"
            )


def check_tensor(name: str, tensor: TensorData) -> None:
    """Whether a tensor's values, axes, mask and index fit one another.

    Args:
        name: What it is called in the error.
        tensor: The one that is about to be drawn.

    Raises:
        ValueError: when they do not; the sentence says which.
    """
    expected = tuple(axis.shown for axis in tensor.axes)
    if tensor.values.shape != expected:
        raise ValueError(f"tensor {name!r} has the shape {tensor.values.shape}, its axes say {expected}")
    if tensor.hidden is not None and tensor.hidden.shape != expected:
        raise ValueError(f"the mask of tensor {name!r} has the shape {tensor.hidden.shape}, not {expected}")
    for axis in tensor.axes:
        if axis.places is not None and not all(0 <= place < axis.size for place in axis.places):
            raise ValueError(f"axis {axis.name!r} of {name!r} shows a place beyond its {axis.size}")
        if axis.labels and len(axis.labels) != axis.shown:
            raise ValueError(f"axis {axis.name!r} of {name!r} needs {axis.shown} labels")
        if axis.writes and len(axis.writes) != axis.shown:
            raise ValueError(f"axis {axis.name!r} of {name!r} needs {axis.shown} tokens that its rows write")
    names = [axis.name for axis in tensor.axes]
    if len(set(names)) != len(names):
        raise ValueError(f"tensor {name!r} has two axes of the same name")
    if 0 in expected:
        raise ValueError(f"tensor {name!r} holds nothing")
    indexed = [each for group in tensor.index_axes for each in group]
    if len(set(indexed)) != len(indexed) or not set(indexed) <= set(names):
        raise ValueError(f"the index of tensor {name!r} must run over axes that it has, each once")
    n_layers = next((axis.size for axis in tensor.axes if axis.name == "layer"), None)
    if tensor.sites and len(tensor.sites) != n_layers:
        raise ValueError(f"tensor {name!r} needs a site for each of the layers of its layer axis")
    if (n_layers is not None) != ("{layer}" in tensor.site or bool(tensor.sites)):
        raise ValueError(
            f"tensor {name!r} must have a layer axis where its site has {{layer}}, and only there"
        )
