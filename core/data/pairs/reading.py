"""Pairs that a user brings along: a file of sources and targets, read without trust in anything it says."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from core.data.pairs.layout import Layout, Row, decoded, header_names, recognised, rows
from core.data.pairs.report import Drop, DropCounter, DropReason, PairLimits, PairsReport
from core.data.tasks.task import Pair
from core.errors import InputError, RunError
from core.files import read_bounded, write_whole

UPLOAD_LIMITS = PairLimits()
# A run's own copy holds what was taken under limits that may have been any. Composing characters, quotes and UTF-16 can
# make it a few times as large as the upload.
COPY_LIMITS = PairLimits(
    max_bytes=4 * 10**9,
    max_lines=2 * 10**6,
    max_pairs=2 * 10**6,
    max_words=10**6,
    max_characters=10**7,
    drops_identical=False,
)
CHARACTERS_A_TOKEN = 10
"""Characters of a side that is read, for each token that it may be cut into."""
COPY_HEAD = "#separator:tab\n#html:false\n#columns:source\ttarget\tattribution\n"

_TAG = re.compile(r"<[^<>]*>")
_BREAKING_TAG = re.compile(r"</?(?:br|div|hr|li|p|td|tr)\b[^<>]*>", re.IGNORECASE)
# Control characters, soft hyphens, marks that turn or hide text; not the joiners that Persian, Hindi and
# emoji are written with.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


@dataclass(frozen=True)
class PairsFile:
    """The pairs of a file, and what became of the rest of it.

    Attributes:
        pairs: Distinct sources, each with its target and whom it is credited to; without alignments.
        report: How the file was understood, and what was dropped.
    """

    pairs: tuple[Pair, ...]
    report: PairsReport


@dataclass(frozen=True)
class _Entry:
    line: int
    pair: Pair


def limits_for(
    max_bytes: int | None = None, max_pairs: int | None = None, max_tokens: int | None = None
) -> PairLimits:
    """Limits to read pairs with, of these sizes where they are given: words and characters follow from the tokens."""
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


def read_pairs(path: Path | str, limits: PairLimits = UPLOAD_LIMITS) -> PairsFile:
    """Return the pairs of a file; its size is looked at before anything is read.

    Raises:
        InputError: the file cannot be read, or `parse_pairs` refuses it.
    """
    try:
        data = read_bounded(Path(path), limits.max_bytes)
    except RunError as error:
        raise InputError(str(error)) from error
    return parse_pairs(data, Path(path).name, limits)


def parse_pairs(data: bytes, name: str, limits: PairLimits = UPLOAD_LIMITS) -> PairsFile:
    """Return the pairs in the bytes of a file: one a line, a tab between source and target.

    Read without being asked: UTF-8 and UTF-16 with their marks, any end of line, `.csv` with its separator
    and quotes, what Anki and Tatoeba export, a first line with names, attributions in a third column.

    Raises:
        InputError: the bytes or lines are too many, are no text, or have no pair that can be used.
    """
    name = _shown(name)
    if len(data) > limits.max_bytes:
        raise InputError(f"{name} is larger than {limits.max_bytes / 1e6:g} MB; make it smaller")
    text = decoded(data, name)
    if text.count("\n") > limits.max_lines:
        raise InputError(f"{name} has more than {limits.max_lines:,} lines; keep the ones that matter")
    layout = recognised(text, name)
    found = iter(rows(text, layout, name))
    first = next(found, None)
    if first is None:
        raise InputError(f"{name} has no line with a pair; write one pair a line: source, tab, target")
    header = () if layout.named else header_names(first)
    return _pairs_file(found if header else chain([first], found), name, layout, header, limits)


def pairs_to_tsv(pairs: Iterable[Pair]) -> bytes:
    """Return a file that `parse_pairs` with `COPY_LIMITS` reads again as these pairs, if it has read them before."""
    lines = (
        "\t".join(_quoted(cell) for cell in (pair.source, pair.target, pair.attribution) if cell)
        for pair in pairs
    )
    return "".join([COPY_HEAD, *(line + "\n" for line in lines)]).encode()


def write_pairs(path: Path | str, pairs: Iterable[Pair]) -> None:
    """Write pairs to a file; read them again with `COPY_LIMITS`.

    Raises:
        RunError: the file cannot be written.
    """
    write_whole(Path(path), pairs_to_tsv(pairs))


def _pairs_file(
    found: Iterable[Row], name: str, layout: Layout, header: tuple[str, ...], limits: PairLimits
) -> PairsFile:
    dropped = DropCounter()
    entries: dict[str, _Entry] = {}
    lines = widest = 0
    for row in found:
        lines += 1
        widest = max(widest, len(row.cells))
        source, target, attribution = (_clean(cell, layout.html) for cell in layout.sides(row.cells))
        reason = _reason_to_drop(source, target, limits, entries)
        if reason is None:
            entries[source] = _Entry(row.line, Pair(source, target, (), attribution))
        else:
            dropped.add(reason, row.line)
    if limits.drops_identical:
        _drop_identical(entries, dropped)
    drops = dropped.drops()
    if not entries:
        raise InputError(_why_nothing_is_left(name, widest, drops))
    pairs = tuple(entry.pair for entry in entries.values())
    credited = sum(1 for pair in pairs if pair.attribution)
    return PairsFile(
        pairs, PairsReport(name, str(layout), header, lines, len(pairs), credited, drops, limits)
    )


def _reason_to_drop(
    source: str, target: str, limits: PairLimits, entries: dict[str, _Entry]
) -> DropReason | None:
    if not source:
        return DropReason.NO_SOURCE
    if not target:
        return DropReason.NO_TARGET
    if _is_too_long(source, limits) or _is_too_long(target, limits):
        return DropReason.TOO_LONG
    if source in entries:
        repeated = entries[source].pair.target == target
        return DropReason.REPEATED if repeated else DropReason.OTHER_TARGET
    return DropReason.BEYOND_LAST if len(entries) >= limits.max_pairs else None


def _is_too_long(text: str, limits: PairLimits) -> bool:
    return len(text) > limits.max_characters or len(text.split()) > limits.max_words


def _drop_identical(entries: dict[str, _Entry], dropped: DropCounter) -> None:
    """Drop pairs whose target is the source, unless at least half of all pairs are of that kind.

    In a translation they are lines that nobody translated; where they are the rule, copying is the task.
    """
    identical = [source for source, entry in entries.items() if source == entry.pair.target]
    if 2 * len(identical) < len(entries):
        for source in identical:
            dropped.add(DropReason.IDENTICAL, entries.pop(source).line)


def _why_nothing_is_left(name: str, widest: int, drops: Sequence[Drop]) -> str:
    advice = "write one pair a line: source, tab, target"
    if not drops:
        return f"{name} has nothing below its first line, which names the columns; {advice}"
    if widest < 2:
        return f"{name} has nothing between source and target; {advice}, or name a file with commas .csv"
    return f"{name} has no pair that can be used: {', '.join(map(str, drops))}; {advice}"


def _clean(text: str, is_html: bool) -> str:
    """Return composed characters, single spaces, and nothing that cannot be seen."""
    if is_html:
        text = _unescaped(_TAG.sub("", _BREAKING_TAG.sub(" ", text)))
    # Composed last: a character may only meet its accent once something unseen between them is gone.
    return " ".join(unicodedata.normalize("NFC", _INVISIBLE.sub("", text)).split())


def _unescaped(text: str) -> str:
    try:
        return html.unescape(text)
    except ValueError:
        return text  # A character's number of thousands of digits: Python refuses to read it.


def _quoted(cell: str) -> str:
    # A line that begins with # would be a comment, and one with a quote would open a quotation.
    return '"' + cell.replace('"', '""') + '"' if cell.startswith("#") or '"' in cell else cell


def _shown(name: str) -> str:
    """Return the last part of a path as a message may carry it."""
    visible = "".join(filter(str.isprintable, Path(name).name)) or "the file"
    return visible if len(visible) <= 60 else f"{visible[:30]}…{visible[-29:]}"
