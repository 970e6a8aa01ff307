"""The sentence box: one line of text that shows, before the model runs, which tokens the model will see.

The browser cuts the text as the model's tokenizer does, completes words, marks what the model does not know and
counts; it only previews.
What it submits is untrusted: the caller tokenizes the text again and may answer with `SentenceBoxData.message`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import streamlit as st

from core.data.tokenizers import TokenizerKind
from core.errors import ConfigError
from explorer.browser.assets import beside, parts, script, style
from explorer.visitor.reports import BOX, Event, Payload, handlers

MAX_CHARACTERS = 2000
"""The longest text that a submission may have; the browser refuses a longer one with a sentence."""

_FOLDER = Path(__file__).parent
SCRIPTS = (*parts("theme", "message", "report"), *beside(__file__, "cutting", "reading", "box"))


# Mounted under this name; registering again on a reload only replaces the same texts.
_component = st.components.v2.component(
    "sentence_box",
    html=(_FOLDER / "box.html").read_text(encoding="utf-8"),
    css=style(_FOLDER / "box.css"),
    js=script(*SCRIPTS),
)


@dataclass(frozen=True)
class SentenceBoxData:
    """What the box shows and knows; one value per rerun.

    Attributes:
        label: The name of the field, such as "English sentence".
        button: The word on the primary button, such as "Translate".
        placeholder: An example shown while the field is empty.
        value: Text that the box takes over when `value_id` changes (an example was picked, a link was
            opened); with the same `value_id` the box keeps what the person is typing.
        value_id: Names `value`; to put the same text back a second time, give it a new one.
        words: Every token that the model knows, without its special ones: words, characters or pieces.
        mode: How a text is cut into tokens; a space between characters is one where it is among the words.
        unit: What a token is called, such as word or letter.
        max_tokens: How many tokens a sentence may have.
        replacements: Words that are rewritten before splitting, lower case with straight apostrophes,
            such as "don't" to "do not"; used in word mode only.
        merges: Which neighbours are joined, the first that fits first; used by byte-pair encoding only.
        message: A sentence from Python about the last submission, shown until the text is changed.
        shown: The text whose result stands below the box; while the field holds it there is nothing to
            preview, and the box takes one line.
        report: Number of the last submission that was acted on; the next one has a larger one.
    """

    label: str
    button: str
    placeholder: str
    value: str
    value_id: str
    words: tuple[str, ...]
    mode: TokenizerKind
    unit: str
    max_tokens: int
    replacements: Mapping[str, str]
    merges: tuple[tuple[str, str], ...] = ()
    message: str = ""
    shown: str = ""
    report: int = 0

    def __post_init__(self) -> None:
        if self.mode not in get_args(TokenizerKind):
            raise ConfigError(f"mode {self.mode!r} must be one of {', '.join(get_args(TokenizerKind))}")
        if self.max_tokens < 1:
            raise ConfigError(f"max_tokens {self.max_tokens} must be at least 1")


@dataclass(frozen=True)
class Submission:
    """One press of the button: the text as typed, blanks collapsed, and a number that no other press has."""

    text: str
    report: int


def payload(data: SentenceBoxData) -> bytes:
    """Everything the browser needs, as UTF-8 JSON.

    Bytes and not a dictionary: in a dictionary Streamlit looks for data frames, and for that imports pandas
    and pyarrow, which would hold up the first page by half a second.
    """
    values = {
        "label": data.label,
        "button": data.button,
        "placeholder": data.placeholder,
        "value": data.value,
        "value_id": data.value_id,
        "words": list(data.words),
        "mode": data.mode,
        "unit": data.unit,
        "max_tokens": data.max_tokens,
        "max_characters": MAX_CHARACTERS,
        "replacements": dict(data.replacements),
        "merges": list(data.merges),
        "message": data.message,
        "shown": data.shown,
        "report": data.report,
    }
    # ASCII escapes carry what UTF-8 cannot: half of a surrogate pair, as a link may hold one.
    return json.dumps(values).encode()


def sentence_box(data: SentenceBoxData, *, key: str) -> None:
    """Draw the box; `pending` has each press of its button, also where the same text is run twice."""
    _component(data=payload(data), key=key, **handlers(SUBMITTED.name))


def _read_submission(payload: Payload, report: int, data: None) -> Submission | None:
    text = payload.get("text")
    if not isinstance(text, str) or len(text) > MAX_CHARACTERS or not _is_well_formed(text):
        return None
    return Submission(text, report)


def _is_well_formed(text: str) -> bool:
    """Whether the text can be stored and hashed as UTF-8: half of a surrogate pair cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


SUBMITTED: Event[Submission, None] = Event("submission", _read_submission, owner="", series=BOX)
"""The visitor has pressed the button."""
