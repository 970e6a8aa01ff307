"""Words as tokens: lower-case words, punctuation marks and elided French words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from core.data.tokenizers.tokenizer import Tokenizer, TokenizerKind, lower_case
from core.notebook import Brief

# French words that lose their vowel before another one (l', n', qu', jusqu') are tokens of their own.
# Any other inner apostrophe belongs to its word, as in aujourd'hui.
_WORD_TOKEN = re.compile(r"(?:[cdjlmnst]|\w*qu)'(?=\w)|\w+(?:'\w+)*|[^\w\s]")
_SENTENCE_END = " .!?…"
_NEGATED = ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "could", "should", "would")
CONTRACTIONS = {f"{verb}n't": f"{verb} not" for verb in _NEGATED}
"""Short forms that are read as their long ones; can't and won't are irregular and stay as they are."""
_CONTRACTION = re.compile(rf"\b(?:{'|'.join(CONTRACTIONS)})(?!\w)")


@dataclass(frozen=True, repr=False)
class WordTokenizer(Brief, Tokenizer):
    """Lower-case words; punctuation marks and elided French words (l', n') are tokens of their own.

    A word has no combining marks, so `CasedWordTokenizer` suits new runs better. This rule stays as it is, because
    saved runs were trained with it.
    """

    kind: ClassVar[TokenizerKind] = "word"
    loss: ClassVar[str] = "capital letters, spaces beside marks and marks at the end"

    def normalize(self, text: str) -> str:
        """Return lower case with straight apostrophes, "not" for n't and no full stop at the end."""
        lowered = lower_case(text.replace("’", "'"))
        collapsed = " ".join(lowered.split()).rstrip(_SENTENCE_END)
        return _CONTRACTION.sub(lambda match: CONTRACTIONS[match.group()], collapsed)

    def tokenize(self, text: str) -> list[str]:
        """Return the words, marks and elided words of the normalised text."""
        return _WORD_TOKEN.findall(self.normalize(text))

    def join(self, tokens: Iterable[str]) -> str:
        """Return the words with spaces between them, but none after one that ends in an apostrophe (l')."""
        spaced = (word if len(word) > 1 and word.endswith("'") else word + " " for word in tokens)
        return "".join(spaced).rstrip()
