"""What the server keeps for all visitors, loaded or computed once: the only folder with Streamlit's caches."""
