"""The attentions that a decoding reads with."""

from typing import Literal

Attention = Literal["cross", "self", "encoder"]
