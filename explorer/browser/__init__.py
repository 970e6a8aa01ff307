"""The shared browser parts and the Python that feeds them."""
