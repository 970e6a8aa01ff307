"""How the bytes of a pairs file are cut into lines and columns, for the layouts that people have."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from core.errors import InputError

SEPARATORS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}
"""What stands between the columns of a file, by the names that Anki gives it in the line ``#separator:tab``."""
SNIFFED = ("tab", "semicolon", "comma", "pipe")
SAMPLE_ROWS = 200

_LINE_END = re.compile(r"\r\n?")
_BYTES_LINE_END = re.compile(rb"\r\n?|\n")
_ANKI_COLUMN = re.compile(r"(?:guid|notetype|deck|tags) column")
_COLUMN_NUMBER = re.compile(r"[1-9][0-9]?")
_COLUMN_NAMES = re.compile("source|target|src|tgt|trg|input|output|front|back|question|answer")
_LANGUAGES = re.compile("en|de|fr|es|it|pt|nl|english|german|french|spanish|italian|portuguese|dutch")

Cells = tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """The columns of one pair, and the number of the line in which it begins."""

    line: int
    cells: Cells


@dataclass(frozen=True)
class Layout:
    """How a file is to be cut.

    Attributes:
        separator: Name of what stands between columns.
        quoted: Whether a column may stand in quotes, and then hold separators and ends of lines.
        html: Whether the columns are HTML.
        directives: How many lines at the top tell Anki, or a reader, about the file.
        named: Whether those lines name the columns, so that no other line does.
        unused: Positions of columns that hold no text of a pair.
        tatoeba: Whether the columns are number, source, number, target.
        width: How many columns most lines have.
    """

    separator: str
    quoted: bool
    html: bool = False
    directives: int = 0
    named: bool = False
    unused: frozenset[int] = frozenset()
    tatoeba: bool = False
    width: int = 2

    def __str__(self) -> str:
        columns = f"{self.separator}-separated, {self.width} column{'s' * (self.width != 1)}"
        return f"{columns} as Tatoeba writes them" if self.tatoeba else columns

    def sides(self, cells: Cells) -> tuple[str, str, str]:
        """Return source, target and attribution, each empty where the column is missing."""
        used = [cell for position, cell in enumerate(cells) if position not in self.unused]
        if self.tatoeba:
            used = used[1:4:2]
        source, target, attribution = _padded(used, 3)
        return source, target, attribution


def decoded(data: bytes, name: str) -> str:
    """Return the text of UTF-8 bytes, or of UTF-16 bytes that begin with its mark; lines end in a newline.

    Raises:
        InputError: the bytes are not such a text.
    """
    utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(_BYTES_LINE_END.findall(data, 0, error.start)) + 1
        where = f"byte {error.start:,}" if utf_16 else f"byte 0x{data[error.start]:02X} in line {line:,}"
        raise InputError(f"{name} is not text that can be read ({where}); save it as UTF-8") from error
    if "\0" in text:
        raise InputError(f"{name} is not plain text; save the pairs as UTF-8 text, one pair a line")
    return _LINE_END.sub("\n", text)


def recognised(text: str, name: str) -> Layout:
    """Return how the text of a file of that name is to be cut.

    Raises:
        InputError: the file says that Anki separated its columns in a way that is not known.
    """
    directives, n_directives = _directives(text)
    separator = directives.get("separator")
    quoted = separator is not None or name.lower().endswith(".csv")
    layout = Layout(
        separator="tab" if separator is None else _separator_name(separator, name),
        quoted=quoted,
        html=directives.get("html", "").strip().lower() == "true",
        directives=n_directives,
        named="columns" in directives,
        unused=_unused_columns(directives),
    )
    if quoted and separator is None:
        layout = _sniffed(text, layout)
    return _with_columns(text, layout)


def rows(text: str, layout: Layout, name: str) -> Iterator[Row]:
    """Yield the rows of a text; blank lines and lines that begin with # are left out.

    Raises:
        InputError: quotes are not closed or not written twice within quotes, or a column is endless.
    """
    lines = io.StringIO(text)
    for _ in range(layout.directives):
        next(lines)
    cut = _quoted_rows(lines, layout, name) if layout.quoted else _plain_rows(lines, layout)
    return (row for row in cut if any(cell.strip() for cell in row.cells))


def header_names(row: Row) -> tuple[str, ...]:
    """Return the names of the columns where a row surely holds names and no pair, otherwise nothing."""
    names = tuple(cell.strip() for cell in row.cells[:2])
    lowered = {name.lower() for name in names}
    if len(lowered) < 2:
        return ()
    # Two names of languages may be a pair of a dictionary; with English among them they hardly are.
    of_languages = all(map(_LANGUAGES.fullmatch, lowered)) and bool(lowered & {"en", "english"})
    return names if of_languages or all(map(_COLUMN_NAMES.fullmatch, lowered)) else ()


def _plain_rows(lines: Iterator[str], layout: Layout) -> Iterator[Row]:
    separator = SEPARATORS[layout.separator]
    for number, line in enumerate(lines, layout.directives + 1):
        if not line.startswith("#"):
            yield Row(number, tuple(line.rstrip("\n").split(separator)))


def _quoted_rows(lines: Iterator[str], layout: Layout, name: str) -> Iterator[Row]:
    begins: list[str] = []

    def watched() -> Iterator[str]:
        for line in lines:
            begins.append(line[0])
            yield line

    reader = csv.reader(watched(), delimiter=SEPARATORS[layout.separator], strict=True, skipinitialspace=True)
    while True:
        before = reader.line_num
        begins.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputError(
                f"line {layout.directives + before + 1:,} of {name} cannot be cut into columns: close its quotes, "
                "write quotes within quotes twice, or save the file as tab-separated text named .tsv"
            ) from error
        if cells is None:
            return
        if begins[0] != "#":
            yield Row(layout.directives + before + 1, tuple(cells))


def _directives(text: str) -> tuple[dict[str, str], int]:
    """Return what the lines #key:value at the top of a text say, and how many lines begin with # there."""
    directives: dict[str, str] = {}
    count = 0
    for line in io.StringIO(text):
        if not line.startswith("#"):
            break
        count += 1
        key, colon, value = line[1:].rstrip("\n").partition(":")
        if colon:
            directives[key.strip().lower()] = value
    return directives, count


def _separator_name(value: str, name: str) -> str:
    for known, character in SEPARATORS.items():
        if value.strip().lower() == known or value == character:
            return known
    raise InputError(f"{name} names a separator that is not known; name one of {', '.join(SEPARATORS)}")


def _unused_columns(directives: dict[str, str]) -> frozenset[int]:
    values = (value.strip() for key, value in directives.items() if _ANKI_COLUMN.fullmatch(key))
    return frozenset(int(value) - 1 for value in values if _COLUMN_NUMBER.fullmatch(value))


def _sniffed(text: str, layout: Layout) -> Layout:
    """Return the layout with the separator that cuts most rows into equally many columns, but few."""
    candidates = [replace(layout, separator=separator) for separator in SNIFFED]
    return max(candidates, key=lambda candidate: _regularity(_sample(text, candidate)))


def _regularity(sample: list[Cells]) -> tuple[float, int]:
    """Return which share of the rows has the most common number of columns above 1, and that number, negated."""
    widths = Counter(map(len, sample))
    several = [(count / len(sample), -width) for width, count in widths.items() if width > 1]
    return max(several, default=(0.0, 0))


def _with_columns(text: str, layout: Layout) -> Layout:
    sample = _sample(text, layout)
    width = Counter(map(len, sample)).most_common(1)[0][0] if sample else 0
    numbered = sum(len(cells) > 3 and _is_number(cells[0]) and _is_number(cells[2]) for cells in sample)
    return replace(layout, width=width, tatoeba=numbered * 2 > len(sample))


def _sample(text: str, layout: Layout) -> list[Cells]:
    """Return the cells of the first rows; a row that cannot be cut has none and is the last one."""
    sample: list[Cells] = []
    try:
        sample.extend(row.cells for row in islice(rows(text, layout, ""), SAMPLE_ROWS))
    except InputError:
        sample.append(())
    return sample


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.strip().isdigit()


def _padded(cells: Sequence[str], count: int) -> list[str]:
    return [*cells[:count], *[""] * (count - len(cells))]
