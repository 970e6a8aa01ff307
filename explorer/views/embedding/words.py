r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable

from core.config import TransformerConfig
from core.model.embedding import Embedding
from explorer.explaining.formula import Formula, Sizes, space
from explorer.explaining.printing import WEIGHT_DECIMALS, length_of
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_count
from explorer.views.embedding.data import Reader, reader_of
from explorer.views.embedding.sides import open_side

IDEA = (
    "The text is cut into tokens of a fixed vocabulary, and each token’s id picks one row of a learned "
    "table. The rest of the model can only compute with numbers, so text has to become vectors first."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """Id, row and length of a token of the source, or of what the decoder reads."""
    recorded, config = scene.recorded, scene.recorded.run.config
    reads, place = _reading(scene)
    token_id, table = reads.ids[place], recorded.run.model.get_parameter(f"{reads.path}.weight").detach()
    length = length_of(recorded.values(f"{reads.path}.tokens")[place])
    row, token = table[token_id], recorded.rows(reads.side).labels[place]
    shown = f"{length:.{WEIGHT_DECIMALS}f}"
    whose = "source" if reads.side == "source" else "decoder input"
    return Numbers(
        (
            Piece(f"At {whose} position {place}, "),
            Piece(token, reads.side),
            Piece(" has the id "),
            number(str(token_id)),
            Piece(f": it takes row {token_id} of a table of {format_count(len(table))} rows of "),
            Piece(f"{config.d_model} numbers. That row has the length "),
            number(f"{length_of(row.float().numpy()):.{WEIGHT_DECIMALS}f}"),
            Piece(f"; times √{config.d_model} it has the length "),
            number(shown),
            Piece("."),
        ),
        Shown(
            shown,
            (
                f'vector = recorded.activations["{reads.path}.tokens"][0, {place}]',
                f'print(f"{{vector.norm().item():.{WEIGHT_DECIMALS}f}}")',
            ),
        ),
    )


def _reading(scene: Scene) -> tuple[Reader, int]:
    """The marked token, which may be one that the decoder reads, and of a marked row of the table the first with it.

    Returns:
        What reads it, and its position.
    """
    marked = scene.marked
    sides = () if marked is None else (marked.sides.get("position"), marked.sides.get("vocab"))
    is_target = "target" in sides or ("source" not in sides and open_side(scene.state) == "target")
    reads = reader_of(scene.recorded, "target" if is_target else "source")
    row = None if marked is None else marked.numbers.get("vocab")
    if row in reads.ids:
        return reads, reads.ids.index(row)
    return reads, scene.place("decoder" if is_target else "encoder")


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


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    return (Embedding.forward,)
