"""Recorded runs of random models of any configuration, for tests of what the pages are fed."""

from dataclasses import replace
from typing import Any

import torch

from core.activations.trace import trace
from core.config import TrainConfig, TransformerConfig
from core.data.tokenizers import WordTokenizer
from core.data.vocabulary import Vocabulary
from core.run import Run
from explorer.models.recorded import Recorded
from tests.core.conftest import TINY, random_model

VARIANTS: dict[str, dict[str, Any]] = {
    "post": {},
    "pre": {"norm_position": "pre"},
    "unscaled": {"scale_scores": False},
    "no bias": {"attention_bias": False},
    "not causal": {"causal": False},
    "bfloat16": {"dtype": "bfloat16"},
}
"""What a configuration may change of an attention block."""


def random_run(config: TransformerConfig) -> Run:
    """A run with random weights whose words are w4, w5, …"""
    words = tuple(f"w{i}" for i in range(4, config.src_vocab_size))
    tokenizer = WordTokenizer(Vocabulary.build(words))
    return Run(
        name="random",
        task="random",
        config=config,
        model=random_model(config),
        src_tokenizer=tokenizer,
        tgt_tokenizer=tokenizer,
        train_config=TrainConfig(),
        max_source_tokens=config.max_len,
        fingerprint="random",
    )


def random_recording(n_source: int = 7, n_target: int = 5, **changes: Any) -> Recorded:
    """A run of the tiny model, changed so, over random tokens; each axis has a size of its own."""
    return recording_of(random_run(replace(TINY, **{"dtype": "float32", **changes})), n_source, n_target)


def recording_of(run: Run, n_source: int, n_target: int) -> Recorded:
    """A recording of a run over random tokens."""
    generator = torch.Generator().manual_seed(1)

    def ids(length: int) -> torch.Tensor:
        drawn = torch.randint(4, run.config.src_vocab_size, (length - 1,), generator=generator)
        return torch.cat((drawn, torch.tensor([run.config.eos_id])))

    recorded = trace(run.model, ids(n_source), ids(n_target))
    token = run.tgt_tokenizer.vocabulary.token
    source, inputs, outputs = (
        tuple(token(i) for i in each.tolist()) for each in (recorded.src, recorded.tgt_in, recorded.tgt_out)
    )
    return Recorded("random", run, " ".join(source[:-1]), recorded, source, inputs, outputs, n_bytes=0)
