"""The forms in which a link writes a choice. Everything in a link is untrusted: what is read is bounded and checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.activations.location import locate
from core.data.vocabulary import Vocabulary
from core.errors import CaptureError, InputError
from core.interventions.intervention import Intervention
from core.interventions.links import read_link, write_link
from explorer.tensors import CellPlace
from explorer.visitor.scope import Scope

K = TypeVar("K")
T = TypeVar("T", covariant=True)

MAX_SENTENCE = 2000
"""Characters of a sentence that a link may carry."""
MAX_INDEX = 10**6
"""Numbers along an axis that a link may name; so many seeds, rows and updates, too. Whether they are is seen later."""
MAX_TEMPERATURE = 5.0
MIN_TOP_P = 0.01
MAX_BRANCHES = 12
MAX_NAME = 40
"""Characters of a branch's name."""
MAX_TRAIL = 16
"""Cells that the way to an explained one holds."""

_DECIMAL = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_PLACES = re.compile(r"[a-z_]{1,20}-[0-9]{1,6}(;[a-z_]{1,20}-[0-9]{1,6}){0,5}")
_CELL = re.compile(r"([A-Za-z0-9_.]{1,100})((?:-[^-;]{1,40}){0,5})")


class Unusable(ValueError):
    """A part of a link that cannot be used.

    Args:
        notice: The sentence that says so; empty for the usual one.
        rest: What of it can be used nevertheless; None for nothing.
    """

    def __init__(self, notice: str = "", rest: object = None) -> None:
        super().__init__(notice)
        self.notice = notice
        self.rest = rest


@dataclass(frozen=True)
class Form(Generic[T]):
    """How a link writes a choice.

    Attributes:
        read: The choice that a text says within a scope; raises `Unusable` where it says none.
        write: The text of a choice.
    """

    read: Callable[[str, Scope], T]
    write: Callable[[T], str] = str


def whole(below: int | Callable[[Scope], int], least: int = 0) -> Form[int]:
    """A whole number from the least one up to but not including a limit, which may be the model's."""

    def read(text: str, scope: Scope) -> int:
        return _index(text, below if isinstance(below, int) else below(scope), least)

    return Form(read)


def decimal(least: float, most: float) -> Form[float]:
    """A plain decimal number between two others, rounded to hundredths as the controls are."""

    def read(text: str, scope: Scope) -> float:
        value = round(float(text), 2) if _DECIMAL.fullmatch(text) else -1.0
        if not least <= value <= most:
            raise Unusable()
        return value

    return Form(read)


def text_of(pattern: str) -> Form[str]:
    """A text of a pattern: a name that is looked up later."""
    return Form(_matching(pattern))


def one_of(names: Iterable[T]) -> Form[T]:
    """One of a few names."""
    by_text = {str(name): name for name in names}

    def read(text: str, scope: Scope) -> T:
        if text not in by_text:
            raise Unusable()
        return by_text[text]

    return Form(read)


def joined(pattern: str) -> Form[tuple[str, ...]]:
    """Texts with hyphens between them, all together of a pattern."""
    matching = _matching(pattern)
    return Form(lambda text, scope: tuple(matching(text, scope).split("-")), "-".join)


def pairs(key: Form[K], value: Form[T], most: int) -> Form[tuple[tuple[K, T], ...]]:
    """Keys with their values, as ``a:b;c:d``; where one of them is unusable, the others are not lost."""

    def read(text: str, scope: Scope) -> tuple[tuple[K, T], ...]:
        found, all_usable = {}, True
        for part in text.split(";")[:most] if text else ():
            before, _, after = part.partition(":")
            try:
                found[key.read(before, scope)] = value.read(after, scope)
            except Unusable:
                all_usable = False
        if not all_usable:
            raise Unusable(rest=tuple(found.items()))
        return tuple(found.items())

    return Form(read, lambda value: ";".join(f"{before}:{after}" for before, after in value))


def _matching(pattern: str) -> Callable[[str, Scope], str]:
    compiled = re.compile(pattern)

    def read(text: str, scope: Scope) -> str:
        if not compiled.fullmatch(text):
            raise Unusable()
        return text

    return read


def _index(text: str, below: int, least: int = 0) -> int:
    """A whole number, written in ASCII digits."""
    if not (
        text.isascii() and text.isdigit() and len(text) <= len(str(below)) and least <= int(text) < below
    ):
        raise Unusable()
    return int(text)


def _read_flag(text: str, scope: Scope) -> bool:
    if text not in ("0", "1"):
        raise Unusable()
    return text == "1"


FLAG: Form[bool] = Form(_read_flag, lambda value: "1" if value else "0")
AXIS = text_of(r"[a-z_]{1,20}")
SITE = text_of(r"[A-Za-z0-9_.]{1,100}")


def _read_run(text: str, scope: Scope) -> str:
    if text not in scope.runs:
        raise Unusable("The link names a model that is not here; this is the default one.")
    return text


def _read_sentence(text: str, scope: Scope) -> str:
    try:
        scope.run.source_ids(text[:MAX_SENTENCE])
    except InputError as error:
        raise Unusable(f"The link's sentence could not be used. {error.sentence}") from None
    return text[:MAX_SENTENCE]


def _read_top_k(text: str, scope: Scope) -> int | None:
    return _index(text, scope.run.config.tgt_vocab_size + 1) or None


def _read_block(text: str, scope: Scope) -> str:
    where = locate(text)
    known = text in (where.stack, f"{where.stack}.{where.part}")
    if not known or (where.crosses and where.stack == "encoder"):
        raise Unusable()
    return text


def _read_places(text: str, scope: Scope) -> tuple[tuple[str, int], ...]:
    if not _PLACES.fullmatch(text):
        raise Unusable()
    found = {axis: int(place) for axis, _, place in (part.partition("-") for part in text.split(";"))}
    return tuple(sorted(found.items()))


RUN = Form(_read_run)
"""A model."""
SENTENCE = Form(_read_sentence)
"""A sentence that the scope's model can read."""
TOP_K = Form(_read_top_k)
"""Tokens that are drawn among; 0 for all."""
BLOCK = Form(_read_block)
"""A stack, or a part of one that there is in any layer."""
PLACES = Form(_read_places, lambda places: ";".join(f"{axis}-{place}" for axis, place in places))
"""Axes, each with a place after a hyphen, semicolons between them."""


@dataclass(frozen=True)
class Branch:
    """A decoding that begins with forced tokens.

    Attributes:
        prefix: Their ids.
        name: As its maker calls it; empty for the name that it has by itself.
    """

    prefix: tuple[int, ...]
    name: str = ""


def _place(text: str, below: int, vocabulary: Vocabulary) -> int:
    """A number below a limit, or the id of a token that is written out: it stays right when ids change."""
    return vocabulary.id(text) if text in vocabulary and not text.isdigit() else _index(text, below)


def _read_prefix(text: str, scope: Scope) -> tuple[int, ...]:
    vocabulary, most = scope.run.tgt_tokenizer.vocabulary, scope.run.output_limit
    ids = tuple(_place(part, len(vocabulary), vocabulary) for part in text.split("-")[: most + 1])
    are_words = all(token_id >= Vocabulary.eos_id for token_id in ids)
    if not are_words or len(ids) > most or Vocabulary.eos_id in ids[:-1]:
        raise Unusable()
    return ids


def _write_prefix(prefix: tuple[int, ...]) -> str:
    return "-".join(map(str, prefix))


def _read_branches(text: str, scope: Scope) -> tuple[Branch, ...]:
    found: dict[tuple[int, ...], Branch] = {}
    for part in text.split(";")[:MAX_BRANCHES]:
        ids, _, name = part.partition(":")
        if ":" in name:
            raise Unusable()
        prefix = _read_prefix(ids, scope)
        found.setdefault(prefix, Branch(prefix, name[:MAX_NAME].strip()))
    return tuple(found.values())


def _read_trail(text: str, scope: Scope) -> tuple[CellPlace, ...]:
    return tuple(_cells(text.split(";")[:MAX_TRAIL], scope.run.tgt_tokenizer.vocabulary))


def _cells(parts: Iterable[str], vocabulary: Vocabulary) -> Iterator[CellPlace]:
    for part in parts:
        found = _CELL.fullmatch(part)
        if not found:
            raise Unusable()
        places = found[2].split("-")[1:]
        yield CellPlace(found[1], tuple(_place(place, MAX_INDEX, vocabulary) for place in places))


def _read_changes(text: str, scope: Scope) -> tuple[Intervention, ...]:
    try:
        return read_link(text)
    except CaptureError as error:
        raise Unusable(f"The link's changes of the model were left out: {error}.") from None


CHANGES = Form(_read_changes, write_link)
"""What is changed in the running model, at most as much as a link can carry."""
PREFIX = Form(_read_prefix, _write_prefix)
"""Tokens or their ids with hyphens between them, the last perhaps the end."""
BRANCHES: Form[tuple[Branch, ...]] = Form(
    _read_branches,
    lambda branches: ";".join(f"{_write_prefix(branch.prefix)}:{branch.name}" for branch in branches),
)
"""Branches with semicolons between them, each a prefix, a colon and a name."""
TRAIL: Form[tuple[CellPlace, ...]] = Form(
    _read_trail, lambda cells: ";".join("-".join((cell.site, *map(str, cell.index))) for cell in cells)
)
"""Cells with semicolons between them, each a site and its index with hyphens."""
