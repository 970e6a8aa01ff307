"""Tokens as tables and charts show them: the same marks for spaces and invisible characters as in the browser."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

MAX_SHOWN = 80
"""Characters of a token."""
# What JavaScript calls white space; Python's own class differs in a few characters.
_SPACE = re.compile(r"[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")
# Joiners, selectors and fillers shape the characters beside them, so that only a token of nothing else needs a mark.
_JOINER = r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_ONLY_JOINERS = re.compile(f"{_JOINER}+")
_LEADING_JOINERS = re.compile(f"{_JOINER}*")
_INVISIBLE = ("Cc", "Cf", "Co", "Cs")
# Blank letters and symbols, and the ignorable code points of no category above.
_BLANK = re.compile(r"[\u2065\u2800\u3164\uffa0\ufdd0-\ufdef\ufff0-\ufff8\U0001d159\U000e0000-\U000e0fff]")
_NEVER_A_CHARACTER = 0xFFFE
"""Low bits of the last two code points of each plane."""

_FIRST_STRONG_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def token_line(tokens: Iterable[str], between: str = " | ") -> str:
    """Join tokens from left to right; each token keeps the direction of its script."""
    return between.join(f"{_FIRST_STRONG_ISOLATE}{visible(token)}{_END_OF_ISOLATE}" for token in tokens)


def visible(token: str) -> str:
    """Mark what cannot be seen in a token, and cut an endless one; equal to ``visible`` of shared/text.ts."""
    if not token:
        return "∅"
    if _ONLY_JOINERS.fullmatch(token):
        marked = " ".join(f"U+{ord(joiner):04X}" for joiner in token)
    else:
        marked = "".join(map(_mark, _SPACE.sub("␣", token)))
        first = token[_LEADING_JOINERS.match(token).end()]  # type: ignore[union-attr]  # matches anything
        if unicodedata.category(first).startswith("M"):
            marked = f"◌{marked}"
    return marked if len(marked) <= MAX_SHOWN else marked[: MAX_SHOWN - 1] + "…"


def twin_place(tokens: Sequence[str], place: int) -> str:
    """Return `` at position 3`` for a token whose text stands twice or more, for a sentence; else an empty text."""
    name = visible(tokens[place])
    return f" at position {place}" if sum(visible(token) == name for token in tokens) > 1 else ""


def told_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of rows or columns, each one that stands twice or more after its place: ``3 a``."""
    all_names = tuple(names)
    count = Counter(all_names)
    return tuple(f"{place} {name}" if count[name] > 1 else name for place, name in enumerate(all_names))


def _mark(letter: str) -> str:
    """Return a character, or its number where it cannot be seen beside others either."""
    is_hidden = (
        unicodedata.category(letter) in _INVISIBLE
        or _BLANK.match(letter)
        or ord(letter) & _NEVER_A_CHARACTER == _NEVER_A_CHARACTER
    )
    return f"\\u{{{ord(letter):x}}}" if is_hidden and not _ONLY_JOINERS.match(letter) else letter
