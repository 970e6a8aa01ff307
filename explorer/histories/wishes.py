"""What a visitor asks of a training, and the sentence where it cannot be."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import ExplorerError
from explorer.visitor.values import SessionValue

BETWEEN_LOOKS = 1.0
"""Seconds between two looks at whether a wish was followed."""


def say_problem(sentence: str, *, key: str = "train_problem_text") -> None:
    """Draw a sentence about what cannot be. It may quote what somebody typed, so it is no markdown."""
    with st.container(key=key):
        st.text(sentence)


def problem_of(key: str) -> SessionValue[str]:
    """Why what was asked for last could not be; empty where it could."""
    return SessionValue(key, "")


def try_wish(wish: Callable[[], None], key: str) -> None:
    """Do what a button asks for; somebody else may have been faster, and that is a sentence, kept under this key."""
    problem_of(key).set("")
    try:
        wish()
    except ExplorerError as error:
        problem_of(key).set(error.sentence)
