"""A user's own pairs: read from a file, checked, reported on, and given tokenizers."""

from core.data.pairs.columns import Columns
from core.data.pairs.copies import COPY_LIMITS, pairs_to_tsv, parse_copy, write_pairs
from core.data.pairs.reading import (
    UPLOAD_LIMITS,
    PairsFile,
    limits_for,
    parse_aligned,
    parse_pairs,
    read_aligned,
    read_pairs,
)
from core.data.pairs.report import (
    Changed,
    Drop,
    DropReason,
    Occurrences,
    PairLimits,
    PairsReport,
    ReadingOptions,
)
from core.data.pairs.tokenizing import (
    AS_SUITS,
    PIECE_NAMES,
    TOKENIZER_CHOICES,
    ChosenTokenizers,
    Cutting,
    choose_tokenizer,
    learnable_pairs,
    measure_side,
)

__all__ = [
    "AS_SUITS",
    "COPY_LIMITS",
    "PIECE_NAMES",
    "TOKENIZER_CHOICES",
    "UPLOAD_LIMITS",
    "Changed",
    "ChosenTokenizers",
    "Columns",
    "Cutting",
    "Drop",
    "DropReason",
    "Occurrences",
    "PairLimits",
    "PairsFile",
    "PairsReport",
    "ReadingOptions",
    "choose_tokenizer",
    "learnable_pairs",
    "limits_for",
    "measure_side",
    "pairs_to_tsv",
    "parse_aligned",
    "parse_copy",
    "parse_pairs",
    "read_aligned",
    "read_pairs",
    "write_pairs",
]
