"""How well a model does on pairs it has never seen."""

from dataclasses import asdict, dataclass

import torch.nn.functional as F
from torch import Tensor

from core.config import DecodeConfig
from core.data.batching import EncodedPairs, collate
from core.decoding.autoregressive import decode_steps, last_step
from core.errors import InputError
from core.model.transformer import Transformer


@dataclass(frozen=True)
class Evaluation:
    """Greedy decoding against the references.

    Attributes:
        n_pairs: Pairs compared.
        exact_match: Share of outputs that equal their reference from first token to eos.
        token_accuracy: Share of reference tokens, eos included, that stand at their place in the output.
    """

    n_pairs: int
    exact_match: float
    token_accuracy: float

    def to_dict(self) -> dict[str, float]:
        """Plain JSON values."""
        return asdict(self)


def evaluate(
    model: Transformer, pairs: EncodedPairs, *, batch_size: int = 200, max_length: int = 50
) -> Evaluation:
    """Translate every source greedily and compare with its reference.

    Args:
        model: In evaluation mode.
        pairs: Held-out pairs.
        batch_size: Sources decoded together.
        max_length: Most tokens produced for a source.

    Raises:
        InputError: when there is no pair.
    """
    if not len(pairs):
        raise InputError("evaluation needs at least one pair")
    device = next(model.parameters()).device
    pad_id = model.config.pad_id
    exact = right = total = 0
    # Sources of like length together: less padding, and short batches end early.
    order = sorted(range(len(pairs)), key=lambda row: len(pairs.sources[row]))
    for start in range(0, len(order), batch_size):
        batch = collate(pairs.select(order[start : start + batch_size])).to(device)
        last = last_step(decode_steps(model, batch.src, DecodeConfig(max_length=max_length)))
        length = max(last.hypotheses.shape[1], batch.tgt_out.shape[1])
        output, labels = (_padded(ids, length, pad_id) for ids in (last.hypotheses, batch.tgt_out))
        same, counts = output == labels, labels != pad_id
        right += int((same & counts).sum())
        total += int(counts.sum())
        exact += int(same.all(dim=1).sum())
    return Evaluation(n_pairs=len(pairs), exact_match=exact / len(pairs), token_accuracy=right / total)


def _padded(ids: Tensor, length: int, pad_id: int) -> Tensor:
    return F.pad(ids, (0, length - ids.shape[1]), value=pad_id)
