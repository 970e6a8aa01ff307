"""What became of the lines of a pairs file, in numbers and in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.data.cleaning import Change
from core.data.pairs.columns import Columns
from core.errors import excerpt

FIRST_LINES = 3
MOST_OF_A_NAME = 40
"""Characters of a column's name in a sentence."""
MOST_NAMED = 8
"""Unused columns that a sentence names."""


@dataclass(frozen=True)
class PairLimits:
    """How much is read of a pairs file.

    Attributes:
        max_bytes: Most bytes of a file; a larger one is refused before it is read.
        max_lines: Most lines or pairs of a file, so that a hostile one is refused within moments.
        max_pairs: Most pairs that are taken; later ones are dropped.
        max_words: Most words of a side, separated by spaces; a longer pair is dropped.
        max_characters: Most characters of a side, for languages without spaces.
    """

    max_bytes: int = 2_000_000
    max_lines: int = 100_000
    max_pairs: int = 50_000
    max_words: int = 40
    max_characters: int = 400


@dataclass(frozen=True)
class ReadingOptions:
    """Decisions of a user about how a pairs file is read, in place of what is recognised.

    Attributes:
        columns: Numbers of the source and target columns, counted from 1.
        has_header: Whether the first line names the columns; None to recognise it.
        keep_spaces: Whether spaces, tabs and line ends within a text stay as they are.
        drop_unchanged: Whether pairs whose target equals their source are dropped.
        like: Columns of the file to which this one belongs; a similar file is read by them.
    """

    columns: tuple[int, int] | None = None
    has_header: bool | None = None
    keep_spaces: bool = False
    drop_unchanged: bool = False
    like: Columns | None = None


class DropReason(StrEnum):
    """Why a pair was dropped; the value follows a number in a sentence."""

    NO_SOURCE = "without a source"
    NO_TARGET = "without a target"
    TOO_LONG = "with a side that is too long"
    REPEATED = "repeating an earlier pair"
    IDENTICAL = "with a target equal to its source"
    COLUMNS = "with more columns than the others"
    HEADER = "repeating the header"
    UNREADABLE = "not readable in this form"
    UNFINISHED = "marked fuzzy or obsolete"
    COMMENT = "commented out"
    BEYOND_LAST = "beyond the most pairs that are taken"
    HELD_OUT = "with a source that is also in the validation or test pairs"
    TESTED = "with a source that is also in the test pairs"
    UNKNOWN = "with tokens that the initial model does not know"
    NO_TOKENS = "with a side that has no token"
    SAME_TOKENS = "with a source of the same tokens as an earlier one"


@dataclass(frozen=True)
class Drop:
    """How many pairs were dropped for one reason, and the first of their lines where they came from a file."""

    reason: DropReason
    count: int
    lines: tuple[int, ...] = ()
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.count:,} {self.reason}{_place(self.count, self.lines, self.unit)}"


@dataclass(frozen=True)
class Changed:
    """Number of texts of one side that cleaning changed in one way.

    Attributes:
        side: "source" or "target".
        change: Kind of the change.
        count: Number of texts of the pairs that are left.
        lines: The first of their lines.
        unit: Noun for the place of a row: "line" or "entry".
    """

    side: str
    change: Change
    count: int
    lines: tuple[int, ...]
    unit: str = "line"

    def __str__(self) -> str:
        side = self.side if self.count == 1 else f"{self.side}s"
        return f"{self.count:,} {side}: {self.change}{_place(self.count, self.lines, self.unit)}"


@dataclass(frozen=True)
class Occurrences:
    """Number of occurrences in a file, and their first lines.

    Attributes:
        count: Number of times.
        lines: Numbers of the first lines.
    """

    count: int = 0
    lines: tuple[int, ...] = ()

    def and_in(self, line: int) -> Occurrences:
        """Return these occurrences and one more in a line."""
        return Occurrences(self.count + 1, (*self.lines, line)[:FIRST_LINES])


@dataclass(frozen=True)
class PairsReport:
    """Record of how a pairs file was understood, and of what was dropped or changed.

    Attributes:
        name: Name of the file, as messages show it.
        layout: What was recognised, such as "tab-separated, 2 columns".
        header: Names in a first line that was taken for a header; empty if there was none.
        lines: Number of lines that held a pair or a part of one: all but blank lines, comments and the header.
        kept: Number of pairs that are left.
        credited: Number of them that say whom they are to be credited to.
        drops: The others, by reason.
        limits: Limits under which it was read.
        columns: Columns that were read, with their names.
        changes: Changes that cleaning made to the pairs that are left, by side and kind.
        comments: Lines that were left out because they are comments.
        short: Lines with a pair and fewer columns than the others.
        unchanged: Pairs among those left whose target equals their source.
        options: How the user wanted the file to be read.
        unit: Noun for the place of a row: "line" or "entry".
        row_noun: Noun for a row: "line" or "entry".
        notes: Further sentences about the form.
        example: The beginnings of the cells of its first row.
    """

    name: str
    layout: str
    header: tuple[str, ...]
    lines: int
    kept: int
    credited: int
    drops: tuple[Drop, ...]
    limits: PairLimits
    columns: Columns = field(default_factory=lambda: Columns(1, 2))
    changes: tuple[Changed, ...] = ()
    comments: Occurrences = Occurrences()
    short: Occurrences = Occurrences()
    unchanged: Occurrences = Occurrences()
    options: ReadingOptions = ReadingOptions()
    unit: str = "line"
    row_noun: str = "line"
    notes: tuple[str, ...] = ()
    example: tuple[str, ...] = ()

    @property
    def dropped(self) -> int:
        """Number of dropped pairs, for all reasons together."""
        return sum(drop.count for drop in self.drops)

    def sentences(self, *, names_flags: bool = True) -> tuple[str, ...]:
        """Return what a user should know, one sentence each.

        Args:
            names_flags: Whether they name flags whose controls a form shows beside the sentences.
        """
        pairs = "1 pair" if self.kept == 1 else f"{self.kept:,} pairs"
        sentences = [f"{self.name} has {pairs} ({self.layout})."]
        sentences += self._sentences_of_form(names_flags)
        if self.drops:
            verb = "was" if self.dropped == 1 else "were"
            reasons = ", ".join(map(str, self.drops))
            sentences.append(f"{self.dropped:,} of {self._units(self.lines)} {verb} dropped: {reasons}.")
        reasons_found = {drop.reason for drop in self.drops}
        if DropReason.TOO_LONG in reasons_found:
            words, characters = self.limits.max_words, self.limits.max_characters
            sentences.append(f"A side may have {words:,} words and {characters:,} characters.")
        if DropReason.COLUMNS in reasons_found:
            count = self.columns.count
            sentences.append(
                f"A line is not cut to {count} columns: put a cell that holds the separator in quotes, or remove it."
            )
        if self.short.count:
            has = "has" if self.short.count == 1 else "have"
            where = _place(self.short.count, self.short.lines, self.unit)
            sentences.append(
                f"{self._units(self.short.count)} {has} fewer columns than the others{where}; kept."
            )
        if self.changes:
            sentences.append(f"Cleaning changed {', '.join(map(str, self.changes))}.")
            if any(found.change is Change.SPACES for found in self.changes):
                sentences.append("--keep-spaces keeps all spaces, as code needs them.")
        if self.unchanged.count:
            pairs = "1 pair has" if self.unchanged.count == 1 else f"{self.unchanged.count:,} pairs have"
            where = _place(self.unchanged.count, self.unchanged.lines, self.unit)
            sentences.append(
                f"{pairs} a target equal to its source{where}; kept"
                + (", unless you add --drop-unchanged." if names_flags else ".")
            )
        if self.credited:
            who = "1 pair says" if self.credited == 1 else f"{self.credited:,} pairs say"
            sentences.append(f"{who} whom to credit; a run keeps that with its pairs.")
        return tuple(sentences)

    def _sentences_of_form(self, names_flags: bool) -> list[str]:
        """Return what is to be said of the header, the columns and the lines that hold no pair."""
        sentences = []
        if self.header:
            names = ", ".join(excerpt(name, MOST_OF_A_NAME) for name in self.header if name)
            is_guessed = names_flags and not self.options.has_header
            way_out = "; to use it as a pair, add --no-header" if is_guessed else ""
            sentences.append(f"Its first line was taken for a header: {names}{way_out}.")
        columns = self.columns
        if columns.unused or (columns.source, columns.target) != (1, 2):
            used = f"{_column(columns, columns.source)} and {_column(columns, columns.target)}"
            sentence = f"It uses columns {used} of {columns.count}"
            if columns.unused:
                listed = [_column(columns, number) for number in columns.unused[:MOST_NAMED]]
                more = len(columns.unused) - len(listed)
                listed += [f"{more:,} more"] if more else []
                noun, verb = ("column", "is") if len(listed) == 1 else ("columns", "are")
                sentence += f"; {noun} {_listed(listed)} {verb} not used"
            if names_flags and not self.options.columns:
                sentence += "; --columns chooses others"
            sentences.append(f"{sentence}.")
        if self.comments.count:
            noun = "comment was" if self.comments.count == 1 else "comments were"
            where = _place(self.comments.count, self.comments.lines, self.unit)
            sentences.append(f"{self.comments.count:,} {noun} left out{where}.")
        return sentences + list(self.notes)

    def _units(self, count: int) -> str:
        plural = "entries" if self.row_noun == "entry" else "lines"
        return f"{count:,} {self.row_noun if count == 1 else plural}"

    def __str__(self) -> str:
        return " ".join(self.sentences())


@dataclass
class DropCounter:
    """Counts what is dropped while a file is read, and remembers the first lines of each reason."""

    unit: str = "line"
    _drops: dict[DropReason, Drop] = field(default_factory=dict)

    def add(self, reason: DropReason, line: int | None = None) -> None:
        """Count one more, found in that line of a file; None where the pairs come from none."""
        known = self._drops.get(reason, Drop(reason, 0, (), self.unit))
        lines = known.lines if line is None else (*known.lines, line)[:FIRST_LINES]
        self._drops[reason] = Drop(reason, known.count + 1, lines, self.unit)

    def drops(self) -> tuple[Drop, ...]:
        """Return what was counted, the most frequent reason first."""
        return tuple(sorted(self._drops.values(), key=lambda drop: -drop.count))


@dataclass
class ChangeCounter:
    """Counts what cleaning changes while a file is read."""

    unit: str = "line"
    _found: dict[tuple[str, Change], Occurrences] = field(default_factory=dict)

    def add(self, side: str, changes: Iterable[Change], line: int) -> None:
        """Count the changes of a text, which is the source or the target of a line."""
        for change in changes:
            self._found[side, change] = self._found.get((side, change), Occurrences()).and_in(line)

    def changes(self) -> tuple[Changed, ...]:
        """Return what was counted, the most frequent change first."""
        found = [
            Changed(side, change, seen.count, seen.lines, self.unit)
            for (side, change), seen in self._found.items()
        ]
        return tuple(sorted(found, key=lambda changed: -changed.count))


def _place(count: int, lines: Sequence[int], unit: str) -> str:
    if not lines:
        return ""
    return f" ({unit} {lines[0]:,})" if count == 1 else f" (first: {unit} {lines[0]:,})"


def _column(columns: Columns, number: int) -> str:
    name = excerpt(columns.name(number), MOST_OF_A_NAME)
    return f"{number} ({name})" if name else str(number)


def _listed(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else items[0]
