"""The frame around every page: settings of the process and the page, the shared sidebar, the navigation."""

import os

# Before anything imports torch: a second OpenMP thread on a busy machine costs ten times what it brings.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import streamlit as st

from core.errors import ExplorerError
from explorer.frame import BRAND, sidebar
from explorer.model_store import shipped_runs
from explorer.session import visitor_state

st.set_page_config(
    page_title="Transformer explorer", page_icon=str(BRAND), layout="wide", initial_sidebar_state=288
)

SECTIONS = {
    "": [st.Page("pages/home/translate.py", title="Watch it run", url_path="translate", default=True)],
    "Generation": [
        st.Page(f"pages/generation/{file}.py", title=title, url_path=path)
        for file, title, path in (
            ("step_by_step", "Step by step", "step-by-step"),
            ("sampling", "Sampling", "sampling-lab"),
            ("beam_search", "Beam search", "beams"),
        )
    ],
}
page = st.navigation([each for pages in SECTIONS.values() for each in pages], position="hidden")

try:
    runs = shipped_runs()
except ExplorerError as error:
    st.error(str(error))
    st.stop()
sidebar(visitor_state(runs), runs, SECTIONS)
page.run()
