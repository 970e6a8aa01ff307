"""One step of decoding: what was chosen, among which candidates."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from torch import Tensor

from core.activations.activations import Activations
from core.decoding.sampling import SamplingPipeline
from core.notebook import Brief


class Step(Protocol):
    """What the steps of every decoder tell, so that who only wants the targets need not know which one it is.

    A DecodeStep has one hypothesis a source and the whole distribution that it was continued from, a BeamStep
    several hypotheses and no single distribution; so neither is a kind of the other.
    """

    @property
    def index(self) -> int:
        """Step number, counted from 0."""

    @property
    def hypotheses(self) -> Tensor:
        """The best target of each source so far [batch, produced tokens], without bos, right-padded."""

    @property
    def finished(self) -> Tensor:
        """Whether each of them has ended [batch]."""

    @property
    def forced(self) -> bool:
        """Whether this step's token was given by the prefix and not chosen."""


AnyStep = TypeVar("AnyStep", bound=Step)


@dataclass(frozen=True)
class Candidate:
    """A token that could come next, with its log-probability."""

    token_id: int
    log_prob: float


@dataclass(frozen=True, repr=False)
class DecodeStep(Brief):
    """What one step of greedy decoding or sampling decided, for a batch of sources.

    Attributes:
        index: Step number, counted from 0.
        chosen: Ids of this step's tokens [batch]; pad_id where a hypothesis had ended before.
        log_prob: Log-probability of each chosen token under the model [batch]; 0 where ended before.
        log_probs: Log-probabilities of the whole vocabulary [batch, vocab], before any temperature.
        hypotheses: All ids so far [batch, index + 1], without bos.
        finished: Whether each hypothesis has ended, with this step or before [batch].
        activations: What was recorded in this step, or None.
        forced: Whether the tokens were given by the prefix and not chosen.
        sampling: How the tokens were drawn, column by column; in a forced step, what would have been drawn;
            None in greedy decoding.
    """

    index: int
    chosen: Tensor
    log_prob: Tensor
    log_probs: Tensor
    hypotheses: Tensor
    finished: Tensor
    activations: Activations | None = None
    forced: bool = False
    sampling: SamplingPipeline | None = None

    def candidates(self, k: int, row: int = 0) -> tuple[Candidate, ...]:
        """The k most probable next tokens of one source, most probable first."""
        top = self.log_probs[row].topk(min(k, self.log_probs.shape[1]))
        return tuple(
            Candidate(token_id, log_prob)
            for token_id, log_prob in zip(top.indices.tolist(), top.values.tolist(), strict=True)
        )


def last_step(steps: Iterable[AnyStep]) -> AnyStep:
    """Decode to the end and keep the last step alone: each step holds a whole distribution."""
    return deque(steps, maxlen=1).pop()
