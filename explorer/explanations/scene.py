"""What the words of a page are about: a recorded run, and the layer, head and token that are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from explorer.state import ExplorerState

if TYPE_CHECKING:
    from explorer.recorded import Recorded

Side = Literal["", "number", "source", "target"]
Stack = Literal["encoder", "decoder"]


@dataclass(frozen=True)
class Piece:
    """A part of a sentence: plain words, a number, or a token of the source or the target side."""

    text: str
    kind: Side = ""


@dataclass(frozen=True)
class Shown:
    """The number that a page's sentences are about, and how Python prints it.

    Attributes:
        text: As the sentence has it.
        lines: Python that ends by printing it. `run`, `src` and `recorded` are there, as
            `explorer.explanations.snippets` makes them.
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
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Scene:
    """A recorded run, seen with a visitor's choices; every place fits the run.

    Attributes:
        recorded: What the model computed.
        state: The visitor's choices.
    """

    recorded: Recorded
    state: ExplorerState

    @cached_property
    def step(self) -> int:
        """The step of the decoding; the last one where none was chosen."""
        last = self.recorded.last_step
        return last if self.state.decode_step is None else min(self.state.decode_step, last)

    @cached_property
    def source_position(self) -> int:
        """The source token; the first one where none was chosen."""
        return min(self.state.position or 0, len(self.recorded.source) - 1)

    @property
    def head(self) -> int:
        """The head; 0 where none was chosen."""
        return min(self.state.head or 0, self.recorded.run.config.n_heads - 1)

    def layer(self, stack: Stack) -> int:
        """The layer of a stack; its last one where none was chosen."""
        last = self.recorded.n_layers(stack) - 1
        return last if self.state.layer is None else min(self.state.layer, last)

    def place(self, stack: Stack) -> int:
        """The position that is looked at on this side."""
        return self.source_position if stack == "encoder" else self.step

    def token(self, stack: Stack) -> Piece:
        """The token there: on the target side the one that is produced."""
        if stack == "encoder":
            return Piece(self.recorded.source[self.source_position], "source")
        return Piece(self.recorded.outputs[self.step], "target")

    def where(self, stack: Stack) -> tuple[Piece, ...]:
        """The beginning of a sentence that says which token it is about."""
        place = self.place(stack)
        if stack == "encoder":
            return (Piece(f"At source position {place}, "), self.token(stack), Piece(", "))
        return (Piece(f"At step {place}, where "), self.token(stack), Piece(" is produced, "))


def number(text: str) -> Piece:
    """A number in a sentence."""
    return Piece(text, "number")
