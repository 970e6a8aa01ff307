"""A small training whose updates are captured; every axis has a size of its own."""

from typing import Any

import torch

from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch, EncodedPairs, collate
from core.model.transformer import Transformer
from core.training.captured import CapturedUpdate, capture_update
from core.training.trainer import Trainer

BATCH: Batch = collate(EncodedPairs(((4, 5, 6), (5, 4), (7, 8, 9, 10)), ((4, 5), (6, 5, 4, 4), (10,))))
"""Three pairs of different lengths, so that both sides have padding."""
SHAPE = {
    "src_vocab_size": 11, "tgt_vocab_size": 11, "d_model": 8, "n_heads": 2, "d_ff": 12, "n_encoder_layers": 2,
    "n_decoder_layers": 1, "max_len": 9, "dropout": 0.2,
}  # fmt: skip
VARIANTS: dict[str, dict[str, Any]] = {
    "paper": {},
    "pre-norm": {"norm_position": "pre"},
    "learned positions": {"positional": "learned"},
    "untied, no biases": {
        "tie_embeddings": False,
        "tgt_vocab_size": 13,
        "attention_bias": False,
        "activation": "gelu",
    },
    "all dropouts": {"attention_dropout": 0.1, "ffn_dropout": 0.3},
}


def trainer_of(*, training: dict | None = None, **model) -> Trainer:
    """A trainer with its first weights; it sets torch's generator."""
    torch.manual_seed(5)
    config = TransformerConfig(**{**SHAPE, **model})
    settings = {
        "steps": 20,
        "warmup_steps": 3,
        "peak_learning_rate": 2e-2,
        "clip_norm": 0.5,
        **(training or {}),
    }
    return Trainer(Transformer(config), TrainConfig(**settings))


def captured_update(index: int = 2, *, training: dict | None = None, **model) -> CapturedUpdate:
    """The update of this index of such a training."""
    trainer = trainer_of(training=training, **model)
    for _ in range(index):
        trainer.update(BATCH)
    return capture_update(trainer, BATCH)
