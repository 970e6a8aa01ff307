"""What every page shares: the brand, the choice of the model and what is known about it."""

from base64 import b64encode
from pathlib import Path

import streamlit as st

from core.run_description import RunDescription
from explorer.state import ExplorerState, Runs, choose_run, store_state, visitor_state
from explorer.task_facts import side_names, title_of, unit_of
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
.st-key-why *, .st-key-facts *, .st-key-proof * {{
  color: light-dark({ROLES["light"]["mute"]}, {ROLES["dark"]["mute"]}); opacity: 1;
}}
"""

MODEL_KEY = "model"


def sidebar(state: ExplorerState, runs: Runs) -> None:
    """Draw the sidebar; choosing a model changes the state before the page runs."""

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
        with st.container(key="facts"):
            st.caption(_facts(runs[state.run]))


def _facts(run: RunDescription) -> str:
    config, lines = run.config, []
    source, target = side_names(run.task)
    n_tokens = format_count(config.tgt_vocab_size)
    joint = run.src_tokenizer is run.tgt_tokenizer and source != target
    vocabulary = (
        f"{source} and {target} share one vocabulary of {n_tokens} tokens."
        if joint and unit_of(run) == "word"
        else f"It knows {n_tokens} tokens."
    )
    lines.append(
        f"{config.n_encoder_layers} + {config.n_decoder_layers} layers, {config.n_heads} heads, "
        f"vectors of {config.d_model} numbers. {vocabulary}"
    )
    if run.evaluation.get("n_pairs"):
        lines.append(
            f"Trained for {format_count(run.updates)} steps. "
            f"{run.evaluation['exact_match']:.1%} of {format_count(int(run.evaluation['n_pairs']))} "
            f"{'sentences' if unit_of(run) == 'word' else 'words'} that it had never seen come out exactly right."
        )
    return "  \n".join(lines)
