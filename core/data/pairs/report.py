"""What became of the lines of a pairs file, in numbers and in sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

FIRST_LINES = 3


@dataclass(frozen=True)
class PairLimits:
    """How much is read of a pairs file.

    Attributes:
        max_bytes: Of the whole file; a larger one is refused before it is read.
        max_lines: Of the whole file, so that a hostile one is refused within moments.
        max_pairs: Those after them are dropped.
        max_words: Of either side, as spaces separate them; a longer pair is dropped.
        max_characters: Of either side, for languages without spaces.
        drops_identical: Whether pairs whose target is their source are dropped where they are the exception.
    """

    max_bytes: int = 2_000_000
    max_lines: int = 100_000
    max_pairs: int = 50_000
    max_words: int = 40
    max_characters: int = 400
    drops_identical: bool = True


@dataclass(frozen=True)
class ReadingOptions:
    """How a user wants a pairs file to be read, where it should not be recognised from the file.

    Attributes:
        columns: Numbers of the source and target columns, counted from 1.
        has_header: Whether the first line names the columns; None to recognise it.
        keep_spaces: Whether spaces, tabs and line ends within a text stay as they are.
        drop_unchanged: Whether pairs whose target equals their source are dropped.
    """

    columns: tuple[int, int] | None = None
    has_header: bool | None = None
    keep_spaces: bool = False
    drop_unchanged: bool = False


class DropReason(StrEnum):
    """Why a pair was dropped; the value is what a sentence says of it."""

    NO_SOURCE = "had no source"
    NO_TARGET = "had no target"
    TOO_LONG = "had a side that is too long"
    REPEATED = "repeated an earlier pair"
    OTHER_TARGET = "repeated an earlier source with another target"
    IDENTICAL = "had a target equal to its source"
    BEYOND_LAST = "came after the last pair that is taken"
    HELD_OUT = "had a source that stands among the validation or test pairs as well"
    TESTED = "had a source that stands among the test pairs as well"
    UNKNOWN = "had tokens that the model to go on from does not know"
    NO_TOKENS = "had a side without a token"
    SAME_TOKENS = "had a source with the tokens of an earlier one"


@dataclass(frozen=True)
class Drop:
    """How many pairs were dropped for one reason, and the first of their lines where they came from a file."""

    reason: DropReason
    count: int
    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        if not self.lines:
            return f"{self.count:,} {self.reason}"
        where = f"line {self.lines[0]:,}" if self.count == 1 else f"first: line {self.lines[0]:,}"
        return f"{self.count:,} {self.reason} ({where})"


@dataclass(frozen=True)
class PairsReport:
    """How a pairs file was understood, and what was dropped.

    Attributes:
        name: Of the file, as messages show it.
        layout: What was recognised, such as "tab-separated, 2 columns".
        header: The names in a first line that was taken for a header; empty when there was none.
        lines: How many held a pair or a part of one: all but blank lines, comments and the header.
        kept: How many pairs are left.
        credited: How many of them say whom they are to be credited to.
        drops: The others, by reason.
        limits: Under which it was read.
    """

    name: str
    layout: str
    header: tuple[str, ...]
    lines: int
    kept: int
    credited: int
    drops: tuple[Drop, ...]
    limits: PairLimits

    @property
    def dropped(self) -> int:
        """How many pairs were dropped, for all reasons together."""
        return sum(drop.count for drop in self.drops)

    def sentences(self) -> tuple[str, ...]:
        """Return what a user should know, one sentence each."""
        pairs = "1 pair" if self.kept == 1 else f"{self.kept:,} pairs"
        sentences = [f"{self.name} has {pairs} ({self.layout})."]
        if self.header:
            sentences.append(f"Its first line was taken for a header: {', '.join(self.header)}.")
        if self.drops:
            verb = "was" if self.dropped == 1 else "were"
            lines = "line" if self.lines == 1 else "lines"
            reasons = ", ".join(map(str, self.drops))
            sentences.append(f"{self.dropped:,} of {self.lines:,} {lines} {verb} dropped: {reasons}.")
        if any(drop.reason is DropReason.TOO_LONG for drop in self.drops):
            words, characters = self.limits.max_words, self.limits.max_characters
            sentences.append(f"A side may have {words:,} words and {characters:,} characters.")
        if self.credited:
            who = "1 pair says" if self.credited == 1 else f"{self.credited:,} pairs say"
            sentences.append(f"{who} whom to credit; a run keeps that with its pairs.")
        return tuple(sentences)

    def __str__(self) -> str:
        return " ".join(self.sentences())


@dataclass
class DropCounter:
    """Counts what is dropped while a file is read, and remembers the first lines of each reason."""

    _drops: dict[DropReason, Drop] = field(default_factory=dict)

    def add(self, reason: DropReason, line: int | None = None) -> None:
        """Count one more, found in that line of a file; None where the pairs come from none."""
        known = self._drops.get(reason, Drop(reason, 0))
        lines = known.lines if line is None else (*known.lines, line)[:FIRST_LINES]
        self._drops[reason] = Drop(reason, known.count + 1, lines)

    def drops(self) -> tuple[Drop, ...]:
        """Return what was counted, the most frequent reason first."""
        return tuple(sorted(self._drops.values(), key=lambda drop: -drop.count))
