"""What is changed in a running model, in words; pure, and without torch, so that every page can say it at once."""

from __future__ import annotations

from collections.abc import Sequence

from core.activations.location import Location, locate
from core.interventions.intervention import (
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
from core.numbers import counted
from core.run_description import RunDescription
from explorer.look.token_text import twin_place, visible

_VALUES = {
    "q": "queries",
    "k": "keys",
    "v": "values",
    "scores": "scores",
    "weights": "weights",
    "hidden": "hidden units",
    "pre_activation": "pre-activations",
    "logits": "logits",
}
_MOST_NAMED = 3
"""Positions that are named one by one."""


def change_words(change: Intervention, source: Sequence[str] = ()) -> str:
    """One change in one clause: ``encoder layer 0, self-attention, head 1 is switched off``.

    Args:
        change: It may come from a link, and name what no model has.
        source: Tokens of the sentence that is looked at, with EOS, for the names of positions.
    """
    if isinstance(change, Unmask):
        return f"the {change.mask} mask is switched off"
    if not isinstance(change, SiteIntervention):
        raise TypeError(f"no words for {type(change).__name__}")
    where = _place(change, source)
    match change:
        case Patch():
            return f"{where}, taken from “{visible_words(change.sentence)}”"
        case AttentionRow():
            return f"{where}, set by hand"
        case ZeroAblation():
            return f"{where}, {'set to 0' if change.positions else 'switched off'}"
        case MeanAblation():
            return f"{where}, set to its mean over {counted(len(change.sentences), 'sentence')}"
        case Scaling():
            return f"{where}, multiplied by {change.factor:g}"
        case Steering():
            return f"{where}, with {change.factor:g} times a direction added"
    raise TypeError(f"no words for {type(change).__name__}")


def changes_words(changes: Sequence[Intervention], source: Sequence[str] = ()) -> str:
    """Several changes in one line."""
    return "; ".join(change_words(change, source) for change in changes)


def source_tokens(run: RunDescription, sentence: str) -> tuple[str, ...]:
    """The tokens of a sentence that the model can read, with EOS, without the model itself."""
    return run.src_tokenizer.vocabulary.tokens_of(run.source_ids(sentence))


def visible_words(text: str) -> str:
    """A sentence as it can be quoted."""
    return " ".join(map(visible, text.split()))


def _place(change: SiteIntervention, source: Sequence[str]) -> str:
    where = locate(change.site)
    parts = [_module(where, change.site), _value(where, change)]
    if change.head is not None:
        parts.append(f"head {change.head}")
    if change.unit is not None:
        parts.append(f"unit {change.unit}")
    if change.positions:
        parts.append(_positions(change, where, source))
    return ", ".join(filter(None, parts))


def _module(where: Location, site: str) -> str:
    if where.kind in ("unknown", "ids", "layer", "hypothesis", "update", "by_hand"):
        return visible_words(site)[:40]
    if where.kind == "embedding":
        return f"{where.stack}, embedding"
    if where.kind in ("generator", "stack"):
        return "output" if where.kind == "generator" else f"{where.stack} output"
    layer = "" if where.layer is None else f" layer {where.layer}"
    named = where.sublayer_title.lower() or where.title.lower()
    return f"{where.stack}{layer}, {'after ' if where.joins else ''}{named}"


def _value(where: Location, change: SiteIntervention) -> str:
    """The value, but for what a module gives and what a head reads: these are the module and the head."""
    if where.value in ("output", "") or where.kind == "unknown":
        return ""
    if where.value == "context" and change.head is not None:
        return ""
    if where.value == "hidden" and change.unit is not None:
        return ""
    return _VALUES.get(where.value, visible_words(where.value.replace("_", " ")))


def _positions(change: SiteIntervention, where: Location, source: Sequence[str]) -> str:
    is_key = where.kind == "attention" and where.value in ("k", "v")
    side = where.key_side if is_key else where.side
    shown = change.positions[:_MOST_NAMED]
    more = f" and {len(change.positions) - _MOST_NAMED} more" if len(change.positions) > _MOST_NAMED else ""
    if side == "target":
        return f"step {', '.join(map(str, shown))}{more}"
    named = (
        f"{visible(source[at])}{twin_place(source, at)}" if at < len(source) else f"position {at}"
        for at in shown
    )
    return f"at {', '.join(named)}{more}"
