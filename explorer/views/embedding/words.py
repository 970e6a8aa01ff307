r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from torch import Tensor

from core.config import TransformerConfig
from core.model.embedding import Embedding
from explorer.explaining.formula import Formula, Sizes, space
from explorer.explaining.printing import (
    WEIGHT_DECIMALS,
    length_of,
)
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_count
from explorer.views.embedding import open_side

IDEA = (
    "The text is cut into tokens of a fixed vocabulary, and each token’s id picks one row of a learned "
    "table. The rest of the model can only compute with numbers, so text has to become vectors first."
)
"""What it does and why it is there, in two sentences."""


@dataclass(frozen=True)
class _Reading:
    """A token that an embedding reads.

    Attributes:
        path: Of the embedding.
        side: Whose tokens it reads.
        words: What they are called.
        tokens: The tokens.
        ids: Their ids.
        table: Its rows.
        position: Of the token.
    """

    path: str
    side: Literal["source", "target"]
    words: str
    tokens: tuple[str, ...]
    ids: list[int]
    table: Tensor
    position: int


def _reading(scene: Scene) -> _Reading:
    """The marked token, which may be one that the decoder reads, and of a marked row of the table the first with it."""
    recorded, marked = scene.recorded, scene.marked
    model, trace = recorded.run.model, recorded.trace
    sides = () if marked is None else (marked.sides.get("position"), marked.sides.get("vocab"))
    if "target" in sides or ("source" not in sides and open_side(scene.state) == "target"):
        reading = _Reading(
            "tgt_embed",
            "target",
            "decoder input",
            recorded.inputs,
            trace.tgt_in.tolist(),
            model.tgt_embed.weight,
            scene.step,
        )
    else:
        reading = _Reading(
            "src_embed",
            "source",
            "source",
            recorded.source,
            trace.src.tolist(),
            model.src_embed.weight,
            scene.source_position,
        )
    row = None if marked is None else marked.numbers.get("vocab")
    return replace(reading, position=reading.ids.index(row)) if row in reading.ids else reading


def numbers(scene: Scene) -> Numbers:
    """Id, row and length of a token of the source, or of what the decoder reads."""
    reads, config = _reading(scene), scene.recorded.run.config
    token_id, size = reads.ids[reads.position], reads.table.shape[0]
    length = length_of(scene.recorded.values(f"{reads.path}.tokens")[reads.position])
    row = reads.table[token_id].detach()
    shown = f"{length:.{WEIGHT_DECIMALS}f}"
    return Numbers(
        (
            Piece(f"At {reads.words} position {reads.position}, "),
            Piece(reads.tokens[reads.position], reads.side),
            Piece(" has the id "),
            number(str(token_id)),
            Piece(f": it takes row {token_id} of a table of {format_count(size)} rows of "),
            Piece(f"{config.d_model} numbers. That row has the length "),
            number(f"{length_of(row.float().numpy()):.{WEIGHT_DECIMALS}f}"),
            Piece(f"; times √{config.d_model} it has the length "),
            number(shown),
            Piece("."),
        ),
        Shown(
            shown,
            (
                f'vector = recorded.activations["{reads.path}.tokens"][0, {reads.position}]',
                f'print(f"{{vector.norm().item():.{WEIGHT_DECIMALS}f}}")',
            ),
        ),
    )


def formula(sizes: Sizes) -> Formula:
    """The look-up, times √d_model."""
    config = sizes.config
    shared = "shared by source, target and output" if config.tie_embeddings else "of the source alone"
    return Formula(
        "Section 3.4",
        (r"x_p = \sqrt{d_{\text{model}}}\; E_{t_p}",),
        (
            rf"x_p = \sqrt{{{config.d_model}}}\; E_{{t_p}}, \quad p = 0, \dots, {sizes.n_source - 1}",
            rf"E \in {space(config.src_vocab_size, config.d_model)}",
        ),
        (
            ("t_p", "id of the token at position p"),
            ("E", f"learned table with a row for each token, {shared}"),
            (r"d_{\text{model}}", "numbers in a vector"),
            ("x_p", "vector of the token, before its position is added"),
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable, ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    return (Embedding.forward,)
