"""Why embeddings begin with variance 1/d_model: what else the logits of an untrained model would look like."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.config import TransformerConfig
from core.model.random_numbers import DrawnFrom
from core.model.transformer import Transformer

N_SEQUENCES = 8
LENGTH = 16


@dataclass(frozen=True)
class InitialLogits:
    """Variances of the logits of freshly initialised models, over all positions of random sequences.

    Attributes:
        scaled: With embeddings of variance 1/d_model, as the paper's tied matrix needs them.
        unscaled: The same weights with embeddings of variance 1.
        n_logits: How many logits each is the variance of.
        seed: Of the first weights and of the sequences.
    """

    scaled: float
    unscaled: float
    n_logits: int
    seed: int


@torch.no_grad()
def initial_logit_variance(config: TransformerConfig, *, seed: int = 0) -> InitialLogits:
    """Measure both on models of this configuration, with nothing trained; padding's logit is left out.

    Args:
        config: Of the model; dropout is off, and computed is in float32.
        seed: Of the first weights and of the sequences.
    """
    length = min(LENGTH, config.max_len)
    generator = torch.Generator().manual_seed(seed)
    with DrawnFrom(generator):
        model = Transformer(replace(config, dtype="float32")).eval()
    src, tgt_in = (
        _random_ids(config, size, length, generator)
        for size in (config.src_vocab_size, config.tgt_vocab_size)
    )
    tgt_in[:, 0] = config.bos_id
    scaled = _logits(model, src, tgt_in)
    # A shared matrix is one parameter and must not be scaled twice.
    matrices = (model.src_embed.weight, model.tgt_embed.weight, model.generator.weight)
    for matrix in {id(matrix): matrix for matrix in matrices}.values():
        matrix.mul_(config.d_model**0.5)
    unscaled = _logits(model, src, tgt_in)
    return InitialLogits(float(scaled.var()), float(unscaled.var()), scaled.numel(), seed)


def _random_ids(
    config: TransformerConfig, vocab_size: int, length: int, generator: torch.Generator
) -> Tensor:
    ids = torch.randint(vocab_size - 1, (N_SEQUENCES, length), generator=generator)
    return ids + (ids >= config.pad_id)  # any token but padding


def _logits(model: Transformer, src: Tensor, tgt_in: Tensor) -> Tensor:
    """[sequence, position, vocab without padding], in float64."""
    logits = model(src, tgt_in).double()
    real = torch.arange(logits.shape[-1]) != model.config.pad_id
    return logits[..., real]
