"""Meaning of the names of columns: sources, targets, texts in a language, or no text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.data.pairs.languages import LANGUAGES, is_code

Cells = tuple[str, ...]


class Role(StrEnum):
    """Kind of texts that a column is named after."""

    SOURCE = "source"
    TARGET = "target"
    LANGUAGE = "language"
    TEXT = "text"


_STRONG = {
    Role.SOURCE: "source sources src input inputs question front prompt query lemma grapheme graphemes nl incorrect "
    "original instruction utterance command commands word letters orthography infix premise article dialogue "
    "origen origine origem 原文 원문 "
    "misspelled misspelling abbreviation plaintext",
    Role.TARGET: "target targets trg tgt output outputs answer answers back response completion translation "
    "translated phoneme phonemes pronunciation ipa sounds sql cmd bash logic form inflection actions corrected "
    "correction summary paraphrase reference transliteration definition hypothesis highlights simplified "
    "expansion ciphertext cible destino traducción traduction traduzione tradução übersetzung vertaling перевод "
    "译文 번역",
}
# Words that may as well be a first pair: they choose columns, but do not show that a line is a header.
_WEAK = {
    Role.SOURCE: "in from x inp human wrong complex term expression expr invocation orig singular active informal "
    "noisy before old document present",
    Role.TARGET: "out to y machine right simple meaning result value solution code label plural passive formal clean "
    "lf after new correct past parse program emoji",
    Role.TEXT: "sentence sentences text phrase string utterances line segment seg content title "
    "frase frases oración texto textos testo texte phrases satz sätze zin tekst mening zdanie věta cümle "
    "предложение фраза текст 文 文章 句子 句 문장",
}
_PHRASES = {"natural language": Role.SOURCE, "source code": Role.SOURCE, "human readable": Role.SOURCE}


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_NEUTRAL = _words(
    "column side text sentence phrase string date field words word str sent col",
    "latn cyrl arab deva hans hant jpan kore us gb",  # Scripts and countries behind the code of a language.
    "auf na po of på op em del",
)
_NO_TEXT = _words(
    "lang langs language locale id ids idx index no nr num number score scores similarity type category domain corpus",
    "dataset split licence license url link file filename path author user tags tag pos features length len count freq",
    "frequency confidence quality comment comments note notes timestamp guid audio key row uuid origin country",
)
# In a table of two columns these are sources: numbers and their names, keys and their values.
_SOURCES_OF_TWO = _words("number key")
_ROLE_OF_WORD = {
    word: role for words in (_WEAK, _STRONG) for role, listed in words.items() for word in _words(listed)
}
_STRONG_WORDS = _words(*_STRONG.values())
# The class \w lacks the vowel signs of the languages whose own names have them.
VOWEL_SIGNS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0eff\u1000-\u109f\u1780-\u17ff"
_NAME_WORDS = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{VOWEL_SIGNS}])*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BRACKETED = re.compile(r"[\[({]\s*([^\[\](){}]*?)\s*[\])}]")


@dataclass(frozen=True)
class ColumnName:
    """Meaning of the name of a column.

    Attributes:
        role: Role of its texts; None if it says none.
        is_known: Whether all words of the name are known.
        is_sure: Whether a pair would hardly have such a text.
        language: Code of the language that it names; empty if it names none.
        is_code: Whether the language is named by its code.
    """

    role: Role | None = None
    is_known: bool = False
    is_sure: bool = False
    language: str = ""
    is_code: bool = False


def says_no_text(names: Sequence[str], *, of_two: bool = False) -> bool:
    """Return True if a name says that its column numbers or sorts the rows.

    Args:
        names: Names of columns.
        of_two: Whether the table has two columns, which may be numbers and their names.
    """
    no_text = _NO_TEXT - _SOURCES_OF_TWO if of_two else _NO_TEXT
    return any(not no_text.isdisjoint(_NAME_WORDS.findall(name.casefold())) for name in names)


def role_of(name: str) -> Role | None:
    """Return what the name of a column says of its texts; None if it says nothing."""
    return read_name(name).role


def read_name(cell: str) -> ColumnName:
    """Return the meaning of a cell, if it is the name of a column."""
    bracketed = _BRACKETED.search(cell)
    text = _CAMEL.sub(" ", _BRACKETED.sub(" ", cell)).casefold().replace("_", " ")
    words = _NAME_WORDS.findall(text)
    phrase = " ".join(words)
    if phrase in _PHRASES:
        return ColumnName(_PHRASES[phrase], is_known=True, is_sure=True)
    if not words or not _NO_TEXT.isdisjoint(words):
        return ColumnName()
    if len(words) > 1:  # A text in a language, as against the side from or to a language.
        words = [word for word in words if word != "in"]
    roles = {word: _ROLE_OF_WORD[word] for word in words if word in _ROLE_OF_WORD}
    # In "frase en francés", a code is another word.
    languages = sorted((word for word in words if word in LANGUAGES and word not in roles), key=is_code)
    is_all_known = all(word in roles or word in LANGUAGES or word in _NEUTRAL for word in words)
    for word, role in roles.items():
        if role is not Role.TEXT:
            return ColumnName(role, is_all_known, is_all_known and (word in _STRONG_WORDS or len(words) > 1))
    # Beside an unknown word, a code may be any word: "is_duplicate" is no Icelandic.
    languages = [word for word in languages if is_all_known or not is_code(word)]
    if languages:
        code = is_code(languages[0]) and len(words) == 1
        return ColumnName(Role.LANGUAGE, is_all_known, False, LANGUAGES[languages[0]], code)
    if bracketed and bracketed[1].casefold() in LANGUAGES:
        return ColumnName(Role.LANGUAGE, True, False, LANGUAGES[bracketed[1].casefold()])
    return ColumnName(Role.TEXT, is_all_known) if roles else ColumnName()


def choose_by_names(names: Cells, usable: Sequence[int]) -> tuple[int, int] | None:
    """Return the positions of source and target that names choose among some; None where they do not say enough."""
    known = {place: read_name(names[place].strip()) for place in usable if place < len(names)}
    if all(name.role is None for name in known.values()) and len(known) == 2:
        return None
    places = {role: [place for place, name in known.items() if name.role is role] for role in Role}
    others = [*places[Role.LANGUAGE], *places[Role.TEXT]]
    sources, targets = places[Role.SOURCE], places[Role.TARGET]
    sure_sources, sure_targets = (
        [place for place in role if known[place].is_sure] for role in (sources, targets)
    )
    if sure_sources and sure_targets:
        return sure_sources[0], sure_targets[0]
    languages: dict[str, int] = {}
    for place in places[Role.LANGUAGE]:
        languages.setdefault(known[place].language, place)
    if len(languages) > 1:
        source, target = sorted(languages.values())[:2]
        return source, target
    if numbered := _numbered(names, known):
        return numbered
    # Without another language, a code may be any short word.
    others = sorted(
        place for place in others if not (known[place].is_code and len(names[place].strip()) == 2)
    )
    sources = sure_sources + [place for place in sources if place not in sure_sources]
    targets = sure_targets + [place for place in targets if place not in sure_targets]
    if sources and targets:
        return sources[0], targets[0]
    if sources and (rest := others or sources[1:]):
        return sources[0], rest[0]
    if targets and (rest := others or targets[1:]):
        return (rest[0], targets[0]) if others else (targets[0], rest[0])
    return (others[0], others[1]) if len(others) > 1 else None


def _numbered(names: Cells, known: dict[int, ColumnName]) -> tuple[int, int] | None:
    """Return the positions of the first two names with a role that differ only in the number at their end."""
    found: dict[str, int] = {}
    for place, name in known.items():
        text = names[place].strip()
        stem = text.rstrip("0123456789")
        if name.role and stem != text:
            if stem in found:
                return found[stem], place
            found[stem] = place
    return None
