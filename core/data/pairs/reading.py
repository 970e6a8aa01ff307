"""Pairs that a user brings along: a file of sources and targets, read without trust in anything it says."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.data.cleaning import CleanText, clean_source, clean_target
from core.data.pairs.columns import Columns, NoTextColumns, choose_columns, is_credit
from core.data.pairs.content import Content, Row
from core.data.pairs.forms import decode_text, recognise
from core.data.pairs.headers import is_header
from core.data.pairs.report import (
    MOST_OF_A_NAME,
    ChangeCounter,
    Drop,
    DropCounter,
    DropReason,
    Occurrences,
    PairLimits,
    PairsReport,
    ReadingOptions,
)
from core.data.tasks.task import Pair
from core.errors import InputError, RunError, excerpt
from core.files import read_bounded

UPLOAD_LIMITS = PairLimits()
AUTOMATIC_READING = ReadingOptions()
"""Options of a user who leaves everything to the program."""
CHARACTERS_A_TOKEN = 10
"""Characters of a side that is read, for each token that it may be cut into."""
SURVEYED_ROWS = 2_000
SURVEYED_COLUMNS = 100
"""Rows and columns by which the columns of a file are chosen."""

_TAG = re.compile(r"<[^<>]*>")
_BREAKING_TAG = re.compile(r"</?(?:br|div|hr|li|p|td|tr)\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True)
class PairsFile:
    """The pairs of a file, and what became of the rest of it.

    Attributes:
        pairs: Different pairs, each with whom it is credited to; without alignments. A source may have several targets.
        report: How the file was understood, and what was dropped.
    """

    pairs: tuple[Pair, ...]
    report: PairsReport


@dataclass(frozen=True)
class _Survey:
    """Common properties of the rows of a file.

    Attributes:
        first: The first row that holds data; None if there is none.
        sample: Cells of the first rows, without empty ones at the end.
        width: Number of columns beyond which a row is unlike the others.
        widest: Number of columns of the widest row that is like the others.
        usual: Number of cells of most rows, with empty ones.
    """

    first: Row | None
    sample: list[tuple[str, ...]]
    width: int
    widest: int
    usual: int


def make_limits(
    max_bytes: int | None = None, max_pairs: int | None = None, max_tokens: int | None = None
) -> PairLimits:
    """Return the limits of reading for these sizes; those of words and characters follow from the tokens.

    Args:
        max_bytes: Most bytes of a file; None for the usual limit.
        max_pairs: Most pairs that are taken; None for the usual limit.
        max_tokens: Most tokens that a side may be cut into; None for the usual limit.
    """
    usual = UPLOAD_LIMITS
    tokens = usual.max_words if max_tokens is None else max_tokens
    pairs = usual.max_pairs if max_pairs is None else max_pairs
    return replace(
        usual,
        max_bytes=usual.max_bytes if max_bytes is None else max_bytes,
        max_pairs=pairs,
        max_lines=max(usual.max_lines, 2 * pairs),
        max_words=max(usual.max_words, tokens),
        max_characters=max(usual.max_characters, CHARACTERS_A_TOKEN * tokens),
    )


def read_pairs(
    path: Path | str, limits: PairLimits = UPLOAD_LIMITS, options: ReadingOptions = AUTOMATIC_READING
) -> PairsFile:
    """Return the pairs of a file, whose size is checked before it is read.

    Raises:
        InputError: the file cannot be read, or `parse_pairs` refuses it.
    """
    return parse_pairs(_read_bytes(Path(path), limits), Path(path).name, limits, options)


def read_aligned(
    source: Path | str,
    target: Path | str,
    limits: PairLimits = UPLOAD_LIMITS,
    options: ReadingOptions = AUTOMATIC_READING,
) -> PairsFile:
    """Return the pairs of two files of which line n of the second answers line n of the first.

    Raises:
        InputError: a file cannot be read, or `parse_aligned` refuses them.
    """
    paths = (Path(source), Path(target))
    sources, targets = (_read_bytes(path, limits) for path in paths)
    return parse_aligned(sources, targets, (paths[0].name, paths[1].name), limits, options)


def parse_pairs(
    data: bytes, name: str, limits: PairLimits = UPLOAD_LIMITS, options: ReadingOptions = AUTOMATIC_READING
) -> PairsFile:
    """Return the pairs in the bytes of a file: one a line, a tab between source and target, or in another known form.

    The form, the separator, a header and the columns are recognised; the report says how. All targets of a source are
    kept.

    Args:
        data: UTF-8 or UTF-16 with its mark, with any end of line.
        name: Name of the file, for messages; ".csv" at its end lets lines differ in how many commas they have.
        limits: How much is read.
        options: What the user decides instead of the recognition.

    Raises:
        InputError: the bytes or lines are too many, are of a form that is not read, or have no pair that can be used.
    """
    name = shorten_name(name)
    text = _decode(data, name, limits)
    return _pairs_file(recognise(text, name), name, limits, options)


def parse_aligned(
    source_data: bytes,
    target_data: bytes,
    names: tuple[str, str],
    limits: PairLimits = UPLOAD_LIMITS,
    options: ReadingOptions = AUTOMATIC_READING,
) -> PairsFile:
    """Return the pairs in the bytes of two files of which line n of the second answers line n of the first.

    Args:
        source_data: Bytes of the file with the sources.
        target_data: Bytes of the file with the targets.
        names: Names of both files, for messages.
        limits: How much is read of each.
        options: What the user decides; the columns are 1 for the sources and 2 for the targets.

    Raises:
        InputError: the files have different numbers of lines, or one of them is not text or too large.
    """
    first, second = map(shorten_name, names)
    sources = _split_lines(_decode(source_data, first, limits))
    targets = _split_lines(_decode(target_data, second, limits))
    # An editor may have left empty lines at the end of one file.
    while len(sources) != len(targets) and not (longer := max(sources, targets, key=len))[-1].strip():
        longer.pop()
    if len(sources) != len(targets):
        raise InputError(
            f"{first} has {len(sources):,} lines and {second} {len(targets):,}; "
            "line n of one must answer line n of the other, so add or remove lines"
        )

    def rows() -> Iterator[Row]:
        for number, cells in enumerate(zip(sources, targets, strict=True), 1):
            if any(cell.strip() for cell in cells):
                yield Row(number, cells)

    options = options if options.columns else replace(options, columns=(1, 2))
    return _pairs_file(Content("two files", rows), f"{first} with {second}", limits, options)


def _read_bytes(path: Path, limits: PairLimits) -> bytes:
    try:
        if path.is_file() and path.stat().st_size > limits.max_bytes:
            raise InputError(_describe_too_large(shorten_name(path.name), limits))
        return read_bounded(path, limits.max_bytes)
    except (RunError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(str(error)) from error


def _decode(data: bytes, name: str, limits: PairLimits) -> str:
    if len(data) > limits.max_bytes:
        raise InputError(_describe_too_large(name, limits))
    text = decode_text(data, name)
    if text.count("\n") > limits.max_lines:
        raise InputError(_describe_too_many(name, limits, "lines"))
    return text


def _describe_too_many(name: str, limits: PairLimits, rows: str) -> str:
    return (
        f"{name} has more than {limits.max_lines:,} {rows}; keep the ones that matter, or raise --max-pairs"
    )


def _describe_too_large(name: str, limits: PairLimits) -> str:
    return (
        f"{name} is larger than {limits.max_bytes / 1e6:g} MB; make it smaller, or raise the limit: "
        "--max-bytes, on a server EXPLORER_PAIRS_MB"
    )


def _split_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if not lines[-1] else lines


def _pairs_file(content: Content, name: str, limits: PairLimits, options: ReadingOptions) -> PairsFile:
    survey = _survey(content, name, limits)
    if survey.first is None:
        raise InputError(f"{name} has no line with a pair; write one pair a line: source, tab, target")
    header = _find_header(survey, content, options)
    names = content.names or _aligned_names(header, survey)
    if names:
        survey = replace(survey, width=max(survey.width, len(names)), widest=max(survey.widest, len(names)))
    columns = _choose_columns(survey, content, names, bool(header), name, options)
    reader = _Reader(content, columns, header, survey, limits, options)
    pairs = reader.pairs()
    drops = reader.dropped.drops()
    if not pairs:
        raise InputError(_explain_nothing_left(name, content, survey, reader.lines, drops))
    report = PairsReport(
        name=name,
        layout=_describe_layout(content, columns),
        header=header,
        lines=reader.lines,
        kept=len(pairs),
        credited=sum(1 for pair in pairs if pair.attribution),
        drops=drops,
        limits=limits,
        columns=columns,
        changes=reader.changes.changes(),
        comments=reader.comments,
        short=reader.short,
        unchanged=reader.unchanged,
        options=options,
        unit=content.unit,
        row_noun=content.row_noun,
        notes=content.notes + (("Its HTML was read as text.",) if content.is_html else ()),
        example=tuple(
            excerpt(" ".join(cell.split()), MOST_OF_A_NAME)
            for row in survey.sample[bool(header) :][:1]
            for cell in row
        ),
    )
    return PairsFile(pairs, report)


def _survey(content: Content, name: str, limits: PairLimits) -> _Survey:
    """Look at all rows once, so that each can be compared with the others.

    Raises:
        InputError: there are too many, as a few lines of some forms can have.
    """
    first: Row | None = None
    sample: list[tuple[str, ...]] = []
    written: Counter[int] = Counter()
    filled: Counter[int] = Counter()
    for number, row in enumerate(content.rows()):
        if number >= limits.max_lines:
            raise InputError(_describe_too_many(name, limits, "pairs"))
        if row.reason:
            continue
        first = first or row
        cells = _without_empty_end(row.cells)
        written[len(row.cells)] += 1
        filled[len(cells)] += 1
        if len(sample) <= SURVEYED_ROWS:
            sample.append(cells[:SURVEYED_COLUMNS])
    if not content.has_width:
        widest = max(filled, default=2)
        return _Survey(first, sample, widest, widest, 0)
    usual = _most_common(written)
    width = max(2, usual, _most_common(filled))
    widest = max((found for found in filled if found <= width), default=2)
    return _Survey(first, sample, width, widest, usual)


def _most_common(widths: Counter[int]) -> int:
    """Return the width of most rows, the larger of two as frequent ones."""
    return max(widths, key=lambda width: (widths[width], width), default=2)


def _without_empty_end(cells: tuple[str, ...]) -> tuple[str, ...]:
    end = len(cells)
    while end and not cells[end - 1].strip():
        end -= 1
    return cells[:end]


def _find_header(survey: _Survey, content: Content, options: ReadingOptions) -> tuple[str, ...]:
    """Return the names in a first line that is a header; empty if there is none."""
    if survey.first is None or content.names or options.has_header is False:
        return ()
    first = survey.sample[0]
    if options.has_header or is_header(first, survey.sample[1:]):
        return tuple(" ".join(cell.split()) for cell in first)
    return ()


def _aligned_names(header: tuple[str, ...], survey: _Survey) -> tuple[str, ...]:
    """Return the names of a header; some programs leave out the name of the first column, which numbers the rows."""
    rows = survey.sample[1:]
    has_more = sum(len(row) == len(header) + 1 for row in rows)
    return ("", *header) if header and 2 * has_more > len(rows) else header


def _choose_columns(
    survey: _Survey,
    content: Content,
    names: tuple[str, ...],
    has_header: bool,
    name: str,
    options: ReadingOptions,
) -> Columns:
    rows = survey.sample[1:] if has_header else survey.sample
    count = min(max(2, survey.widest), SURVEYED_COLUMNS)
    usual = [row for row in rows if len(row) <= survey.width]
    chosen = choose_columns(names, usual, count, content.unused)
    chosen = replace(chosen, count=max(chosen.count, survey.widest))
    wanted = options.columns
    if wanted is None and options.like:
        wanted = options.like.numbers_in(names, chosen.count)
    if wanted is None:
        if not chosen.are_texts:
            raise NoTextColumns(
                f"{name} has no two columns of text; numbers, labels, tags, parts of speech and addresses do not "
                f"count; to use them all the same, name two, such as --columns {chosen.source},{chosen.target}"
                + "".join(f" ({note.removesuffix('.')})" for note in content.notes[:1]),
                chosen,
            )
        return chosen
    source, target = wanted
    if not (1 <= source <= chosen.count and 1 <= target <= chosen.count) or source == target:
        raise InputError(
            f"--columns {source},{target} cannot be used: {name} has {chosen.count:,} columns; "
            f"name two different ones from 1 to {chosen.count:,}, the source first"
        )
    credit = None if chosen.credit in (source, target) else chosen.credit
    return replace(chosen, source=source, target=target, credit=credit)


class _Reader:
    """Turns rows into pairs, and counts what it drops and changes.

    Attributes:
        lines: Number of rows that hold a pair or a part of one.
        dropped: Rows that became no pair.
        changes: Changes that cleaning made to the pairs.
        comments: Lines that are comments.
        short: Lines with a pair and fewer cells than the others.
        unchanged: Pairs whose target equals their source.
    """

    def __init__(
        self,
        content: Content,
        columns: Columns,
        header: tuple[str, ...],
        survey: _Survey,
        limits: PairLimits,
        options: ReadingOptions,
    ) -> None:
        self._content, self._columns, self._header = content, columns, header
        self._width, self._usual = survey.width, survey.usual
        self._limits, self._options = limits, options
        self._places = (columns.source - 1, columns.target - 1)
        self._found: dict[tuple[str, str], Pair] = {}
        self.lines = 0
        self.dropped = DropCounter(content.unit)
        self.changes = ChangeCounter(content.unit)
        self.comments = self.short = self.unchanged = Occurrences()

    def pairs(self) -> tuple[Pair, ...]:
        """Return the pairs of all rows."""
        rows = iter(self._content.rows())
        is_first = bool(self._header)
        for row in rows:
            if row.reason is DropReason.COMMENT:
                self.comments = self.comments.and_in(row.line)
            elif is_first:
                is_first = False
            else:
                self.lines += 1
                reason = row.reason or self._take(row)
                if reason:
                    self.dropped.add(reason, row.line)
        return tuple(self._found.values())

    def _take(self, row: Row) -> DropReason | None:
        """Keep the pair of a row, or return why it is dropped."""
        cells = row.cells
        if self._content.has_width and self._is_unusual(cells):
            return DropReason.COLUMNS
        if self._header and self._is_header_again(cells):
            return DropReason.HEADER
        keep_spaces = self._options.keep_spaces
        source = clean_source(self._cell(cells, self._places[0]), keep_spaces=keep_spaces)
        target = clean_target(self._cell(cells, self._places[1]), keep_spaces=keep_spaces)
        reason = self._reason_to_drop(source.text, target.text)
        if reason is None:
            self._keep(row, source, target)
        return reason

    def _keep(self, row: Row, source: CleanText, target: CleanText) -> None:
        credit = "" if self._columns.credit is None else self._cell(row.cells, self._columns.credit - 1)
        cells = _without_empty_end(row.cells)
        if self._content.has_width and not credit and len(cells) > self._width:
            credit = self._cell(cells, len(cells) - 1)
        attribution = clean_source(credit).text
        self._found[source.text, target.text] = Pair(source.text, target.text, (), attribution)
        self.changes.add("source", source.changes, row.line)
        self.changes.add("target", target.changes, row.line)
        if 2 <= len(row.cells) < self._usual:
            self.short = self.short.and_in(row.line)
        if source.text == target.text:
            self.unchanged = self.unchanged.and_in(row.line)

    def _cell(self, cells: Sequence[str], place: int) -> str:
        text = cells[place] if place < len(cells) else ""
        if self._content.is_html:
            return _unescape(_TAG.sub("", _BREAKING_TAG.sub(" ", text)))
        return text

    def _is_unusual(self, cells: tuple[str, ...]) -> bool:
        """Return True if a row has more cells than the others. A cell that gives credit does not count."""
        if len(cells) <= self._width:
            return False
        beyond = _without_empty_end(cells)[self._width :]
        return bool(beyond) and not all(map(is_credit, beyond))

    def _is_header_again(self, cells: tuple[str, ...]) -> bool:
        return tuple(" ".join(cell.split()) for cell in _without_empty_end(cells)) == self._header

    def _reason_to_drop(self, source: str, target: str) -> DropReason | None:
        if not source.strip():
            return DropReason.NO_SOURCE
        if not target.strip():
            return DropReason.NO_TARGET
        if self._is_too_long(source) or self._is_too_long(target):
            return DropReason.TOO_LONG
        if self._options.drop_unchanged and source == target:
            return DropReason.IDENTICAL
        if (source, target) in self._found:
            return DropReason.REPEATED
        return DropReason.BEYOND_LAST if len(self._found) >= self._limits.max_pairs else None

    def _is_too_long(self, text: str) -> bool:
        limits = self._limits
        return len(text) > limits.max_characters or len(text.split()) > limits.max_words


def _describe_layout(content: Content, columns: Columns) -> str:
    return f"{content.form}, {columns.count:,} columns" if content.has_width else content.form


def _explain_nothing_left(
    name: str, content: Content, survey: _Survey, lines: int, drops: Sequence[Drop]
) -> str:
    advice = "write one pair a line: source, tab, target"
    if not lines:
        return f"{name} has nothing below its first line, which names the columns; {advice}"
    if max(map(len, survey.sample)) < 2 and not content.notes:
        return (
            f"{name} has nothing between source and target: put a tab there, join alternating lines with “paste - -”, "
            "or give two files (--source-file, --target-file)"
        )
    if content.notes:
        advice = content.notes[0].removesuffix(".")
    return f"{name} has no pair that can be used: {', '.join(map(str, drops))}; {advice}"


def _unescape(text: str) -> str:
    try:
        return html.unescape(text)
    except ValueError:
        return text  # A character's number of thousands of digits: Python refuses to read it.


def shorten_name(name: str) -> str:
    """Return the last part of a path as a message may carry it."""
    visible = "".join(filter(str.isprintable, Path(name).name)) or "the file"
    return visible if len(visible) <= 60 else f"{visible[:30]}…{visible[-29:]}"
