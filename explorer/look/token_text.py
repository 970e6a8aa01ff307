"""Tokens as tables and charts show them: the same marks for spaces and invisible characters as in the browser."""

import re
import unicodedata
from collections.abc import Iterable

MAX_SHOWN = 80
"""Characters of a token."""
# What JavaScript calls white space; Python's own class differs in a few characters.
_SPACE = re.compile(r"[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")
_JOINERS = "\u200c\u200d"
_INVISIBLE = ("Cc", "Cf", "Co", "Cs")


_FIRST_STRONG_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def token_line(tokens: Iterable[str], between: str = " | ") -> str:
    """Join tokens from left to right; each token keeps the direction of its script."""
    return between.join(f"{_FIRST_STRONG_ISOLATE}{visible(token)}{_END_OF_ISOLATE}" for token in tokens)


def visible(token: str) -> str:
    """A token with marks for what cannot be seen, cut where it is endless: ``visible`` of shared/text.ts."""
    if not token:
        return "∅"
    marked = "".join(
        f"\\u{{{ord(letter):x}}}"
        if unicodedata.category(letter) in _INVISIBLE and letter not in _JOINERS
        else letter
        for letter in _SPACE.sub("␣", token)
    )
    return marked if len(marked) <= MAX_SHOWN else marked[: MAX_SHOWN - 1] + "…"
