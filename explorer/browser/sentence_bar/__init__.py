"""The bar of the sentence: the source as a field, the output as chips that choose the step, and the player.

The browser cuts the text as the model's tokenizer does, completes words, marks what the model does not know and counts;
it only previews. What it submits is untrusted: the caller tokenizes the text again and may answer with
`SentenceBarData.message`. A view of the page that plays the decoding tells the bar where it is; otherwise the bar moves
the step by itself, and reports where it rests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from core.data.tasks import Example
from core.data.tokenizers import TokenizerKind
from core.errors import ConfigError
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.models.judged import Judged
from explorer.visitor.reports import BOX, Event, Payload
from explorer.visitor.state import MAX_STEPS

MAX_CHARACTERS = 2000
"""The longest text that a submission may have; the browser refuses a longer one with a sentence."""

ChangesAct = Literal["undo", "undo_all", "compare"]
"""Buttons of the strip about a changed model."""

_VOCABULARY = ("words", "replacements", "merges")


@dataclass(frozen=True)
class Output:
    """What the model wrote.

    Attributes:
        tokens: With EOS, unless a limit stopped it.
        probs: P of each.
        forced: Which of them the model would not have taken by itself.
        greedy: What it writes by itself.
        step: That the visitor is at.
        judged: Whether it is right; None where that is not asked.
    """

    tokens: tuple[str, ...]
    probs: tuple[float, ...]
    forced: tuple[bool, ...]
    greedy: tuple[str, ...]
    step: int
    judged: Judged | None = None


@dataclass(frozen=True)
class ChangedModel:
    """Contents of the strip about a changed model.

    Attributes:
        words: The changes in one line; tokens of a link may be in it.
        n_changes: How many there are.
        is_compared: Whether the open page compares the model with the trained one: it needs no button for that, and
            the strip covers the line of its title.
    """

    words: str
    n_changes: int
    is_compared: bool


@dataclass(frozen=True)
class SentenceBarData:
    """What the bar shows and knows; one value per rerun.

    Attributes:
        key: Names model, sentence and forced tokens; with another one the bar goes to the step of `output`.
        label: The name of the field, such as "English sentence".
        placeholder: An example shown while the field is empty.
        value: The text whose output is shown; the field takes it over when `value_id` changes (a link was opened), and
            otherwise keeps what the person is typing.
        value_id: Names `value`; to put the same text back a second time, give it a new one. Empty: the one before.
        examples: Sources to choose from, each with what it is there for.
        words: Every token that the model knows, without its special ones: words, characters or pieces.
        mode: How a text is cut into tokens; a space between characters is one where it is among the words.
        unit: What a token is called, such as word or letter.
        max_tokens: How many tokens a sentence may have.
        replacements: Words that are rewritten before splitting, lower case with straight apostrophes, such as "don't"
            to "do not"; used in word mode only.
        merges: Which neighbours are joined, the first that fits first; used by byte-pair encoding only.
        message: A sentence from Python about the last submission, shown until the text is changed.
        reference: A sentence on what is known of the right answer to the text; empty for none.
        output: None while it is computed for the first time, or where it cannot be.
        exact_spaces: Whether the tokenizer keeps every space.
        reads_unknown: Whether the model reads <unk> in place of a token that it does not know, instead of rejecting it.
        changed: What is changed in the running model; None for a trained model.
        submitted: Number of the last submission that was acted on; the next one has a larger one.
        report: Number of the last other report that was acted on.
    """

    key: str
    label: str
    placeholder: str
    value: str
    value_id: str
    words: tuple[str, ...]
    mode: TokenizerKind
    unit: str
    max_tokens: int
    replacements: Mapping[str, str]
    merges: tuple[tuple[str, str], ...] = ()
    examples: tuple[Example, ...] = ()
    message: str = ""
    reference: str = ""
    output: Output | None = None
    exact_spaces: bool = False
    reads_unknown: bool = False
    changed: ChangedModel | None = None
    submitted: int = 0
    report: int = 0

    def __post_init__(self) -> None:
        if self.mode not in get_args(TokenizerKind):
            raise ConfigError(f"mode {self.mode!r} must be one of {', '.join(get_args(TokenizerKind))}")
        if self.max_tokens < 1:
            raise ConfigError(f"max_tokens {self.max_tokens} must be at least 1")


@dataclass(frozen=True)
class Submission:
    """A text to run, as typed, blanks collapsed."""

    text: str


@dataclass(frozen=True)
class Step:
    """The step at which the bar came to rest."""

    step: int


@dataclass(frozen=True)
class ChangesRequest:
    """A request to undo changes of the model, or to compare it with the trained one."""

    act: ChangesAct


@dataclass(frozen=True)
class Place:
    """What a report is about: the ``key`` that the bar was fed."""

    key: str


def pack(data: SentenceBarData) -> bytes:
    """Everything the browser needs; what the tokenizer knows stands apart, so that it need not travel twice."""
    fields = {name: value for name, value in vars(data).items() if name not in _VOCABULARY}
    known = _packed_vocabulary(data.words, tuple(data.replacements.items()), data.merges)
    return pack_message({**fields, "max_characters": MAX_CHARACTERS, "vocabulary": known})


@lru_cache(maxsize=8)
def _packed_vocabulary(
    words: tuple[str, ...], replacements: tuple[tuple[str, str], ...], merges: tuple[tuple[str, str], ...]
) -> np.ndarray:
    """What a tokenizer knows as JSON, filled up to whole numbers; to write it in each run would take milliseconds."""
    text = json.dumps({"words": words, "replacements": dict(replacements), "merges": merges}).encode()
    return np.frombuffer(text + b" " * (-len(text) % 4), dtype="<f4")


def _read_submission(payload: Payload, place: Place) -> Submission:
    return Submission(payload["text"].text(MAX_CHARACTERS))


SUBMITTED: Event[Submission, Place] = Event("submission", _read_submission, owner="", series=BOX)
"""The visitor runs a text."""
STEPPED: Event[Step, Place] = Event("view", lambda payload, place: Step(payload["step"].index(MAX_STEPS)))
"""The visitor rests on a step; like all that is looked at it waits for a link that is on its way."""
ASKED: Event[ChangesRequest, Place] = Event(
    "changes", lambda payload, place: ChangesRequest(payload["act"].one_of(get_args(ChangesAct))), owner=""
)
"""The visitor presses a button of the strip, whatever is changed by then."""
ACTS: tuple[Event[Step | ChangesRequest, Place], ...] = (STEPPED, ASKED)
EVENTS: tuple[Event[Submission | Step | ChangesRequest, Place], ...] = (SUBMITTED, *ACTS)

sentence_bar = KeptView(__file__, "sentence_bar", pack, EVENTS)
"""Draws the bar; `pending` has what it reports, each submission also where the same text is run twice."""
