"""JSON and JSON lines: objects with named texts, arrays of two texts, and objects that map sources to targets."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.data.pairs.content import Content, Row
from core.data.pairs.headers import has_known_names
from core.data.pairs.names import Role, role_of
from core.data.pairs.report import MOST_NAMED, MOST_OF_A_NAME, DropReason, Occurrences
from core.errors import InputError, excerpt

Record = tuple[int, object]
"""The place of a record, and its value."""
MOST_COLUMNS = 100
_SAMPLE = 2_000
_OBJECTS, _BOOLEANS, _LISTS = "objects", "true or false", "lists"
_WAYS_OUT = {
    _OBJECTS: "they are not read",
    _BOOLEANS: "write them as texts to learn them",
    _LISTS: "only targets may be lists, so they are not read",
}
"""Kinds of values that are not read, and what to say of each."""
_BRACKETED = re.compile(r"\s*[\[{][^\[\]{}\"]*[\]}].*?(?:\|\|\||=>|->|→|::|[;,|])\s*\S")
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
    lines = ((number, line.strip().removesuffix(",")) for number, line in enumerate(io.StringIO(text), 1))
    records = [(number, _parsed(line)) for number, line in lines if line]
    whole = [record for record in records if record[1] is not _BROKEN]
    if 2 * len(whole) >= len(records):
        return _content(records, "JSON lines", "line", name)
    if "\t" in text or _are_bracketed_cells(text):
        return None
    raise InputError(
        f"{name} begins as JSON does, but is none; write an array of objects with source and target, "
        "or one object a line"
    )


def _are_bracketed_cells(text: str) -> bool:
    """Return True if lines begin with brackets that a separator and more text follow, as in ``[1; 2] => 3``."""
    lines = [line for line in text.split("\n")[:_SAMPLE] if line.strip()]
    return 2 * sum(_BRACKETED.match(line) is not None for line in lines) > len(lines)


def _parsed(text: str) -> Any:
    """Return the value of a text; numbers that are none, such as NaN, are empty."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_nothing)
    except (ValueError, RecursionError):
        return _BROKEN


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, in which a repeated key has the list of its texts."""
    found: dict[str, Any] = {}
    for key, value in items:
        before = found.get(key)
        if isinstance(before, str | list) and isinstance(value, str | list):
            value = [*_as_list(before), *_as_list(value)]
        found[key] = value
    return found


def _as_list(value: str | list[Any]) -> list[Any]:
    return [value] if isinstance(value, str) else value


def _nothing(_constant: str) -> None:
    return None


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
    notes = _unread(flat, names)
    if len(names) < 2 and width < 2:
        raise InputError(
            f"{name} is {form} without pairs; write objects with two texts, such as "
            '{"source": "…", "target": "…"}, or arrays of two texts'
            + "".join(f" ({note.removesuffix('.')})" for note in notes[:1])
        )

    def rows() -> Iterator[Row]:
        for place, value in flat:
            yield from _rows(place, value, names)

    several = [
        count for _, value in flat if (count := len(_find_answers(_cells(value, names), names)[1])) > 1
    ]
    if several:
        entries = "1 entry with a list" if len(several) == 1 else f"{len(several):,} entries with lists"
        notes += (f"{entries} gave {sum(several):,} pairs.",)
    first = next((value for _, value in records if isinstance(value, dict)), {})
    unused = _beyond_translation(first, names)
    return Content(
        form, rows, names=names, has_width=False, unused=unused, unit=unit, row_noun=unit, notes=notes
    )


def _beyond_translation(record: dict[str, Any], names: Sequence[str]) -> frozenset[int]:
    """Return the positions of the columns but the first two texts under "translation", if a record has two."""
    inner = record.get("translation")
    texts = [key for key, text in inner.items() if _is_wording(text)] if isinstance(inner, dict) else []
    if len(texts) < 2:
        return frozenset()
    return frozenset(place for place, name in enumerate(names) if name not in texts[:2])


def _flat(value: object) -> object:
    """Return a record with the texts of an inner object, as in {"translation": {"en": …, "de": …}}, beside its own."""
    if not isinstance(value, dict):
        return value
    inner = {key: part for key, part in value.items() if isinstance(part, dict)}
    if "translation" in inner:
        # Its languages are the columns, in their order: the key "id" beside it is no Indonesian.
        texts = inner["translation"]
        return {
            **texts,
            **{key: part for key, part in value.items() if key != "translation" and key not in texts},
        }
    named = [
        key
        for key, part in inner.items()
        if role_of(key) in (Role.SOURCE, Role.TARGET) and any(map(_is_wording, part.values()))
    ]
    if named:
        flat = {key: part for key, part in value.items() if key not in named}
        return flat | {
            f"{key}.{part}": text for key in named for part, text in inner[key].items() if _is_wording(text)
        }
    if len(inner) == 1:
        key, texts = next(iter(inner.items()))
        if any(isinstance(text, str) for text in texts.values()):
            # The record's own texts count where an inner object has the same keys, as metadata do.
            return {**texts, **{other: text for other, text in value.items() if other != key}}
    return value


def _unread(records: Sequence[Record], names: Sequence[str]) -> tuple[str, ...]:
    """Return sentences that name the keys whose values are not read."""
    found: dict[tuple[str, str], Occurrences] = {}
    for place, value in records:
        for key, cell in value.items() if isinstance(value, dict) else ():
            if (kind := _unread_kind(key, cell, names)) and (len(found) < MOST_NAMED or (key, kind) in found):
                found[key, kind] = found.get((key, kind), Occurrences()).and_in(place)
    return tuple(
        f"“{excerpt(key, MOST_OF_A_NAME)}” holds {kind} in "
        f"{'1 entry' if seen.count == 1 else f'{seen.count:,} entries'}; {_WAYS_OUT[kind]}."
        for (key, kind), seen in found.items()
    )


def _unread_kind(key: str, cell: object, names: Sequence[str]) -> str:
    if isinstance(cell, dict) or (
        isinstance(cell, list) and any(isinstance(part, dict | list) for part in cell)
    ):
        return _OBJECTS
    if isinstance(cell, bool) and (role_of(key) or key in names):
        return _BOOLEANS
    return _LISTS if key in names and isinstance(cell, list) and not _has_answers(key) else ""


def _rows(place: int, value: object, names: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each combination of texts: a list of targets is several answers to one source."""
    cells = _cells(value, names)
    # JSON may hold halves of characters, which no file can.
    if not cells or not all(map(_is_writable, cells)):
        yield Row(place, (), DropReason.UNREADABLE)
        return
    texts = tuple(map(_text, cells))
    at, answers = _find_answers(cells, names)
    for answer in answers or [None]:
        yield Row(place, (*texts[:at], _text(answer), *texts[at + 1 :]))


def _cells(value: object, names: Sequence[str]) -> list[object]:
    """Return the values of a record's columns; empty if it is no record."""
    if isinstance(value, dict):
        return [value.get(name) for name in names]
    if isinstance(value, list) and not (names and len(value) < 2):
        return list(value[:MOST_COLUMNS])
    return []


def _find_answers(cells: Sequence[object], names: Sequence[str]) -> tuple[int, Sequence[object]]:
    """Return the position of the first column with several answers, and these; without one, the first cell."""
    for at, cell in enumerate(cells):
        if isinstance(cell, list) and (_has_answers(names[at]) if at < len(names) else at > 0):
            return at, cell
    return 0, cells[:1]


def _has_answers(name: str) -> bool:
    """Return True if a list under a name holds several answers to one source."""
    return role_of(name) in (Role.TARGET, Role.LANGUAGE)


def _is_wording(cell: object) -> bool:
    texts = cell if isinstance(cell, list) else [cell]
    return bool(texts) and all(isinstance(text, str) for text in texts)


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
