"""What a link is read against: the models that there are, and the model and sentence that it speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.run_description import RunDescription
from explorer.models.task_facts import can_read, examples_of

Runs = Mapping[str, RunDescription]

DEFAULT_RUN = "en-fr"
MAX_WORDS_TRIED = 20
"""Words that a default sentence is looked for among; some, such as a space, cannot be typed by themselves."""


@dataclass(frozen=True)
class Scope:
    """The model and the sentence that what follows in a link is about.

    Attributes:
        runs: All models.
        name: Of the model.
        sentence: None where the link has not come to it yet.
    """

    runs: Runs
    name: str
    sentence: str | None = None

    @property
    def run(self) -> RunDescription:
        """The model's description."""
        return self.runs[self.name]

    @property
    def usual_sentence(self) -> str:
        """The sentence of a link that names none: the one that is looked at, or the model's first example."""
        return default_sentence(self.run) if self.sentence is None else self.sentence

    def at_run(self, name: str) -> Scope:
        """The same for a model; with another model the sentence is that one's own."""
        return self if name == self.name else replace(self, name=name, sentence=None)

    def at_sentence(self, sentence: str) -> Scope:
        """The scope with another sentence of the same model."""
        return replace(self, sentence=sentence)


def default_scope(runs: Runs) -> Scope:
    """The scope of a link that names nothing."""
    return Scope(runs, DEFAULT_RUN if DEFAULT_RUN in runs else next(iter(runs)))


def default_sentence(run: RunDescription) -> str:
    """The task's first example that the model can read; for an unknown task what it was probed with, or a word."""
    examples = (example.source for example in examples_of(run.task))
    candidates = (*examples, *run.probes, *run.src_tokenizer.vocabulary.words[:MAX_WORDS_TRIED])
    return next((text for text in candidates if can_read(run, text)), candidates[-1] if candidates else "")
