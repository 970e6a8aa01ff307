"""A stop: one block of the model in one picture of all its stages, on the rail of the whole model's blocks.

It is fed once per recorded run by one binary message, that of the tensor view with the rail. Stage, layer, head and
row change in the browser; Python hears of the visitor's choice when it rests, and at once of a number that is asked
about and of a block that is gone to.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.browser.tensors import ASK, LOOK, Looked, fields_of
from explorer.tensors import Side, TensorViewData
from explorer.visitor.reports import Event, Explain, Payload, Refused

PictureName = Literal[
    "attention", "by-hand", "feed-forward", "norm", "embedding", "output", "masks", "positions"
]
EntryKind = Literal["name", "number", "answer"]
MAX_TYPED, MAX_TEXT = 200, 40
"""Cells of a report, and characters of one."""


@dataclass(frozen=True)
class RailBlock:
    """A block of the model on the rail.

    Attributes:
        id: Module path.
        title: What people call it.
        short: The same where there is little room.
        side: Whose tokens go through it.
        layer: Of its stack; None outside of the layers.
        weight: How wide it is beside the others.
        crosses: Whether it reads the memory.
    """

    id: str
    title: str
    short: str
    side: Side
    layer: int | None
    weight: int
    crosses: bool


@dataclass(frozen=True)
class Entry:
    """A cell of a picture in which something can be written.

    Attributes:
        kind: The name of a row, a small whole number, or an answer that is checked.
        tensor: Whose cell it is.
        row: Of the tensor.
        column: Of the tensor; −1 for the name of a row.
        label: What it is called for those who do not see where it stands.
        text: What is written there.
        state: Of an answer: ``right`` or ``wrong``; empty before there is one.
    """

    kind: EntryKind
    tensor: str
    row: int
    column: int
    label: str
    text: str
    state: Literal["", "right", "wrong"] = ""


@dataclass(frozen=True, eq=False)
class StopData:
    """What a stop is fed.

    Attributes:
        tensors: Values, stages and choosers of the block.
        picture: How it is drawn.
        rail: The blocks in the order of the computation; none where the picture stands below a stop.
        here: Id of the block that is open.
        stage: Key of the stage that the picture stops at, or of what is pointed out in one below a stop; empty for
            all of them.
        row: Place of the lit row.
        grows: Whether rows behind the lit one are not there yet.
        reads: The tokens that the rows read.
        writes: The tokens that they write; empty where they write none.
        entries: Cells in which something can be written.
    """

    tensors: TensorViewData
    picture: PictureName
    rail: tuple[RailBlock, ...]
    here: str
    stage: str
    row: int
    grows: bool
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    entries: tuple[Entry, ...] = ()

    @property
    def key(self) -> str:
        """Key of the values, which the browser's reports name."""
        return self.tensors.key


@dataclass(frozen=True)
class Typed:
    """What a visitor has written into cells: tensor, row, column (−1 for the name of a row) and text of each."""

    cells: tuple[tuple[str, int, int, str], ...]


@dataclass(frozen=True)
class Gone:
    """A visitor goes to another block, by its module path; to the whole picture where it is empty.

    Attributes:
        block: Where to.
        inspects: Whether to all its numbers, one tensor after the other, instead of its picture.
    """

    block: str
    inspects: bool = False


def pack(data: StopData) -> bytes:
    """The message: the tensor view's, with the rail and the lit row.

    Raises:
        ValueError: when the parts of the view do not fit one another; the sentence says which.
    """
    own = {name: value for name, value in vars(data).items() if name != "tensors"}
    return pack_message({**fields_of(data.tensors), **own})


OPEN: Event[Gone, TensorViewData] = Event(
    "open", lambda payload, data: Gone(payload["block"].text(), payload["inspects"].value is True)
)
"""The visitor goes to another block. Whether the model has it is for the page to say."""


def _read_typed(payload: Payload, data: TensorViewData) -> Typed:
    cells = payload["cells"].items()
    if len(cells) > MAX_TYPED:
        raise Refused
    found = []
    for cell in cells:
        with suppress(Refused):
            found.append(_read_cell(cell, data))
    if not found:
        raise Refused
    return Typed(tuple(found))


def _read_cell(cell: Payload, data: TensorViewData) -> tuple[str, int, int, str]:
    """A cell of a tensor that is shown, with a short text."""
    parts = cell.items()
    if len(parts) != 4:
        raise Refused
    name, row, column, text = parts
    tensor = name.one_of(data.tensors)
    n_rows, *columns = data.tensors[tensor].values.shape
    n_columns = columns[0] if columns else 1
    return tensor, row.index(n_rows), column.whole(-1, n_columns - 1), text.text(MAX_TEXT)


TYPED: Event[Typed, TensorViewData] = Event("type", _read_typed)
"""The visitor has written something. What may stand there is for the page to say."""
EVENTS: tuple[Event[Looked | Explain | Gone | Typed, TensorViewData], ...] = (LOOK, ASK, OPEN, TYPED)

stop = KeptView(__file__, "stop", pack, EVENTS)
"""Shows the stop. The browser keeps its own choices while the key of the tensors stays the same."""
stop_below = KeptView(
    __file__, "stop_below", pack, EVENTS, source="below", html='<div class="stop" data-look="light"></div>'
)
"""Shows a picture that stands below a stop, and reports to Streamlit."""
