"""Tokenizers: from a typed text to ids and back, by words, characters, morphemes or byte-pair encoding."""

from core.data.tokenizers.bpe import WORD_BEGIN, BpeTokenizer, MergeStep
from core.data.tokenizers.cased_word import CasedWordTokenizer
from core.data.tokenizers.character import CharacterTokenizer
from core.data.tokenizers.files import tokenizer_from_dict
from core.data.tokenizers.morpheme import MorphemeTokenizer
from core.data.tokenizers.tokenizer import Tokenizer, TokenizerKind
from core.data.tokenizers.word import CONTRACTIONS, WordTokenizer

__all__ = [
    "CONTRACTIONS",
    "WORD_BEGIN",
    "BpeTokenizer",
    "CasedWordTokenizer",
    "CharacterTokenizer",
    "MergeStep",
    "MorphemeTokenizer",
    "Tokenizer",
    "TokenizerKind",
    "WordTokenizer",
    "tokenizer_from_dict",
]
