"""What a model made of one held-out pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from core.data.vocabulary import EOS
from core.errors import RunError
from core.evaluation.figures import Compared, first_difference, is_as_written
from core.notebook import Brief
from core.numbers import is_number, is_whole

MOST_CHARACTERS = 100_000
"""The longest text that is read back from a file."""
MOST_TOKENS = 10_000
"""The most tokens of one side that are read back from a file."""

_WHOLE = ("number",)
_TEXTS = ("split", "source", "reference", "output")
_LISTS_OF_TEXTS = ("others",)
_LISTS_OF_TOKENS = ("other_tokens",)
_TOKENS = ("source_tokens", "reference_tokens", "output_tokens", "teacher_forced_tokens")
_NUMBERS = ("losses", "log_probs")


@dataclass(frozen=True, repr=False)
class PairResult(Brief):
    """A held-out pair, what the model wrote for its source, and how probable that and the reference are.

    Tokens are texts. A token that the vocabulary lacks stands here as somebody wrote it, and equals no token of an
    output, so a reference with one is never met.

    Attributes:
        number: Of the pair within its split, counted from 0.
        split: Such as "test" or "validation".
        source: As the pair has it.
        reference: Likewise.
        output: The text of what the model wrote greedily.
        source_tokens: Without EOS.
        reference_tokens: With EOS.
        output_tokens: Up to and with EOS, where the model wrote one within its bound.
        teacher_forced_tokens: At each place of the reference the most probable token when the decoder has read the
            reference before it, whatever the model would have written itself.
        losses: Cross-entropy -log P of each reference token under teacher forcing, in nats.
        log_probs: Log-probability of each token of the output.
        others: Other targets that are as right as the reference.
        other_tokens: Tokens of each of them, with EOS.
    """

    number: int
    split: str
    source: str
    reference: str
    output: str
    source_tokens: tuple[str, ...]
    reference_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...]
    teacher_forced_tokens: tuple[str, ...]
    losses: tuple[float, ...]
    log_probs: tuple[float, ...]
    others: tuple[str, ...] = ()
    other_tokens: tuple[tuple[str, ...], ...] = ()

    @property
    def loss(self) -> float:
        """Mean loss per reference token, EOS included, in nats."""
        return sum(self.losses) / len(self.losses)

    @property
    def log_prob(self) -> float:
        """Log-probability of the whole output."""
        return sum(self.log_probs)

    @property
    def first_wrong(self) -> int | None:
        """The first place at which output and reference differ, always one of the reference; None where exact."""
        return None if self.exact else first_difference(self.reference_tokens, self.output_tokens)

    @property
    def exact(self) -> bool:
        """True if the output has the tokens of a right target, from the first to EOS."""
        return self.output_tokens in (self.reference_tokens, *self.other_tokens)

    @property
    def as_written(self) -> bool:
        """True if the output's text is that of a right target, character by character."""
        return is_as_written(self.output, self.output_tokens, (self.reference, *self.others))

    @property
    def right(self) -> bool:
        """True if the output is right by its tokens or by its text, so that there is nothing to explain."""
        return self.exact or self.as_written

    @property
    def compared(self) -> Compared:
        """The output beside its references, to be counted."""
        return Compared(
            (self.reference_tokens, *self.other_tokens), self.output_tokens, self.losses, self.as_written
        )

    @property
    def finished(self) -> bool:
        """Whether the model wrote EOS within its bound."""
        return self.output_tokens[-1:] == (EOS,)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values from which `from_dict` builds the result again."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Build from plain JSON values, none of which is trusted.

        Raises:
            RunError: when a value is missing or impossible.
        """
        if not isinstance(values, dict) or set(values) != {field.name for field in fields(cls)}:
            raise RunError("a pair lacks some of its values, or has others")
        for name, value in values.items():
            if not _is_possible(name, value):
                raise RunError(f"a pair has an impossible value for {name}")
        pairwise = (("losses", "reference_tokens"), ("teacher_forced_tokens", "reference_tokens"))
        for one, other in (*pairwise, ("log_probs", "output_tokens")):
            if len(values[one]) != len(values[other]):
                raise RunError(f"a pair has {len(values[one])} {one} for {len(values[other])} {other}")
        if len(values["others"]) != len(values["other_tokens"]):
            raise RunError("a pair has other references without tokens, or tokens of none")
        references = (values["reference_tokens"], *values["other_tokens"])
        if any(reference[-1:] != [EOS] for reference in references) or any(
            EOS in tokens[:-1] for tokens in (*references, values["output_tokens"])
        ):
            raise RunError(f"a pair's reference does not end in {EOS}, or tokens stand after one")
        known: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**known | {"other_tokens": tuple(map(tuple, values["other_tokens"]))})


def _is_possible(name: str, value: Any) -> bool:
    if name in _WHOLE:
        return is_whole(value, 0)
    if name in _TEXTS:
        return isinstance(value, str) and len(value) <= MOST_CHARACTERS
    if not isinstance(value, list) or len(value) > MOST_TOKENS:
        return False
    if name in _LISTS_OF_TEXTS:
        return all(isinstance(text, str) and len(text) <= MOST_CHARACTERS for text in value)
    if name in _LISTS_OF_TOKENS:
        return all(_is_possible(_TOKENS[0], tokens) for tokens in value)
    if name in _TOKENS:
        return all(isinstance(token, str) and 0 < len(token) <= MOST_CHARACTERS for token in value)
    return all(is_number(number) for number in value)
