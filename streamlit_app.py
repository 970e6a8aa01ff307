"""The frame around every page: settings of the process and the page, the shared sidebar, the navigation."""

import os

# Before anything imports torch: a second OpenMP thread on a busy machine costs ten times what it brings.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import streamlit as st

from core.errors import ExplorerError
from explorer.frame import BRAND, sidebar
from explorer.model_store import shipped_runs
from explorer.state import visitor_state

st.set_page_config(
    page_title="Transformer explorer", page_icon=str(BRAND), layout="wide", initial_sidebar_state=288
)

home = st.Page("pages/home/translate.py", title="Watch it translate", url_path="translate", default=True)
page = st.navigation([home], position="hidden")

try:
    runs = shipped_runs()
except ExplorerError as error:
    st.error(str(error))
    st.stop()
sidebar(visitor_state(runs), runs)
page.run()
