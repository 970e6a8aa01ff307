"""Runs the frame: on a server that nobody has visited yet, Streamlit looks for an address in this folder alone."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).parents[1] / "streamlit_app.py"))
