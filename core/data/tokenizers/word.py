"""Words as tokens: lower-case words, punctuation marks and elided French words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from core.data.tokenizers.tokenizer import TokenizerKind, VocabularyTokenizer
from core.data.vocabulary import Vocabulary

# French words that lose their vowel before another one (l', n', qu', jusqu') are tokens of their own.
# Any other inner apostrophe belongs to its word, as in aujourd'hui.
_WORD_TOKEN = re.compile(r"(?:[cdjlmnst]|\w*qu)'(?=\w)|\w+(?:'\w+)*|[^\w\s]")
_SENTENCE_END = " .!?…"
_NEGATED = ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "could", "should", "would")
CONTRACTIONS = {f"{verb}n't": f"{verb} not" for verb in _NEGATED}
"""Short forms that are read as their long ones; can't and won't are irregular and stay as they are."""
_CONTRACTION = re.compile(rf"\b(?:{'|'.join(CONTRACTIONS)})(?!\w)")


@dataclass(frozen=True)
class WordTokenizer(VocabularyTokenizer):
    """Lower-case words; punctuation marks and elided French words (l', n') are tokens of their own."""

    vocabulary: Vocabulary
    kind: ClassVar[TokenizerKind] = "word"

    def normalize(self, text: str) -> str:
        """Return lower case with straight apostrophes, "not" for n't and no full stop at the end."""
        # Lowering the decomposed form and composing last makes a second normalization change nothing;
        # folding would also write ss for ß, and German does not.
        lowered = unicodedata.normalize("NFD", text.replace("’", "'")).lower()
        composed = unicodedata.normalize("NFC", lowered)
        collapsed = " ".join(composed.split()).rstrip(_SENTENCE_END)
        return _CONTRACTION.sub(lambda match: CONTRACTIONS[match.group()], collapsed)

    def tokenize(self, text: str) -> list[str]:
        """Return the words, marks and elided words of the normalised text."""
        return _WORD_TOKEN.findall(self.normalize(text))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the words of the ids with spaces between them, but none after an elision.

        Raises:
            InputError: an id is not in the vocabulary.
        """
        return join_words(self.visible_tokens(ids))


def join_words(words: Iterable[str]) -> str:
    """Return one text; a word that ends in an apostrophe (l') is joined to the next one."""
    spaced = (word if len(word) > 1 and word.endswith("'") else word + " " for word in words)
    return "".join(spaced).rstrip()
