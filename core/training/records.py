"""What a training tells of itself: updates, validations, norms, probes. Reading them needs no torch."""

from dataclasses import dataclass

from core.evaluation.figures import Evaluation


@dataclass(frozen=True)
class TrainStep:
    """What one update did.

    Attributes:
        index: The update, counted from 0.
        loss: Mean label-smoothed cross-entropy per label, in nats, before the update.
        learning_rate: Of this update.
        grad_norm: Norm of the whole gradient before clipping.
        tokens_per_second: Labels in the batch over the time of the update.
    """

    index: int
    loss: float
    learning_rate: float
    grad_norm: float
    tokens_per_second: float


@dataclass(frozen=True)
class Validation:
    """How the weights after so many updates did on the validation pairs."""

    updates: int
    figures: Evaluation


@dataclass(frozen=True)
class BlockNorm:
    """How large a block's weights are after some updates, and how large the last gradient of them was.

    Attributes:
        updates: That were made.
        block: Its module path, such as encoder.layers.0.self_attn.
        weight: Norm of all its weights; a matrix that blocks share counts in the first alone.
        gradient: Norm of their gradient in the last update, before clipping; None before the first.
    """

    updates: int
    block: str
    weight: float
    gradient: float | None


@dataclass(frozen=True)
class Probe:
    """What the weights after so many updates made of a fixed source."""

    updates: int
    source: str
    output: str
