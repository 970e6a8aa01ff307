"""Sources and targets behind labels, such as ``IN: jump twice OUT: I_JUMP I_JUMP``."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

from core.data.pairs.content import COMMENT_MARKS, Content, Row
from core.data.pairs.report import DropReason

_LABELS = (
    ("IN", "OUT"),
    ("INPUT", "OUTPUT"),
    ("SOURCE", "TARGET"),
    ("SRC", "TGT"),
    ("SRC", "TRG"),
    ("QUESTION", "ANSWER"),
    ("Q", "A"),
    ("PROMPT", "RESPONSE"),
    ("FROM", "TO"),
)
_MOST_LINES_SHARE = 0.9
_LEAST_LABELLED_SHARE = 0.3
"""Smallest share of lines with a label in a text whose other lines continue the one above."""
_Line = tuple[int, str, bool]
"""Number and text of a line that is not blank, and whether it begins as a comment does."""


def read_labelled(text: str) -> Content | None:
    """Return the rows of a text whose lines have the labels of a source and of a target; None if they have none."""
    kept = (line for line in io.StringIO(text) if line.strip() and not line.startswith(COMMENT_MARKS))
    first = next(kept, "").strip().upper()
    for source, target in _LABELS:
        if first.startswith(f"{source}:"):
            lines = [
                (number, line.strip(), line.startswith(COMMENT_MARKS))
                for number, line in enumerate(io.StringIO(text), 1)
                if line.strip()
            ]
            content = _on_one_line(lines, source, target) or _on_two_lines(lines, source, target)
            if content:
                return content
    return None


def _on_one_line(lines: Sequence[_Line], source: str, target: str) -> Content | None:
    pattern = re.compile(rf"{source}:\s?(.*?)\s{target}:\s?(.*)", re.IGNORECASE)
    found = [(number, pattern.fullmatch(line), is_remark) for number, line, is_remark in lines]
    if not _are_most([match is not None for _, match, is_remark in found if not is_remark]):
        return None

    def rows() -> Iterator[Row]:
        for number, match, is_remark in found:
            yield Row(number, match.groups()) if match else _left_out(number, is_remark)

    return Content(f"{source}: … {target}: …", rows, names=("source", "target"), has_width=False)


def _on_two_lines(lines: Sequence[_Line], source: str, target: str) -> Content | None:
    """Return the rows of lines that take turns. A few lines without a label are left out; many continue texts."""
    texts = [line.upper() for _, line, is_remark in lines if not is_remark]
    n_labelled = sum(text.startswith((f"{source}:", f"{target}:")) for text in texts)
    if n_labelled < _LEAST_LABELLED_SHARE * len(texts):
        return None
    continues = n_labelled < _MOST_LINES_SHARE * len(texts)
    found: list[tuple[int, list[str], bool]] = []
    is_answered = True
    for number, line, is_remark in lines:
        if line.upper().startswith(f"{source}:"):
            found.append((number, [line[len(source) + 1 :].strip()], False))
            is_answered = False
        elif line.upper().startswith(f"{target}:") and not is_answered:
            found[-1][1].append(line[len(target) + 1 :].strip())
            is_answered = True
        elif continues and found and found[-1][1] and not is_remark:
            found[-1][1][-1] += f"\n{line}"
        else:
            found.append((number, [], is_remark))
    if not any(len(cells) > 1 for _, cells, _ in found):
        return None

    def rows() -> Iterator[Row]:
        for number, cells, is_remark in found:
            yield Row(number, tuple(cells)) if cells else _left_out(number, is_remark)

    return Content(f"{source}: and {target}: on two lines", rows, names=("source", "target"), has_width=False)


def _left_out(number: int, is_remark: bool) -> Row:
    return Row(number, (), DropReason.COMMENT if is_remark else DropReason.UNREADABLE)


def _are_most(fits: Sequence[bool]) -> bool:
    return sum(fits) >= _MOST_LINES_SHARE * len(fits)
