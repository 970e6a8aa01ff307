"""What a worksheet is made of, and how it becomes one HTML file; every text in it is escaped here."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from explorer.look.formula import FONT, font_face, mathml
from explorer.look.pieces import Piece
from explorer.look.theme import ROLES
from explorer.look.token_text import visible

MOST_WHOLE = 16
"""Rows of a table that is not torn apart at the end of a page."""

LINES = 2
"""Lines to write an answer on."""

MOST_UNTORN = 10
"""Letters of a word that no narrow column tears."""

_STYLE = Path(__file__).parent / "sheet.css"
_EMPHASIS = re.compile(r"(?<!\\)\*{1,2}(.+?)(?<!\\)\*{1,2}", re.DOTALL)
_DOTTED = re.compile(r"[a-z_]\w*(?:\.\w+){2,}")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True)
class Heading:
    """The title of what follows."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Sentences; ``quiet`` for those that only say what something is."""

    pieces: tuple[Piece, ...]
    quiet: bool = False


@dataclass(frozen=True)
class Table:
    """A table of texts that are ready to be read.

    Attributes:
        heads: Of the columns; two may be alike.
        rows: Their cells.
        words: Places of the columns that hold words; the others hold numbers.
        caption: What it shows; empty for nothing.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[int, ...] = ()
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """An SVG picture, drawn by `explorer.worksheets.matrix` with every text escaped, and what stands under it."""

    svg: str
    caption: str = ""


@dataclass(frozen=True)
class Formula:
    """LaTeX of ours, or with numbers alone put in."""

    latex: str


@dataclass(frozen=True)
class Line:
    """Room to write an answer by hand."""


@dataclass(frozen=True)
class Question:
    """Something to find out, with room to answer; the answer is printed by `explorer.worksheets.questions` alone."""

    asked: tuple[Piece, ...]
    answer: tuple[Piece, ...]


@dataclass(frozen=True)
class PageBreak:
    """What follows begins on a new page."""


@dataclass(frozen=True)
class Together:
    """Blocks that stand on one page, where one has room for them."""

    blocks: tuple[Block, ...]


Block = Heading | Paragraph | Table | Picture | Formula | Line | Question | PageBreak | Together


@dataclass(frozen=True)
class Sheet:
    """A worksheet: its title, what is known of it, and its blocks.

    Attributes:
        title: Of the page and the file.
        facts: Lines under the title, each a name and what it is.
        blocks: In the order of reading.
        address: Where the same view is live; it is printed, not linked.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    address: str = ""


def table_of(columns: Mapping[str, Sequence[str]], texts: Sequence[str] = (), caption: str = "") -> Table:
    """A table of columns by their heads, as pages draw it.

    Args:
        columns: Cells by the column's head.
        texts: Heads of the columns that hold words.
        caption: What it shows.
    """
    heads = tuple(columns)
    words = tuple(place for place, head in enumerate(heads) if head in texts)
    return Table(heads, tuple(zip(*columns.values(), strict=True)), words, caption)


def paragraph(text: str, *, quiet: bool = False) -> Paragraph:
    """A paragraph of plain words."""
    return Paragraph((Piece(text),), quiet)


def paragraph_of_markdown(text: str) -> Paragraph:
    """A paragraph of a sentence that a page draws as Markdown: what stands out there is bold, all else is plain."""
    pieces = []
    for place, part in enumerate(_EMPHASIS.split(text)):
        if part:
            pieces.append(Piece(_ESCAPE.sub(r"\1", part), "number" if place % 2 else ""))
    return Paragraph(tuple(pieces))


def html_of(sheet: Sheet) -> str:
    """The whole worksheet as a file of HTML."""
    roles = "".join(f"--{name}:{colour};" for name, colour in ROLES["light"].items())
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in sheet.facts)
    listed = f"<dl>{facts}</dl>" if facts else ""
    # The file is whole without a server.
    body = "\n".join(map(_block, sheet.blocks))
    font = font_face(f"data:font/woff2;base64,{b64encode(FONT).decode()}") if "<math" in body else ""
    where = f'<p class="quiet">Live at {escape(sheet.address)}</p>' if sheet.address else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Nothing is fetched and nothing runs, whatever stands in here.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "font-src data:; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(sheet.title)}</title>\n"
        f"<style>:root{{{roles}}}\n{_STYLE.read_text(encoding='utf-8')}{font}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(sheet.title)}</h1>{listed}</header>\n<main>\n{body}"
        f"\n</main>\n<footer>{where}</footer>\n</body>\n</html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Paragraph(pieces, quiet):
            return f"<p{' class=quiet' if quiet else ''}>{''.join(map(_piece, pieces))}</p>"
        case Table():
            return _table(block)
        case Picture(svg, caption):
            under = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
            return f"<figure>{svg}{under}</figure>"
        case Formula(latex):
            return f'<div class="formula">{mathml(latex)}</div>'
        case Line():
            return '<div class="line"></div>'
        case Question(asked):
            return _block(Together((Paragraph(asked), *(Line() for _ in range(LINES)))))
        case PageBreak():
            return '<div class="break"></div>'
        case Together(blocks):
            return f'<section class="whole">{"".join(map(_block, blocks))}</section>'


def _piece(piece: Piece) -> str:
    if piece.kind == "number":
        return f"<b>{escape(piece.text)}</b>"
    if piece.kind in ("source", "target"):
        return f'<bdi class="{piece.kind}">{escape(visible(piece.text))}</bdi>'
    return escape(piece.text)


def _table(table: Table) -> str:
    columns = zip(table.heads, *table.rows, strict=True)
    kinds = [_kind(column) if place in table.words else "" for place, column in enumerate(columns)]
    head = "".join(
        f'<th scope="col"{kind}>{escape(text)}</th>' for text, kind in zip(table.heads, kinds, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{_cell(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in table.rows
    )
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    whole = " whole" if len(table.rows) <= MOST_WHOLE else ""
    cells = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f'<div class="table{whole}"><table>{caption}{cells}</table></div>'


def _kind(texts: Sequence[str]) -> str:
    """The class of a column of words, by its longest part that stands in one line."""
    longest = max(len(part) for text in texts for part in re.split(r"\s|<wbr>", _cell(text)))
    return ' class="words long"' if longest > MOST_UNTORN else " class=words"


def _cell(text: str) -> str:
    """A cell's text; a name of the code may go on in the next line after a dot or an underscore."""
    shown = escape(text)
    return re.sub("[._]", r"\g<0><wbr>", shown) if _DOTTED.fullmatch(text) else shown


def visible_text(text: str) -> str:
    """A whole output, in which spaces stay spaces."""
    return " ".join(map(visible, text.split(" "))) if text else "∅"
