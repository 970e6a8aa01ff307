"""What the words of a page are about: a recorded run, and the layer, head and token that are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from core.activations.location import Stack
from explorer.explaining.marked import MarkedCell
from explorer.look.pieces import Piece, text_of
from explorer.look.rows import row_pieces
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace
from explorer.visitor.state import ExplorerState
from explorer.visitor.step import shown_step
from explorer.visitor.sublayers import SIDES


@dataclass(frozen=True)
class Shown:
    """The number that a page's sentences are about, and how Python prints it.

    Attributes:
        text: As the sentence has it.
        lines: Python that ends by printing it. `run`, `src` and `recorded` are there, as
            `explorer.explaining.snippets` makes them.
        names: What the lines import from `core`, besides what all need.
        needs_trace: Whether the lines read `recorded`.
    """

    text: str
    lines: tuple[str, ...]
    names: tuple[str, ...] = ()
    needs_trace: bool = True


@dataclass(frozen=True)
class Numbers:
    """Two or three sentences filled with numbers, and the one that the code prints."""

    pieces: tuple[Piece, ...]
    shown: Shown

    @property
    def text(self) -> str:
        """The sentences as plain text."""
        return text_of(self.pieces)


@dataclass(frozen=True)
class Scene:
    """A recorded run, seen with a visitor's choices; every place fits the run.

    Attributes:
        recorded: What the model computed.
        state: The visitor's choices.
        marked: The cell that the page's view marks, of which the words are to speak; None where it has none.
        cell: The number of this view that is explained; None where none is.
    """

    recorded: Recorded
    state: ExplorerState
    marked: MarkedCell | None = None
    cell: CellPlace | None = None

    @cached_property
    def step(self) -> int:
        """The step of the decoding: the marked one, or the one that every page shows."""
        marked = None if self.marked is None else self.marked.place("target")
        if marked is not None and marked <= self.recorded.last_step:
            return marked
        return shown_step(self.state, self.recorded)

    @cached_property
    def source_position(self) -> int:
        """The source token: the marked one, or the chosen one; the first one where there is neither."""
        last = len(self.recorded.source) - 1
        marked = None if self.marked is None else self.marked.place("source")
        return marked if marked is not None and marked <= last else min(self.state.look.position or 0, last)

    @property
    def head(self) -> int:
        """The head; 0 where none was chosen."""
        return min(self.state.look.head or 0, self.recorded.run.config.n_heads - 1)

    def layer(self, stack: Stack) -> int:
        """The layer of a stack; its last one where none was chosen."""
        last = self.recorded.n_layers(stack) - 1
        return last if self.state.look.layer is None else min(self.state.look.layer, last)

    def row(self, stack: Stack) -> int | None:
        """The row that a view of this side marks: the step, or the source token if one was chosen."""
        if stack == "encoder" and self.state.look.position is None:
            return None
        return self.place(stack)

    def place(self, stack: Stack) -> int:
        """The position that is looked at on this side."""
        return self.source_position if stack == "encoder" else self.step

    def token(self, stack: Stack) -> Piece:
        """The token that is read at the position that is looked at."""
        axis = self.recorded.rows(SIDES[stack])
        return Piece(axis.labels[self.place(stack)], axis.side)

    def where(self, stack: Stack, place: int | None = None) -> tuple[Piece, ...]:
        """The beginning of a sentence that says which row it is about; None: the one that is looked at."""
        at = self.place(stack) if place is None else place
        row = row_pieces(self.recorded.rows(SIDES[stack]), at)
        moment = f"At source position {at}, " if stack == "encoder" else f"At step {at}, for "
        return (Piece(moment), *row, Piece(", "))

    def writing(self) -> tuple[Piece, ...]:
        """The beginning of a sentence about what comes out of the last layer: which token the step writes."""
        rows = self.recorded.rows("target")
        reads, writes = Piece(rows.labels[self.step], rows.side), Piece(rows.writes[self.step], rows.side)
        return (
            Piece(f"At step {self.step} the position that reads "),
            reads,
            Piece(" writes "),
            writes,
            Piece(": "),
        )
