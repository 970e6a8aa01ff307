"""What is written down and computed by hand, as tensors and stages; pure, and computed by core alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.activations.derived import MOST_PLAIN
from core.model.by_hand import SITES, ByHandTrace, attend_by_hand
from explorer.browser.stop import Entry
from explorer.tensors import Axis, Letter, Panel, Scale, Stage, TensorData, TensorViewData
from explorer.views.by_hand.answers import is_right, shown
from explorer.visitor.by_hand import COMPUTED, GIVEN, ByHand, Given
from explorer.visitor.state import ExplorerState

PATH = "by_hand"
TITLES = {
    "x": "X",
    "w_q": "W_Q",
    "w_k": "W_K",
    "w_v": "W_V",
    "q": "Q",
    "k": "K",
    "v": "V",
    "products": "QKᵀ",
    "scores": "Scores",
    "masked_scores": "Masked",
    "exps": "eˢ",
    "total": "Σ eˢ",
    "weights": "Weights",
    "context": "Output",
}
"""What people call each matrix."""
_SCALES: dict[str, Scale] = {"weights": "weight", "mask": "mask"}
_LETTERS: dict[str, Letter] = {"q": "q", "k": "k", "v": "v"}
_INPUTS = {
    site.location.value: tuple(name.removeprefix(f"{PATH}.") for name in site.inputs) for site in SITES
} | {"scores": ("products",), "exps": ("masked_scores",), "total": ("exps",), "weights": ("exps", "total")}
"""What somebody needs who computes a matrix by hand."""


@dataclass(frozen=True, eq=False)
class Computed:
    """A computation by hand with what of it is known.

    Attributes:
        hand: What is written down.
        trace: What core computed.
    """

    hand: ByHand
    trace: ByHandTrace

    def values(self, name: str) -> np.ndarray:
        """The numbers of a computed matrix, in float64."""
        found = self.trace.activations[f"{PATH}.{name}"][0]
        # Of a single head.
        return (found[0] if name not in ("x", "mask") else found).numpy()

    def open_cells(self, name: str) -> tuple[tuple[int, int], ...]:
        """The blank cells of a matrix that have no right answer yet."""
        if name not in asked(self.hand):
            return ()
        answers, values = dict(self.hand.answers), self.values(name)
        cells: list[tuple[int, int]] = list(np.ndindex(*values.shape))
        return tuple(
            cell
            for cell in cells
            if not is_right(name, float(values[cell]), answers.get(cell_key(name, *cell), ""))
        )

    def is_known(self, name: str) -> bool:
        """Whether all that a matrix is computed from is there."""
        return all(self.is_known(each) and not self.open_cells(each) for each in _INPUTS.get(name, ()))


def asked(hand: ByHand) -> tuple[str, ...]:
    """What somebody is to compute: scores that nothing divides are the dot products."""
    return tuple(name for name in hand.blanks if hand.scaled or name != "scores")


def cell_key(name: str, row: int, column: int) -> str:
    """A blank cell as answers name it."""
    return f"{name}-{row}-{column}"


def computed(hand: ByHand) -> Computed:
    """Everything that core computes from what is written down."""
    given = [hand.matrix(name) for name in GIVEN]
    return Computed(hand, attend_by_hand(*given, causal=hand.causal, scaled=hand.scaled))


def by_hand_view(state: ExplorerState) -> TensorViewData:
    """What the picture is fed for a visitor's choices."""
    return view_of(computed(state.by_hand))


def view_of(found: Computed) -> TensorViewData:
    """What the picture is fed of a computation."""
    hand = found.hand
    return TensorViewData(
        # Other numbers are the same picture; other sizes are another one.
        key=f"by-hand/{'x'.join(map(str, hand.size))}",
        tensors=dict(_tensors(found)),
        stages=tuple(_stages(found)),
        stage="context",
        row_side="",
    )


def _tensors(found: Computed) -> Iterator[tuple[str, TensorData]]:
    for given in GIVEN:
        yield given, _written(found.hand, given)
    for site in SITES[1:]:
        name = site.location.value
        values = found.values(name).astype(np.float32)
        axes = tuple(
            _axis(axis, found.hand, size)
            for axis, size in zip(
                (a for a in site.axes if a not in ("batch", "head")), values.shape, strict=True
            )
        )
        is_whole = found.is_known(name)
        shown = values if is_whole else np.full_like(values, np.nan)
        for cell in found.open_cells(name) if is_whole else ():
            shown[cell] = np.nan
        is_pair = name in ("masked_scores", "exps", "weights")
        yield (
            name,
            TensorData(
                site.name,
                shown,
                axes,
                lead=(0,) if name == "mask" else (0, 0),
                scale=_SCALES.get(name, "signed"),
                letter=_LETTERS.get(name, ""),
                dtype="bool" if name == "mask" else "float64",
                hidden=~found.values("mask") if is_pair and is_whole else None,
                askable=is_whole and not np.isnan(shown).any(),
            ),
        )


def _axis(name: str, hand: ByHand, size: int) -> Axis:
    """An axis with its tokens, or with its places counted from 1 as people do."""
    if name in ("position", "query", "key"):
        return Axis(name, size, hand.names, "source")
    return Axis(name, size, tuple(str(place + 1) for place in range(size)))


def _written(hand: ByHand, name: Given) -> TensorData:
    """Numbers that somebody has written down: nothing explains them."""
    values = np.array(hand.matrix(name), dtype=np.float32)
    rows, columns = ("position", "d_model") if name == "x" else ("d_model", "d_head")
    axes = (_axis(rows, hand, values.shape[0]), _axis(columns, hand, values.shape[1]))
    site = f"{PATH}.{name}"
    if name == "x":
        return TensorData(site, values, axes, dtype="float64", askable=False)
    # torch has a row for each output.
    index = (("d_head",), ("d_model",))
    return TensorData(site, values, axes, index=index, lead=(), dtype="float64", askable=False)


def exponentials_title(found: Computed) -> str:
    """What stands over the exponentials: of large scores each row's largest is taken off first."""
    return "eˢ⁻ᵐᵃˣ" if (found.values("masked_scores") > MOST_PLAIN).any() else "eˢ"


def _stages(found: Computed) -> Iterator[Stage]:
    hand = found.hand
    for letter, key in zip("qkv", ("queries", "keys", "values"), strict=True):
        upper, row = letter.upper(), "query" if letter == "q" else "key"
        yield Stage(
            key,
            key.capitalize(),
            "product",
            (
                Panel("x", "X", ("position",), ("d_model",)),
                Panel(f"w_{letter}", f"W_{upper}", ("d_model",), ("d_head",)),
                Panel(letter, f"{upper} {key}", (row,), ("d_head",)),
            ),
            f"{upper} = X W_{upper}",
        )
    yield Stage(
        "products",
        "Dot products",
        "product",
        (
            Panel("q", "Q queries", ("query",), ("d_head",)),
            Panel("k", "Kᵀ keys", ("d_head",), ("key",)),
            _pair("products", "QKᵀ"),
        ),
        "QKᵀ",
    )
    last = _pair("products", "QKᵀ")
    if hand.scaled:
        size = hand.size[2]
        panels = (last, last := _pair("scores", "Scores"))
        yield Stage("scores", "Scores", "map", panels, f"QKᵀ ÷ √{size}", arrows=(f"÷ √{size}",))
    if hand.causal:
        panels = (last, last := _pair("masked_scores", "Masked scores"))
        yield Stage(
            "masked", "Masked", "map", panels, "−∞ where a key stands later", arrows=("−∞ where later",)
        )
    exps = _pair("exps", exponentials_title(found))
    total = Panel("total", "Sum of the row", ("query",), ())
    panels_of = (last, exps, total, _pair("weights", "Weights"))
    arrows = ("e to the power of each", "added up", "each divided by its row's sum")
    yield Stage("softmax", "Softmax", "map", panels_of, "eˢ / Σ eˢ", arrows=arrows)
    yield Stage(
        "context",
        "Output",
        "product",
        (
            _pair("weights", "Weights"),
            Panel("v", "V values", ("key",), ("d_head",)),
            Panel("context", "Output", ("query",), ("d_head",)),
        ),
        "output = weights · V",
    )


def _pair(tensor: str, title: str) -> Panel:
    return Panel(tensor, title, ("query",), ("key",))


def entries_of(found: Computed) -> tuple[Entry, ...]:
    """The cells that somebody can write in: names, numbers, and what is left blank as far as its turn has come."""
    return (*_names(found.hand), *_numbers(found.hand), *_answers(found))


def _names(hand: ByHand) -> Iterator[Entry]:
    for row, name in enumerate(hand.names):
        yield Entry("name", "x", row, -1, f"Name of token {row + 1}", name)


def _numbers(hand: ByHand) -> Iterator[Entry]:
    for name in GIVEN:
        for row, numbers in enumerate(hand.matrix(name)):
            for column, number in enumerate(numbers):
                yield Entry("number", name, row, column, label_of(hand, name, row, column), shown(number))


def _answers(found: Computed) -> Iterator[Entry]:
    hand, answers = found.hand, dict(found.hand.answers)
    for name in COMPUTED:
        if name not in asked(hand) or not found.is_known(name):
            continue
        values = found.values(name)
        for row, column in np.ndindex(*values.shape):
            text = answers.get(cell_key(name, row, column), "")
            label, right = label_of(hand, name, row, column), is_right(name, float(values[row, column]), text)
            yield Entry(
                "answer", name, row, column, label, text, "right" if right else "wrong" if text else ""
            )


def label_of(hand: ByHand, name: str, row: int, column: int) -> str:
    """A cell by its matrix, row and column, counted from 1 as people do."""
    return f"{TITLES[name]} row {row + 1} column {column + 1}"
