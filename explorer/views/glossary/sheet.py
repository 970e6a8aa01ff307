"""The whole glossary on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.glossary.terms import glossary
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import Block, Formula, Heading, Sheet, Table, html_of, paragraph


def document(title: str, state: ExplorerState, address: str) -> str:
    """The HTML of all terms in the order of the alphabet."""
    return html_of(Sheet("Glossary of the Transformer", (), tuple(_blocks())))


def _blocks() -> Iterator[Block]:
    for term in glossary().values():
        yield Heading(term.name)
        yield paragraph(term.text)
        if term.formula:
            yield Formula(term.formula)
        if term.more:
            yield from map(_table, term.more.strip().split("\n\n"))


def _table(markdown: str) -> Table:
    """A table of the page as one on paper."""
    heads, _, *rows = (
        tuple(cell.strip() for cell in line.strip("|").split("|")) for line in markdown.splitlines()
    )
    return Table(heads, tuple(rows), words=tuple(range(len(heads))))
