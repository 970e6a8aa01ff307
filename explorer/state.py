"""ExplorerState: the one record of a visitor's choices, kept in the session and mirrored to the URL.

This file alone reads and writes the session's state and `st.query_params`. A link reopens the same view; a
value in it that cannot be used falls back to the default, with a sentence that says so.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeVar, get_args

import streamlit as st

from core.data.vocabulary import Vocabulary
from core.errors import InputError
from core.run_description import RunDescription
from explorer.task_facts import examples_of

DEFAULT_RUN = "en-fr"
MAX_SENTENCE = 2000
"""Characters of a sentence that a link may carry."""
MAX_STEPS = 1000
"""Steps that a link may name; a view shows its last step for any beyond."""

_STATE, _WRITTEN, _NOTICES, _REFUSAL = "explorer", "explorer_url", "explorer_notices", "explorer_refusal"
_SUBMISSION, _VIEW_REPORT = "explorer_submission", "explorer_view_report"

_DECIMAL = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_NUMBERS = {
    "attention": "attention",
    "temperature": "temperature",
    "top_k": "top_k",
    "top_p": "top_p",
    "seed": "seed",
    "beam": "beam_width",
    "penalty": "length_penalty",
}
"""Choices by their names in a link; one that equals the default is left out."""

Runs = Mapping[str, RunDescription]
Attention = Literal["cross", "self", "encoder"]
DEFAULT_ATTENTION: Attention = "cross"
_ATTENTIONS: dict[str, Attention] = {name: name for name in get_args(Attention)}
T = TypeVar("T")

MAX_BRANCHES = 12
MAX_NAME = 40
"""Characters of a branch's name."""
MAX_BEAM_WIDTH = 12
"""Wider beams are no longer a picture."""


@dataclass(frozen=True)
class Branch:
    """A decoding that begins with forced tokens.

    Attributes:
        prefix: Their ids.
        name: As its maker calls it; empty for the name that it has by itself.
    """

    prefix: tuple[int, ...]
    name: str = ""


@dataclass(frozen=True)
class ExplorerState:
    """What a visitor has chosen; None means: the page's own default.

    Attributes:
        run: Name of the model.
        sentence: The source as typed, which the model can read.
        decode_step: Step of the decoding, from 0.
        layer: Decoder layer of the large matrix.
        head: Its head; None is the mean over the heads.
        gold: Whether the gold alignment is laid over it.
        attention: Which attention the large matrix shows.
        prefix: Ids of the tokens that are forced in the decoding that is looked at.
        branches: Other decodings that are kept beside it.
        temperature: Of the sampling; so are top_k, top_p and seed.
        beam_width: Of the beam search; so is length_penalty.
        sentence_id: Counts the changes of sentence that did not come from typing.
    """

    run: str
    sentence: str
    decode_step: int | None = None
    layer: int | None = None
    head: int | None = None
    gold: bool = False
    attention: Attention = DEFAULT_ATTENTION
    prefix: tuple[int, ...] = ()
    branches: tuple[Branch, ...] = ()
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    seed: int = 0
    beam_width: int = 4
    length_penalty: float = 0.6
    sentence_id: int = 0


@dataclass(frozen=True)
class Refusal:
    """A sentence that could not be taken: what was typed, and why not."""

    text: str
    reason: str


def default_state(runs: Runs, run: str | None = None) -> ExplorerState:
    """The state of somebody who has chosen nothing, or only the model."""
    name = run or (DEFAULT_RUN if DEFAULT_RUN in runs else next(iter(runs)))
    return ExplorerState(run=name, sentence=default_sentence(runs[name]))


def default_sentence(run: RunDescription) -> str:
    """The task's first example; for an unknown task the model's first word."""
    examples = examples_of(run.task)
    return examples[0].source if examples else run.src_tokenizer.vocabulary.words[0]


def state_from_query(query: Mapping[str, str], runs: Runs) -> tuple[ExplorerState, tuple[str, ...]]:
    """The state that a URL describes, and a sentence for each part of it that could not be used."""
    notices: list[str] = []
    state = default_state(runs)
    if "model" in query:
        if query["model"] in runs:
            state = default_state(runs, query["model"])
        else:
            notices.append("The link names a model that is not here; this is the default one.")
    if "sentence" in query:
        state = _with_linked_sentence(state, query["sentence"][:MAX_SENTENCE], runs, notices)
    config = runs[state.run].config

    def read(name: str, default: T, parse: Callable[[str], T | None]) -> T:
        if name not in query:
            return default
        value = parse(query[name])
        if value is None:
            notices.append(f"The link's {name} cannot be used here; it was left out.")
            return default
        return value

    def below(limit: int) -> Callable[[str], int | None]:
        return lambda text: _index(text, limit)

    n_layers = max(config.n_encoder_layers, config.n_decoder_layers)
    vocab_size = config.tgt_vocab_size
    state = replace(
        state,
        decode_step=read("step", None, below(MAX_STEPS)),
        layer=read("layer", None, below(n_layers)),
        head=read("head", None, below(config.n_heads)),
        gold=query.get("gold") == "1",
        attention=read("attention", DEFAULT_ATTENTION, _ATTENTIONS.get),
        prefix=read("prefix", (), lambda text: _prefix(text, vocab_size)),
        branches=read("branches", (), lambda text: _branches(text, vocab_size)),
        temperature=read("temperature", 1.0, lambda text: _number(text, 0.0, 5.0)),
        top_k=read("top_k", None, below(vocab_size + 1)) or None,
        top_p=read("top_p", 1.0, lambda text: _number(text, 0.01, 1.0)),
        seed=read("seed", 0, below(10**6)),
        beam_width=read("beam", 4, lambda text: _index(text, MAX_BEAM_WIDTH + 1) or None),
        length_penalty=read("penalty", 0.6, lambda text: _number(text, 0.0, 2.0)),
    )
    return state, tuple(notices)


def query_of(state: ExplorerState, runs: Runs) -> dict[str, str]:
    """The URL of a state; what equals the default is left out."""
    default = default_state(runs)
    query: dict[str, str] = {}
    if state.run != default.run:
        query["model"] = state.run
    if state.sentence != default_sentence(runs[state.run]):
        query["sentence"] = state.sentence
    for name, value in (("step", state.decode_step), ("layer", state.layer), ("head", state.head)):
        if value is not None:
            query[name] = str(value)
    if state.gold:
        query["gold"] = "1"
    if state.prefix:
        query["prefix"] = _joined(state.prefix)
    if state.branches:
        query["branches"] = ";".join(f"{_joined(branch.prefix)}:{branch.name}" for branch in state.branches)
    plain = ExplorerState(run=state.run, sentence=state.sentence)
    for name, field in _NUMBERS.items():
        if (value := getattr(state, field)) != getattr(plain, field):
            query[name] = str(value)
    return query


def choose_run(state: ExplorerState, name: str, runs: Runs) -> ExplorerState:
    """Another model, with that model's first example."""
    if name == state.run or name not in runs:
        return state
    return replace(default_state(runs, name), sentence_id=state.sentence_id + 1)


def choose_sentence(state: ExplorerState, text: str, *, typed: bool) -> ExplorerState:
    """Another sentence, from its first step on and without branches; how it is looked at stays."""
    moved = 0 if typed else 1
    return replace(
        state, sentence=text, decode_step=None, prefix=(), branches=(), sentence_id=state.sentence_id + moved
    )


def choose_view(
    state: ExplorerState, *, decode_step: int, layer: int, head: int | None, gold: bool
) -> ExplorerState:
    """Another look at the same decoding."""
    return replace(state, decode_step=decode_step, layer=layer, head=head, gold=gold)


def choose_attention(state: ExplorerState, attention: Attention) -> ExplorerState:
    """Another of the three attentions in the large matrix."""
    return replace(state, attention=attention)


def choose_branch(state: ExplorerState, prefix: tuple[int, ...]) -> ExplorerState:
    """Look at the decoding that begins with these tokens; the one before stays among the branches."""
    kept = keep_branch(state, state.prefix) if state.prefix and state.prefix != prefix else state
    others = tuple(branch for branch in kept.branches if branch.prefix != prefix or branch.name)
    return replace(kept, prefix=prefix, branches=others)


def keep_branch(state: ExplorerState, prefix: tuple[int, ...], name: str | None = None) -> ExplorerState:
    """Keep a decoding among the branches, under a name if one is given; the oldest gives way to a new one."""
    shown = (
        None if name is None else "".join(letter for letter in name if letter not in ":;")[:MAX_NAME].strip()
    )
    if any(branch.prefix == prefix for branch in state.branches):
        renamed = (
            Branch(prefix, shown) if branch.prefix == prefix and shown is not None else branch
            for branch in state.branches
        )
        return replace(state, branches=tuple(renamed))
    return replace(state, branches=(*state.branches, Branch(prefix, shown or ""))[-MAX_BRANCHES:])


def remove_branch(state: ExplorerState, prefix: tuple[int, ...]) -> ExplorerState:
    """Forget a branch; if it is looked at, back to what the model says by itself."""
    left = tuple(branch for branch in state.branches if branch.prefix != prefix)
    return replace(state, branches=left, prefix=() if state.prefix == prefix else state.prefix)


def choose_sampling(
    state: ExplorerState, *, temperature: float, top_k: int | None, top_p: float, seed: int
) -> ExplorerState:
    """Other settings of the sampling."""
    return replace(state, temperature=temperature, top_k=top_k, top_p=top_p, seed=seed)


def choose_beam(state: ExplorerState, *, width: int, length_penalty: float) -> ExplorerState:
    """Other settings of the beam search."""
    return replace(state, beam_width=width, length_penalty=length_penalty)


def visitor_state(runs: Runs) -> ExplorerState:
    """This session's state; read from the URL at first, and again whenever the visitor changes the URL."""
    query = st.query_params.to_dict()
    if _STATE not in st.session_state or query != st.session_state[_WRITTEN]:
        previous = st.session_state.get(_STATE)
        state, notices = state_from_query(query, runs)
        moved = previous.sentence_id + 1 if previous else 0
        st.session_state[_STATE] = replace(state, sentence_id=moved)
        st.session_state[_NOTICES] = notices
        st.session_state[_WRITTEN] = query
        st.session_state[_REFUSAL] = None
    state = st.session_state[_STATE]
    return state if state.run in runs else store_state(default_state(runs), runs)


def store_state(state: ExplorerState, runs: Runs) -> ExplorerState:
    """Keep a state for this session and mirror it to the URL."""
    query = query_of(state, runs)
    st.session_state[_STATE] = state
    st.session_state[_NOTICES] = ()
    st.session_state[_REFUSAL] = None
    if query != st.session_state.get(_WRITTEN):
        st.session_state[_WRITTEN] = query
        st.query_params.from_dict(query)
    return state


def store_refusal(text: str, reason: str) -> None:
    """Remember that a sentence could not be taken; the state stays as it is."""
    st.session_state[_REFUSAL] = Refusal(text, reason)


def is_new_submission(sequence: int) -> bool:
    """Whether a submission was not acted on yet; from now on it was."""
    new = st.session_state.get(_SUBMISSION) != sequence
    st.session_state[_SUBMISSION] = sequence
    return new


def is_new_view_report(number: int) -> bool:
    """Whether a report of the decoding view was not acted on yet; from now on it was."""
    new = number > view_report()
    if new:
        st.session_state[_VIEW_REPORT] = number
    return new


def view_report() -> int:
    """Number of the last report of the decoding view that was acted on; 0 before the first."""
    return st.session_state.get(_VIEW_REPORT, 0)


def refusal() -> Refusal | None:
    """The last sentence that could not be taken, if none was taken since."""
    return st.session_state.get(_REFUSAL)


def notices() -> tuple[str, ...]:
    """What could not be used of the link that was opened."""
    return st.session_state.get(_NOTICES, ())


def _with_linked_sentence(state: ExplorerState, text: str, runs: Runs, notices: list[str]) -> ExplorerState:
    try:
        runs[state.run].source_ids(text)
    except InputError as error:
        notices.append(f"The link's sentence could not be used. {error}")
        return state
    return replace(state, sentence=text)


def _index(text: str, limit: int) -> int | None:
    """A whole number from 0 up to but not including the limit, written in ASCII digits; else None."""
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        return None
    return int(text) if int(text) < limit else None


def _number(text: str, least: float, most: float) -> float | None:
    """A plain decimal number between two others, rounded to hundredths as the controls are; else None."""
    if not _DECIMAL.fullmatch(text):
        return None
    number = round(float(text), 2)
    return number if least <= number <= most else None


def _joined(prefix: tuple[int, ...]) -> str:
    return "-".join(map(str, prefix))


def _prefix(text: str, vocab_size: int) -> tuple[int, ...] | None:
    """Token ids with hyphens between them; None where one is no word of the vocabulary."""
    ids = [_index(part, vocab_size) for part in text.split("-")[: MAX_STEPS + 1]]
    words = tuple(token_id for token_id in ids if token_id is not None and token_id > Vocabulary.eos_id)
    return words if len(words) == len(ids) <= MAX_STEPS else None


def _branches(text: str, vocab_size: int) -> tuple[Branch, ...] | None:
    """Branches with semicolons between them, each a prefix, a colon and a name; None where one is impossible."""
    found: dict[tuple[int, ...], Branch] = {}
    for part in text.split(";")[:MAX_BRANCHES]:
        ids, _, name = part.partition(":")
        prefix = _prefix(ids, vocab_size)
        if prefix is None or ":" in name:
            return None
        found.setdefault(prefix, Branch(prefix, name[:MAX_NAME].strip()))
    return tuple(found.values())
