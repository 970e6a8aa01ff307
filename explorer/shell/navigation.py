"""The navigation bar: the places with their pages, the search, and the model with what is known about it."""

from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.evaluation.exactness import describe_right
from core.evaluation.figures import leading_exact
from core.run_description import RunDescription
from explorer.browser.navigation import PageLink, pack_bar
from explorer.look.markdown_text import plain
from explorer.look.theme import format_count, format_part, in_both_themes
from explorer.models.task_facts import kin_of, run_title, side_names
from explorer.server.query import query_path
from explorer.shell.blocks import AtPage
from explorer.shell.lesson_way import shared_address
from explorer.shell.page_style import HEARD
from explorer.shell.time_travel import draw_time_travel
from explorer.view import HOME, Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page, store_state, visitor_state
from explorer.visitor.state import ExplorerState, choose_run
from explorer.visitor.values import SessionValue

MODEL = SessionValue("model", "")
SOURCES = {"word": "sentences", "letter": "words"}

NAV_KEY, MODEL_MENU_KEY = "nav", "model_menu"
"""Keys of the containers of the bar and of the button that opens the choice of the model."""

_STYLE = f"""
/* It stays at the top, in front of the sentence bar; only in low windows it scrolls away with the page. */
div:has(> .st-key-{NAV_KEY}) {{ position: sticky; top: 0; z-index: 999978; }}
.st-key-{NAV_KEY} {{
  position: relative; min-height: 56px; flex-wrap: nowrap; align-items: center; gap: 24px; padding-right: 36px;
}}
.st-key-{NAV_KEY}::before {{
  content: ""; position: absolute; z-index: -1; inset: 0 -16px;
  background: {in_both_themes("side")}; border-bottom: 1px solid {in_both_themes("line")};
}}
.st-key-{NAV_KEY} > * {{ flex: none; width: auto; }}
.st-key-{NAV_KEY} > :first-child {{ flex: 1; min-width: 0; }}
.st-key-pages nav {{ display: flex; gap: 2px; }}
.st-key-pages nav > .brand {{
  display: flex; align-items: center; gap: 9px; margin-right: 16px; font-weight: 650; font-size: 16px;
  white-space: nowrap; text-decoration: none; color: {in_both_themes("ink")};
}}
.st-key-pages nav > .brand svg {{ width: 24px; stroke-width: 2.2; }}
.st-key-pages nav > .brand span {{ font-size: 16px; line-height: 24px; color: inherit; }}
.st-key-pages nav > button.skip {{ position: absolute; z-index: 1; top: 8px; left: 0; }}
.st-key-pages nav > button.skip:not(:focus) {{ {HEARD} }}
.st-key-pages nav > button.skip:focus {{ background: {in_both_themes("bg")}; color: {in_both_themes("ink")}; }}
.st-key-pages nav > button {{
  flex: none; height: 40px; padding: 0 12px; border: 0; border-radius: 8px; font: inherit; font-size: 14px;
  cursor: pointer; background: none; color: {in_both_themes("ink2")};
}}
.st-key-pages nav > button:is(:hover, [aria-expanded="true"]) {{ background: {in_both_themes("line")}; }}
.st-key-pages nav > button[aria-current] {{
  background: {in_both_themes("source-tint")}; color: {in_both_themes("ink")}; font-weight: 650;
}}
.st-key-pages nav > button.search {{
  display: flex; align-items: center; gap: 8px; height: 36px; margin: 2px 0 2px auto; width: 208px;
  border: 1px solid {in_both_themes("line2")}; background: {in_both_themes("bg")}; color: {in_both_themes("mute")};
}}
.st-key-pages nav > button.share {{
  width: 36px; height: 36px; padding: 0; margin: 2px 0; border: 1px solid {in_both_themes("line2")};
  background: {in_both_themes("bg")};
}}
.st-key-pages nav > dialog {{
  width: 100vw; height: 100vh; max-width: none; max-height: none; margin: 0; padding: 16px; border: 0;
  place-content: center; place-items: center; gap: 12px; text-align: center;
  background: {in_both_themes("bg")}; color: {in_both_themes("ink")};
}}
.st-key-pages nav > dialog[open] {{ display: grid; }}
.st-key-pages nav > dialog p {{ margin: 0; max-width: min(900px, calc(100vw - 32px)); overflow-wrap: anywhere; }}
.st-key-pages nav > dialog .address {{
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  font-size: 22px; font-weight: 650; line-height: 30px;
}}
.st-key-pages nav > dialog .code p {{ max-width: 460px; font-size: 16px; }}
.st-key-pages nav > dialog .code svg {{
  display: block; width: min(460px, 100vw - 32px, 100vh - 200px); fill: #000; stroke: none; background: #fff;
  shape-rendering: crispEdges;
}}
.st-key-pages nav > dialog .actions {{ display: flex; gap: 8px; }}
.st-key-pages nav > dialog button {{
  height: 36px; padding: 0 14px; border: 1px solid {in_both_themes("line2")}; border-radius: 8px; font: inherit;
  font-size: 14px; background: none; color: {in_both_themes("ink")}; cursor: pointer;
}}
.st-key-pages nav > dialog [role="status"] {{ min-height: 24px; font-size: 14px; }}
.st-key-pages nav svg {{ flex: none; width: 16px; fill: none; stroke: currentColor; stroke-width: 1.5; }}
.st-key-pages nav kbd {{
  margin-left: auto; padding: 0 6px; border: 1px solid {in_both_themes("line2")}; border-radius: 4px; font: inherit;
  font-size: 12px; background: none; color: {in_both_themes("mute")};
}}
.st-key-pages nav > [popover] {{
  --width: min(300px, 100vw - 16px);
  position: fixed; inset: var(--top) auto auto max(8px, min(var(--left), 100vw - var(--width) - 8px));
  width: var(--width); max-height: calc(100vh - 64px); margin: 0;
  padding: 6px; overflow: auto; list-style: none; border: 1px solid {in_both_themes("line2")}; border-radius: 10px;
  background: {in_both_themes("bg")}; color: {in_both_themes("ink")}; box-shadow: 0 6px 24px rgb(0 0 0 / 16%);
}}
.st-key-pages nav > [popover].search {{ --width: min(440px, 100vw - 16px); }}
.st-key-pages nav li {{ margin: 0; padding: 0; }}
.st-key-pages nav a {{
  display: block; padding: 4px 10px; border-radius: 7px; font-size: 14px; line-height: 18px; text-decoration: none;
  color: {in_both_themes("ink")}; overflow-wrap: anywhere;
}}
.st-key-pages nav a b {{ display: block; font-weight: 550; }}
.st-key-pages nav a span {{ display: block; font-size: 12px; line-height: 16px; color: {in_both_themes("mute")}; }}
.st-key-pages nav a:hover {{ background: {in_both_themes("well")}; }}
.st-key-pages nav a[aria-current] {{ background: {in_both_themes("source-tint")}; }}
.st-key-pages nav .search input {{
  width: 100%; height: 36px; padding: 0 10px; border: 1px solid {in_both_themes("line2")}; border-radius: 8px;
  font: inherit; font-size: 16px; background: {in_both_themes("bg")}; color: {in_both_themes("ink")};
}}
.st-key-pages nav .search h2 {{
  margin: 8px 0 2px; padding: 0 10px; font-size: 12px; line-height: 16px; font-weight: 650;
  color: {in_both_themes("mute")};
}}
.st-key-pages nav .search section a span {{ white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
.st-key-pages nav .search p {{ margin: 0; padding: 6px 10px; font-size: 14px; }}
.st-key-pages nav .search p:empty {{ display: none; }}
.st-key-{MODEL_MENU_KEY} button {{ min-height: 36px; max-width: 260px; padding: 0 10px; }}
.st-key-{MODEL_MENU_KEY} button span:has(> [data-testid="stIconMaterial"]):not([aria-hidden] *) {{ display: none; }}
.st-key-{MODEL_MENU_KEY} button p {{ white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
@media (max-height: 711px) {{
  [data-testid="stApp"] {{ --nav: 0px; timeline-scope: --page; }}
  div:has(> .st-key-{NAV_KEY}) {{ position: static; }}
  [data-testid="stMain"] {{ scroll-timeline: --page; }}
  [data-testid="stHeader"] {{ animation: leave linear both; animation-timeline: --page; animation-range: 0 48px; }}
}}
@keyframes leave {{ to {{ visibility: hidden; }} }}
@media (max-width: 1100px) {{
  .st-key-pages nav > .brand {{ margin-right: 0; }}
  .st-key-pages nav > .brand span {{ display: none; }}
  .st-key-{NAV_KEY} {{ gap: 10px; }}
  .st-key-pages nav > button.search {{ width: 40px; justify-content: center; padding: 0; }}
  .st-key-pages nav > button.search :is(span, kbd) {{ display: none; }}
}}
@media (max-width: 640px) {{
  .st-key-pages nav > .brand {{ display: none; }}
  .st-key-{NAV_KEY} {{ gap: 2px; margin-left: -8px; }}
  .st-key-pages nav {{ gap: 0; }}
  .st-key-pages nav > button {{ height: 44px; padding: 0 5px; }}
  .st-key-pages nav > button.search {{ width: 32px; height: 36px; margin-block: 4px; }}
  .st-key-pages nav > button.share {{ display: none; }}
  .st-key-pages nav > dialog .address {{ -webkit-line-clamp: 5; font-size: 16px; line-height: 22px; }}
  .st-key-{MODEL_MENU_KEY} button {{ padding: 0 2px; gap: 0; }}
  .st-key-{MODEL_MENU_KEY} button span:has(> [data-testid="stIconMaterial"]):not([aria-hidden] *) {{ display: flex; }}
  .st-key-{MODEL_MENU_KEY} button p {{ {HEARD} }}
}}
.st-key-pages nav :is(a, button):focus-visible {{ outline-offset: -2px; }}
.st-key-pages nav input:focus-visible {{ outline: 2px solid {in_both_themes("focus")}; outline-offset: -1px; }}
[data-testid="stPopoverBody"]:has(.st-key-facts) {{
  width: min(400px, calc(100vw - 24px)); max-height: calc(100vh - 72px);
}}
"""


def navigation_bar(state: ExplorerState, runs: Runs) -> DeltaGenerator:
    """Draw the navigation bar: brand, room for the places, and the model with what is known about it.

    Choosing a model changes the state before the page runs.

    Returns:
        The place of the links, for `bar_message`.
    """

    def title(run: str) -> str:
        return plain(run_title(run, runs[run]))

    def take_model() -> None:
        store_state(choose_run(visitor_state(runs), MODEL.value, runs), runs)

    st.html(f"<style>{_STYLE}</style>")
    with st.container(key=NAV_KEY, horizontal=True):
        links = st.container(key="pages", gap=None)
        with (
            st.container(key=MODEL_MENU_KEY, width="content"),
            # Another key closes the menu after a choice.
            st.popover(
                title(state.run),
                icon=":material/model_training:",
                key=f"{MODEL_MENU_KEY}_{state.run}",
            ),
        ):
            MODEL.set(state.run)
            st.radio(
                "Model",
                tuple(runs),
                key=MODEL.key,
                format_func=title,
                on_change=take_model,
            )
            with st.container(key="facts"):
                st.caption(_facts(runs[state.run], state.updates))
            draw_time_travel(state, runs)
    return links


def bar_message(
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
    # Writing an address takes a while, and most of them are one and the same; to hash a state takes longer than this.
    different = {id(each): each for each in states.values()}
    queries = {known: urlencode(query_of(each, runs)) for known, each in different.items()}
    return pack_bar(
        {
            place: [PageLink(view.title, addresses[view.key], view.line) for view in there]
            for place, there in views.places().items()
        },
        {addresses[key]: queries[id(each)] for key, each in states.items()},
        here=addresses[here.key],
        home=addresses[HOME],
        route=query_path(),
        share=shared_address(state, runs, views),
    )


def _near(run: RunDescription) -> str:
    """Return how many of the held-out sources are hardly new; empty if that was not counted."""
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
