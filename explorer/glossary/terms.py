"""The glossary's terms, read from terms.toml and checked while they are read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.errors import InputError

FILE = Path(__file__).parent / "terms.toml"
MAX_TEXT = 320
"""Characters of a definition: it is read in a small box over other text."""

_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_MORE = 6000
"""Characters of what stands under a definition on the glossary's own page."""
OPENS_ON = "attention"
"""The term that is open where nobody has chosen one."""

_WORDS = ("key", "name", "text", "formula", "page", "more")
_REQUIRED = ("key", "name", "forms", "text", "page")
_KNOWN = {*_WORDS, "forms", "view"}


@dataclass(frozen=True)
class Term:
    """One term of the field.

    Attributes:
        key: Its address.
        name: As the glossary lists it.
        forms: The exact words by which texts call it.
        text: One or two sentences.
        page: Address of the page where it can be seen; empty for the home page.
        formula: LaTeX; empty for none.
        view: What is chosen on that page, by the names of an address.
        more: What the glossary's own page has under it, as Markdown; empty for nothing.
    """

    key: str
    name: str
    forms: tuple[str, ...]
    text: str
    page: str
    formula: str = ""
    view: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    more: str = ""


@cache
def glossary() -> Mapping[str, Term]:
    """All terms by their keys, in the order of the alphabet."""
    terms = sorted(read_terms(FILE.read_text(encoding="utf-8")), key=lambda term: term.name.casefold())
    return MappingProxyType({term.key: term for term in terms})


def read_terms(text: str) -> tuple[Term, ...]:
    """The terms of a file's text.

    Raises:
        InputError: when it is no TOML, or a term lacks something or has what another one has; the sentence says which.
    """
    try:
        entries = tomllib.loads(text).get("term", [])
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The glossary cannot be read: {error}.") from None
    terms = tuple(_term(entry, place) for place, entry in enumerate(entries))
    keys: dict[str, str] = {}
    forms: dict[str, str] = {}
    for term in terms:
        if term.key in keys:
            raise InputError(f"The glossary has the key {term.key!r} twice.")
        keys[term.key] = term.name
        for form in map(str.casefold, term.forms):
            if form in forms:
                raise InputError(
                    f"In the glossary both {forms[form]!r} and {term.name!r} are called {form!r}."
                )
            forms[form] = term.name
    return terms


def _term(entry: Mapping[str, Any], place: int) -> Term:
    """
    Raises:
        InputError: when something is missing, unknown or of the wrong kind.
    """
    called = f"Term {entry.get('key', place)!r} of the glossary"
    for name in _REQUIRED:
        if name not in entry:
            raise InputError(f"{called} has no {name}.")
    if unknown := sorted(set(entry) - _KNOWN):
        raise InputError(f"{called} has {unknown[0]!r}, which no term has.")
    for name in _WORDS:
        if not isinstance(entry.get(name, ""), str):
            raise InputError(f"{called}: its {name} must be a text.")
    forms, view = entry["forms"], entry.get("view", {})
    if not (isinstance(forms, list) and forms and all(isinstance(form, str) and form for form in forms)):
        raise InputError(f"{called}: its forms must be a list of words.")
    if not (isinstance(view, dict) and all(isinstance(value, str) for value in view.values())):
        raise InputError(f"{called}: its view must give each name of an address a text.")
    if not _KEY.fullmatch(entry["key"]):
        raise InputError(f"{called}: its key may have small letters, digits and hyphens only.")
    if not 0 < len(entry["text"]) <= MAX_TEXT:
        raise InputError(f"{called}: its text has {len(entry['text'])} characters; 1 to {MAX_TEXT} fit.")
    if len(entry.get("more", "")) > MAX_MORE:
        raise InputError(f"{called}: its more has {len(entry['more'])} characters; at most {MAX_MORE:,} fit.")
    return Term(
        key=entry["key"],
        name=entry["name"],
        forms=tuple(forms),
        text=entry["text"],
        page=entry["page"],
        formula=entry.get("formula", ""),
        view=MappingProxyType(view),
        more=entry.get("more", ""),
    )
