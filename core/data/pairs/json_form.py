"""JSON and JSON lines: objects with named texts, arrays of two texts, and objects that map sources to targets."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from core.data.pairs.columns import Role, has_known_names, role_of
from core.data.pairs.content import Content, Row
from core.data.pairs.report import DropReason
from core.errors import InputError

Record = tuple[int, object]
"""The place of a record, and its value."""
MOST_COLUMNS = 100
_SAMPLE = 2_000
_BROKEN = object()
"""Stands for a line that is no JSON."""


def read_json(text: str, name: str) -> Content | None:
    """Return the rows of a text in JSON; None if it is none, although it may begin as one does.

    Raises:
        InputError: the text is JSON, but has no pairs that are recognised, or is broken.
    """
    begin = text.lstrip("\ufeff \n\t")[:1]
    if begin not in ("{", "["):
        return None
    document = _parsed(text)
    if document is not _BROKEN and "\n" in text.strip() and _is_record(document):
        return _content([(1, document)], "JSON", "entry", name)
    if document is not _BROKEN and not _is_record(document):
        return _content(list(enumerate(_records(document), 1)), "JSON", "entry", name)
    records = [(number, _parsed(line)) for number, line in enumerate(io.StringIO(text), 1) if line.strip()]
    whole = [record for record in records if record[1] is not _BROKEN]
    if 2 * len(whole) >= len(records):
        return _content(records, "JSON lines", "line", name)
    if "\t" in text:
        return None
    raise InputError(
        f"{name} begins as JSON does, but is none; write an array of objects with source and target, "
        "or one object a line"
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _BROKEN


def _is_record(value: object) -> bool:
    """Return True if a value is one pair, as a line of JSON lines is, and no map or table of pairs."""
    if isinstance(value, list):
        return len(value) >= 2 and all(isinstance(text, str) for text in value)
    if not isinstance(value, dict):
        return False
    texts = ("source", "src", "input", "question", "prompt", "instruction")
    return "translation" in value or any(isinstance(value.get(key), str) for key in texts)


def _records(document: object) -> Sequence[object]:
    """Return the records of a document: its elements, those of its only array, or the items of its map."""
    if isinstance(document, list):
        return document
    if not isinstance(document, dict):
        return ()
    columns = {key: _column(value) for key, value in document.items()}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) == 1 and min(lengths) > 1 and has_known_names(tuple(columns)):
        return [dict(zip(columns, texts, strict=True)) for texts in zip(*columns.values(), strict=True)]
    arrays = [value for value in document.values() if isinstance(value, list) and _holds_records(value)]
    if arrays:
        return [record for array in arrays for record in array]
    if all(isinstance(value, str | list) for value in document.values()):
        return [[key, value] for key, value in document.items()]
    return ()


def _column(value: object) -> list[object]:
    """Return the values of a column, which tables are saved with as an array or by the numbers of their rows."""
    if isinstance(value, list):
        return value
    return list(value.values()) if isinstance(value, dict) else []


def _holds_records(values: list[object]) -> bool:
    return bool(values) and all(isinstance(value, dict | list) for value in values[:_SAMPLE])


def _content(records: Sequence[Record], form: str, unit: str, name: str) -> Content:
    flat = [(place, _flat(value)) for place, value in records]
    keys: dict[str, bool] = {}
    width = 0
    for _, value in flat[:_SAMPLE]:
        if isinstance(value, dict):
            for key, cell in value.items():
                if isinstance(key, str) and len(keys) < MOST_COLUMNS:
                    keys[key] = keys.get(key, False) or _is_text(cell)
        elif isinstance(value, list):
            width = max(width, min(len(value), MOST_COLUMNS))
    names = tuple(key for key, has_text in keys.items() if has_text)
    if len(names) < 2 and width < 2:
        raise InputError(
            f"{name} is {form} without pairs; write objects with two texts, such as "
            '{"source": "…", "target": "…"}, or arrays of two texts'
        )

    def rows() -> Iterator[Row]:
        for place, value in flat:
            yield from _rows(place, value, names)

    return Content(form, rows, names=names, has_width=False, unit=unit, row_noun=unit)


def _flat(value: object) -> object:
    """Return a record with the texts of an inner object, as in {"translation": {"en": …, "de": …}}, beside its own."""
    if not isinstance(value, dict):
        return value
    inner = [part for part in value.values() if isinstance(part, dict)]
    if len(inner) == 1 and any(isinstance(text, str) for text in inner[0].values()):
        return {**{key: text for key, text in value.items() if text is not inner[0]}, **inner[0]}
    return value


def _rows(place: int, value: object, names: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each combination of texts: a list of targets is several answers to one source."""
    if isinstance(value, dict):
        cells = [value.get(name) for name in names]
    elif isinstance(value, list) and not (names and len(value) < 2):
        cells = list(value[:MOST_COLUMNS])
    else:
        yield Row(place, (), DropReason.UNREADABLE)
        return
    # JSON may hold halves of characters, which no file can.
    if not all(map(_is_writable, cells)):
        yield Row(place, (), DropReason.UNREADABLE)
        return
    lists = (
        at
        for at, cell in enumerate(cells)
        if isinstance(cell, list) and (_answers(names[at]) if at < len(names) else at > 0)
    )
    several = next(lists, -1)
    answers = cells[several] if several >= 0 else None
    for answer in answers or [None]:
        yield Row(place, tuple(_text(answer if at == several else cell) for at, cell in enumerate(cells)))


def _answers(name: str) -> bool:
    """Return True if a list under a name holds several answers to one source."""
    return role_of(name) in (Role.TARGET, Role.LANGUAGE)


def _is_text(cell: object) -> bool:
    if isinstance(cell, list):
        return bool(cell) and all(isinstance(text, str) for text in cell)
    return isinstance(cell, str | int | float) and not isinstance(cell, bool)


def _text(cell: object) -> str:
    if isinstance(cell, str):
        return cell
    is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
    return json.dumps(cell) if is_number else ""


def _is_writable(cell: object) -> bool:
    text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
