"""What a server has once: its limits, its turns, its engine, its lessons."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from explorer.admin_gate import AdminGate
from explorer.lessons.library import Library, read_library
from explorer.lessons.reading import CONTENT
from explorer.limits import Limits, limits_from
from explorer.run_listing import version_of
from explorer.training.run_folders import runs_folder
from explorer.turns import Turns

if TYPE_CHECKING:
    from explorer.training.engine import TrainingEngine


@st.cache_resource(show_spinner=False)
def turns() -> Turns:
    """The turns of this server's pages."""
    return Turns()


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
    """The one engine of this server for the runs folder.

    Raises:
        RunError: when the runs folder cannot be written.
    """
    return _engine(runs_folder())


@st.cache_resource(show_spinner=False)
def _engine(folder: Path) -> TrainingEngine:
    from explorer.training.engine import TrainingEngine

    return TrainingEngine(folder, server_limits())


def lesson_library() -> Library:
    """All lessons, read again when a file of them is another."""
    names = sorted(path.name for path in CONTENT.glob("*.toml"))
    return _lesson_library(repr((names, version_of(CONTENT, *names))))


@st.cache_resource(show_spinner=False, max_entries=2)
def _lesson_library(version: str) -> Library:
    return read_library(CONTENT)
