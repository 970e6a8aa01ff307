"""The bar of the sentence above every page that reads one: what it is fed, and what becomes of its reports."""

from dataclasses import replace
from hashlib import blake2b

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.data.tokenizers import CONTRACTIONS, BpeTokenizer
from core.errors import ExplorerError, InputError
from core.run_description import RunDescription
from explorer.browser.sentence_bar import (
    ACTS,
    SUBMITTED,
    ChangedModel,
    ChangesRequest,
    Output,
    Place,
    SentenceBarData,
    Step,
    Submission,
    sentence_bar,
)
from explorer.explaining.changed import changes_words, source_tokens
from explorer.look.theme import in_both_themes
from explorer.models.decodings import translation_of
from explorer.models.judged import Answer, answer_to, judge
from explorer.models.task_facts import can_read, examples_of, side_names, source_words
from explorer.shell.blocks import AtPage
from explorer.view import WHAT_IF, Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.reports import BOX, last_report, pending
from explorer.visitor.running import run_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import REFUSAL, at_page, store_state, visitor_state
from explorer.visitor.state import ExplorerState, choose_sentence, undo_change, undo_changes
from explorer.visitor.step import shown_step

BAR_KEY = "sentence_bar"
# It stays at the top while the page scrolls: in front of what is on the page, behind the panel that explains a number.
# Under it may be a strip about a changed model, as high as its own style says.
_STYLE = f"""
div:has(> .st-key-bar) {{
  position: sticky; top: var(--nav); z-index: 999975;
  background: {in_both_themes("bg")}; box-shadow: 0 1px {in_both_themes("line")};
}}
.st-key-bar {{ min-height: var(--sentence-bar); }}
[data-testid="stApp"]:has(.st-key-bar) {{ --sentence-bar: calc(48px + var(--strip, 0px)); }}
[data-testid="stApp"]:has(.st-key-bar [data-strip="below"]) {{ --strip: 33px; }}
/* The same windows as in the style of the bar. */
@media (max-width: 1100px) {{
  [data-testid="stApp"]:has(.st-key-bar) {{ --sentence-bar: calc(88px + var(--strip, 0px)); }}
}}
@media (max-width: 640px) {{
  [data-testid="stApp"]:has(.st-key-bar [data-strip]) {{ --strip: 51px; }}
}}
"""


def take_sentence(view: View, runs: Runs, views: Registry) -> None:
    """Act on what the bar has reported: a step, a text that the model can read, or a request about changes."""
    state = visitor_state(runs)
    acts = pending(BAR_KEY, bar_source(state), ACTS)
    for report in (*acts, *pending(BAR_KEY, Place(""), (SUBMITTED,))):
        try:
            opened, state = after_bar(view, state, report, runs, views)
        except InputError as error:
            REFUSAL.set(error.sentence)
            continue
        store_state(state, runs)
        if opened is not view:
            st.switch_page(opened.page, query_params=query_of(state, runs))


def bar_source(state: ExplorerState) -> Place:
    """Return the key that a report of the bar must carry."""
    return Place(_key(state))


def after_bar(
    view: View,
    state: ExplorerState,
    report: Step | Submission | ChangesRequest,
    runs: Runs,
    views: Registry,
    at: AtPage = at_page,
) -> tuple[View, ExplorerState]:
    """Return the page that is open after a report of the bar, and the state. It needs no model.

    Raises:
        InputError: when the model cannot read the text.
    """
    match report:
        case Step(step):
            return view, replace(state, decoding=replace(state.decoding, step=step))
        case Submission(text):
            runs[state.run].source_ids(text)
            return view, choose_sentence(state, text, typed=True)
        case ChangesRequest("compare"):
            return views[WHAT_IF], at(state, views[WHAT_IF].address)
        case ChangesRequest(act):
            return view, undo_change(state) if act == "undo" else undo_changes(state)


def bar_place() -> DeltaGenerator:
    """The place of the bar, as high as it is."""
    st.html(f"<style>{_STYLE}</style>")
    return st.container(key="bar", gap=None)


def draw_bar(place: DeltaGenerator, view: View, state: ExplorerState, runs: Runs, *, computes: bool) -> None:
    """Draw the bar in its place, once in a run.

    Args:
        place: Of `bar_place`.
        view: That is open.
        state: The visitor's choices, with what the page has taken from its view.
        runs: All models.
        computes: Whether to bring in torch for the output, where nobody has; the field alone needs none.
    """
    data = bar_data(view, state, runs, computes=computes)
    with place:
        sentence_bar(
            replace(
                data,
                value_id=f"{state.run}/{state.sentence_id}",
                message=REFUSAL.value,
                submitted=last_report(BOX),
                report=last_report(),
            ),
            key=BAR_KEY,
        )


def bar_data(view: View, state: ExplorerState, runs: Runs, *, computes: bool = True) -> SentenceBarData:
    """Return the data of the bar, without numbers of reports; the arguments are those of `draw_bar`."""
    run = runs[state.run]
    answer = answer_to(state.run, run, state.sentence)
    data = _data(run, state, answer, _output(view, state, answer) if computes else None)
    return replace(data, changed=_changed(view, state, run))


def _changed(view: View, state: ExplorerState, run: RunDescription) -> ChangedModel | None:
    """Return what the strip says, also of changes that the model cannot take."""
    if not state.changes:
        return None
    try:
        source = source_tokens(run, state.sentence)
    except InputError:
        source = ()
    return ChangedModel(
        changes_words(state.changes, source), len(state.changes), is_compared=view.key == WHAT_IF
    )


def _key(state: ExplorerState) -> str:
    """Names the output that a step is one of, without computing it."""
    named = repr((state.run, state.updates, state.changes, state.sentence, state.decoding.prefix))
    return blake2b(named.encode(), digest_size=8).hexdigest()


def _output(view: View, state: ExplorerState, answer: Answer) -> Output | None:
    """What the view's model wrote; None where it cannot, of which the page says why."""
    prefix = state.decoding.prefix if view.forks else ()
    try:
        run = run_of(state)
        shown, greedy = translation_of(run, state.sentence, prefix), translation_of(run, state.sentence)
    except ExplorerError:
        return None
    return Output(
        tokens=shown.output_tokens,
        probs=tuple(np.exp(shown.log_probs).tolist()),
        forced=shown.forced,
        greedy=greedy.output_tokens,
        step=shown_step(state, shown),
        judged=judge(answer, run.tgt_tokenizer, shown.output_tokens),
    )


def _data(
    run: RunDescription, state: ExplorerState, answer: Answer, output: Output | None
) -> SentenceBarData:
    source_name, _ = side_names(run.task)
    tokenizer = run.src_tokenizer
    examples = tuple(example for example in examples_of(run.task) if can_read(run, example.source))
    return SentenceBarData(
        key=_key(state),
        label=f"{source_name} sentence" if tokenizer.kind in ("word", "cased_word", "bpe") else source_name,
        placeholder=examples[0].source if examples else "",
        value=state.sentence,
        value_id="",
        words=source_words(run.task) or tokenizer.vocabulary.words,
        mode=tokenizer.kind,
        unit=run.source_unit,
        max_tokens=run.max_source_tokens,
        replacements=CONTRACTIONS if tokenizer.kind == "word" else {},
        merges=tokenizer.merges if isinstance(tokenizer, BpeTokenizer) else (),
        examples=examples,
        reference=answer.sentence,
        output=output,
        exact_spaces=tokenizer.exact_spaces,
        reads_unknown=run.reads_unknown,
    )
