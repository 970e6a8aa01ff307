"""What every page shares: the brand, the choice of the model and what is known about it."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.run_description import RunDescription
from explorer.links import query_of
from explorer.session import store_state, visitor_state
from explorer.state import ExplorerState, Runs, choose_run
from explorer.task_facts import side_names, title_of
from explorer.theme import ROLES, format_count

BRAND = Path(__file__).parent / "brand.svg"
"""Encoder and decoder, side by side: the picture of the product."""

_BRAND_LINE = (
    '<div style="display:flex;align-items:center;gap:10px;font-weight:650;font-size:1.067rem">'
    f'<img alt="" width="24" height="24" src="data:image/svg+xml;base64,{b64encode(BRAND.read_bytes()).decode()}">'
    "Transformer explorer</div>"
)

# Streamlit writes a chosen pill in the primary colour, 3.5:1 on the dark page; the text colour is readable.
# Its captions are text at 60 %, 4.4:1 at their size; ours carry sentences that are to be read.
_STYLE = f"""
.st-key-examples [role="radio"][aria-checked="true"] * {{
  color: light-dark({ROLES["light"]["ink"]}, {ROLES["dark"]["ink"]});
}}
.st-key-pages [data-testid="stCaptionContainer"] {{ margin: 12px 0 0; }}
.st-key-pages [data-testid="stCaptionContainer"] p {{ margin: 0; font-weight: 650; }}
.st-key-pages {{ gap: 6px; }}
.st-key-why *, .st-key-facts *, .st-key-proof *,
.st-key-pages [data-testid="stCaptionContainer"], .st-key-pages [data-testid="stCaptionContainer"] * {{
  color: light-dark({ROLES["light"]["mute"]}, {ROLES["dark"]["mute"]}); opacity: 1;
}}
"""

MODEL_KEY = "model"
SOURCES = {"word": "sentences", "letter": "words"}


def sidebar(state: ExplorerState, runs: Runs, sections: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """Draw the sidebar: the model, the pages by section, and what is known about the model.

    Choosing a model changes the state before the page runs; a link to a page takes the state along.
    """

    def take_model() -> None:
        store_state(choose_run(visitor_state(runs), st.session_state[MODEL_KEY], runs), runs)

    st.html(f"<style>{_STYLE}</style>")
    with st.sidebar:
        st.html(_BRAND_LINE)
        st.session_state[MODEL_KEY] = state.run
        st.selectbox(
            "Model",
            tuple(runs),
            key=MODEL_KEY,
            format_func=lambda name: title_of(runs[name].task),
            on_change=take_model,
        )
        with st.container(key="pages", gap=None):
            for title, pages in sections.items():
                if title:
                    st.caption(title)
                for page in pages:
                    st.page_link(page, query_params=query_of(state, runs))
        with st.container(key="facts"):
            st.caption(_facts(runs[state.run]))


def _facts(run: RunDescription) -> str:
    config, lines = run.config, []
    source, target = side_names(run.task)
    n_tokens = format_count(config.tgt_vocab_size)
    joint = run.src_tokenizer is run.tgt_tokenizer and source != target
    vocabulary = (
        f"{source} and {target} share one vocabulary of {n_tokens} tokens."
        if joint and run.source_unit == "word"
        else f"It knows {n_tokens} tokens."
    )
    lines.append(
        f"{config.n_encoder_layers} + {config.n_decoder_layers} layers, {config.n_heads} heads, "
        f"vectors of {config.d_model} numbers. {vocabulary}"
    )
    if run.evaluation.get("n_pairs"):
        lines.append(
            f"Trained for {format_count(run.updates)} steps. "
            f"{run.evaluation['exact_match']:.2%} of {format_count(int(run.evaluation['n_pairs']))} "
            f"{SOURCES.get(run.source_unit, 'sources')} that it had never seen come out exactly right."
        )
    return "  \n".join(lines)
