"""Sources and targets behind labels, such as ``IN: jump twice OUT: I_JUMP I_JUMP``."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from core.data.pairs.content import Content, Row

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


def read_labelled(text: str) -> Content | None:
    """Return the rows of a text whose lines have the labels of a source and of a target; None if they have none."""
    first = next((line for line in io.StringIO(text) if line.strip()), "").strip().upper()
    for source, target in _LABELS:
        if first.startswith(f"{source}:"):
            content = _on_one_line(text, source, target) or _on_two_lines(text, source, target)
            if content:
                return content
    return None


def _on_one_line(text: str, source: str, target: str) -> Content | None:
    pattern = re.compile(rf"{source}:\s?(.*?)\s{target}:\s?(.*)", re.IGNORECASE)
    lines = [line.strip() for line in io.StringIO(text) if line.strip()]
    if sum(pattern.fullmatch(line) is not None for line in lines) < _MOST_LINES_SHARE * len(lines):
        return None

    def rows() -> Iterator[Row]:
        for number, line in enumerate(io.StringIO(text), 1):
            if line.strip():
                found = pattern.fullmatch(line.strip())
                yield Row(number, found.groups() if found else (line,))

    return Content(f"{source}: … {target}: …", rows, names=("source", "target"), has_width=False)


def _on_two_lines(text: str, source: str, target: str) -> Content | None:
    lines = [(number, line.strip()) for number, line in enumerate(io.StringIO(text), 1) if line.strip()]
    sources, targets = lines[::2], lines[1::2]
    if len(sources) != len(targets) or not (_all_begin(sources, source) and _all_begin(targets, target)):
        return None

    def rows() -> Iterator[Row]:
        for (number, question), (_, answer) in zip(sources, targets, strict=True):
            yield Row(number, (question[len(source) + 1 :].strip(), answer[len(target) + 1 :].strip()))

    return Content(f"{source}: and {target}: on two lines", rows, names=("source", "target"), has_width=False)


def _all_begin(lines: list[tuple[int, str]], label: str) -> bool:
    return all(line[: len(label) + 1].upper() == f"{label}:" for _, line in lines)
