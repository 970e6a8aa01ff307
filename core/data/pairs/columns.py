"""Choice of the columns that hold sources and targets, by their names or their texts."""

from __future__ import annotations

import re
from collections import Counter
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
    "misspelled misspelling abbreviation plaintext",
    Role.TARGET: "target targets trg tgt output outputs answer answers back response completion translation "
    "translated phoneme phonemes pronunciation ipa sounds sql cmd bash logic form inflection actions corrected "
    "correction summary paraphrase reference transliteration definition hypothesis highlights simplified "
    "expansion ciphertext",
}
# Words that may as well be a first pair: they choose columns, but do not show that a line is a header.
_WEAK = {
    Role.SOURCE: "in from x inp human wrong complex term expression expr invocation orig singular active informal "
    "noisy before old document present",
    Role.TARGET: "out to y machine right simple meaning result value solution code label plural passive formal clean "
    "lf after new correct past parse program emoji",
    Role.TEXT: "sentence sentences text phrase string utterances line segment seg content title",
}
_PHRASES = {"natural language": Role.SOURCE, "source code": Role.SOURCE, "human readable": Role.SOURCE}


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_NEUTRAL = _words(
    "column side text sentence phrase string date field words word str sent col",
    "latn cyrl arab deva hans hant jpan kore us gb",  # Scripts and countries behind the code of a language.
)
_NO_TEXT = _words(
    "lang langs language locale id ids idx index no nr num number score scores similarity type category domain corpus",
    "dataset split licence license url link file filename path author user tags tag pos features length len count freq",
    "frequency confidence quality comment comments note notes timestamp guid audio key row uuid origin country",
)
_ROLE_OF_WORD = {
    word: role for words in (_WEAK, _STRONG) for role, listed in words.items() for word in _words(listed)
}
_STRONG_WORDS = _words(*_STRONG.values())
_CREDIT_NAMES = frozenset({"attribution", "credit", "credits", "licence", "license"})

# The class \w lacks the vowel signs of the languages whose own names have them.
_SIGNS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0eff\u1000-\u109f\u1780-\u17ff"
_NAME = re.compile(rf"[^\W\d_][\w .()/{_SIGNS}-]{{0,38}}")
_NAME_WORDS = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_SIGNS}])*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_INNER_UNDERSCORE = re.compile(r"[^\W_]_[^\W_]")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?:[-+]?\d+(?:[.,:-]\d+)*(?:[eE][-+]?\d+)?\s*[%.)]?(?: |$))+")
_ADDRESS = re.compile(r"(?:(?:https?|ftp)://|www\.)\S+")
_BRACKETED = re.compile(r"[\[({]\s*([^\[\](){}]*?)\s*[\])}]")
_TAG = re.compile(r"<[\w-]{1,12}>|__\w{1,12}__|\[[\w-]{1,12}\]|[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_IDENTIFIER = re.compile(r"[\w.-]*(?:[-_.:/#]\d+|[A-Za-z_]\d{3,})|[0-9a-f]{8,64}(?:-[0-9a-f]{4,12})*")
_CREDIT = re.compile(r"\bCC[- ]BY\b|\bCC[- ]?0\b|tatoeba\.org|creativecommons\.org", re.IGNORECASE)
_LEAST_ROWS = 5
_MOST_NAMES = 100
"""Cells of a line that may be names; a longer one names no columns."""
FEW_VALUES = 10
"""Most different texts of a column that only sorts the rows, where each stands in ten rows or more on average."""


@dataclass(frozen=True)
class Columns:
    """The columns of a file, by numbers counted from 1.

    Attributes:
        source: Number of the column with the sources.
        target: Number of the column with the targets.
        credit: Number of the column that says whom to credit; None if there is none.
        count: Number of columns that hold something.
        names: Names of the columns, in their order; empty if they have none.
        are_texts: Whether the columns were named or hold texts, and no numbers or labels.
    """

    source: int
    target: int
    credit: int | None = None
    count: int = 2
    names: tuple[str, ...] = ()
    are_texts: bool = True

    @property
    def unused(self) -> tuple[int, ...]:
        """The numbers of the columns that are not read."""
        used = {self.source, self.target, self.credit}
        return tuple(number for number in range(1, self.count + 1) if number not in used)

    def name(self, number: int) -> str:
        """Return the name of a column, or nothing where it has none."""
        return self.names[number - 1] if number <= len(self.names) else ""


@dataclass(frozen=True)
class _Name:
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


def choose_columns(
    names: Cells, rows: Sequence[Cells], count: int, hidden: frozenset[int] = frozenset()
) -> Columns:
    """Return the columns that hold sources and targets.

    Args:
        names: Names of the columns; empty where they have none.
        rows: Cells of some rows.
        count: Number of columns.
        hidden: Positions of columns that the file says hold no text.
    """
    count = max(2, count)
    texts = [[row[place].strip() if place < len(row) else "" for row in rows] for place in range(count)]
    credit = _credit_column(names, texts)
    usable = [place for place in range(count) if place not in hidden and place != credit]
    named = _by_names(names, _without_labels(names, texts, usable)) or _by_names(names, usable)
    source, target = named or _by_contents(texts, usable)
    is_numbered = bool(names) and _says_no_text(names[source : source + 1]) and _holds_no_text(texts[source])
    are_texts = named is not None or (_are_texts(texts, usable) and not is_numbered)
    return Columns(source + 1, target + 1, None if credit is None else credit + 1, count, names, are_texts)


def _without_labels(names: Cells, texts: Sequence[Sequence[str]], usable: Sequence[int]) -> list[int]:
    """Return the positions of columns whose names may choose them: no labels under a weak name, no constant source."""
    known = {place: _read_name(names[place].strip()) for place in usable if place < len(names)}
    sources = [place for place, name in known.items() if name.role is Role.SOURCE and any(texts[place])]
    varied = [place for place in sources if not _is_constant(texts[place])]
    return [
        place
        for place in usable
        if not (
            place in known and known[place].role and not known[place].is_sure and _holds_no_text(texts[place])
        )
        and not (varied and place in known and known[place].role is Role.SOURCE and place not in varied)
    ]


def _says_no_text(names: Sequence[str]) -> bool:
    """Return True if a name says that its column numbers or sorts the rows."""
    return any(not _NO_TEXT.isdisjoint(_NAME_WORDS.findall(name.casefold())) for name in names)


def _are_texts(texts: Sequence[Sequence[str]], usable: Sequence[int]) -> bool:
    """Return True if two columns are left when those of numbers, labels and tags are passed over."""
    filled = [place for place in usable if 2 * sum(map(bool, texts[place])) >= len(texts[place])]
    return len(filled) <= 2 or sum(not _holds_no_text(texts[place]) for place in filled) >= 2


def has_known_names(cells: Cells) -> bool:
    """Return True if the names of the cells alone show that a line names the columns of a source and a target."""
    chosen = _by_names(cells, range(len(cells))) if _are_names(cells, is_known=True) else None
    if not chosen:
        return _are_two_codes(cells)
    names = [_read_name(cells[place].strip()) for place in chosen]
    if not all(name.is_known for name in names):
        return False
    if any(name.is_sure for name in names) or _are_numbered([cells[place].strip() for place in chosen]):
        return True
    # Two names of one language, such as German and Deutsch, are a pair of a dictionary, and so may be two codes.
    languages = {name.language for name in names if name.language}
    codes = {name.language for name in names if name.is_code}
    return len(languages) > 1 and (len(codes) < 2 or "en" in codes or len(cells) > 2)


def _are_two_codes(cells: Cells) -> bool:
    """Return True if two cells are the code of English and one that may as well mean an identifier or a number."""
    codes = {cell.strip().casefold() for cell in cells}
    return len(cells) == 2 and codes in ({"en", "id"}, {"en", "no"})


def is_header(first: Cells, rows: Sequence[Cells]) -> bool:
    """Return True if a first line names the columns.

    Args:
        first: Cells of the first line.
        rows: Cells of some of the other lines.
    """
    others = [row for row in rows if row != first]
    often = _most_often_below(first, others)
    if has_known_names(first):
        # A dictionary may have the word "source"; a tag of a language is in every row.
        return 10 * often <= len(others)
    if often or len(first) < 2:
        return False
    if len(first) > 2 and _are_names(first, is_known=True) and _has_known_name(first):
        return True
    usual = Counter(map(len, others)).most_common(1)
    if not _are_names(first) or not usual or len(first) > usual[0][0]:
        return False
    columns = [[row[place].strip() for row in rows if place < len(row)] for place in range(len(first))]
    if len(first) > 2 and any(map(_differs_from_numbers, first, columns)):
        return True
    if len(others) < _LEAST_ROWS:
        return False
    return (
        any(map(_differs_from_column, first, columns))
        or (len(first) > 2 and any(map(_differs_from_sorting_column, first, columns)))
        or _has_unusual_underscore(first, columns)
        or _is_known_above_longer_texts(first, columns)
    )


def _has_known_name(cells: Cells) -> bool:
    """Return True if a cell names a language in full, or the source or the target of a pair."""
    names = [_read_name(cell.strip()) for cell in cells]
    return any(name.is_known and (name.is_sure or (name.language and not name.is_code)) for name in names)


def _differs_from_numbers(first: str, below: Sequence[str]) -> bool:
    return len(below) > 2 and bool(first.strip()) and all(map(_NUMBER.fullmatch, below))


def role_of(name: str) -> Role | None:
    """Return what the name of a column says of its texts; None if it says nothing."""
    return _read_name(name).role


def _read_name(cell: str) -> _Name:
    bracketed = _BRACKETED.search(cell)
    text = _CAMEL.sub(" ", _BRACKETED.sub(" ", cell)).casefold().replace("_", " ")
    words = _NAME_WORDS.findall(text)
    phrase = " ".join(words)
    if phrase in _PHRASES:
        return _Name(_PHRASES[phrase], is_known=True, is_sure=True)
    if not words or not _NO_TEXT.isdisjoint(words):
        return _Name()
    roles = {word: _ROLE_OF_WORD[word] for word in words if word in _ROLE_OF_WORD}
    languages = [word for word in words if word in LANGUAGES and word not in roles]
    is_all_known = all(word in roles or word in LANGUAGES or word in _NEUTRAL for word in words)
    for word, role in roles.items():
        if role is not Role.TEXT:
            return _Name(role, is_all_known, is_all_known and (word in _STRONG_WORDS or len(words) > 1))
    # Beside an unknown word, a code may be any word: "is_duplicate" is no Icelandic.
    languages = [word for word in languages if is_all_known or not is_code(word)]
    if languages:
        code = is_code(languages[0]) and len(words) == 1
        return _Name(Role.LANGUAGE, is_all_known, False, LANGUAGES[languages[0]], code)
    if bracketed and bracketed[1].casefold() in LANGUAGES:
        return _Name(Role.LANGUAGE, True, False, LANGUAGES[bracketed[1].casefold()])
    return _Name(Role.TEXT, is_all_known) if roles else _Name()


def _are_names(cells: Cells, *, is_known: bool = False) -> bool:
    """Return True if cells may be names: short, with letters; only the first may be empty, as for an index.

    Args:
        cells: Cells of the line.
        is_known: Whether known names among them make up for names that repeat, or that have other marks.
    """
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    if not 2 <= len(names) <= _MOST_NAMES:
        return False
    filled = names[1:] if names and not names[0] else names
    if is_known:
        return all(
            len(name) <= 40 and len(name.split()) <= 5 and not _NUMBER.fullmatch(name) and name
            for name in filled
        )
    if len({name.casefold() for name in names}) < (len(names) if len(names) == 2 else 2):
        return False
    return all(
        _NAME.fullmatch(name)
        and len(name.split()) <= 3
        and not _DIGIT.search(name[:-2])
        and name[-1] not in ".-/ ("
        for name in filled
    )


def _are_numbered(names: Sequence[str]) -> bool:
    """Return True if names differ only in a number at their end, as sentence1 and sentence2 do."""
    return (
        all(name[-1:].isdigit() for name in names) and len({name.rstrip("0123456789") for name in names}) == 1
    )


def _by_names(names: Cells, usable: Sequence[int]) -> tuple[int, int] | None:
    """Return the positions that names choose; None where they do not say enough."""
    known = {place: _read_name(names[place].strip()) for place in usable if place < len(names)}
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


def _numbered(names: Cells, known: dict[int, _Name]) -> tuple[int, int] | None:
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


def _by_contents(texts: Sequence[Sequence[str]], usable: Sequence[int]) -> tuple[int, int]:
    """Return the positions of the first two columns that hold text; a number or a label is never a source."""
    if len(usable) < 2:
        return 0, 1
    kept = [place for place in usable if not _holds_no_text(texts[place])]
    if len(usable) == 2:
        source, target = usable
        swaps = _is_label(texts[source]) and target in kept and not _is_label(texts[target])
        return (target, source) if swaps else (source, target)
    if len(kept) >= 2:
        return kept[0], kept[1]
    filled = [place for place in usable if any(texts[place]) and not _is_constant(texts[place])]
    if len(kept) == 1:
        labels = [place for place in filled if place != kept[0]] or [
            place for place in usable if place != kept[0]
        ]
        after = [place for place in labels if place > kept[0]]
        return kept[0], (after or labels)[0]
    return (filled[0], filled[1]) if len(filled) > 1 else (usable[0], usable[1])


def _holds_no_text(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text]
    if 2 * len(filled) < len(texts) or not filled:
        return True
    return (
        _most(_NUMBER, filled)
        # The first may be a name that was not recognised.
        or (len(filled) > 2 and all(map(_NUMBER.fullmatch, filled[1:])))
        or _most(_ADDRESS, filled)
        or _is_constant(filled)
        or (_most(_TAG, filled) and len(set(filled)) <= FEW_VALUES and len(filled) > len(set(filled)))
        or _is_few(filled)
        or _is_identifier(filled)
    )


def _most(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    return 20 * sum(pattern.fullmatch(text) is not None for text in texts) >= 19 * len(texts)


def _is_constant(texts: Sequence[str]) -> bool:
    return len(texts) > 2 and len(set(texts)) == 1


def _is_few(texts: Sequence[str]) -> bool:
    values = len(set(texts))
    return values <= FEW_VALUES and 10 * values <= len(texts)


def _is_label(texts: Sequence[str]) -> bool:
    """Return True if a column of two has few values, each one word: labels, and no sources with many answers."""
    filled = [text for text in texts if text]
    return len(set(filled)) > 1 and _is_few(filled) and all(len(text.split()) == 1 for text in set(filled))


def _is_identifier(texts: Sequence[str]) -> bool:
    return len(set(texts)) == len(texts) > 2 and all(map(_IDENTIFIER.fullmatch, texts))


def _credit_column(names: Cells, texts: Sequence[Sequence[str]]) -> int | None:
    for place, name in enumerate(names[: len(texts)]):
        if place > 1 and name.strip().casefold() in _CREDIT_NAMES:
            return place
    for place in range(2, len(texts)):
        filled = [text for text in texts[place] if text]
        if filled and 2 * sum(is_credit(text) for text in filled) >= len(filled):
            return place
    return None


def is_credit(text: str) -> bool:
    """Return True if a text says under which licence, or from where, a pair comes."""
    return _CREDIT.search(text) is not None


def _most_often_below(first: Cells, rows: Sequence[Cells]) -> int:
    """Return in how many rows the cell of the first line is that most rows have in the same column."""
    return max(
        sum(place < len(row) and row[place].strip() == cell.strip() for row in rows) if cell.strip() else 0
        for place, cell in enumerate(first)
    )


def _differs_from_column(first: str, below: Sequence[str]) -> bool:
    """Return True if every other text of the column has a digit and the first has none."""
    return (
        bool(first.strip())
        and len(below) >= _LEAST_ROWS
        and not _DIGIT.search(first)
        and all(map(_DIGIT.search, below))
    )


def _differs_from_sorting_column(first: str, below: Sequence[str]) -> bool:
    filled = [text for text in below if text]
    is_tagged = len(filled) >= _LEAST_ROWS and (len(set(filled)) == 1 or _is_few(filled))
    return bool(first.strip()) and is_tagged and first.strip() not in filled


def _has_unusual_underscore(first: Cells, columns: Sequence[Sequence[str]]) -> bool:
    if not any(map(_INNER_UNDERSCORE.search, first)) or any(len(cell.split()) > 1 for cell in first):
        return False
    below = [text for column in columns for text in column]
    return 20 * sum(_INNER_UNDERSCORE.search(text) is not None for text in below) < len(below)


def _is_known_above_longer_texts(first: Cells, columns: Sequence[Sequence[str]]) -> bool:
    """Return True if single words, one of them a known name, stand above texts that are mostly longer."""
    if any(len(cell.split()) > 1 for cell in first):
        return False
    names = [_read_name(cell.strip()) for cell in first]
    known = [name for name in names if name.role and name.is_known]
    is_named = any(name.is_sure or (name.language and not name.is_code) for name in known)
    if len(known) < (1 if is_named else 2):
        return False
    below = [text for column in columns for text in column if text]
    longer = sum(len(text.split()) > 1 or len(text) > 12 for text in below)
    return len(first) > 2 or 10 * longer >= 9 * len(below)
