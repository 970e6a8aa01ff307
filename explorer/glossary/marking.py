"""Finds the glossary's terms in a text of ours, each at its first place, and marks them as links to the glossary."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

from explorer.glossary.terms import glossary

ADDRESS = "glossary"
"""Address of the glossary's page."""

# Code, formulas, links, and what a backslash makes plain: Markdown in which no link may begin.
_KEPT = r"`[^`]*`|\$[^$]*\$|\[[^\]]*\]\([^)]*\)|\\."


@dataclass(frozen=True)
class Part:
    """A part of a text: plain, or the words of a term, whose key it then has."""

    text: str
    term: str = ""


def parts_of(text: str, *, but: Collection[str] = ()) -> tuple[Part, ...]:
    """A text in parts, which together are the text.

    Only the first place of each term is marked, in one of its exact forms, with a small or a capital first letter.

    Args:
        text: Words of ours; it may be Markdown.
        but: Keys of terms that are not to be marked.
    """
    return tuple(_parts(text, but))


def explain_terms(text: str, *, but: Collection[str] = ()) -> str:
    """A Markdown text of ours with its terms as links to the glossary.

    What a person typed may be in it as far as `markdown_text.plain` has made it plain.
    """
    return "".join(
        f"[{part.text}]({address_of(part.term)})" if part.term else part.text
        for part in parts_of(text, but=but)
    )


def address_of(term: str) -> str:
    """Where the glossary explains a term, from any page of the app."""
    return f"{ADDRESS}?term={term}"


def _parts(text: str, but: Collection[str]) -> Iterator[Part]:
    pattern, keys = _pattern()
    seen, end = set(but), 0
    for found in pattern.finditer(text):
        words = found["term"]
        key = keys.get(words.casefold(), "") if words else ""
        if not key or key in seen or not _same_form(words, key):
            continue
        seen.add(key)
        if found.start() > end:
            yield Part(text[end : found.start()])
        yield Part(words, key)
        end = found.end()
    if end < len(text):
        yield Part(text[end:])


def _same_form(words: str, key: str) -> bool:
    """Whether these are a term's exact letters, but for the size of the first one."""
    return any(
        words[0].casefold() == form[0].casefold() and words[1:] == form[1:] for form in glossary()[key].forms
    )


@cache
def _pattern() -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds all forms, the longer ones first, and the term of each form in small letters."""
    keys = {form.casefold(): term.key for term in glossary().values() for form in term.forms}
    forms = "|".join(re.escape(form) for form in sorted(keys, key=len, reverse=True))
    return re.compile(rf"{_KEPT}|(?<![\w/-])(?P<term>{forms})(?![\w-]|/\w)", re.IGNORECASE), keys
