"""What an output may be, and the attentions that a decoding reads with."""

from typing import Literal

MAX_OUTPUT_TOKENS = 50
"""Tokens that the app lets a model produce, forced ones included."""


Attention = Literal["cross", "self", "encoder"]
