"""The app: what its server serves, and the frame around every page, with the shared sidebar and the navigation."""

import os
from pathlib import Path

# Before anything imports torch: a second OpenMP thread on a busy machine costs ten times what it brings.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.errors import ExplorerError
from explorer.explain_panel import draw_explain_panel, take_panel_report
from explorer.frame import BRAND, page_links, sidebar
from explorer.lesson_strip import draw_lesson, leaves_stop
from explorer.locator import draw_locator
from explorer.model_store.runs import known_runs
from explorer.model_store.server import drawing, server_limits
from explorer.server.parts import server_parts
from explorer.session import is_first_run, keep_stage, visitor_state
from explorer.term_text import follow_terms
from explorer.time_travel import at_kept_moment, draw_player
from explorer.worksheet_download import draw_worksheet


def section(folder: str, *pages: tuple[str, str, str]) -> list[StreamlitPage]:
    """Pages of a folder: file, title and address of each."""
    return [st.Page(f"pages/{folder}/{file}.py", title=title, url_path=path) for file, title, path in pages]


def home(address: str) -> StreamlitPage:
    """The first page under an address; the bare one, which is empty, is where the app begins."""
    return st.Page("pages/home/translate.py", title="Watch it run", url_path=address, default=not address)


def all_sections() -> dict[str, list[StreamlitPage]]:
    """The pages, by the title of their section in the sidebar."""
    return {
        "": [home("")],
        # Lessons go through all the other pages; the glossary has what their words mean.
        "Learn": section("learn", ("lessons", "Lessons", "lessons"), ("glossary", "Glossary", "glossary")),
        "Model": section(
            "model",
            ("map", "Map", "map"),
            ("tokens", "Tokens and embeddings", "tokens"),
            ("positions", "Positions", "positions"),
            ("self_attention", "Self-attention", "self-attention"),
            ("masked_self_attention", "Masked self-attention", "masked-self-attention"),
            ("cross_attention", "Cross-attention", "cross-attention"),
            ("masks", "Masks", "masks"),
            ("add_norm", "Add & norm", "add-norm"),
            ("feed_forward", "Feed-forward", "feed-forward"),
            ("output", "Output", "output"),
        ),
        "Generation": section(
            "generation",
            ("step_by_step", "Step by step", "step-by-step"),
            ("sampling", "Sampling lab", "sampling-lab"),
            ("beam_search", "Beam search", "beams"),
        ),
        # In the order of their use: a run is trained, looked into, then kept.
        "Training": section(
            "training",
            ("train", "Train", "train"),
            ("one_update", "One update", "one-update"),
            ("runs", "Runs", "runs"),
            ("experiments", "Experiments", "experiments"),
        ),
        # About no block in particular, but about all of them.
        "Tools": section("model", ("tensors", "Tensor inspector", "tensors")),
    }


def draw_app() -> None:
    """One run for a visitor: the frame, and the page of the address in it."""
    st.set_page_config(
        page_title="Transformer explorer", page_icon=str(BRAND), layout="wide", initial_sidebar_state=288
    )
    sections = all_sections()
    addresses = {each.url_path: each for pages in sections.values() for each in pages}
    # Streamlit knows its first page by the bare address alone, and people call it by its name as they do all others.
    named_home = home("translate")
    page = st.navigation([*addresses.values(), named_home], position="hidden")
    address = page.url_path
    if page is named_home:
        address, sections = "", {**sections, "": [named_home]}

    try:
        server_limits()  # Nothing is shown by a server whose limits nobody can be sure of.
        runs = known_runs()
    except ExplorerError as error:
        st.error(error.sentence)
        st.stop()
    take_panel_report(runs, addresses)
    shown = at_kept_moment(visitor_state(runs), runs)
    keep_stage(page.url_path, shown)
    places, first = sidebar(shown, runs, sections), is_first_run()
    follow_terms(shown, runs, addresses)
    if first:
        page_links(places.links, shown, runs, sections)
    draw_lesson(address, shown, runs)
    body = st.container(key="page")
    try:
        with body:
            page.run()
    finally:
        # Links know what the page has just taken from its view, and the view need not wait for them. A page that
        # cannot be drawn ends here as well.
        state = visitor_state(runs)
        keep_stage(page.url_path, state)
        if not first:
            page_links(places.links, state, runs, sections)
        with body:
            draw_locator(address, state, runs)
        draw_player(places.player, state, runs)
    if leaves_stop(address, shown, state, runs):
        # The strip was drawn before the page took another sentence from its box.
        st.rerun()
    draw_explain_panel(address, runs, addresses)
    draw_worksheet(address, page.title, state, runs)


if __name__ == Path(__file__).stem:
    # Imported by `streamlit run`, which serves what it finds under this name, and run by nobody yet.
    app = st.App(__file__, **server_parts())
else:
    with drawing():
        draw_app()
