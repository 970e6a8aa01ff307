"""What a training tells of itself: updates, validations, norms, probes. Reading them needs no torch."""

from dataclasses import asdict, dataclass


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
class Evaluation:
    """Held-out references against what the model says: greedily for itself, and led by the reference.

    Attributes:
        n_pairs: Pairs compared.
        loss: Mean cross-entropy per reference token, eos included, in nats, under teacher forcing.
        exact_match: Share of outputs that equal their reference from first token to eos.
        token_accuracy: Share of reference tokens, eos included, that stand at their place in the output.
        chrf: chrF of the outputs' texts, from 0 to 100 (Popović 2015); None where the targets are no text.
        bleu: BLEU of the outputs' texts, from 0 to 100 (Papineni et al. 2002); None where they are no text, or
            none of the references has four words.
    """

    n_pairs: int
    loss: float
    exact_match: float
    token_accuracy: float
    chrf: float | None = None
    bleu: float | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """What weights are chosen by, larger is better: exact matches, then the loss."""
        return self.exact_match, -self.loss

    def to_dict(self) -> dict[str, float]:
        """Plain JSON values; figures that do not apply are left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


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
