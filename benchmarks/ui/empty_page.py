"""The least that a Streamlit page can be: what its own start costs, beside which ours is measured."""

import streamlit as st

st.title("Watch a Transformer")
st.text_input("English sentence")
