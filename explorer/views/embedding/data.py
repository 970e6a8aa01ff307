"""From ids to what the first layer reads, as stages of one stop: table row, × √d_model, + position.

Every value is the recorded or the learned one; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.data.vocabulary import Vocabulary
from explorer.explaining.scene import Scene
from explorer.models.recorded import Recorded
from explorer.models.window import narrowed, windowed
from explorer.tensors import Axis, Panel, Side, Stage, TensorData, TensorViewData
from explorer.views.embedding.sides import SOURCE_STAGES, TARGET_STAGES, open_side
from explorer.visitor.state import ExplorerState

Embedded = Literal["src_embed", "tgt_embed"]

MAX_NUMBERS = 240 * 2**10
"""Numbers in one message: with its header it stays below 1 MB."""
POSITIONS = {"sinusoidal": "sinusoid", "learned": "learned vector"}
"""What is added, by the model's way of saying where a token stands."""


@dataclass(frozen=True)
class Reader:
    """One of the two places where tokens become vectors.

    Attributes:
        path: Its module.
        side: Whose tokens it reads.
        words: What reads them, within a sentence.
        ids: Their ids.
        vocabulary: Where the ids come from.
    """

    path: Embedded
    side: Side
    words: str
    ids: tuple[int, ...]
    vocabulary: Vocabulary


def tokens_view(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """What the stop is fed: three stages for the source, or the same three for what the decoder reads."""
    side = open_side(state)
    reader = reader_of(recorded, side)
    width = MAX_NUMBERS // (4 * len(reader.ids))
    tensors = {name: narrowed(tensor, width) for name, tensor in _tensors(recorded, reader)}
    stages = tuple(_stages(recorded, reader))
    return TensorViewData(
        key=f"{recorded.key}/tokens/{side}",
        tensors=tensors,
        stages=stages,
        stage=state.look.stage if state.look.stage in {stage.key for stage in stages} else stages[-1].key,
        row=Scene(recorded, state).place("decoder" if side == "target" else "encoder"),
        row_side=side,
    )


def reader_of(recorded: Recorded, side: Side) -> Reader:
    """The embedding of the source's tokens, or that of what the decoder reads."""
    run, found = recorded.run, recorded.trace
    if side == "target":
        ids = tuple(found.tgt_in.tolist())
        return Reader("tgt_embed", side, "the decoder", ids, run.tgt_tokenizer.vocabulary)
    ids = tuple(found.src.tolist())
    return Reader("src_embed", side, "the encoder", ids, run.src_tokenizer.vocabulary)


def _tensors(recorded: Recorded, reader: Reader) -> Iterator[tuple[str, TensorData]]:
    vocabulary = reader.vocabulary
    vocab = Axis("vocab", len(vocabulary), vocabulary.tokens, reader.side)
    table = recorded.parameter(f"{reader.path}.weight", vocab, Axis("d_model", recorded.run.config.d_model))
    # In the order of the text, with a row once for each time that its token occurs.
    yield "rows", windowed(table, "vocab", reader.ids, "One row of the table for each token.")
    for name in ("tokens", "positions", "output"):
        if name != "positions" or recorded.run.config.positional != "none":
            yield name, recorded.tensor(f"{reader.path}.{name}")


def _stages(recorded: Recorded, reader: Reader) -> Iterator[Stage]:
    side, config = reader.side, recorded.run.config
    rows_key, scaled_key, sum_key = SOURCE_STAGES if side == "source" else TARGET_STAGES
    shared = config.tie_embeddings
    matrix = "E" if shared else {"source": "E_src", "target": "E_tgt"}[side]
    share = " It is the same table on both sides and in the output." if shared else ""
    yield Stage(
        rows_key,
        "Row",
        "one",
        (Panel("rows", f"of the table {matrix}", ("vocab",), ("d_model",)),),
        f"row p = {matrix}[idₚ]",
        f"Each token's id picks one row of the table; nothing is computed.{share}",
    )
    root = config.d_model**0.5
    yield Stage(
        scaled_key,
        f"× √{config.d_model}",
        "map",
        (
            Panel("rows", "Rows of the tokens", ("vocab",), ("d_model",)),
            _of_positions("tokens", "Token vectors"),
        ),
        f"x = √{config.d_model} · row",
        f"Every number times {root:.4g}: the table's numbers are small, so that it can also give the logits. "
        "The position that comes next is about as large as the result.",
        (f"× {root:.4g}",),
    )
    yield _sum_stage(recorded, reader, sum_key)


def _sum_stage(recorded: Recorded, reader: Reader, key: str) -> Stage:
    positional = recorded.run.config.positional
    vectors, result = (
        _of_positions("tokens", "Token vectors"),
        _of_positions("output", "Output"),
    )
    title = "+ position"
    if positional == "none":
        note = f"This model adds no positions, so {reader.words} reads the token vectors as they are."
        return Stage(key, title, "map", (vectors, result), "output = x", note, ("nothing is added",))
    positions = _of_positions("positions", POSITIONS[positional])
    note = (
        f"The position's vector is added to the token's. The sum is what {reader.words}'s first layer reads."
    )
    return Stage(key, title, "sum", (vectors, positions, result), "output = x + PE", note)


def _of_positions(tensor: str, title: str) -> Panel:
    return Panel(tensor, title, ("position",), ("d_model",))
