"""Generated files: what is read equals a reading written here, and the report names every difference with its line."""

import unicodedata
from dataclasses import dataclass, field, replace
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from core.data.pairs import DropReason, ReadingOptions, pairs_to_tsv, parse_aligned, parse_copy, parse_pairs
from core.data.tasks.task import Pair

PIECES = (
    *("a", "b", "Straße", "é", "e\u0301", "लाल", "न", "\u093e", "بَيْتٌ", "猫", "ខ្ញុំ", "👩\u200d🔬", "1", "22"),
    *(" ", " ", "  ", "\u00a0", "\u202f", "\u2028", "\u200b", "\u00ad", "\u200c", "\u202e", "\x07"),
    *('"', "#", "#a", ";;;", "'", ",", ";", "x, y", ' "', "~"),
)
"""Pieces of texts without the marks of another form than separated lines."""
SEPARATED = (*PIECES, "\t", "\n", '""', '"\t')
"""Pieces of texts of which a spreadsheet quotes some."""
INVISIBLE = {"\u200b", "\u00ad", "\u202e"}


@dataclass
class Reading:
    """The reading of a file that is written here, character by character.

    Attributes:
        pairs: Pairs in their order.
        dropped: Lines of each reason.
        comments: Lines of comments.
        changed: Lines of the texts that cleaning changes, by side.
        unchanged: Lines of pairs whose target is their source.
    """

    pairs: list[tuple[str, str]] = field(default_factory=list)
    dropped: dict[DropReason, list[int]] = field(default_factory=dict)
    comments: list[int] = field(default_factory=list)
    changed: dict[str, list[int]] = field(default_factory=lambda: {"source": [], "target": []})
    unchanged: list[int] = field(default_factory=list)


def cleaned(text, is_source, keep_spaces):
    """Return a text without the characters that cleaning removes."""
    left = ""
    for character in text:
        if character.isspace():
            left += character if keep_spaces else " "
        elif unicodedata.category(character) != "Cc" and not (is_source and character in INVISIBLE):
            left += character
    if not keep_spaces:
        left = " ".join(part for part in left.split(" ") if part)
    return unicodedata.normalize("NFC", left)


def reading(rows, keep_spaces, *, has_comments, write=str):
    """Read rows of (line, cells) by the documented rules; `write` returns the text of a cell in the file."""
    expected = Reading()
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if (
            has_comments
            and write(cells[0]).startswith(("#", ";;;"))
            and not any(cell.strip() for cell in cells[1:])
        ):
            expected.comments.append(line)
            continue
        written = (cells[0], cells[1] if len(cells) > 1 else "")
        source, target = (cleaned(text, at == 0, keep_spaces) for at, text in enumerate(written))
        reason = None
        if len(cells) > 2:
            reason = DropReason.COLUMNS
        elif not source.strip():
            reason = DropReason.NO_SOURCE
        elif not target.strip():
            reason = DropReason.NO_TARGET
        elif (source, target) in expected.pairs:
            reason = DropReason.REPEATED
        if reason:
            expected.dropped.setdefault(reason, []).append(line)
            continue
        expected.pairs.append((source, target))
        for side, text, before in zip(("source", "target"), (source, target), written, strict=True):
            if text != before:
                expected.changed[side].append(line)
        if source == target:
            expected.unchanged.append(line)
    return expected


def check(found, expected):
    """Compare what was read and reported with the reading of this file."""
    report = found.report
    assert [(pair.source, pair.target) for pair in found.pairs] == expected.pairs
    assert {drop.reason: (drop.count, drop.lines) for drop in report.drops} == {
        reason: (len(lines), tuple(lines[:3])) for reason, lines in expected.dropped.items()
    }
    assert (report.comments.count, report.comments.lines) == (
        len(expected.comments),
        tuple(expected.comments[:3]),
    )
    assert (report.unchanged.count, report.unchanged.lines) == (
        len(expected.unchanged),
        tuple(expected.unchanged[:3]),
    )
    assert report.lines == len(found.pairs) + sum(map(len, expected.dropped.values()))
    for side, lines in expected.changed.items():
        changes = [change for change in report.changes if change.side == side]
        assert min((change.lines[0] for change in changes), default=None) == (lines[0] if lines else None)
        counts = [change.count for change in changes]
        assert max(counts, default=0) <= len(lines) <= sum(counts)
    said = str(report)
    for count in (*map(len, expected.dropped.values()), len(expected.comments), len(expected.unchanged)):
        assert not count or f"{count:,} " in said


def text_of(pieces):
    return st.lists(st.sampled_from(pieces), min_size=1, max_size=5).map("".join)


def quoted(cell, separator):
    """Return a cell as a spreadsheet writes it."""
    return (
        '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in ('"', separator, "\n")) else cell
    )


def as_bytes(text, line_end, encoding):
    return text.replace("\n", line_end).encode(encoding)


def numbered(rows, write):
    """Return the text of rows, and the rows with the lines in which they begin."""
    text, placed = "", []
    for cells in rows:
        placed.append((text.count("\n") + 1, cells))
        text += write(cells) + "\n"
    return text, placed


PAIRS = ((f"plain {number}", f"pair {number}") for number in range(4))
ORDINARY = tuple(PAIRS)
"""Rows that make two columns the rule."""
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])
OTHER_ROWS = st.sampled_from(
    [(), ("",), ("only",), ("# only",), ("a", "b", "c"), ("plain 1", "pair 1"), ("", "x")]
)
AS_PAIRS = ReadingOptions(columns=(1, 2), has_header=False)


@given(st.data(), LINE_ENDS, ENCODINGS, st.booleans())
def test_plain_lines_are_read_as_they_are_written(data, line_end, encoding, keep_spaces):
    cells = text_of(PIECES).filter(lambda text: not text.startswith('"'))
    rows = data.draw(st.lists(st.one_of(st.tuples(cells, cells), OTHER_ROWS), max_size=3))
    text, placed = numbered([*ORDINARY, *rows], "\t".join)
    options = replace(AS_PAIRS, keep_spaces=keep_spaces)
    found = parse_pairs(as_bytes(text, line_end, encoding), "pairs.tsv", options=options)
    check(found, reading(placed, keep_spaces, has_comments=True))


@given(st.data(), LINE_ENDS, ENCODINGS, st.sampled_from(["\t", ",", ";"]), st.booleans())
def test_quoted_cells_are_read_as_a_spreadsheet_writes_them(data, line_end, encoding, separator, keep_spaces):
    # In a tab-separated text, a quoted cell with a tab and a line break is taken for two quotations of a dialogue.
    cells = text_of(SEPARATED).filter(lambda text: not {"\t", "\n"} <= set(text))
    pairs = st.tuples(cells, cells)
    rows = data.draw(st.lists(st.one_of(pairs, pairs, OTHER_ROWS), max_size=3))
    write = partial(quoted, separator=separator)
    text, placed = numbered([*ORDINARY, *rows], lambda row: separator.join(map(write, row)))
    options = replace(AS_PAIRS, keep_spaces=keep_spaces)
    name = "pairs.tsv" if separator == "\t" else "pairs.csv"
    found = parse_pairs(as_bytes(text, line_end, encoding), name, options=options)
    # A quoted cell that begins with # is no comment: its line begins with a quote.
    check(found, reading(placed, keep_spaces, has_comments=True, write=write))


@given(st.data(), LINE_ENDS, ENCODINGS, st.booleans())
def test_two_files_are_read_line_by_line(data, line_end, encoding, keep_spaces):
    cells = st.one_of(text_of(PIECES), st.just(""))
    rows = [*ORDINARY, *data.draw(st.lists(st.tuples(cells, cells), max_size=4))]
    files = ["".join(row[side] + "\n" for row in rows) for side in (0, 1)]
    options = ReadingOptions(has_header=False, keep_spaces=keep_spaces)
    sources, targets = (as_bytes(text, line_end, encoding) for text in files)
    found = parse_aligned(sources, targets, ("a.src", "a.tgt"), options=options)
    check(found, reading(enumerate(rows, 1), keep_spaces, has_comments=False))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.builds(Pair, TEXTS, TEXTS, st.just(()), st.one_of(st.just(""), TEXTS))))
def test_a_copy_holds_any_pairs_exactly(pairs):
    assert parse_copy(pairs_to_tsv(pairs), "pairs.tsv") == tuple(pairs)
