"""Words as tokens, with nothing lost: case, punctuation and spacing come back exactly.

The table of characters is `cased_word.json`, which the sentence field of the browser reads too. A saved run keeps the
rule that it was trained with, so a change of the table or of this module needs a tokenizer kind of its own.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from core.data.tokenizers.tokenizer import Tokenizer, TokenizerKind
from core.notebook import Brief

GLUED, SPACED = "·", "▁"
"""Begin a token that touches the one before although a space was expected, or has a space although none was."""
_TABLE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_ELIDED = frozenset(_TABLE["elided"])
_APOSTROPHE = re.compile("['’]")
_ELIDED_ENDINGS = tuple(_TABLE["elided_endings"])
_SPACES = re.escape(_TABLE["spaces"])
# Every blank of a text in which spaces are exact, but for the single spaces between two other characters.
_BLANKS = re.compile(rf"(^[{_SPACES}]+|[{_SPACES}]{{2,}}|(?! )[{_SPACES}]|[{_SPACES}]+\Z)")
# Over the classes of `_Classes`: a word, a flag, an emoji with its tones and its joined ones, or a single character.
_CORE = re.compile(r"w(?:[wjzx]|a(?=w))*|rr|e[xm]*(?:ze[xm]*)*|.")
_CACHED_CHUNK = 64
"""Longest chunk whose tokens are remembered: longer ones hardly ever come twice."""


class _Shape(NamedTuple):
    """Spacing of a token: `after` is one of space, none, same (as before it) and flip (by its prefix)."""

    before: bool
    after: str


_SHAPES = {
    "plain": _Shape(True, "space"),
    "elided": _Shape(True, "none"),
    "opening": _Shape(True, "none"),
    "closing": _Shape(False, "space"),
    "quote": _Shape(True, "flip"),
    "closing_quote": _Shape(False, "flip"),
    "operator": _Shape(True, "same"),
    "joining": _Shape(False, "same"),
    "blank": _Shape(False, "none"),
}
_MARKS = {mark: shape for shape, marks in _TABLE["marks"].items() for mark in marks}
_MARKS |= dict.fromkeys(_TABLE["spaces"], "blank")


@dataclass(frozen=True, repr=False)
class CasedWordTokenizer(Brief, Tokenizer):
    """Words as they are written, and single punctuation marks, symbols and emoji.

    A word is letters, digits and underscores with their marks and joiners; an apostrophe inside belongs to it, and an
    elided word (l', qu') is a token of its own. Between two tokens the rule expects a space or none: none before a
    closing mark, for example. Where the text deviates, the right token begins with `GLUED` or `SPACED`. So the tokens
    tell the spacing, and most of them are bare. With `exact_spaces` every blank beyond a single space is a token.
    """

    kind: ClassVar[TokenizerKind] = "cased_word"
    keeps_exact_spaces: ClassVar[bool] = True

    def normalize(self, text: str) -> str:
        """Return the composed characters, with single spaces unless all are kept."""
        return unicodedata.normalize("NFC", text if self.exact_spaces else " ".join(text.split()))

    def tokenize(self, text: str) -> list[str]:
        """Return the words and marks of the normalised text."""
        normal = self.normalize(text)
        tokens: list[str] = []
        expected: bool | None = None
        for index, part in enumerate(_BLANKS.split(normal) if self.exact_spaces else [normal]):
            if index % 2:
                tokens += part
                expected = False
                continue
            is_spaced = False
            for chunk in part.split(" ") if part else ():
                # Most chunks are such words, which are their own tokens.
                if expected and is_spaced and chunk.isalpha():
                    tokens.append(chunk)
                    continue
                cut = _cut_cached if len(chunk) <= _CACHED_CHUNK else _cut
                found, expected = cut(chunk, expected, is_spaced)
                tokens += found
                is_spaced = True
        return tokens

    def join(self, tokens: Iterable[str]) -> str:
        """Return the text of the tokens; of those that a text was cut into it is the normalised text."""
        parts: list[str] = []
        expected: bool | None = None
        for token in tokens:
            if expected and token.isalpha():
                parts.append(" " + token)
                continue
            prefix, core, shape = _parse(token)
            if expected is None:
                gap = shape.before
            else:
                gap = prefix == SPACED or (not prefix and expected and shape.before)
                parts.append(" " if gap else "")
            parts.append(core)
            expected = _space_after(shape, prefix, gap)
        return "".join(parts)


def _cut(chunk: str, expected: bool | None, is_spaced: bool) -> tuple[tuple[str, ...], bool | None]:
    """Cut a part of a text that has no space in it.

    Args:
        chunk: The part.
        expected: Whether the token before expects a space after it; None at the beginning of the text.
        is_spaced: Whether a space stands before the part.

    Returns:
        The tokens, and `expected` for what follows.
    """
    tokens: list[str] = []
    for core in _cores(chunk):
        shape = _shape_of(core)
        prefix, gap = "", is_spaced
        if expected is None:
            gap = shape.before
        elif is_spaced != (expected and shape.before):
            prefix = SPACED if is_spaced else GLUED
        tokens.append(prefix + core)
        expected = _space_after(shape, prefix, gap)
        is_spaced = False
    return tuple(tokens), expected


_cut_cached = lru_cache(maxsize=1 << 16)(_cut)


def _cores(chunk: str) -> Iterator[str]:
    """Yield the tokens of a chunk without their prefixes."""
    for match in _CORE.finditer(chunk.translate(_CLASSES)):
        core = chunk[match.start() : match.end()]
        start = 0
        while end := _elided_end(core, start):
            yield core[start:end]
            start = end
        yield core[start:]


def _elided_end(word: str, start: int) -> int:
    """Return the end of the elided word that begins at a place of a word, such as l' of l'homme; 0 for none."""
    mark = _APOSTROPHE.search(word, start + 1)
    if not mark or mark.end() == len(word):
        return 0
    head = word[start : mark.start()].lower()
    return mark.end() if head in _ELIDED or head.endswith(_ELIDED_ENDINGS) else 0


@lru_cache(maxsize=1 << 16)
def _parse(token: str) -> tuple[str, str, _Shape]:
    """Return the prefix of a token, the token without it, and its shape."""
    prefix = token[0] if len(token) > 1 and token[0] in (GLUED, SPACED) else ""
    core = token.removeprefix(prefix)
    return prefix, core, _shape_of(core)


def _shape_of(core: str) -> _Shape:
    if len(core) > 1:
        return _SHAPES["elided" if core[-1] in "'’" else "plain"]
    if (mark := _MARKS.get(core)) is None:
        is_plain = chr(_CLASSES[ord(core)]) in "we"
        mark = "plain" if is_plain else _TABLE["categories"].get(unicodedata.category(core), "joining")
    return _SHAPES[mark]


def _space_after(shape: _Shape, prefix: str, gap: bool) -> bool:
    if shape.after == "same":
        return gap
    if shape.after == "flip":
        # An opening quotation mark touches what follows; a closing one touched what came before.
        return prefix == GLUED or (not prefix and not shape.before)
    return shape.after == "space"


class _Classes(dict[int, int]):
    """The class of each character as a letter, by code points; filled when a character is first met.

    w: of a word, a: an apostrophe, j: a joiner, z: the zero-width joiner, x: a selector, m: a skin tone, r: half a
    flag, e: a picture, p: anything else.
    """

    _named: ClassVar[dict[int, str]] = {
        **{
            code: letter
            for name, letter in (("pictures", "e"), ("flags", "r"), ("skin_tones", "m"), ("selectors", "x"))
            for first, last in _TABLE[name]
            for code in range(int(first, 16), int(last, 16) + 1)
        },
        **{ord(mark): "a" for mark in _TABLE["apostrophes"]},
        0x200C: "j",
        0x200D: "z",
        ord("_"): "w",
    }

    def __missing__(self, code: int) -> int:
        is_word = unicodedata.category(chr(code))[0] in "LMN"
        self[code] = ord(self._named.get(code) or ("w" if is_word else "p"))
        return self[code]


_CLASSES = _Classes()
