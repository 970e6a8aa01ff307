"""The computation on paper: first without what is to be computed, then, on a page of its own, with all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from explorer.views.by_hand.answers import shown
from explorer.views.by_hand.checking import ROUNDING
from explorer.views.by_hand.data import TITLES, asked, computed, view_of
from explorer.views.by_hand.examples import example_of
from explorer.visitor.by_hand import COMPUTED, GIVEN, ByHand
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import Block, Heading, PageBreak, Sheet, Table, Together, html_of, paragraph

_ROOM = "________"
"""Where a number is written."""


def document(title: str, state: ExplorerState, address: str) -> str:
    """The HTML of the worksheet, with its answers on a page of their own."""
    hand = state.by_hand
    example = example_of(hand)
    facts = (
        ("Tokens", ", ".join(hand.names)),
        ("Numbers", example.title if example else "own ones"),
        ("Name", " "),
    )
    task = paragraph(f"Compute what is left blank, from the top to the bottom. {ROUNDING}")
    answers = (PageBreak(), Heading("Answers"), *_computed(hand, blanks=()))
    blocks = (task, *_given(hand), *_computed(hand, blanks=asked(hand) or COMPUTED), *answers)
    return html_of(Sheet(title, facts, blocks, address))


def _given(hand: ByHand) -> Iterator[Block]:
    """What is written down."""
    yield Heading("What is given")
    for name in GIVEN:
        rows = hand.names if name == "x" else ("",) * hand.size[1]
        numbers = [[shown(number) for number in row] for row in hand.matrix(name)]
        yield _table(TITLES[name], rows, ("",) * len(numbers[0]), numbers)


def _computed(hand: ByHand, blanks: tuple[str, ...]) -> Iterator[Block]:
    """Every matrix from Q to the output; of those left blank the room for their numbers."""
    found = computed(replace(hand, blanks=(), answers=()))
    for stage in view_of(found).stages:
        panels = stage.panels[1:] if stage.kind == "map" else (stage.result,)
        tables = []
        for panel in panels:
            name, values = panel.tensor, found.values(panel.tensor)
            # Whoever computes the weights computes what they are made of.
            is_blank = ("weights" if name in ("exps", "total") else name) in blanks
            rows = values.reshape(len(values), -1).tolist()
            columns = hand.names if panel.columns == ("key",) else ("",) * len(rows[0])
            numbers = [[_ROOM if is_blank else _text(value) for value in row] for row in rows]
            tables.append(_table(TITLES[name], hand.names, columns, numbers))
        yield Together((paragraph(stage.formula), *tables))


def _text(value: float) -> str:
    return "masked" if value == -float("inf") else shown(value)


def _table(title: str, rows: tuple[str, ...], columns: tuple[str, ...], numbers: list[list[str]]) -> Table:
    cells = tuple((name, *row) for name, row in zip(rows, numbers, strict=True))
    return Table(("", *columns), cells, (0,), title)
