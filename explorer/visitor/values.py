"""Values of a session that are no choices: those of its widgets, and what a page remembers for a visitor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import streamlit as st

T = TypeVar("T")


@dataclass(frozen=True)
class SessionValue(Generic[T]):
    """A value under a key of the session; a widget with this key shows it and changes it.

    Attributes:
        key: In the session.
        default: Its value before anybody has set it.
    """

    key: str
    default: T

    @property
    def value(self) -> T:
        """What it is now."""
        return cast(T, st.session_state.get(self.key, self.default))

    def set(self, value: T) -> None:
        """Change it; for a widget, before it is drawn."""
        st.session_state[self.key] = value

    def stored(self) -> T:
        """What it is now, in the session from now on: for a value that is changed in place."""
        return cast(T, st.session_state.setdefault(self.key, self.default))

    def take(self) -> T:
        """What it is now; then it is the default again."""
        return cast(T, st.session_state.pop(self.key, self.default))


def is_drawn(key: str) -> bool:
    """Whether a component has been drawn in this session, so that the browser has it."""
    return key in st.session_state
