"""The shipped models and their translations, loaded once for all visitors: the only file with Streamlit's caches.

torch is imported by the first translation, not by the first page: a page with its title and controls is on
the screen seconds earlier.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import RunError
from core.run_description import RUN_FILE, RunDescription, read_description
from explorer.byte_bounded_cache import ByteBoundedCache

if TYPE_CHECKING:
    from core.run import Run
    from explorer.translation import Translation

CHECKPOINTS = Path(__file__).parent.parent / "checkpoints"
TRANSLATION_BYTES = 64 * 2**20
FIRST_PAINT_PAUSE = 0.8
"""Seconds; once in the life of a server."""


@st.cache_resource(show_spinner=False)
def shipped_runs() -> dict[str, RunDescription]:
    """Every shipped run that can be read, by its folder's name. Names come from here, never from a visitor.

    Raises:
        RunError: when there is none.
    """
    runs: dict[str, RunDescription] = {}
    for path in sorted(CHECKPOINTS.glob(f"*/{RUN_FILE}")):
        try:
            runs[path.parent.name] = read_description(path.parent)
        except RunError:
            # A damaged folder takes nobody's page away; the others are still there.
            continue
    if not runs:
        raise RunError("No model can be read in the folder checkpoints; run `make checkpoints`.")
    return runs


@st.cache_resource(show_spinner=False, max_entries=8)
def loaded_run(name: str) -> Run:
    """A run with its weights, shared by all visitors.

    Raises:
        RunError: when its files are damaged.
    """
    _let_the_page_reach_the_screen()
    from core.run import load_run

    run = load_run(CHECKPOINTS / name)
    # torch brings a quarter of a million objects that never die; without this every full collection visits them.
    gc.collect()
    gc.freeze()
    return run


def translation_of(run: Run, text: str) -> Translation:
    """The translation of a sentence, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence.
    """
    from explorer.translation import translate

    return _translations().get((run.fingerprint, text), lambda: translate(run, text))


def _let_the_page_reach_the_screen() -> None:
    """Pause before the server's first import of torch, while the first visitor's browser asks for its scripts.

    That import keeps the interpreter busy for two seconds, and the same interpreter serves the scripts: without
    the pause, title and controls appear later by as much.
    """
    if "torch" not in sys.modules:
        time.sleep(FIRST_PAINT_PAUSE)


@st.cache_resource(show_spinner=False)
def _translations() -> ByteBoundedCache[Translation]:
    return ByteBoundedCache(TRANSLATION_BYTES)
