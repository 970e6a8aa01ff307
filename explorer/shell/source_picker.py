"""The source of every page that decodes: examples to pick from, and a box for a text of one's own."""

from collections.abc import Mapping

import streamlit as st

from core.data.tokenizers import CONTRACTIONS, BpeTokenizer
from core.errors import InputError
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS
from explorer.browser.sentence_box import SUBMITTED, SentenceBoxData, sentence_box
from explorer.look.markdown_text import plain
from explorer.models.references import Split, own_pairs_of
from explorer.models.task_facts import can_read, examples_of, side_names, source_words, verb_of
from explorer.shell.notices import draw_notices
from explorer.visitor.reports import BOX, last_report, pending
from explorer.visitor.session import REFUSAL, store_state, visitor_state
from explorer.visitor.state import ExplorerState, Runs, choose_sentence
from explorer.visitor.values import SessionValue

BOX_KEY = "sentence_box"
_SPLIT_WORDS: Mapping[Split, str] = {
    "train": "One of the pairs that the model was trained on.",
    "validation": "A validation pair: the model was not trained on it, but its weights were chosen by it.",
    "test": "A test pair, which the model was not trained on.",
}


def pick_source(runs: Runs) -> ExplorerState:
    """Draw the examples and the box; return the state with what was picked or typed last."""
    _take_submission(runs)
    state = visitor_state(runs)
    run = runs[state.run]
    draw_notices()
    _examples(run, state, runs)
    sentence_box(_box_data(run, state), key=BOX_KEY)
    _reference(run, state)
    return state


def _take_submission(runs: Runs) -> None:
    """A submitted text becomes the sentence if the model can read it; otherwise the old one stays."""
    for submission in pending(BOX_KEY, None, (SUBMITTED,)):
        state = visitor_state(runs)
        try:
            runs[state.run].source_ids(submission.text)
        except InputError as error:
            REFUSAL.set(error.sentence)
        else:
            store_state(choose_sentence(state, submission.text, typed=True), runs)


def _examples(run: RunDescription, state: ExplorerState, runs: Runs) -> None:
    examples = {example.title: example for example in examples_of(run.task) if can_read(run, example.source)}
    if not examples:
        return
    picked = SessionValue[str | None](f"examples_{state.run}", None)
    shown = next((title for title, example in examples.items() if example.source == state.sentence), None)

    def take_example() -> None:
        """A picked example becomes the sentence; picking it again leaves everything as it is."""
        title = picked.value
        if title in examples:
            source = examples[title].source
            store_state(choose_sentence(visitor_state(runs), source, typed=False), runs)

    picked.set(shown)
    with st.container(key="examples", gap="xsmall"):
        st.pills(
            "Examples", list(examples), key=picked.key, on_change=take_example, label_visibility="collapsed"
        )
        with st.container(key="why"):
            st.caption(examples[shown].why if shown else "Not one of the examples: your own.")


def _reference(run: RunDescription, state: ExplorerState) -> None:
    """Between a source and its output: what somebody's own pairs say of it."""
    if run.task != PAIRS:
        return
    own = own_pairs_of(state.run)
    known = own.of(state.sentence) if own else None
    if known:
        said = f"{_SPLIT_WORDS[known.split]} Its reference: **{plain(known.pair.target)}**"
    elif own:
        said = "Not one of this run's own pairs, so there is no reference to compare the output with."
    else:
        said = "This run is here without its pairs, so there is no reference to compare the output with."
    with st.container(key="reference"):
        st.caption(said)


def _box_data(run: RunDescription, state: ExplorerState) -> SentenceBoxData:
    source_name, _ = side_names(run.task)
    tokenizer = run.src_tokenizer
    examples = examples_of(run.task)
    return SentenceBoxData(
        label=f"{source_name} sentence" if tokenizer.kind in ("word", "bpe") else source_name,
        button=verb_of(run.task),
        placeholder=examples[0].source if examples else "",
        value=state.sentence,
        value_id=f"{state.run}/{state.sentence_id}",
        words=source_words(run.task) or tokenizer.vocabulary.words,
        mode=tokenizer.kind,
        unit=run.source_unit,
        max_tokens=run.max_source_tokens,
        replacements=CONTRACTIONS if tokenizer.kind == "word" else {},
        merges=tokenizer.merges if isinstance(tokenizer, BpeTokenizer) else (),
        message=REFUSAL.value,
        shown=state.sentence,
        report=last_report(BOX),
    )
