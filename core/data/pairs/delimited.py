"""Lines of cells with a separator between them, as spreadsheets, Anki and corpora write them."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from core.data.pairs.content import COMMENT_MARKS, Content, Row, is_comment
from core.data.pairs.headers import has_known_names
from core.data.pairs.report import MOST_NAMED, DropReason, Occurrences
from core.errors import InputError

SEPARATORS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}
"""What stands between the columns of a file, by the names that Anki gives it in the line ``#separator:tab``."""
SNIFFED = ("tab", "semicolon", "comma", "pipe")
SAMPLE_ROWS = 200
_MOST_REMARKS = 10
"""Rows among which the names of the columns may be, below remarks."""
_SAMPLE_CHARACTERS = 20_000
MARKS = {"|||": "bars", "=>": "arrow", "->": "arrow", "→": "arrow", "::": "colons"}
"""Separators of more than one character that corpora and lists are written with."""
MOST_LINES_SHARE = 0.9
"""Share of lines that must have a form which no line announces; the others are counted."""
# The size of a file is limited, so a cell within it may be as long as it likes; it is dropped as too long.
csv.field_size_limit(2**31 - 1)

_DIRECTIVE = re.compile(
    r"#\s?(separator|html|columns|deck|notetype|tags|if matches|(?:guid|notetype|deck|tags) column)\s*:(.*)",
    re.IGNORECASE,
)
_EXCEL_SEPARATOR = re.compile(r"sep=(.)")
_COLUMN_NUMBER = re.compile(r"[1-9][0-9]?")
_QUOTED_CELL = re.compile(r'(?:^|\t)"', re.MULTILINE)
_QUOTED_TEXT = re.compile(r'"(?:[^"]|"")*"')
_CELL = re.compile(r'(?: *"(?P<quoted>[^"]*(?:""[^"]*)*)"(?=[\t\n]|\Z)|(?P<bare>[^\t\n]*))(?P<end>[\t\n]|\Z)')
_BARE_NUMBER = re.compile(r"[-+.,\d\s]*|NA")
_RULE_LINE = re.compile(r"\s*[|+]?\s*:?-+:?\s*(?:[|+]\s*:?-+:?\s*)+[|+]?\s*")
_BAR = re.compile(r"(?<!\\)\|")
_SPACES = re.compile(r" {2,}")
_NUMBERED = re.compile(r"(\S+)\(\d{1,2}\)")
_SOUNDS = re.compile(r"[^\s()]+(?:\(\d{1,2}\))?( [A-Z]{1,3}[0-2]?)+(?: #.*)?")
_REMARK = re.compile(r"\s#(?:\s.*)?$")


@dataclass(frozen=True)
class _Head:
    """Lines at the top that speak about the file.

    Attributes:
        lines: How many lines are part of it.
        separator: Name of the separator that it names; None if it names none.
        values: Values by the keys of Anki's directives.
        comments: Numbers of other lines that begin with # among them.
    """

    lines: int
    separator: str | None
    values: dict[str, str]
    comments: tuple[int, ...]


def read_delimited(text: str, name: str) -> Content:
    """Return the rows of a text whose lines are cut by separators.

    Raises:
        InputError: the file names a separator that is not known.
    """
    head = _head_of(text, name)
    if head.separator:
        return _quoted(text, head, head.separator, name)
    if name.lower().endswith(".csv"):
        return _sniffed_csv(text, head, name)
    if not _has_mostly(text, lambda line: "\t" in line) and _has_mostly(text, lambda line: "|||" in line):
        return _marked(text, head, "|||")
    if _has_mostly(text, lambda line: "\t" in line, 0.5):
        return _tabbed(text, head, name)
    if (rule := _rule_of(text, head)) or _has_mostly(text, _is_table_row):
        return _drawn(text, head, rule)
    agreeing = [separator for separator in SNIFFED[1:] if _agrees(text, head, separator)]
    typed = [separator for separator in agreeing if _is_typed(text, separator)]
    if typed:
        return _quoted(text, head, typed[0], name)
    for mark in MARKS:
        if _has_mostly(text, _cuts_in_two(mark)):
            return _marked(text, head, mark)
    if agreeing:
        return _quoted(text, head, agreeing[0], name)
    if _has_mostly(text, lambda line: len(_SPACES.split(line.strip())) == 2):
        return _spaced(text, head, _SPACES)
    if _has_mostly(text, lambda line: _SOUNDS.fullmatch(line.strip()) is not None):
        return _spaced(text, head, re.compile(" "))
    return _tabbed(text, head, name)


def _head_of(text: str, name: str) -> _Head:
    lines = io.StringIO(text)
    values: dict[str, str] = {}
    comments: list[int] = []
    count = 0
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\n")
        if number == 1 and (found := _EXCEL_SEPARATOR.fullmatch(line.strip(" \ufeff"))):
            return _Head(1, _separator_name(found[1], name), {}, ())
        if not line.startswith("#"):
            break
        found = _DIRECTIVE.fullmatch(line)
        # Only the separator and the names of columns may hold a separator; any other such line is a pair.
        if found and ("\t" not in found[2] or found[1].lower() in ("separator", "columns")):
            values[found[1].lower()] = found[2]
            count = number
        elif values:
            comments.append(number)
    separator = values.get("separator")
    return _Head(
        count,
        None if separator is None else _separator_name(separator, name),
        values,
        tuple(number for number in comments if number <= count),
    )


def _separator_name(value: str, name: str) -> str:
    for known, character in SEPARATORS.items():
        if value.strip().lower() == known or value == character:
            return known
    raise InputError(f"{name} names a separator that is not known; name one of {', '.join(SEPARATORS)}")


def _content(
    form: str, rows: Callable[[], Iterator[Row]], head: _Head, notes: tuple[str, ...] = ()
) -> Content:
    def with_comments() -> Iterator[Row]:
        yield from (Row(number, (), DropReason.COMMENT) for number in head.comments)
        yield from _below_remarks(
            row for row in rows() if row.reason or any(cell.strip() for cell in row.cells)
        )

    columns = head.values.get("columns")
    separator = SEPARATORS[head.separator or "tab"]
    unused = (value.strip() for key, value in head.values.items() if key.endswith(" column"))
    return Content(
        form,
        with_comments,
        names=tuple(name.strip() for name in columns.split(separator)) if columns else (),
        unused=frozenset(int(value) - 1 for value in unused if _COLUMN_NUMBER.fullmatch(value)),
        is_html=head.values.get("html", "").strip().lower() == "true",
        notes=notes,
    )


def _below_remarks(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield rows; those above a line of names are remarks if they begin as comments do, or are not cut at all."""
    above = list(islice(rows, _MOST_REMARKS))
    names = next(
        (place for place, row in enumerate(above) if not row.reason and has_known_names(row.cells)), 0
    )
    remarks = [row for row in above[:names] if not row.reason]
    if all(row.cells[0].startswith("#") or len(row.cells) == 1 for row in remarks):
        for place, row in enumerate(above[:names]):
            is_comment = row.cells[:1] and row.cells[0].startswith("#")
            reason = DropReason.COMMENT if is_comment else DropReason.UNREADABLE
            above[place] = row._replace(reason=row.reason or reason)
    yield from above
    yield from rows


def _plain_rows(text: str, head: _Head, cut: Callable[[str], list[str]]) -> Iterator[Row]:
    lines = io.StringIO(text)
    for number, line in enumerate(islice(lines, head.lines, None), head.lines + 1):
        line = line.rstrip("\n")
        cells = tuple(cut(line))
        yield Row(number, cells, DropReason.COMMENT if is_comment(line, cells) else None)


def _quoted_rows(text: str, head: _Head, separator: str, name: str) -> Iterator[Row]:
    character = SEPARATORS[separator]
    begins: list[str] = []

    def watched() -> Iterator[str]:
        for line in islice(io.StringIO(text), head.lines, None):
            begins.append(line[:3])
            yield line

    reader = csv.reader(
        watched(),
        delimiter=character,
        strict=True,
        skipinitialspace=_has_spaces_before_quotes(text, character),
    )
    while True:
        before = reader.line_num
        begins.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputError(
                f"line {head.lines + before + 1:,} of {name} cannot be cut into columns: close its quotes, "
                "write quotes within quotes twice, or save the file as tab-separated text named .tsv"
            ) from error
        if cells is None:
            return
        row = tuple(cells)
        yield Row(head.lines + before + 1, row, DropReason.COMMENT if is_comment(begins[0], row) else None)


def _has_spaces_before_quotes(text: str, separator: str) -> bool:
    """Return True if quoted cells have spaces before them; a space before any other cell belongs to its text."""
    if separator == " " or f'{separator} "' not in text:
        return False
    return f'{separator} "' in _QUOTED_TEXT.sub('""', text)


def _quoted(text: str, head: _Head, separator: str, name: str) -> Content:
    return _content(f"{separator}-separated", lambda: _quoted_rows(text, head, separator, name), head)


def _tabbed(text: str, head: _Head, name: str) -> Content:
    if _QUOTED_CELL.search(text) and _fits_quotes(text, head, name) and (quoted := _quotes_of(text, head)):
        cells = "1 cell in quotes was" if quoted.count == 1 else f"{quoted.count:,} cells in quotes were"
        note = f"{cells} read as a spreadsheet writes them, without the outer quotes{_where(quoted)}."
        return _content("tab-separated", lambda: _quoted_rows(text, head, "tab", name), head, (note,))
    rows, notes = _merged(lambda: _plain_rows(text, head, lambda line: line.split("\t")), text, "\t")
    return _content("tab-separated", rows, head, notes)


def _where(found: Occurrences) -> str:
    return f" ({'first: ' if found.count > 1 else ''}line {found.lines[0]:,})"


def _fits_quotes(text: str, head: _Head, name: str) -> bool:
    """Return True if closing and doubling fit in every cell that begins with a quote, and no such row loses a cell."""
    widths: Counter[int] = Counter()
    broken: set[int] = set()
    try:
        for row in _quoted_rows(text, head, "tab", name):
            widths[len(row.cells)] += 1
            # A quotation in one target may end in that of a later line, as in a dialogue.
            if any("\n" in cell and "\t" in cell for cell in row.cells):
                return False
            if any("\n" in cell or "\t" in cell for cell in row.cells):
                broken.add(len(row.cells))
    except InputError:
        return False
    # A quote that is only text may close in a later line by chance: then its row has too few cells.
    usual = max(widths, key=lambda width: (widths[width], width), default=0)
    return broken <= {usual}


def _quotes_of(text: str, head: _Head) -> Occurrences | None:
    """Return the cells in quotes; None if the quotes are text, because no cell needs them and some have none."""
    place = 0
    for _ in range(head.lines):
        place = text.index("\n", place) + 1
    line = head.lines + 1
    found = Occurrences()
    is_needed, are_all = False, True
    while place < len(text) and (cell := _CELL.match(text, place)):
        quoted = cell["quoted"]
        if quoted is None:
            are_all = are_all and _BARE_NUMBER.fullmatch(cell["bare"]) is not None
        else:
            found = found.and_in(line)
            is_needed = is_needed or any(mark in quoted for mark in ("\t", "\n", '""'))
        line += cell[0].count("\n")
        place = cell.end()
    return found if is_needed or are_all else None


def _marked(text: str, head: _Head, mark: str) -> Content:
    form = f"separated by {mark}"
    return _content(form, lambda: _plain_rows(text, head, lambda line: _cut(line, mark)), head)


def _rule_of(text: str, head: _Head) -> int:
    """Return the number of the line that rules off the header of a drawn table; 0 if the text is no such table."""
    place = 0
    for number, line in enumerate(io.StringIO(text), 1):
        place += len(line)
        if number > head.lines and _RULE_LINE.fullmatch(line.rstrip("\n")):
            return number if _has_mostly(text[place:], lambda line: _BAR.search(line) is not None, 0.5) else 0
    return 0


def _drawn(text: str, head: _Head, rule: int) -> Content:
    """Return the rows of a table as Markdown draws it.

    Args:
        text: The whole text.
        head: Lines at its top that speak about it.
        rule: Number of the line below its header; 0 if it has none.
    """

    def cut(line: str) -> list[str]:
        line = line.strip()
        if line.startswith("|") and _BAR.search(line, 1):
            line = line[1:-1] if line.endswith("|") and not line.endswith("\\|") else line[1:]
        return [cell.strip().replace("\\|", "|") for cell in _BAR.split(line)]

    def rows() -> Iterator[Row]:
        for row in _plain_rows(text, head, cut):
            if row.line in (rule - 1, rule) or not any(row.cells):
                continue
            if row.line < rule or len(row.cells) < 2:
                row = row._replace(reason=row.reason or DropReason.UNREADABLE)
            yield row

    content = _content("table drawn with |", rows, head)
    names = tuple(cut(next(islice(io.StringIO(text), rule - 2, None)))) if rule > 1 else ()
    if len(names) < 2:
        return content
    note = f"Its header is above its rule: {', '.join(name[:40] for name in names[:MOST_NAMED] if name)}."
    return replace(content, names=names, notes=(note,))


def _spaced(text: str, head: _Head, spaces: re.Pattern[str]) -> Content:
    remarks = Occurrences()
    for number, line in enumerate(io.StringIO(text), 1):
        if _REMARK.search(line) and not line.startswith(COMMENT_MARKS):
            remarks = remarks.and_in(number)

    def cut(line: str) -> list[str]:
        if line.startswith(";;;"):  # a comment, whose words a space does not separate
            return [line]
        if not line.startswith(COMMENT_MARKS):
            line = _REMARK.sub("", line)
        return spaces.split(line.strip(), maxsplit=spaces.pattern == " ")

    rows, notes = _merged(lambda: _plain_rows(text, head, cut), text, " ")
    if remarks.count:
        noun = "comment behind its sounds was" if remarks.count == 1 else "comments behind sounds were"
        notes += (f"{remarks.count:,} {noun} left out{_where(remarks)}.",)
    return _content("dictionary, separated by spaces", rows, head, notes)


def _merged(
    rows: Callable[[], Iterator[Row]], text: str, separator: str
) -> tuple[Callable[[], Iterator[Row]], tuple[str, ...]]:
    """Return rows in which WORD(1) below WORD is read as WORD, and a sentence about it."""
    if f"){separator}" not in text:
        return rows, ()
    merged, lines, words = [], [], []
    before = ""
    for row in rows():
        word = row.cells[0].strip() if row.cells else ""
        if (found := _NUMBERED.fullmatch(word)) and found[1] == before:
            row = row._replace(cells=(before, *row.cells[1:]))
            lines.append(row.line)
            words.append(word)
        else:
            before = word
        merged.append(row)
    if not lines:
        return rows, ()
    many = "alternatives such as" if len(lines) > 1 else "alternative"
    verb, first = ("were", "first: ") if len(lines) > 1 else ("was", "")
    example = f"“{words[0][:40]}”"
    note = (
        f"{len(lines):,} numbered {many} {example} {verb} read as the word itself ({first}line {lines[0]:,})."
    )
    return lambda: iter(merged), (note,)


def _cut(line: str, mark: str) -> list[str]:
    return [cell.strip() for cell in line.split(mark)]


def _is_table_row(line: str) -> bool:
    line = line.strip()
    return line.count("|") >= 3 and line.startswith("|") and line.endswith("|")


def _cuts_in_two(mark: str) -> Callable[[str], bool]:
    return lambda line: len(list(filter(None, _cut(line, mark)))) == line.count(mark) + 1 == 2


def _has_mostly(text: str, fits: Callable[[str], bool], share: float = MOST_LINES_SHARE) -> bool:
    """Return True if at least this share of a text's lines fits; comments and blank lines do not count."""
    lines = fitting = 0
    for line in io.StringIO(text):
        line = line.rstrip("\n")
        if line.strip() and not (line.startswith(COMMENT_MARKS) and not fits(line)):
            lines += 1
            fitting += fits(line)
            if lines == SAMPLE_ROWS and fitting < share * lines / 2:
                return False
    return fitting > 0 and fitting >= share * lines


def _agrees(text: str, head: _Head, separator: str) -> bool:
    """Return True if a separator cuts nearly all lines into equally many cells, or most below a line of names."""
    widths: Counter[int] = Counter()
    has_names = False
    try:
        for row in _quoted_rows(text, head, separator, ""):
            if row.reason or not any(cell.strip() for cell in row.cells):
                continue
            has_names = has_names or (not widths and has_known_names(row.cells))
            widths[len(row.cells)] += 1
    except InputError:
        return False
    if not widths:
        return False
    width, count = widths.most_common(1)[0]
    share = 0.5 if has_names else MOST_LINES_SHARE
    return width > 1 and widths.total() > 1 and count >= share * widths.total() and 2 * count > widths.total()


def _sniffed_csv(text: str, head: _Head, name: str) -> Content:
    """Return the rows by the separator that cuts most lines into equally many columns."""
    if _has_mostly(text, lambda line: "|||" in line):
        return _marked(text, head, "|||")
    separator = max(SNIFFED, key=lambda separator: _regularity(text, head, separator, name))
    return _quoted(text, head, separator, name)


def _regularity(text: str, head: _Head, separator: str, name: str) -> tuple[bool, bool, float]:
    """Return how evenly a separator cuts the rows, as a tuple that ranks it."""
    widths = _sample(text, head, separator, name)
    share = max((count / len(widths) for width, count in Counter(widths).items() if width > 1), default=0.0)
    return share >= MOST_LINES_SHARE, share > 0 and _is_typed(text, separator), share


def _is_typed(text: str, separator: str) -> bool:
    """Return True if a mark mostly stands as separators do: with no space behind it, and not within a number."""
    mark = re.escape(SEPARATORS[separator])
    sample = _QUOTED_TEXT.sub('""', text[:_SAMPLE_CHARACTERS])
    typed = len(re.findall(rf"{mark}(?! )(?!(?<=\d{mark})\d)", sample))
    return 2 * typed > sample.count(SEPARATORS[separator])


def _sample(text: str, head: _Head, separator: str, name: str) -> list[int]:
    """Return the widths of the first rows; a row that cannot be cut has none and is the last one."""
    sample: list[int] = []
    try:
        rows = (row for row in _quoted_rows(text, head, separator, name) if any(map(str.strip, row.cells)))
        sample.extend(0 if row.reason else len(row.cells) for row in islice(rows, SAMPLE_ROWS))
    except InputError:
        sample.append(0)
    return sample
