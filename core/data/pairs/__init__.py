"""A user's own pairs: read from a file, checked, reported on, and given tokenizers."""

from core.data.pairs.columns import Columns, NoTextColumns
from core.data.pairs.copies import COPY_LIMITS, pairs_to_tsv, parse_copy
from core.data.pairs.reading import (
    UPLOAD_LIMITS,
    PairsFile,
    make_limits,
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
    AUTOMATIC_CUTTING,
    PIECE_NAMES,
    TOKENIZER_CHOICES,
    ChosenTokenizers,
    Cutting,
    choose_tokenizer,
    learnable_pairs,
    measure_side,
)

__all__ = [
    "AUTOMATIC_CUTTING",
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
    "NoTextColumns",
    "Occurrences",
    "PairLimits",
    "PairsFile",
    "PairsReport",
    "ReadingOptions",
    "choose_tokenizer",
    "learnable_pairs",
    "make_limits",
    "measure_side",
    "pairs_to_tsv",
    "parse_aligned",
    "parse_copy",
    "parse_pairs",
    "read_aligned",
    "read_pairs",
]
