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
    STEPPED,
    SUBMITTED,
    Output,
    Place,
    SentenceBarData,
    Step,
    Submission,
    sentence_bar,
)
from explorer.look.theme import in_both_themes
from explorer.models.decodings import translation_of
from explorer.models.judged import Answer, answer_to, judge
from explorer.models.task_facts import can_read, examples_of, side_names, source_words
from explorer.view import View
from explorer.visitor.reports import BOX, last_report, pending
from explorer.visitor.running import run_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import REFUSAL, store_state, visitor_state
from explorer.visitor.state import ExplorerState, choose_sentence
from explorer.visitor.step import shown_step

BAR_KEY = "sentence_bar"
# It stays at the top while the page scrolls: in front of what is on the page, behind the panel that explains a number.
_STYLE = f"""
div:has(> .st-key-bar) {{
  position: sticky; top: var(--nav); z-index: 999975;
  background: {in_both_themes("bg")}; box-shadow: 0 1px {in_both_themes("line")};
}}
.st-key-bar {{ min-height: 48px; }}
[data-testid="stApp"]:has(.st-key-bar) {{ --sentence-bar: 48px; }}
/* The same windows as in the style of the bar. */
@media (max-width: 1100px) {{
  .st-key-bar {{ min-height: 88px; }}
  [data-testid="stApp"]:has(.st-key-bar) {{ --sentence-bar: 88px; }}
}}
"""


def take_sentence(runs: Runs) -> None:
    """Act on what the bar has reported: a text that the model can read becomes the sentence, and a step the step."""
    state = visitor_state(runs)
    for stepped in pending(BAR_KEY, bar_source(state), (STEPPED,)):
        state = store_state(after_bar(state, stepped, runs), runs)
    for submission in pending(BAR_KEY, Place(""), (SUBMITTED,)):
        try:
            state = store_state(after_bar(state, submission, runs), runs)
        except InputError as error:
            REFUSAL.set(error.sentence)


def bar_source(state: ExplorerState) -> Place:
    """Return the key that a report of the bar must carry."""
    return Place(_key(state))


def after_bar(state: ExplorerState, report: Step | Submission, runs: Runs) -> ExplorerState:
    """The state after a step or a text was chosen in the bar.

    Raises:
        InputError: when the model cannot read the text.
    """
    if isinstance(report, Step):
        return replace(state, decoding=replace(state.decoding, step=report.step))
    runs[state.run].source_ids(report.text)
    return choose_sentence(state, report.text, typed=True)


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
    return _data(run, state, answer, _output(view, state, answer) if computes else None)


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
