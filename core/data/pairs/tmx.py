"""Translation memories (TMX): units with one segment per language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from xml.parsers import expat

from core.data.pairs.content import Content, Row
from core.data.pairs.report import Occurrences
from core.errors import InputError

_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})
"""Elements that hold the codes of a formatted document, and no text."""
MOST_SEGMENTS = 16
"""Segments of one language that are read of a unit; the others are counted."""
MOST_LANGUAGES = 100


@dataclass
class _Unit:
    line: int
    segments: dict[str, list[str]] = field(default_factory=dict)


class _Reader:
    """Handlers of the elements of a translation memory.

    Attributes:
        units: Units that were read.
        source_language: Language that the header names as that of the sources.
        coded: Segments with codes of a formatted document.
        beyond: Segments that came after the last one that is read of their unit.
    """

    def __init__(self) -> None:
        self.units: list[_Unit] = []
        self.source_language = ""
        self.coded = self.beyond = Occurrences()
        self._language = ""
        self._parts: list[str] | None = None
        self._codes = 0
        self._follows_code = self._has_codes = False
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        # Entities that a document declares can grow without bound, or name files of this machine.
        self.parser.EntityDeclHandler = _refuse_entities
        # Others would be left out of the text without a word.
        self.parser.SkippedEntityHandler = _refuse_entities

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "header":
            self.source_language = _language(attributes.get("srclang", ""))
        elif tag == "tu":
            self.units.append(_Unit(self.parser.CurrentLineNumber))
        elif tag == "tuv":
            self._language = _language(attributes.get("xml:lang") or attributes.get("lang") or "")
        elif tag == "seg":
            self._parts, self._follows_code, self._has_codes = [], False, False
        elif tag in _CODES:
            self._codes += 1
            if self._parts is not None and not self._follows_code:
                self._follows_code = True
                self._has_codes = True

    def _end(self, tag: str) -> None:
        if tag in _CODES:
            self._codes -= 1
        elif tag == "seg" and self._parts is not None and self.units:
            segments = self.units[-1].segments.setdefault(self._language, [])
            if len(segments) < MOST_SEGMENTS:
                segments.append("".join(self._parts))
            else:
                self.beyond = self.beyond.and_in(self.parser.CurrentLineNumber)
            self._parts = None
            if self._has_codes:
                self.coded = self.coded.and_in(self.parser.CurrentLineNumber)

    def _text(self, text: str) -> None:
        if self._parts is not None and not self._codes:
            before = next((part[-1] for part in reversed(self._parts) if part), "")
            if self._follows_code and _is_of_word(before) and _is_of_word(text[:1]):
                self._parts.append(" ")
            self._follows_code = False
            self._parts.append(text)


def _is_of_word(character: str) -> bool:
    """Return True if a character is of a word that spaces would separate from others."""
    return character.isalnum() and not "\u0e00" <= character <= "\u0eff" and character < "\u2e80"


def read_tmx(text: str, name: str) -> Content:
    """Return the rows of a translation memory: a column per language, that of the sources first.

    Raises:
        InputError: the text is broken, declares entities, or has no unit in two languages.
    """
    reader = _Reader()
    try:
        # The declaration may name the encoding that the file had before it was decoded.
        reader.parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise InputError(
            f"{name} is TMX that cannot be read (line {error.lineno:,}); export it again, or as tab-separated text"
        ) from error
    except _EntityError as error:
        raise InputError(
            f"{name} has entities of its own, which are not read; export it as plain TMX"
        ) from error
    languages = _languages(reader)
    if len(languages) < 2:
        raise InputError(f"{name} is TMX without a unit in two languages; export it with both languages")
    units = reader.units

    def rows() -> Iterator[Row]:
        for unit in units:
            rest = tuple(next(iter(unit.segments.get(language, ())), "") for language in languages[2:])
            for cells in product(*(unit.segments.get(language) or [""] for language in languages[:2])):
                yield Row(unit.line, (*cells, *rest))

    notes = (
        *_note(reader.coded, "Codes of layout were left out of {}"),
        *_note(reader.beyond, f"A unit may have {MOST_SEGMENTS} texts in a language; left out: {{}}"),
    )
    return Content("TMX", rows, names=tuple(languages), has_width=False, row_noun="entry", notes=notes)


def _note(found: Occurrences, sentence: str) -> tuple[str, ...]:
    """Return a sentence about some texts with their first line; nothing if there are none."""
    if not found.count:
        return ()
    texts, first = ("1 text", "") if found.count == 1 else (f"{found.count:,} texts", "first: ")
    return (f"{sentence.format(texts)} ({first}line {found.lines[0]:,}).",)


class _EntityError(Exception):
    """A document declares or uses entities beyond those of XML."""


def _refuse_entities(*_declaration: object) -> None:
    raise _EntityError


def _language(code: str) -> str:
    """Return a code of a language as a column is named: without case, at most as long as names are."""
    return "".join(filter(str.isprintable, code.strip().lower()))[:20]


def _languages(reader: _Reader) -> list[str]:
    """Return the languages of the units: that of the sources, then the others, the most frequent first."""
    counts = Counter(language for unit in reader.units for language in unit.segments)
    source = reader.source_language
    # The header may say "en" where the segments say "en-gb".
    found = [language for language in counts if source and language.split("-")[0] == source.split("-")[0]]
    first = source if source in counts else next(iter(found), "")
    others = [language for language, _ in counts.most_common(MOST_LANGUAGES) if language != first]
    return [first, *others] if first in counts else others
