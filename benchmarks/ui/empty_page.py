"""A minimal Streamlit page: the baseline for measuring how fast the app starts."""

import streamlit as st

st.title("Watch a Transformer")
st.text_input("English sentence")
