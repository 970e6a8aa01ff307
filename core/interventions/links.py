"""Interventions as the text of a link and as JSON; neither is trusted when it is read.

A link writes each as a word and its fields, joined by colons, and several joined by semicolons:

    off:SITE[:PART]                        mean:SITE:PART:SENTENCE|SENTENCE…
    scale:SITE:PART:FACTOR                 add:SITE:PART:FACTOR:NUMBER,NUMBER…
    borrow:SITE:POSITIONS:SENTENCE         row:SITE:HEAD:QUERY:WEIGHT,WEIGHT…
    unmask:padding                         unmask:causal

A PART is the head where the site has heads, else the unit; ``2/5`` is unit 5 of head 2, and ``2@3,4`` is head 2 at
positions 3 and 4. POSITIONS are ``3,4``, of a head ``2@3,4``, and ``3~5`` takes position 3 from the donor's position 5.
Sentences are percent-encoded, with + for a space.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from typing import Any
from urllib.parse import quote_plus, unquote_plus

from core.activations.location import locate
from core.errors import CaptureError, ExplorerError, excerpt
from core.interventions.intervention import (
    KINDS,
    AttentionRow,
    Intervention,
    MeanAblation,
    Patch,
    Scaling,
    SiteIntervention,
    Steering,
    Unmask,
    ZeroAblation,
)

MOST_IN_A_LINK = 8
MOST_IN_JSON = 1_000
MOST_SENTENCES_IN_A_LINK = 50
"""Sentences that all its changes name together: each is run through the model before anything is shown."""
LONGEST_LINK = 20_000
"""Letters; browsers and proxies cut longer addresses off."""

_HEADED = frozenset({"q", "k", "v", "scores", "weights", "context"})
"""Values that have an axis of heads."""


def write_link(interventions: Iterable[Intervention]) -> str:
    """The interventions as the text of a link; `read_link` gives the same again.

    Raises:
        CaptureError: when there are more than MOST_IN_A_LINK, they name too many sentences, or their text is too long.
    """
    interventions = tuple(interventions)
    _check_count(len(interventions))
    _check_sentences(interventions)
    link = ";".join(_written(each) for each in interventions)
    if len(link) > LONGEST_LINK:
        raise CaptureError(
            f"these changes take {len(link):,} letters, and a link {LONGEST_LINK:,} at most; keep them as JSON"
        )
    return link


def read_link(link: str) -> tuple[Intervention, ...]:
    """The interventions that a link stands for; an empty text stands for none.

    Raises:
        CaptureError: when it is too long, has too many, or one of them cannot be read.
    """
    if not link:
        return ()
    _check_count(link.count(";") + 1)
    if len(link) > LONGEST_LINK:
        raise CaptureError(f"a link's changes take {LONGEST_LINK:,} letters at most, not {len(link):,}")
    interventions = tuple(_read(text) for text in link.split(";"))
    _check_sentences(interventions)
    return interventions


def to_json(interventions: Iterable[Intervention]) -> str:
    """The interventions as a JSON list; `from_json` gives the same again."""
    return json.dumps([_values(each) for each in interventions], ensure_ascii=False)


def from_json(text: str | bytes) -> tuple[Intervention, ...]:
    """The interventions of a JSON list.

    Raises:
        CaptureError: when it is no such list, has more than MOST_IN_JSON, or one of them is impossible.
    """
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CaptureError(f"the changes are not JSON: {excerpt(str(error))}") from error
    if not isinstance(stored, list):
        raise CaptureError("the changes must be a JSON list")
    if len(stored) > MOST_IN_JSON:
        raise CaptureError(f"there may be {MOST_IN_JSON:,} changes at most, not {len(stored):,}")
    return tuple(_built(values) for values in stored)


def _check_count(number: int) -> None:
    if number > MOST_IN_A_LINK:
        raise CaptureError(f"a link carries {MOST_IN_A_LINK} changes at most, not {number:,}; leave some out")


def _check_sentences(interventions: Iterable[Intervention]) -> None:
    named = {sentence for each in interventions for sentence in each.donors}
    if len(named) > MOST_SENTENCES_IN_A_LINK:
        raise CaptureError(
            f"a link's changes name {MOST_SENTENCES_IN_A_LINK} sentences at most, not {len(named):,}; leave some out"
        )


def _values(intervention: Intervention) -> dict[str, Any]:
    given = {each.name: getattr(intervention, each.name) for each in fields(intervention)}
    defaults = {each.name: each.default for each in fields(intervention) if each.default is not MISSING}
    told = {name: value for name, value in given.items() if name not in defaults or value != defaults[name]}
    return {"kind": intervention.kind} | told


def _built(values: Any) -> Intervention:
    if not isinstance(values, dict) or not isinstance(values.get("kind"), str) or values["kind"] not in KINDS:
        raise CaptureError(f"each change must be an object with one of the kinds {', '.join(KINDS)}")
    made = KINDS[values["kind"]]
    given = {name: value for name, value in values.items() if name != "kind"}
    known = {each.name: each.default is MISSING for each in fields(made)}
    if unknown := sorted(given.keys() - known):
        raise CaptureError(f"a change of the kind {made.kind} has no {excerpt(unknown[0])}; leave it out")
    if missing := [name for name, needed in known.items() if needed and name not in given]:
        raise CaptureError(f"a change of the kind {made.kind} needs its {missing[0]}")
    return made(**given)


def _written(intervention: Intervention) -> str:
    match intervention:
        case Unmask():
            parts = ["unmask", intervention.mask]
        case AttentionRow():
            parts = ["row", _site(intervention), _number(intervention.head), str(intervention.positions[0])]
            parts.append(_numbers(intervention.weights))
        case Patch():
            parts = ["borrow", _site(intervention), _places(intervention), quote_plus(intervention.sentence)]
        case Scaling():
            parts = ["scale", _site(intervention), _part(intervention), _number(intervention.factor)]
        case Steering():
            parts = ["add", _site(intervention), _part(intervention), _number(intervention.factor)]
            parts.append(_numbers(intervention.direction))
        case MeanAblation():
            sentences = "|".join(map(quote_plus, intervention.sentences))
            parts = ["mean", _site(intervention), _part(intervention), sentences]
        case ZeroAblation():
            part = _part(intervention)
            parts = ["off", _site(intervention), *([part] if part else [])]
        case _:
            raise CaptureError(f"a link has no word for {type(intervention).__name__}")
    return ":".join(parts)


def _site(intervention: SiteIntervention) -> str:
    return quote_plus(intervention.site, safe="*")


def _number(value: float | None) -> str:
    return "" if value is None else repr(value).removesuffix(".0")


def _numbers(values: Iterable[float]) -> str:
    return ",".join(map(_number, values))


def _index(intervention: SiteIntervention) -> str:
    """Head and unit: ``2``, ``2/5``, ``/5`` where a site with heads has a unit alone."""
    headed = locate(intervention.site).value in _HEADED
    if not headed and intervention.head is None:
        return _number(intervention.unit)
    # The stroke tells a head from a unit where the site's name does not.
    unit = "" if intervention.unit is None and headed else f"/{_number(intervention.unit)}"
    return _number(intervention.head) + unit


def _part(intervention: SiteIntervention) -> str:
    at = "@" + _numbers(intervention.positions) if intervention.positions else ""
    return _index(intervention) + at


def _places(patch: Patch) -> str:
    pairs = zip(patch.positions, patch.donor_positions, strict=False)
    aligned = ",".join(f"{place}~{donor}" for place, donor in pairs)
    places = aligned or _numbers(patch.positions)
    index = _index(patch)
    return f"{index}@{places}" if index else places


def _read(text: str) -> Intervention:
    word, *parts = text.split(":")
    if word not in _READERS:
        raise CaptureError(f"a change begins with one of {', '.join(_READERS)}, not {excerpt(word)!r}")
    least, most, reader = _READERS[word]
    if not least <= len(parts) <= most:
        raise CaptureError(
            f"the change {excerpt(text)!r} has {len(parts)} fields after {word} in place of {most}"
        )
    try:
        return reader(*parts)
    except ValueError as error:
        if isinstance(error, ExplorerError):
            raise
        raise CaptureError(
            f"the change {excerpt(text)!r} has something else where a number should be"
        ) from error


def _read_part(site: str, part: str) -> dict[str, Any]:
    index, _, positions = part.partition("@")
    return {"site": unquote_plus(site), "positions": _wholes(positions)} | _read_index(site, index)


def _read_index(site: str, index: str) -> dict[str, Any]:
    if "/" not in index and locate(unquote_plus(site)).value not in _HEADED:
        return {"unit": _whole(index)}
    head, _, unit = index.partition("/")
    return {"head": _whole(head), "unit": _whole(unit)}


def _read_borrow(site: str, places: str, sentence: str) -> Patch:
    index, _, pairs = places.rpartition("@")
    aligned = [pair.partition("~") for pair in pairs.split(",")] if pairs else []
    return Patch(
        sentence=unquote_plus(sentence),
        donor_positions=tuple(int(donor) for _, mark, donor in aligned if mark),
        **_read_part(site, index) | {"positions": tuple(int(place) for place, _, _ in aligned)},
    )


def _read_row(site: str, head: str, query: str, weights: str) -> AttentionRow:
    return AttentionRow(unquote_plus(site), _reals(weights), head=_whole(head), positions=(int(query),))


def _read_mean(site: str, part: str, sentences: str) -> MeanAblation:
    texts = tuple(unquote_plus(sentence) for sentence in sentences.split("|"))
    return MeanAblation(sentences=texts, **_read_part(site, part))


def _whole(text: str) -> int | None:
    return int(text) if text else None


def _wholes(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(",")) if text else ()


def _reals(text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in text.split(","))


def _unmask(mask: str) -> Intervention:
    return _built({"kind": "unmask", "mask": mask})


_READERS: dict[str, tuple[int, int, Callable[..., Intervention]]] = {
    "off": (1, 2, lambda site, part="": ZeroAblation(**_read_part(site, part))),
    "mean": (3, 3, _read_mean),
    "scale": (3, 3, lambda site, part, by: Scaling(factor=float(by), **_read_part(site, part))),
    "add": (
        4,
        4,
        lambda site, part, by, to: Steering(direction=_reals(to), factor=float(by), **_read_part(site, part)),
    ),
    "borrow": (3, 3, _read_borrow),
    "row": (4, 4, _read_row),
    "unmask": (1, 1, _unmask),
}
"""For each word the fewest and the most fields after it, and what reads them."""
