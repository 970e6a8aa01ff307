"""Linear maps: a row of a learned matrix times a vector, and a bias where the model has one."""

from collections.abc import Mapping, Sequence

from core.explanation.cell import Cell
from core.explanation.derivation import Derivation, derive
from core.explanation.formula import Equation, Expression, Formula, Product, Sum, Symbol
from core.explanation.letters import D, P, U


def linear_map(
    cell: Cell,
    left: Expression,
    product: Product,
    shift: Expression,
    *,
    inputs: Sequence[tuple[int, ...]],
    row: int,
    names: tuple[str, str],
    places: Mapping[Symbol, int],
    where: tuple[Equation, ...] = (),
) -> Derivation:
    """One number of x W and its bias, in the paper's order; torch keeps the numbers that it needs as a row of W.

    Args:
        cell: Whose one input is x.
        left: The letter of the result.
        product: x times W; the last index of x is what the sum runs over.
        shift: The letter of the bias.
        inputs: Where the numbers of x are in the cell's input.
        row: Of the matrix.
        names: Of matrix and bias in the cell's module.
        places: Of the cell, by the letters of its indices.
        where: What letters in there stand for.
    """
    (source,) = cell.site.inputs
    x, w = product.factors
    assert isinstance(w, Symbol)
    assert isinstance(x, Symbol)
    counted = x.lower[-1]
    assert isinstance(counted, Symbol)
    weight, bias = (f"{cell.site.path}.{name}" for name in names)
    total = Sum(counted, product)
    has_bias = cell.has(bias)
    return derive(
        Formula((Equation(left, total + shift if has_bias else total),), where),
        cell.all_recorded(x, source, inputs),
        cell.all_learned(w, weight, [(row, place) for place in range(len(inputs))]),
        *([cell.learned(shift, bias, row)] if has_bias else []),
        labels=("bias",),
        places=places,
    )


def linear(cell: Cell) -> Derivation:
    """x W + b with one row of W for each output: both feed-forward maps, and the generator without bias."""
    batch, p, row = cell.index
    module, letter, matrix = {
        "pre_activation": ("linear1.", "f", Symbol("W", mark="1")),
        "output": ("linear2.", "o", Symbol("W", mark="2")),
        "logits": ("", "z", Symbol("E" if cell.config.tie_embeddings else "W")),
    }[cell.site.value]
    size = cell.values(cell.site.inputs[0]).shape[2]
    return linear_map(
        cell,
        Symbol(letter)[P, U],
        # Of the vocabulary's matrix the rows are the tokens: z = x Eᵀ.
        Symbol("x")[P, D] * (matrix[U, D] if letter == "z" else matrix[D, U]),
        Symbol("b")[U],
        inputs=[(batch, p, d) for d in range(size)],
        row=row,
        names=(f"{module}weight", f"{module}bias"),
        places={P: p, U: row},
    )
