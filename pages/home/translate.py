"""Home: a sentence becomes its translation, token by token, with the cross-attention that did it."""

import streamlit as st

from core.data.tokenizers import CONTRACTIONS
from core.errors import ExplorerError, InputError
from core.run_description import RunDescription
from explorer.components.sentence_box import SentenceBoxData, parse_submission, sentence_box
from explorer.model_store import loaded_run, shipped_runs, translation_of
from explorer.proof import proof_sentence, read_proof
from explorer.state import (
    ExplorerState,
    choose_sentence,
    choose_view,
    is_new_submission,
    is_new_view_report,
    notices,
    refusal,
    store_refusal,
    store_state,
    view_report,
    visitor_state,
)
from explorer.task_facts import examples_of, side_names, source_words, verb_of

runs = shipped_runs()
state = visitor_state(runs)
run = runs[state.run]
examples = {example.title: example for example in examples_of(run.task)}
examples_key, box_key, view_key = f"examples_{state.run}", "sentence_box", "decode_view"


def take_example() -> None:
    """A picked example becomes the sentence; picking it again leaves everything as it is."""
    title = st.session_state[examples_key]
    if title in examples:
        store_state(choose_sentence(visitor_state(runs), examples[title].source, typed=False), runs)


def take_sentence() -> None:
    """A submitted text becomes the sentence if the model can read it; otherwise the old one stays."""
    submission = parse_submission(st.session_state.get(box_key, {}).get("submission"))
    if submission is None or not is_new_submission(submission.sequence):
        return
    try:
        run.source_ids(submission.text)
    except InputError as error:
        store_refusal(submission.text, str(error))
    else:
        store_state(choose_sentence(state, submission.text, typed=True), runs)


def box_data(run: RunDescription, state: ExplorerState) -> SentenceBoxData:
    """The sentence box for this model."""
    source_name, _ = side_names(run.task)
    tokenizer = run.src_tokenizer
    refused = refusal()
    return SentenceBoxData(
        label=f"{source_name} sentence" if tokenizer.kind == "word" else source_name,
        button=verb_of(run.task),
        placeholder=next(iter(examples.values())).source if examples else "",
        value=state.sentence,
        value_id=f"{state.run}/{state.sentence_id}",
        words=source_words(run.task) or tokenizer.vocabulary.words,
        mode=tokenizer.kind,
        max_tokens=run.max_source_tokens,
        replacements=CONTRACTIONS,
        message=refused.reason if refused else "",
        shown=state.sentence,
    )


take_sentence()
state = visitor_state(runs)
shown_example = next((title for title, e in examples.items() if e.source == state.sentence), None)

st.title(f"Watch a Transformer {verb_of(run.task).lower()}", anchor=False)
st.markdown(
    "A real model runs here: for each token that it writes, see what it looks at and what else it considered."
)
for notice in notices():
    st.info(notice, icon=":material/link_off:")

st.session_state[examples_key] = shown_example
with st.container(key="examples", gap="xsmall"):
    st.pills(
        "Examples", list(examples), key=examples_key, on_change=take_example, label_visibility="collapsed"
    )
    with st.container(key="why"):
        st.caption(examples[shown_example].why if shown_example else "Not one of the examples: your own.")
sentence_box(box_data(run, state), key=box_key, on_submit=lambda: None)

place = st.empty()
place.skeleton(height=460)
try:
    # Only now, with the controls on their way to the screen: this brings in torch, which takes seconds once.
    loaded = loaded_run(state.run)
    from explorer.components.decode_view import decode_view, reported_view
    from explorer.translation import view_data

    translation = translation_of(loaded, state.sentence)
    seen = reported_view(view_data(loaded, translation, state), key=view_key)
    if seen is not None and is_new_view_report(seen.report):
        chosen = choose_view(
            state, decode_step=seen.step, layer=seen.layer, head=seen.head, gold=seen.overlay
        )
        state = store_state(chosen, runs)
    data = view_data(loaded, translation, state, report=view_report())
except ExplorerError as error:
    place.error(str(error))
    st.stop()
with place.container():
    if not translation.ended:
        st.warning(f"Stopped after {len(data.output_tokens)} tokens: the model had not ended its output.")
    decode_view(data, key=view_key)
    with st.container(key="proof"):
        st.caption(proof_sentence(read_proof()))
