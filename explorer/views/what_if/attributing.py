"""What wrote a word: its logit by what has written it, and beside what was read what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.activations.location import locate
from core.analysis.attribution import LogitAttribution, attribute_logit
from explorer.models.recorded import Recorded


@dataclass(frozen=True)
class Bars:
    """What one block adds to the logit; its heads apart.

    Attributes:
        name: ``1 · cross-attention``; ``embedding``, ``biases``.
        values: Of each head, or of the block.
    """

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Wrote:
    """A logit, or the difference of two, as an exact sum.

    Attributes:
        value: The logit.
        bars: Its parts, in the order of the computation, the biases last.
        used: What each source token adds through cross-attention of the last layer.
    """

    value: float
    bars: tuple[Bars, ...]
    used: tuple[float, ...]


def wrote(recorded: Recorded, step: int, rival: int | None = None) -> Wrote:
    """What wrote the token of a step, against a rival where there is one.

    Raises:
        CaptureError: when the run was changed on the way, so that the parts do not add up.
    """
    found = attribute_logit(recorded.run.model, recorded.trace, step, rival=rival)
    return Wrote(found.value, tuple(_bars(found)), _used(found, last_crossing(recorded)))


def last_crossing(recorded: Recorded) -> str:
    """The last layer's cross-attention."""
    return f"decoder.layers.{recorded.run.config.n_decoder_layers - 1}.cross_attn"


def _bars(found: LogitAttribution) -> Sequence[Bars]:
    named: dict[str, list[float]] = {}
    biases = 0.0
    for part, value in zip(found.parts, found.contributions.tolist(), strict=True):
        if part.kind == "bias":
            biases += value
            continue
        where = locate(part.path)
        name = "embedding" if where.kind == "embedding" else f"{where.layer} · {where.sublayer_title.lower()}"
        values = named.setdefault(name, [])
        if name == "embedding" and values:
            values[0] += value
        else:
            values.append(value)
    return [*(Bars(name, tuple(values)) for name, values in named.items()), Bars("biases", (biases,))]


def _used(found: LogitAttribution, path: str) -> tuple[float, ...]:
    of_heads = [
        by_key
        for part, by_key in zip(found.parts, found.by_key, strict=True)
        if part.path == path and by_key is not None
    ]
    return tuple(sum(of_heads[1:], of_heads[0]).tolist())
