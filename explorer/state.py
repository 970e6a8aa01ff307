"""ExplorerState: the one record of a visitor's choices, kept in the session and mirrored to the URL.

This file alone reads and writes the session's state and `st.query_params`. A link reopens the same view; a
value in it that cannot be used falls back to the default, with a sentence that says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

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

Runs = Mapping[str, RunDescription]


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
        sentence_id: Counts the changes of sentence that did not come from typing.
    """

    run: str
    sentence: str
    decode_step: int | None = None
    layer: int | None = None
    head: int | None = None
    gold: bool = False
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

    def index(name: str, limit: int) -> int | None:
        value = _index(query.get(name, ""), limit)
        if name in query and value is None:
            notices.append(f"The link's {name} is not one of this model's; it was left out.")
        return value

    state = replace(
        state,
        decode_step=index("step", MAX_STEPS),
        layer=index("layer", config.n_decoder_layers),
        head=index("head", config.n_heads),
        gold=query.get("gold") == "1",
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
    return query


def choose_run(state: ExplorerState, name: str, runs: Runs) -> ExplorerState:
    """Another model, with that model's first example."""
    if name == state.run or name not in runs:
        return state
    return replace(default_state(runs, name), sentence_id=state.sentence_id + 1)


def choose_sentence(state: ExplorerState, text: str, *, typed: bool) -> ExplorerState:
    """Another sentence, from its first step on; layer, head and overlay stay."""
    moved = 0 if typed else 1
    return replace(state, sentence=text, decode_step=None, sentence_id=state.sentence_id + moved)


def choose_view(
    state: ExplorerState, *, decode_step: int, layer: int, head: int | None, gold: bool
) -> ExplorerState:
    """Another look at the same decoding."""
    return replace(state, decode_step=decode_step, layer=layer, head=head, gold=gold)


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
