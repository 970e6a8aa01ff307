"""What a longer text costs: the work of the encoder and of a decoding over the number of tokens.

A second picture of another view's page, so that it has no view of its own.
"""
