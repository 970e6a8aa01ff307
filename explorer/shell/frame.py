"""What every page shares: the brand, the choice of the model and what is known about it."""

from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.evaluation.exactness import describe_right
from core.evaluation.figures import leading_exact
from core.run_description import RunDescription
from explorer.browser.page_links import pack_links
from explorer.browser.page_watch import page_watch
from explorer.look.theme import format_count, format_part, in_both_themes
from explorer.models.task_facts import kin_of, run_title, side_names
from explorer.shell.page_style import page_style
from explorer.shell.stops import AtPage
from explorer.shell.time_travel import draw_time_travel
from explorer.view import HOME, Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page, store_state, visitor_state
from explorer.visitor.state import ExplorerState, choose_run
from explorer.visitor.values import SessionValue

BRAND = Path(__file__).parent / "brand.svg"
"""Encoder and decoder, side by side: the picture of the product."""

_PRODUCT = "Transformer explorer"

_BRAND_LINE = (
    '<div style="display:flex;align-items:center;gap:7px;font-weight:650;font-size:14px;white-space:nowrap">'
    f'<img alt="" width="20" height="20" src="data:image/svg+xml;base64,{b64encode(BRAND.read_bytes()).decode()}">'
    f"{_PRODUCT}</div>"
)

# Streamlit writes a chosen pill or segment in the primary colour, 3.5:1 on the dark page; the text colour is readable.
# Its captions are text at 60 %, 4.4:1 at their size; ours carry sentences that are to be read.
_STYLE = f"""
[data-testid="stMain"] :is([role="radio"][aria-checked="true"], [data-variant="pills"][aria-pressed="true"]) * {{
  color: {in_both_themes("ink")};
}}
.st-key-pages nav :is(p, a) {{ font-size: 13px; line-height: 24px; }}
.st-key-pages nav p {{ margin: 8px 0 0; line-height: 21px; font-weight: 650; color: {in_both_themes("mute")}; }}
.st-key-pages nav ul {{ margin: 0; padding: 0; list-style: none; }}
.st-key-pages nav li {{ margin: 0; padding: 0; }}
.st-key-pages nav a {{
  display: block; padding: 0 8px; border-radius: 8px; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis; text-decoration: none; color: {in_both_themes("ink")};
}}
.st-key-pages nav a:hover {{ background: {in_both_themes("line")}; }}
.st-key-pages nav a[aria-current] {{ background: {in_both_themes("line")}; font-weight: 650; }}
/* Brand and model stand where Streamlit keeps a line for the button that folds the sidebar. */
[data-testid="stSidebarContent"] {{ padding-inline: 12px; }}
[data-testid="stSidebarHeader"] {{ position: absolute; z-index: 1; top: 4px; right: 6px; height: auto; padding: 0; }}
[data-testid="stSidebarUserContent"] {{ padding: 16px 0 24px; }}
[data-testid="stSidebarUserContent"] > div > [data-testid="stVerticalBlock"] {{ gap: 12px; }}
.st-key-facts *, .st-key-proof *,
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] * {{
  color: {in_both_themes("mute")}; opacity: 1;
}}
/* A slider's value, too, is written in the primary colour. */
[data-testid="stSlider"] [role="group"] p {{
  color: {in_both_themes("ink")};
}}
/* So are the words of a button without a frame while one is on it; they are darker yet while it is pressed or open. */
button[kind="tertiary"]:is(:hover, :focus-visible, :active, [aria-expanded="true"]) {{
  color: {in_both_themes("link")};
}}
/* One ring for whatever has the focus: Streamlit's own is half transparent, and the link to the open page has none. */
[data-testid="stApp"] :is(a, button, summary, [data-tag]):focus-visible,
[data-testid="stSlider"] [data-focus-visible] {{
  outline: 2px solid {in_both_themes("focus")}; outline-offset: 2px; box-shadow: none;
}}
[data-testid="stSidebar"] a:focus-visible {{ outline-offset: -2px; }}
/* Its button that empties a choice is 22.5 px wide. */
[data-testid="stMultiSelect"] button {{ min-width: 24px; min-height: 24px; }}
/* Its formulas are cut at the edge of their letters' boxes, beyond which some letters reach. */
[data-testid="stMain"] .katex-display {{ padding: 6px 4px; }}
@media (prefers-reduced-motion: reduce) {{
  *, *::before, *::after {{ transition-duration: 0s !important; animation-duration: .01ms !important; }}
}}
"""

MODEL = SessionValue("model", "")
SOURCES = {"word": "sentences", "letter": "words"}


def browser_title(view: View) -> str:
    """Return the title of a view's tab in the browser, its own words first, because narrow tabs cut the end."""
    return f"{view.title} · {_PRODUCT}"


def sidebar(
    state: ExplorerState, runs: Runs, *, has_note: bool, screen: Mapping[str, object] | None = None
) -> DeltaGenerator:
    """Draw the sidebar: the model, room for the pages, and what is known about the model.

    Choosing a model changes the state before the page runs.

    Args:
        state: The visitor's choices.
        runs: All models.
        has_note: Whether what is said of a picture may stand at its right.
        screen: As of `page_watch`.

    Returns:
        The place of the links, for `page_links`.
    """

    def take_model() -> None:
        store_state(choose_run(visitor_state(runs), MODEL.value, runs), runs)

    st.html(f"<style>{_STYLE}{page_style(has_note=has_note)}</style>")
    page_watch(screen)
    with st.sidebar:
        st.html(_BRAND_LINE)
        MODEL.set(state.run)
        st.selectbox(
            "Model",
            tuple(runs),
            key=MODEL.key,
            format_func=lambda name: run_title(name, runs[name]),
            on_change=take_model,
        )
        draw_time_travel(state, runs)
        links = st.container(key="pages", gap=None)
        with st.container(key="facts"):
            st.caption(_facts(runs[state.run], state.updates))
    return links


def page_links(
    state: ExplorerState, runs: Runs, views: Registry, *, here: View, home: str = "", at: AtPage = at_page
) -> bytes:
    """Return the message with a link to every page, each of which takes the visitor's state along.

    Args:
        state: The visitor's choices.
        runs: All models.
        views: All of them.
        here: The view that is open.
        home: Address of the first view, which has several.
        at: Returns the state for a link to a page.
    """
    addresses = {key: home if key == HOME else view.address for key, view in views.items()}
    states = {key: at(state, view.address) for key, view in views.items()}
    # Writing an address takes a while, and most of them are one and the same.
    queries = {each: query_of(each, runs) for each in set(states.values())}
    return pack_links(
        {
            title: [(view.title, addresses[view.key]) for view in section]
            for title, section in views.sections().items()
        },
        {addresses[key]: urlencode(queries[each]) for key, each in states.items()},
        here=addresses[here.key],
    )


def _near(run: RunDescription) -> str:
    """How many of the held-out sources are hardly new, where that was counted."""
    if "n_near" not in run.evaluation:
        return ""
    near, source = int(run.evaluation["n_near"]), SOURCES.get(run.source_unit, "sources")[:-1]
    return f"; {format_count(near)} of them differ from a training {source} by a single {run.source_unit}"


def _best(run: RunDescription) -> str:
    if run.best_after in (None, run.updates):
        return ""
    return f"; its weights are the best ones, those after {format_count(run.best_after)}"


def _facts(run: RunDescription, updates: int | None) -> str:
    config, lines = run.config, []
    source, target = side_names(run.task)
    n_read, n_tokens = format_count(config.src_vocab_size), format_count(config.tgt_vocab_size)
    joint = run.src_tokenizer is run.tgt_tokenizer and source != target
    vocabulary = (
        f"{source} and {target} share one vocabulary of {n_tokens} tokens."
        if joint and run.source_unit == "word"
        else f"It reads {n_read} different tokens and writes {n_tokens}."
        if run.src_tokenizer != run.tgt_tokenizer
        else f"It knows {n_tokens} tokens."
    )
    lines.append(
        f"{config.n_encoder_layers} + {config.n_decoder_layers} layers, {config.n_heads} heads, "
        f"vectors of {config.d_model} numbers. {vocabulary}"
    )
    if updates is not None:
        lines.append(
            f"Weights after {format_count(updates)} of {format_count(run.train_config.steps)} updates."
        )
    elif run.evaluation.get("n_pairs") and "exact_match" in run.evaluation:
        exact = format_part(leading_exact(run.evaluation), int(run.evaluation["n_pairs"]))
        lines.append(
            f"Trained for {format_count(run.updates)} updates{_best(run)}. {exact} "
            f"{SOURCES.get(run.source_unit, 'sources')} {kin_of(run.task)} that it had never seen "
            f"come out {describe_right(run, run.evaluation)}{_near(run)}."
        )
    elif run.best_after is not None:
        lines.append(f"Its best weights so far, those after {format_count(run.best_after)} updates.")
    return "  \n".join(lines)
