"""A run's own copy of its pairs: a tab-separated file that reads back exactly as it was written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from core.data.pairs.report import PairLimits
from core.data.tasks.task import Pair
from core.errors import InputError

COPY_HEAD = "#separator:tab\n#html:false\n#columns:source\ttarget\tattribution\n"
COPY_LIMITS = PairLimits(
    max_bytes=4 * 10**9, max_lines=2 * 10**6, max_pairs=2 * 10**6, max_words=10**6, max_characters=10**7
)
"""Limits of a run's pairs, which may have been taken under any: nothing that a run has learned is beyond them."""

_NEEDS_QUOTES = re.compile(r'["\t\r\n]|^[#\s;]|\s$')


def pairs_to_tsv(pairs: Iterable[Pair]) -> bytes:
    """Return a file from which `parse_copy` reads exactly these sources, targets and attributions."""
    lines = (
        "\t".join(_quoted(cell) for cell in (pair.source, pair.target, pair.attribution)).rstrip("\t")
        for pair in pairs
    )
    return "".join([COPY_HEAD, *(line + "\n" for line in lines)]).encode()


def parse_copy(data: bytes, name: str) -> tuple[Pair, ...]:
    """Return the pairs of a copy. Nothing is recognised, cleaned or dropped.

    Args:
        data: Bytes that `pairs_to_tsv` made, or an earlier version of it.
        name: Name of the file, for messages.

    Raises:
        InputError: the bytes are no copy.
    """
    try:
        return tuple(_pairs(data.decode("utf-8")))
    except (ValueError, csv.Error) as error:
        raise InputError(f"{name} is not as it was written; bring the pairs again") from error


def _pairs(text: str) -> Iterator[Pair]:
    if not text.startswith(COPY_HEAD):
        raise ValueError("no head")
    # Without translation of line ends: one within quotes belongs to its text.
    lines = islice(io.StringIO(text, newline=""), COPY_HEAD.count("\n"), None)
    for cells in csv.reader(lines, delimiter="\t", strict=True):
        if not cells:
            continue
        if not 2 <= len(cells) <= 3 or not (cells[0] and cells[1]):
            raise ValueError("no pair")
        yield Pair(cells[0], cells[1], (), cells[2] if len(cells) > 2 else "")


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell
