"""From ids to what the first layer reads, as stages of the tensor view: table row, × √d_model, + position.

Every value is the recorded or the learned one; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from explorer.look.theme import format_count
from explorer.models.window import windowed
from explorer.tensors import Axis, Panel, Side, Stage, TensorData, TensorViewData
from explorer.views.embedding import SOURCE_STAGES, TARGET_STAGES, open_side
from explorer.visitor.state import ExplorerState
from explorer.visitor.step import shown_step

if TYPE_CHECKING:
    from core.data.vocabulary import Vocabulary
    from explorer.models.recorded import Recorded

Embedded = Literal["src_embed", "tgt_embed"]

MAX_NUMBERS = 240 * 2**10
"""Numbers in one message: with its header it stays below 1 MB."""
DEFAULT_STAGE = SOURCE_STAGES[0]


@dataclass(frozen=True)
class _Reader:
    """One of the two places where tokens become vectors.

    Attributes:
        path: Its module.
        side: Whose tokens it reads.
        words: What reads them, within a sentence.
        tokens: The tokens.
        ids: Their ids.
        vocabulary: Where the ids come from.
    """

    path: Embedded
    side: Side
    words: str
    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    vocabulary: Vocabulary


def tokens_view(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """What the tensor view is fed: three stages for the source, and the same three for what the decoder reads."""
    tensors: dict[str, TensorData] = {}
    stages: list[Stage] = []
    readers = _readers(recorded)
    n_rows = sum(len(set(reader.ids)) + 4 * len(reader.ids) for reader in readers)
    for reader in readers:
        found = _tensors(recorded, reader)
        tensors |= {name: _narrowed(tensor, MAX_NUMBERS // n_rows) for name, tensor in found}
        stages += _stages(recorded, reader)
    keys = {stage.key for stage in stages}
    side = open_side(state)
    return TensorViewData(
        key=f"{recorded.key}/tokens",
        tensors=tensors,
        stages=tuple(stages),
        stage=state.look.stage if state.look.stage in keys else DEFAULT_STAGE,
        row=shown_step(state, recorded) if side == "target" else state.look.position,
        row_side=side,
    )


def _readers(recorded: Recorded) -> tuple[_Reader, _Reader]:
    run, found = recorded.run, recorded.trace
    source, target = tuple(found.src.tolist()), tuple(found.tgt_in.tolist())
    return (
        _Reader("src_embed", "source", "the encoder", recorded.source, source, run.src_tokenizer.vocabulary),
        _Reader("tgt_embed", "target", "the decoder", recorded.inputs, target, run.tgt_tokenizer.vocabulary),
    )


def _tensors(recorded: Recorded, reader: _Reader) -> Iterator[tuple[str, TensorData]]:
    side, path, vocabulary = reader.side, reader.path, reader.vocabulary
    vocab = Axis("vocab", len(vocabulary), vocabulary.tokens, side)
    table = recorded.parameter(f"{path}.weight", vocab, Axis("d_model", recorded.run.config.d_model))
    used = sorted(set(reader.ids))
    sentence = f"{len(used)} of the table's {format_count(len(vocabulary))} rows: those of the tokens in use."
    yield f"{side}_table", windowed(table, "vocab", used, sentence)
    # In the order of the text, with a row once for each time that its token occurs.
    yield f"{side}_rows", windowed(table, "vocab", reader.ids, "One row of the table for each token.")
    for name in ("tokens", "positions", "output"):
        if name != "positions" or recorded.run.config.positional != "none":
            yield f"{side}_{name}", recorded.tensor(f"{path}.{name}")


def _stages(recorded: Recorded, reader: _Reader) -> Iterator[Stage]:
    side, config = reader.side, recorded.run.config
    rows_key, scaled_key, sum_key = SOURCE_STAGES if side == "source" else TARGET_STAGES
    upper, shared = side.capitalize() if side == "source" else "Decoder input", config.tie_embeddings
    matrix = "E" if shared else {"source": "E_src", "target": "E_tgt"}[side]
    share = " It is the same table on both sides and in the output." if shared else ""
    picked, scaled, added = f"{side}_rows", f"{side}_tokens", f"{side}_output"
    yield Stage(
        rows_key,
        f"{upper}: rows",
        # Not a map, whose panels are linked row by row: a row of the table may stand anywhere in the text.
        "one",
        (_of_vocabulary(f"{side}_table", "Table"), _of_vocabulary(picked, "Rows of the tokens")),
        f"row p = {matrix}[idₚ]",
        f"Each token's id picks one row of the table; nothing is computed.{share}",
    )
    root = config.d_model**0.5
    yield Stage(
        scaled_key,
        f"{upper}: × √{config.d_model}",
        "map",
        (_of_vocabulary(picked, "Rows of the tokens"), _of_positions(scaled, "Token vectors")),
        f"x = √{config.d_model} · row",
        f"Every number times {root:.4g}: the table's numbers are small, so that it can also give the logits. "
        "The position that comes next is about as large as the result.",
        (f"× {root:.4g}",),
    )
    yield _sum_stage(recorded, reader, sum_key, upper, _of_positions(scaled, "Token vectors", "sum"), added)


def _sum_stage(
    recorded: Recorded, reader: _Reader, key: str, upper: str, vectors: Panel, added: str
) -> Stage:
    result = _of_positions(added, "Output", "sum")
    title = f"{upper}: + position"
    if recorded.run.config.positional == "none":
        note = f"This model adds no positions, so {reader.words} reads the token vectors as they are."
        return Stage(key, title, "map", (vectors, result), "output = x", note, ("nothing is added",))
    positions = _of_positions(f"{reader.side}_positions", "Positions", "sum")
    note = (
        f"The position's vector is added to the token's. The sum is what {reader.words}'s first layer reads."
    )
    return Stage(key, title, "sum", (vectors, positions, result), "output = x + PE", note)


def _narrowed(tensor: TensorData, n_columns: int) -> TensorData:
    """A tensor with as many of each vector's numbers as the message has room for."""
    width = tensor.axes[-1].size
    if width <= n_columns:
        return tensor
    sentence = f"Numbers 0 to {n_columns - 1} of the {width} of each vector."
    return windowed(tensor, "d_model", range(n_columns), sentence)


def _of_vocabulary(tensor: str, title: str) -> Panel:
    return Panel(tensor, title, ("vocab",), ("d_model",), "rows")


def _of_positions(tensor: str, title: str, group: str = "") -> Panel:
    return Panel(tensor, title, ("position",), ("d_model",), group)
