"""A process that has everything imported and waits to be told which run to train: ``python -m core.training.spare``.

Importing torch and making the pairs of a task take seconds, which somebody who presses a button should not wait for.
It reads lines of JSON from its standard input. ``{"task": …, "training": …}`` lets it make the pairs of a task that is
likely to be trained; ``{"arguments": …, "log": …}`` lets it train as ``python -m core.train`` does with them. When the
input ends instead, because nobody needs it or its parent is gone, it ends.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.data.dataset import Dataset


def main() -> int:
    """Entry of the process; the exit code is that of the training, or 0 where there was none."""
    warm_up()
    prepared: list[tuple[str, Dataset]] = []
    while (line := sys.stdin.buffer.readline()).endswith(b"\n"):
        order = json.loads(line)
        if "arguments" in order:
            write_to(Path(order["log"]))
            from core.train import main as train

            return train(order["arguments"], prepared=prepared)
        prepared = prepare(order, prepared)
    return 0


def prepare(order: Mapping[str, Any], prepared: list[tuple[str, Dataset]]) -> list[tuple[str, Dataset]]:
    """The pairs of the task that an order names, in place of others; made unless they are there already."""
    from core.config import TrainConfig
    from core.data.dataset import task_dataset
    from core.data.tasks import get_task
    from core.errors import ExplorerError
    from core.training.plan import pairs_key

    try:
        training = TrainConfig.from_dict(order["training"])
        key = pairs_key(order["task"], training)
        if any(made_for == key for made_for, _ in prepared):
            return prepared
        return [(key, task_dataset(get_task(order["task"]), training))]
    except ExplorerError:
        return []  # Whoever trains it will be told.


def warm_up() -> None:
    """Import what training needs and make two small updates: torch prepares much when it is first used."""
    import torch

    from core.config import TrainConfig, TransformerConfig
    from core.data.batching import EncodedPairs, collate
    from core.model.transformer import Transformer
    from core.training import session
    from core.training.trainer import train

    torch.set_num_threads(1)
    config = TransformerConfig(
        src_vocab_size=8,
        tgt_vocab_size=8,
        d_model=8,
        n_heads=2,
        d_ff=8,
        n_encoder_layers=1,
        n_decoder_layers=1,
    )
    batch = collate(EncodedPairs(((4, 5, 6), (5, 4)), ((4, 5), (6, 5, 4))))
    list(train(Transformer(config), [batch, batch], TrainConfig(steps=2, warmup_steps=1)))
    assert session is not None


def write_to(log: Path) -> None:
    """Let everything that is said from now on go to the end of a file, and nothing come in."""
    with open(os.devnull, "rb") as nothing, open(log, "ab") as file:
        os.dup2(nothing.fileno(), 0)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)


if __name__ == "__main__":
    sys.exit(main())
