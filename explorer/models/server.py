"""What a server has once: its limits, its turns, its engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from explorer.server.admin_gate import AdminGate
from explorer.server.libraries import import_everything
from explorer.server.limits import Limits, limits_from
from explorer.server.turns import Turns
from explorer.trainings.run_folders import runs_folder

if TYPE_CHECKING:
    from explorer.trainings.engine import TrainingEngine

FIRST_PAINT_PAUSE = 0.8
"""Seconds that the browser is given to paint the first page before torch is imported, once in a server's life."""


@st.cache_resource(show_spinner=False)
def turns() -> Turns:
    """The turns of this server's pages."""
    return Turns(is_warm=False)


@contextmanager
def drawing() -> Iterator[None]:
    """A visitor's turn to have a page drawn; the first of all ends with everything imported.

    What a page does later (a fragment that is drawn again, what a button calls, a file that is made when it is
    downloaded) has no turn, and needs none: it comes after a page.
    """
    with turns().turn():
        try:
            yield
        finally:
            import_for_all()


def import_for_all() -> None:
    """Import torch and whatever else a page needs, if nobody has.

    Called, before any lock is taken, by what takes long: a page that only begins to wait should let others have turns.
    They have them for a moment first, while the browsers of the first visitors ask for their scripts: that
    import keeps the interpreter busy for seconds, and the same interpreter serves the scripts and draws the controls.
    """
    if not turns().is_warm:
        if "torch" not in sys.modules:
            turns().pause(FIRST_PAINT_PAUSE)
        import_everything()
        turns().warm_up()


@st.cache_resource(show_spinner=False)
def server_limits() -> Limits:
    """The limits of this server, read once from its environment.

    Raises:
        ConfigError: when the environment sets one that makes no sense.
    """
    return limits_from(os.environ)


@st.cache_resource(show_spinner=False)
def admin_gate() -> AdminGate:
    """The one place of this server where an admin token is tried."""
    return AdminGate(server_limits().admin_token)


def training_engine() -> TrainingEngine:
    """The one engine of this server for the runs folder."""
    return _engine(runs_folder())


@st.cache_resource(show_spinner=False)
def _engine(folder: Path) -> TrainingEngine:
    from explorer.trainings.engine import TrainingEngine

    return TrainingEngine(folder, server_limits())
