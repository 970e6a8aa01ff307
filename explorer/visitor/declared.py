"""Choices declared where they stand: a field of a frozen record says its default, its name and form in a link, and
what it depends on. Everything that goes over all choices is derived from that: reading a link, writing it, the names
that it may have, and what another choice resets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cache
from typing import Any, TypeVar, cast

from explorer.visitor.forms import Form, Unusable
from explorer.visitor.scope import Scope

R = TypeVar("R")
T = TypeVar("T")

Say = Callable[[str], None]
"""What is done with a sentence about a part of a link that cannot be used."""
_DECLARED = "declared"
PAGE = "page"
"""Among what a choice depends on: the page that is open. Such a choice belongs to the page on which it was made."""


@dataclass(frozen=True)
class Choice:
    """What a field says of itself.

    Attributes:
        link: Its name in a link.
        form: How a link writes it.
        depends_on: The choices, as ``record.field``, with which it goes back to its default.
        usual: Its default within a scope, where it has none of its own.
        narrows: The scope of what comes after it in the link.
        beside: Another field of its record; where that one is chosen, the link names this one though it is the default.
    """

    link: str
    form: Form[Any]
    depends_on: tuple[str, ...] = ()
    usual: Callable[[Scope], Any] | None = None
    narrows: Callable[[Scope, Any], Scope] | None = None
    beside: str = ""


@dataclass(frozen=True)
class Group:
    """What a field that is a record of choices says of itself.

    Attributes:
        kind: The record's type.
        depends_on: As of `Choice`, for all of the record.
        notice: Said where a part is unusable and the whole is left out for it; empty where only the part is.
        settled: What is made of the record that a link says.
    """

    kind: type
    depends_on: tuple[str, ...] = ()
    notice: str = ""
    settled: Callable[[Any], Any] | None = None


def linked(
    link: str,
    form: Form[Any],
    *,
    usual: Callable[[Scope], Any] | None = None,
    narrows: Callable[[Scope, Any], Scope] | None = None,
) -> Mapping[str, object]:
    """The metadata of a field that has no default of its own."""
    return {_DECLARED: Choice(link, form, usual=usual, narrows=narrows)}


def choice(default: T, *, link: str, form: Form[T], depends_on: tuple[str, ...] = (), beside: str = "") -> T:
    """A field that is one choice; the arguments are those of `Choice`."""
    return field(default=default, metadata={_DECLARED: Choice(link, form, depends_on, beside=beside)})


def group(default: T, *, depends_on: tuple[str, ...] = (), settled: Callable[[T], T] | None = None) -> T:
    """A field that is a record of choices; the arguments are those of `Group`."""
    return field(default=default, metadata={_DECLARED: Group(type(default), depends_on, settled=settled)})


def optional_group(kind: type[T], *, notice: str) -> T | None:
    """A field that is a record of choices, or None where a link lacks the first of them."""
    return field(default=None, metadata={_DECLARED: Group(kind, notice=notice)})


def link_names(kind: type) -> frozenset[str]:
    """Every name that a link may have for a record of choices."""
    names: set[str] = set()
    for _, declared in _declared(kind):
        names |= {declared.link} if isinstance(declared, Choice) else link_names(declared.kind)
    return frozenset(names)


def read_record(kind: type[R], query: Mapping[str, str], scope: Scope, say: Say) -> R:
    """The record that a link says.

    Args:
        kind: Its type.
        query: The link's parts by their names.
        scope: What the link is read against.
        say: Takes a sentence for each part that cannot be used; such a part is its default.

    Returns:
        The record.
    """
    values: dict[str, object] = {}
    for each, declared in _declared(kind):
        if isinstance(declared, Group):
            values[each.name] = _read_group(each, declared, query, scope, say)
            continue
        values[each.name] = value = _read_choice(each, declared, query, scope, say)
        scope = declared.narrows(scope, value) if declared.narrows else scope
    return kind(**values)


def write_record(record: object, scope: Scope) -> dict[str, str]:
    """The part of a link that says a record; what equals the default is left out."""
    query: dict[str, str] = {}
    chosen: set[str] = set()
    for each, declared in _declared(type(record)):
        value = getattr(record, each.name)
        if isinstance(declared, Group):
            query |= {} if value is None else write_record(value, scope)
            continue
        if value != _default(each, declared, scope):
            chosen.add(each.name)
        if each.name in chosen or declared.beside in chosen:
            query[declared.link] = declared.form.write(value)
        scope = declared.narrows(scope, value) if declared.narrows else scope
    return query


def cleared(record: R, *choices: str, like: R | None = None) -> R:
    """The record without what depends on some choices, as ``record.field``.

    Args:
        record: With all of its choices.
        choices: Upon which others depend.
        like: A record of the same kind, whose dependent choices come instead; None for the defaults.
    """
    changed: dict[str, object] = {}
    for each, is_whole in _dependent(type(record), choices):
        value, other = getattr(record, each.name), getattr(like, each.name, None)
        if is_whole:
            moved = each.default if like is None else other
        else:
            moved = value if value is None else cleared(value, *choices, like=other)
        if moved is not value:
            changed[each.name] = moved
    # Asked for every linked page in every run, and most pages have nothing to take back.
    return cast(R, replace(cast(Any, record), **changed)) if changed else record


def _find_declared(kind: type) -> tuple[tuple[Field[Any], Choice | Group], ...]:
    """The fields that a link may say, in their order, with what they say of themselves."""
    return tuple((each, each.metadata[_DECLARED]) for each in fields(kind) if _DECLARED in each.metadata)


def _find_dependent(kind: type, choices: tuple[str, ...]) -> tuple[tuple[Field[Any], bool], ...]:
    """The fields that depend on some choices, and those whose record has such a field; whether as a whole."""
    found: list[tuple[Field[Any], bool]] = []
    for each, declared in _declared(kind):
        is_whole = not set(choices).isdisjoint(declared.depends_on)
        if is_whole or (isinstance(declared, Group) and _dependent(declared.kind, choices)):
            found.append((each, is_whole))
    return tuple(found)


# What a type says of its fields never changes, and every link of every page is written by it.
_declared: Callable[[type], tuple[tuple[Field[Any], Choice | Group], ...]] = cache(_find_declared)
_dependent: Callable[[type, tuple[str, ...]], tuple[tuple[Field[Any], bool], ...]] = cache(_find_dependent)


def _read_choice(
    each: Field[Any], declared: Choice, query: Mapping[str, str], scope: Scope, say: Say
) -> object:
    if declared.link not in query:
        return _default(each, declared, scope)
    try:
        return declared.form.read(query[declared.link], scope)
    except Unusable as problem:
        say(problem.notice or f"The link's {declared.link} cannot be used here; it was left out.")
        return _default(each, declared, scope) if problem.rest is None else problem.rest


def _read_group(
    each: Field[Any], declared: Group, query: Mapping[str, str], scope: Scope, say: Say
) -> object:
    if each.default is not None:
        read: object = read_record(declared.kind, query, scope, say)
        return declared.settled(read) if declared.settled else read
    _, first = _declared(declared.kind)[0]
    if not isinstance(first, Choice) or first.link not in query:
        return None
    problems: list[str] = []
    whole: object = read_record(declared.kind, query, scope, problems.append)
    if problems:
        say(declared.notice)
    return None if problems else whole


def _default(each: Field[Any], declared: Choice, scope: Scope) -> object:
    """A choice that nobody has made; None for one that has no default, and is refused with its whole record."""
    if declared.usual:
        return declared.usual(scope)
    return None if each.default is MISSING else each.default
