"""One step of decoding: what was chosen, among which candidates."""

from dataclasses import dataclass

from torch import Tensor

from core.activations.activations import Activations


@dataclass(frozen=True)
class Candidate:
    """A token that could come next, with its log-probability."""

    token_id: int
    log_prob: float


@dataclass(frozen=True)
class DecodeStep:
    """What one step of decoding decided, for a batch of sources.

    Attributes:
        index: Step number, counted from 0.
        chosen: Ids of this step's tokens [batch]; pad_id where a hypothesis had ended before.
        log_prob: Log-probability of each chosen token under the model [batch]; 0 where ended before.
        log_probs: Log-probabilities of the whole vocabulary [batch, vocab], before any temperature.
        hypotheses: All ids so far [batch, index + 1], without bos.
        finished: Whether each hypothesis has ended, with this step or before [batch].
        activations: What was recorded in this step, or None.
    """

    index: int
    chosen: Tensor
    log_prob: Tensor
    log_probs: Tensor
    hypotheses: Tensor
    finished: Tensor
    activations: Activations | None = None

    def candidates(self, k: int, row: int = 0) -> tuple[Candidate, ...]:
        """The k most probable next tokens of one source, most probable first."""
        top = self.log_probs[row].topk(min(k, self.log_probs.shape[1]))
        return tuple(
            Candidate(token_id, log_prob)
            for token_id, log_prob in zip(top.indices.tolist(), top.values.tolist(), strict=True)
        )
