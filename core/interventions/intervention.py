"""An intervention as a value: which site, which heads, positions and units of it, and what is done to them.

It names sentences and holds numbers, never tensors, so that it can be compared, kept and written to a link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

from core.config import MAX_NUMBER, short
from core.errors import CaptureError
from core.numbers import is_number, is_whole

Mask = Literal["padding", "causal"]

LONGEST_SITE = 120
MOST_NUMBERS = 4_096
"""Most positions, numbers or sentences of one intervention: more is a mistake or an attack."""
LONGEST_SENTENCE = 2_000


@dataclass(frozen=True)
class Intervention:
    """One change of a model's values on their way.

    Several compose: a value takes its changes in the order in which they are listed, each of them what the one before
    has left; changes of different values act in the order of the computation, however they are listed.
    """

    kind: ClassVar[str]

    @property
    def donors(self) -> tuple[str, ...]:
        """The sentences whose runs it takes values from."""
        return ()


@dataclass(frozen=True)
class SiteIntervention(Intervention):
    """A change of one site, or of all that match a pattern.

    Attributes:
        site: Name or pattern, as for `record`; one that can be edited.
        head: Of the sites with heads, counted from 0; None for every head.
        positions: Along the site's first axis of tokens (its positions, queries or keys), counted from 0; none for
            every position. A decoding reaches one after the other; one that it does not reach is not changed.
        unit: Along the last axis (d_model, d_ff, d_head, vocabulary), counted from 0; None for all of it.
    """

    site: str
    head: int | None = field(default=None, kw_only=True)
    positions: tuple[int, ...] = field(default=(), kw_only=True)
    unit: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.site, str) or not 0 < len(self.site) <= LONGEST_SITE:
            raise CaptureError(
                f"name the site that is changed, in {LONGEST_SITE} letters at most, not {short(self.site)}"
            )
        for name in ("head", "unit"):
            if (index := getattr(self, name)) is not None:
                _check_index(name, index)
        self._check_positions("positions")

    def _check_positions(self, name: str) -> None:
        positions = _as_tuple(self, name)
        for position in positions:
            _check_index("position", position)
        if len(set(positions)) < len(positions):
            raise CaptureError(f"name each position once, not {short(positions)}")

    def _check_finite(self, name: str) -> None:
        for number in _as_tuple(self, name):
            if not is_number(number, -MAX_NUMBER, MAX_NUMBER):
                raise CaptureError(
                    f"{name} must be finite numbers up to {MAX_NUMBER:,.0f}, not {short(number)}"
                )

    def _check_factor(self, factor: object) -> None:
        if not is_number(factor, -MAX_NUMBER, MAX_NUMBER):
            raise CaptureError(
                f"the factor must be a finite number up to {MAX_NUMBER:,.0f}, not {short(factor)}"
            )


@dataclass(frozen=True)
class ZeroAblation(SiteIntervention):
    """Set the values to 0: a head's context, a hidden unit, a sub-layer's output.

    After Michel et al., "Are Sixteen Heads Really Better than One?" (2019).
    """

    kind: ClassVar[str] = "zero"


@dataclass(frozen=True)
class MeanAblation(SiteIntervention):
    """Set the values to their mean over all positions of a set of sentences, each with what the model writes for it.

    What a part says of every sentence stays, what it says of this one goes. The set should be another than the
    sentences that are changed: a mean over a sentence's own positions would tell each what the later ones hold.

    Attributes:
        sentences: Sources.
    """

    kind: ClassVar[str] = "mean"
    sentences: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        for sentence in _as_tuple(self, "sentences"):
            _check_sentence(sentence)
        if not self.sentences:
            raise CaptureError("a mean needs at least one sentence to be taken over")

    @property
    def donors(self) -> tuple[str, ...]:
        """The sentences that the mean is taken over."""
        return self.sentences


@dataclass(frozen=True)
class Scaling(SiteIntervention):
    """Multiply the values.

    Attributes:
        factor: 0 is an ablation, 1 changes nothing.
    """

    kind: ClassVar[str] = "scale"
    factor: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_factor(self.factor)


@dataclass(frozen=True)
class Steering(SiteIntervention):
    """Add factor · direction at every chosen position.

    After Turner et al., "Steering Language Models With Activation Engineering" (2023).

    Attributes:
        direction: As many numbers as the site's last axis has; one where a unit is chosen.
        factor: What the direction is multiplied by.
    """

    kind: ClassVar[str] = "add"
    direction: tuple[float, ...]
    factor: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_finite("direction")
        self._check_factor(self.factor)
        if not self.direction:
            raise CaptureError("a direction needs at least one number")


@dataclass(frozen=True)
class Patch(SiteIntervention):
    """Replace the values by those of another sentence's run, the donor: activation patching.

    Vig et al., "Investigating Gender Bias in Language Models Using Causal Mediation Analysis" (2020); Meng et al.,
    "Locating and Editing Factual Associations in GPT" (2022). The donor's decoder reads what the model writes for it.

    Attributes:
        sentence: The donor's source. Without donor_positions it must have as many tokens as the patched one.
        donor_positions: Where in the donor each of the positions is taken from; none for the same places.
    """

    kind: ClassVar[str] = "patch"
    sentence: str
    donor_positions: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_sentence(self.sentence)
        self._check_aligned()

    @property
    def donors(self) -> tuple[str, ...]:
        """The one sentence."""
        return (self.sentence,)

    def _check_aligned(self) -> None:
        for position in _as_tuple(self, "donor_positions"):
            _check_index("position", position)
        if self.donor_positions and len(self.donor_positions) != len(self.positions):
            raise CaptureError(
                f"give one position of the donor for each patched one: {len(self.positions)}, "
                f"not {len(self.donor_positions)}"
            )


@dataclass(frozen=True)
class AttentionRow(SiteIntervention):
    """Set one query's attention weights and renormalise them to a sum of 1.

    Attributes:
        site: A ``….weights`` site.
        weights: For the first keys, from key 0 on; all later ones get 0. What a query may not see gets nothing.
        positions: The query, one.
    """

    kind: ClassVar[str] = "row"
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_finite("weights")
        if min(self.weights, default=-1) < 0 or not any(self.weights):
            raise CaptureError("a row of attention needs weights from 0 up, at least one of them above 0")
        if len(self.positions) != 1:
            raise CaptureError("a row of attention belongs to one query: give it as the one position")
        if self.unit is not None:
            raise CaptureError("a row of attention is set as a whole; leave the unit out")


@dataclass(frozen=True)
class Unmask(Intervention):
    """Switch a mask off in every attention, and leave the other as it is.

    Attributes:
        mask: ``padding``: nothing is hidden in the encoder and from cross-attention, and only the future in the
            decoder's self-attention. ``causal``: of the decoder's self-attention only padding stays hidden.
    """

    kind: ClassVar[str] = "unmask"
    mask: Mask

    def __post_init__(self) -> None:
        if self.mask not in get_args(Mask):
            raise CaptureError(f"switch off the mask padding or causal, not {short(self.mask)}")


KINDS: dict[str, type[Intervention]] = {
    each.kind: each for each in (ZeroAblation, MeanAblation, Scaling, Steering, Patch, AttentionRow, Unmask)
}


def _as_tuple(intervention: Intervention, name: str) -> tuple[Any, ...]:
    """The field as a tuple, and kept as such: a list would make the value one that can change."""
    values = getattr(intervention, name)
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise CaptureError(f"{name} must be given one after the other, not {short(values)}")
    if len(values) > MOST_NUMBERS:
        raise CaptureError(f"{name} may be {MOST_NUMBERS:,} at most, not {len(values):,}")
    object.__setattr__(intervention, name, tuple(values))
    return tuple(values)


def _check_index(what: str, index: object) -> None:
    if not is_whole(index):
        raise CaptureError(f"each {what} is a whole number, not {short(index)}")
    if index < 0:
        raise CaptureError(f"count each {what} from 0; {short(index)} is below it")


def _check_sentence(sentence: object) -> None:
    if not isinstance(sentence, str) or not sentence.strip() or len(sentence) > LONGEST_SENTENCE:
        raise CaptureError(
            f"name a sentence as text, of {LONGEST_SENTENCE:,} letters at most, not {short(sentence)}"
        )
