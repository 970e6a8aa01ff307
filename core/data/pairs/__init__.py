"""A user's own pairs: read from a file, checked, reported on, and given tokenizers."""

from core.data.pairs.reading import (
    COPY_LIMITS,
    UPLOAD_LIMITS,
    PairsFile,
    limits_for,
    pairs_to_tsv,
    parse_pairs,
    read_pairs,
    write_pairs,
)
from core.data.pairs.report import Drop, DropReason, PairLimits, PairsReport
from core.data.pairs.tokenizing import AS_SUITS, TOKENIZER_CHOICES, Cutting, choose_tokenizer, learnable_pairs

__all__ = [
    "AS_SUITS",
    "COPY_LIMITS",
    "TOKENIZER_CHOICES",
    "UPLOAD_LIMITS",
    "Cutting",
    "Drop",
    "DropReason",
    "PairLimits",
    "PairsFile",
    "PairsReport",
    "choose_tokenizer",
    "learnable_pairs",
    "limits_for",
    "pairs_to_tsv",
    "parse_pairs",
    "read_pairs",
    "write_pairs",
]
