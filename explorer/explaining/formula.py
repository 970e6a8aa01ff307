r"""A formula in the paper's letters, and the same with the sizes of the current run put in.

What goes into the LaTeX is written in the rooms of the views, or is a number of the configuration or of the run: no
token, no text.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.config import TransformerConfig
from explorer.explaining.scene import Scene
from explorer.visitor.state import ExplorerState


@dataclass(frozen=True)
class Sizes:
    """The numbers that replace letters.

    Attributes:
        config: Of the model.
        n_source: Tokens of the source; so n_outputs of the output.
        state: The visitor's settings of sampling and beam search.
    """

    config: TransformerConfig
    n_source: int
    n_outputs: int
    state: ExplorerState

    @classmethod
    def of(cls, scene: Scene) -> Sizes:
        """The sizes of the run that a scene shows."""
        recorded = scene.recorded
        return cls(recorded.run.config, len(recorded.source), len(recorded.outputs), scene.state)


@dataclass(frozen=True)
class Formula:
    """A formula.

    Attributes:
        reference: Where the paper has it.
        letters: LaTeX, line by line; short ones, so that a phone has room for each.
        sizes: The same with the current sizes.
        symbols: Each symbol, as LaTeX, with what it is.
    """

    reference: str
    letters: tuple[str, ...]
    sizes: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]


def latex(lines: tuple[str, ...]) -> str:
    """The lines of a formula as one piece of LaTeX."""
    return (
        lines[0] if len(lines) == 1 else r"\begin{gathered} " + r" \\[6pt] ".join(lines) + r" \end{gathered}"
    )


def space(rows: object, columns: object) -> str:
    """The space of matrices of this size."""
    return rf"\mathbb{{R}}^{{{rows} \times {columns}}}"


def power(value: float) -> str:
    """A small number as LaTeX: 1e-05 is 10^{-5}."""
    mantissa, exponent = f"{value:e}".split("e")
    digits = mantissa.rstrip("0").rstrip(".")
    return (rf"{digits} \cdot " if digits != "1" else "") + f"10^{{{int(exponent)}}}"
