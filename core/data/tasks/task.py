"""A task: a language of sources, the one right answer to each, and which source tokens explain it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from core.data.tokenizers import Tokenizer


@dataclass(frozen=True)
class Pair:
    """A source, its target, and for each target token the sorted positions of the source tokens behind it.

    Positions count the tokens of the tokenized source, without specials. The attribution says whom a pair that
    somebody brought is to be credited to; nothing is learned from it.

    Attributes:
        others: Other targets that are as right as the first, for a held-out pair whose source has several.
    """

    source: str
    target: str
    alignment: tuple[tuple[int, ...], ...]
    attribution: str = ""
    others: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[str, ...]:
        """All targets that are right, the first one first."""
        return (self.target, *self.others)


@dataclass(frozen=True)
class Example:
    """A named source that shows one thing, and one sentence that says what to look for."""

    title: str
    source: str
    why: str


class Task(Protocol):
    """What training and the pages need of a task.

    `is_text` says whether its targets are words of a language, for which chrF and BLEU mean something.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    source_name: ClassVar[str]
    target_name: ClassVar[str]
    examples: ClassVar[tuple[Example, ...]]
    max_source_tokens: ClassVar[int]
    is_text: ClassVar[bool]

    def sample(self, rng: random.Random) -> Pair:
        """Return the next random pair of the stream that `rng` determines."""

    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Return the source and the target tokenizer; one object twice where the vocabulary is joint."""

    def source_words(self) -> tuple[str, ...]:
        """Return every token that sources are made of, sorted; a joint vocabulary holds those of targets too."""

    def reference(self, source_text: str) -> Pair | None:
        """Return the right answer to a typed source, or None when the task's language lacks it."""


@runtime_checkable
class Contrasting(Protocol):
    """A task that knows sources which differ from one in a single thing."""

    def contrasts(self, source_text: str) -> tuple[tuple[str, str], ...]:
        """Return what differs, each once, with a source of as many tokens; none for what the language lacks."""


@runtime_checkable
class Compositional(Protocol):
    """A task that knows combinations of known words which can be kept out of training.

    `unseen_description` says in one sentence what they are.
    """

    unseen_description: ClassVar[str]

    def is_unseen(self, pair: Pair) -> bool:
        """Whether the pair's source has one of the combinations that are kept for a test of their own."""
