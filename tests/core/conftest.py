"""Small models and batches that the tests of the core share; every axis has a size of its own."""

import pytest
import torch

from core.config import TransformerConfig
from core.model.transformer import Transformer

PAD, BOS, EOS = 0, 1, 2
TINY = TransformerConfig(
    src_vocab_size=19,
    tgt_vocab_size=19,
    d_model=24,
    n_heads=4,
    n_encoder_layers=2,
    n_decoder_layers=3,
    d_ff=36,
    max_len=32,
    dtype="float64",
)


def random_model(config: TransformerConfig, seed: int = 0) -> Transformer:
    """A model whose every parameter is random: biases and norms too, so that no term is hidden by a 0 or 1."""
    torch.manual_seed(seed)
    model = Transformer(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "norm" in name:
                parameter.add_(0.3 * torch.randn_like(parameter))
    return model


@pytest.fixture
def tiny_model() -> Transformer:
    """A float64 model with 2 encoder and 3 decoder layers."""
    return random_model(TINY)


@pytest.fixture
def src() -> torch.Tensor:
    """Two sources [2, 7]; the second is padded by two."""
    ids = torch.randint(3, 19, (2, 7), generator=torch.Generator().manual_seed(1))
    ids[0, 6] = ids[1, 4] = EOS
    ids[1, 5:] = PAD
    return ids


@pytest.fixture
def tgt_in() -> torch.Tensor:
    """Two shifted targets [2, 5]; the second is padded by one."""
    ids = torch.randint(3, 19, (2, 5), generator=torch.Generator().manual_seed(2))
    ids[:, 0] = BOS
    ids[1, 4:] = PAD
    return ids
