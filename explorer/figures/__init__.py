"""Plotly figures as pure functions: arrays and labels in, a figure out; no streamlit, no torch."""
