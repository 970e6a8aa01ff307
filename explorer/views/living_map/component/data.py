"""What the living map is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.visitor.state import Compared


@dataclass(frozen=True)
class Embedding:
    """How a lane begins: a row of the table, the vector of its position, and their sum; sites by their names.

    Attributes:
        id: Module path.
        tokens: The looked-up rows.
        positions: Empty for a model without.
        output: What the first layer reads.
    """

    id: str
    tokens: str
    positions: str
    output: str


@dataclass(frozen=True)
class Sublayer:
    """One stop of all lanes of a stack. Its values are called as it is, with their own names behind a dot.

    Attributes:
        id: Module path.
        kind: What it is.
        title: What people call it.
        layer: Of its stack.
        crosses: Whether its keys and values are the memory's.
        joins: Module path of what adds its output to the lane, and whose output the lane holds behind it.
        norm: Module path of what normalises the lane for it; empty where nothing stands before it.
    """

    id: str
    kind: Literal["attention", "feed-forward"]
    title: str
    layer: int
    crosses: bool
    joins: str
    norm: str

    @property
    def tiles(self) -> tuple[str, ...]:
        """Names of its values that are drawn as tiles."""
        own = ("q", "k", "v", "context", "output") if self.kind == "attention" else ("hidden", "output")
        return (*(f"{self.id}.{value}" for value in own), f"{self.joins}.output")


@dataclass(frozen=True)
class Lanes:
    """A stack: where its lanes begin, and every stop."""

    embedding: Embedding
    sublayers: tuple[Sublayer, ...]


@dataclass(frozen=True)
class Tensor:
    """A recorded value of a block, or a learned parameter, with its shape."""

    name: str
    shape: tuple[int, ...]
    learned: bool = False


@dataclass(frozen=True)
class Block:
    """What is said of a module beside the picture.

    Attributes:
        id: Module path.
        title: What people call it.
        note: A few words beside the title.
        text: What it does.
        n_parameters: Learned numbers that are its own.
        tensors: Its recorded values, then its parameters.
        page: Title of the page that shows it; empty for none.
    """

    id: str
    title: str
    note: str
    text: str
    n_parameters: int
    tensors: tuple[Tensor, ...]
    page: str = ""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The most probable tokens of each step.

    Attributes:
        ids: T × k, the most probable first.
        tokens: The same, as they are written.
        probs: float32 [T, k].
        chosen: Place of the written token among the k, per step.
        trained: Of a changed model their probabilities after the same tokens as it was trained, float32 [T, k]; else
            None.
    """

    ids: tuple[tuple[int, ...], ...]
    tokens: tuple[tuple[str, ...], ...]
    probs: np.ndarray
    chosen: tuple[int, ...]
    trained: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class LivingMapData:
    """One finished run. Axes: S source tokens, T steps, V tokens of the vocabulary, H heads.

    Attributes:
        key: Names the run; a new key resets the view.
        source: S tokens.
        inputs: What the decoder reads, T tokens.
        outputs: What it writes, T tokens.
        output_ids: Their ids.
        forced: Which of them the model would not have taken by itself.
        greedy: What it writes when nothing is forced.
        ended: Whether it ended its output itself.
        encoder: The source's lanes.
        decoder: The output's lanes.
        n_heads: H.
        d_model: Numbers of a lane's vector.
        d_ff: Units of a feed-forward network.
        causal: Whether the decoder hides later tokens.
        n_vocabulary: V, of the target side.
        first_id: Id of the first token that can be forced; all others follow.
        blocks: What is said of each module.
        candidates: The most probable tokens of each step.
        log_probs: log P of each written token, float32 [T].
        limit: Value of the last colour of every tile.
        codes: Of each site uint8 [position, row, column].
        every: Of a lane's numbers every so manyth is in its tile.
        weights: Of each attention float32 [H, query, key].
        logits: float32 [T, V], in the order of the vocabulary; of a large one [T, C], the C largest and smallest
            of each step alone, the largest first.
        written_logits: Of each written token, float32 [T].
        trained: Of a changed model what it writes after the same tokens as it was trained, T tokens; else none.
        trained_log_probs: log P of each of them, float32 [T]; None of a model that is as it was trained.
        compared: Whose tiles, weights and logits these are, of a changed model.
        weight_limit: Size of the last colour of every weight: 1, but for a difference.
        source_unit: What a source token is, as the sentences say it.
        text: The output as the run's tokenizer joins it.
        step: That is shown.
        moment: ms of the run that the picture is held at; None for the end of the step.
        is_first: Whether nobody has chosen a step yet.
        report: Number of the last report that this message knows of.
    """

    key: str
    source: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    output_ids: tuple[int, ...]
    forced: tuple[bool, ...]
    greedy: tuple[str, ...]
    ended: bool
    encoder: Lanes
    decoder: Lanes
    n_heads: int
    d_model: int
    d_ff: int
    causal: bool
    n_vocabulary: int
    first_id: int
    blocks: tuple[Block, ...]
    candidates: Candidates
    log_probs: np.ndarray
    limit: float
    codes: Mapping[str, np.ndarray]
    every: int
    weights: Mapping[str, np.ndarray]
    logits: np.ndarray
    written_logits: np.ndarray
    trained: tuple[str, ...] = ()
    trained_log_probs: np.ndarray | None = None
    compared: Compared = "changed"
    weight_limit: float = 1.0
    source_unit: str = "word"
    text: str = ""
    step: int = 0
    moment: int | None = None
    is_first: bool = False
    report: int = 0

    @property
    def n_bytes(self) -> int:
        """Bytes of all arrays, and about as much as the header takes."""
        arrays = (*self.codes.values(), *self.weights.values(), self.logits, self.candidates.probs)
        return sum(array.nbytes for array in arrays) + 20_000
