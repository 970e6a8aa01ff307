"""A tiny run of one's own, really trained, in a runs folder of its own."""

from pathlib import Path
from typing import Any

from core.config import TrainConfig
from core.data.pairs import Cutting, parse_pairs
from core.data.tasks import get_task
from core.training.new_run import begin_run
from core.training.plan import dataset_of, describe_task, plan_pairs
from core.training.records import TrainStep
from core.training.session import train_run

MODEL = {
    "d_model": 16,
    "n_heads": 2,
    "d_ff": 32,
    "n_encoder_layers": 1,
    "n_decoder_layers": 1,
    "dropout": 0.0,
}


def train_tiny(
    root: Path, name: str = "tiny0001", *, steps: int = 20, stop_after: int | None = None, **changes
) -> Path:
    """Train a copying model for a few updates, perhaps not all of them; return its folder."""
    settings = {
        "steps": steps, "warmup_steps": 2, "batch_size": 8, "n_train": 100, "n_validation": 4, "n_test": 4,
        "validate_every": 10, "checkpoint_every": 10, **changes,
    }  # fmt: skip
    description = describe_task(get_task("copy"), TrainConfig(**settings), MODEL, name=name)
    folder = root / name
    begin_run(folder, description, None)
    made: list[TrainStep] = []
    training = train_run(
        folder,
        description,
        dataset_of(folder, description),
        should_stop=lambda: stop_after is not None and len(made) >= stop_after,
    )
    made += (event for event in training if isinstance(event, TrainStep))
    return folder


def train_pairs(
    root: Path,
    name: str = "ownpairs",
    letters: str = "abcdefghijklmnop",
    *,
    text: str = "",
    tokenizer: str = "word",
    steps: int = 5,
) -> Path:
    """Train a model on pairs of one's own for a few updates, in place of a run that is there; return its folder."""
    text = text or "\n".join(
        f"{letter} word {number % 4}\tone {letter} more" for number, letter in enumerate(letters)
    )
    pairs = parse_pairs(text.encode(), "tsv").pairs
    n_train = len(pairs) - 4
    settings: dict[str, Any] = {
        "warmup_steps": 2,
        "batch_size": 4,
        "n_train": n_train,
        "n_validation": 2,
        "n_test": 2,
    }
    training = TrainConfig(**settings, steps=steps, validate_every=steps)
    description, dataset, _ = plan_pairs(pairs, training, MODEL, name=name, cutting=Cutting(tokenizer))
    folder = root / name
    begin_run(folder, description, dataset, overwrite=True)
    for _ in train_run(folder, description, dataset):
        pass
    return folder
