"""Choice of the columns that hold sources and targets, by their names or their texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.data.pairs.names import Cells, Role, choose_by_names, read_name, says_no_text
from core.errors import InputError

_CREDIT_NAMES = frozenset({"attribution", "credit", "credits", "licence", "license"})
NUMBER = re.compile(r"(?:[-+]?\d+(?:[.,:-]\d+)*(?:[eE][-+]?\d+)?\s*[%.)]?(?: |$))+")
_ADDRESS = re.compile(r"(?:(?:https?|ftp)://|www\.)\S+")
_TAG = re.compile(r"<[\w-]{1,12}>|__\w{1,12}__|\[[\w-]{1,12}\]|[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_PART_OF_SPEECH = re.compile(
    r"(?:(?:proper )?noun|verb|adj(?:ective)?|adv(?:erb)?|pron(?:oun)?|prep(?:osition)?|[cs]?conj(?:unction)?"
    r"|int(?:er)?j(?:ection)?|det(?:erminer)?|num(?:eral)?|art(?:icle)?|part(?:icle)?|phrase|abbr(?:eviation)?|adp|aux|propn"
    r"|punct|sym|x|v[it]|n\. ?[fmn]|[nv])\.?",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[\w.-]*(?:[-_.:/#]\d+|[A-Za-z_]\d{3,})|[0-9a-f]{8,64}(?:-[0-9a-f]{4,12})*")
_CREDIT = re.compile(r"\bCC[- ]BY\b|\bCC[- ]?0\b|tatoeba\.org|creativecommons\.org", re.IGNORECASE)
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

    def numbers_in(self, names: Cells, count: int) -> tuple[int, int] | None:
        """Return the numbers of the source and target columns in a file that belongs to this one.

        Args:
            names: Names of that file's columns; empty where they have none.
            count: Number of its columns.

        Returns:
            The columns of the same names or, where that file has no names, of the same numbers; None where it has
            other names or another number of columns.
        """
        if not names:
            return (self.source, self.target) if count == self.count else None
        numbers = {name.strip().casefold(): number for number, name in enumerate(names, 1)}
        numbers.pop("", None)
        source, target = (
            numbers.get(self.name(number).strip().casefold()) for number in (self.source, self.target)
        )
        return (source, target) if source and target and source != target else None


class NoTextColumns(InputError):
    """A file without two columns of text, from which a user may still choose two.

    Args:
        sentence: Says so, and what to do.
        columns: The columns, with those that come nearest.
    """

    def __init__(self, sentence: str, columns: Columns) -> None:
        super().__init__(sentence)
        self.columns = columns


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
    named = choose_by_names(names, _without_labels(names, texts, usable)) or choose_by_names(names, usable)
    source, target = named or _by_contents(texts, usable)
    is_numbered = says_no_text(names[source : source + 1], of_two=count == 2) and _holds_no_text(
        texts[source]
    )
    are_texts = named is not None or (_are_texts(texts, usable) and not is_numbered)
    return Columns(source + 1, target + 1, None if credit is None else credit + 1, count, names, are_texts)


def _without_labels(names: Cells, texts: Sequence[Sequence[str]], usable: Sequence[int]) -> list[int]:
    """Return the positions of columns whose names may choose them: no labels under a weak name, no constant source."""
    known = {place: read_name(names[place].strip()) for place in usable if place < len(names)}
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


def _are_texts(texts: Sequence[Sequence[str]], usable: Sequence[int]) -> bool:
    """Return True if two columns are left when those of numbers, labels and tags are passed over."""
    filled = [place for place in usable if 2 * sum(map(bool, texts[place])) >= len(texts[place])]
    return len(filled) <= 2 or sum(not _holds_no_text(texts[place]) for place in filled) >= 2


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
        _most(NUMBER, filled)
        # The first may be a name that was not recognised.
        or (len(filled) > 2 and all(map(NUMBER.fullmatch, filled[1:])))
        or _most(_ADDRESS, filled)
        or _is_constant(filled)
        or (_most(_TAG, filled) and len(set(filled)) <= FEW_VALUES and len(filled) > len(set(filled)))
        or _most(_PART_OF_SPEECH, filled)
        or has_few_values(filled)
        or _is_identifier(filled)
    )


def _most(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    return 20 * sum(pattern.fullmatch(text) is not None for text in texts) >= 19 * len(texts)


def _is_constant(texts: Sequence[str]) -> bool:
    return len(texts) > 2 and len(set(texts)) == 1


def has_few_values(texts: Sequence[str]) -> bool:
    """Return True if texts are few different ones, each of them often."""
    values = len(set(texts))
    return values <= FEW_VALUES and 10 * values <= len(texts)


def _is_label(texts: Sequence[str]) -> bool:
    """Return True if a column of two has few values, each one word: labels, and no sources with many answers."""
    filled = [text for text in texts if text]
    return (
        len(set(filled)) > 1
        and has_few_values(filled)
        and all(len(text.split()) == 1 for text in set(filled))
    )


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
