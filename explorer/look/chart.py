"""A chart of Plotly's on a page: the one place that draws them, so that all of them behave alike."""

from __future__ import annotations

from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from explorer.look.theme import ThemeType

# Plotly's own bar of grey buttons comes with the pointer, and on a phone stays; it lies over legend and curves.
_CONFIG = {"displayModeBar": False}


def page_theme() -> ThemeType:
    """The theme of the visitor's page; the light one until the browser has told."""
    return "dark" if st.context.theme.type == "dark" else "light"


def plotly_chart(
    figure: go.Figure, *, key: str, alt: str, theme: Literal["streamlit"] | None = "streamlit"
) -> None:
    """Draw a figure with the settings that all of the app's charts share.

    Args:
        figure: What to draw.
        key: Of the chart on its page.
        alt: What it shows, and where its numbers stand, for those who do not see it.
        theme: ``None`` for a figure that says everything about its look itself.
    """
    st.plotly_chart(figure, key=key, alt=alt, theme=theme, config=_CONFIG)
