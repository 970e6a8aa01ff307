"""What a training starts from: a description of the run to be, and the pairs that it learns from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.config import TrainConfig, TransformerConfig
from core.data.dataset import Dataset, split_own_pairs, task_dataset
from core.data.pairs import Drop, choose_tokenizer, learnable_pairs, pairs_to_tsv
from core.data.pairs.tokenizing import BPE_SIZE
from core.data.splits import Splits
from core.data.tasks import TASKS, Pair, Task, get_task
from core.data.tokenizers import Tokenizer
from core.errors import InputError, RunError
from core.run_description import RunDescription, check_special_ids
from core.training.own_pairs import PAIRS, own_splits

N_PROBES = 4
"""Fixed sources that are translated again and again while training goes on."""
LEAST_POSITIONS = 64

SMALL_MODEL: Mapping[str, object] = {
    "d_model": 64,
    "n_heads": 4,
    "n_encoder_layers": 2,
    "n_decoder_layers": 2,
    "d_ff": 256,
}


def model_config(src: Tokenizer, tgt: Tokenizer, **changes: object) -> TransformerConfig:
    """A small model for these vocabularies: 2 + 2 layers of width 64 with 4 heads, where nothing else is said.

    Raises:
        ConfigError: when a setting is impossible.
    """
    vocabularies = {
        "src_vocab_size": len(src.vocabulary),
        "tgt_vocab_size": len(tgt.vocabulary),
        "tie_embeddings": src is tgt,
        "max_len": LEAST_POSITIONS,
    }
    return TransformerConfig.from_dict({**vocabularies, **SMALL_MODEL, **changes})


def plan_task(
    task: Task, training: TrainConfig, model: Mapping[str, object] | None = None, *, name: str = ""
) -> tuple[RunDescription, Dataset]:
    """A run that learns a task, and its pairs.

    Raises:
        ConfigError: when a setting is impossible, or the task has too few pairs.
    """
    return describe_task(task, training, model, name=name), task_dataset(task, training)


def describe_task(
    task: Task, training: TrainConfig, model: Mapping[str, object] | None = None, *, name: str = ""
) -> RunDescription:
    """A run that learns a task, without its pairs, which take seconds to make.

    Raises:
        ConfigError: when a setting is impossible.
    """
    src, tgt = task.tokenizers()
    config = model_config(src, tgt, **(model or {}))
    check_special_ids(config)
    return RunDescription(
        name=name or task.name,
        task=task.name,
        config=config,
        src_tokenizer=src,
        tgt_tokenizer=tgt,
        train_config=training,
        max_source_tokens=task.max_source_tokens,
        probes=tuple(example.source for example in task.examples[:N_PROBES]),
    )


def plan_pairs(
    pairs: Sequence[Pair],
    training: TrainConfig,
    model: Mapping[str, object] | None = None,
    *,
    name: str = PAIRS,
    tokenizer: str = "auto",
    bpe_size: int = BPE_SIZE,
) -> tuple[RunDescription, Dataset, tuple[Drop, ...]]:
    """A run that learns somebody's own pairs, and which of them it cannot learn.

    The vocabulary is made of the training pairs alone.

    Args:
        pairs: With distinct sources.
        training: Its counts of pairs are the most in each split; the description has those there are.
        model: Settings that differ from the small model.
        name: Of the run.
        tokenizer: "word", "character", "bpe", or "auto": by word where these are few.
        bpe_size: Tokens of a byte-pair vocabulary.

    Raises:
        ConfigError: when a setting is impossible.
        InputError: when there are too few pairs.
    """
    whole = split_own_pairs(pairs, training)
    src, tgt = choose_tokenizer(whole.train, tokenizer, bpe_size)
    learnable, drops = learnable_pairs(pairs, src, tgt)
    splits = _only(whole, set(learnable))
    dataset = Dataset(splits, src, tgt, is_text=True)
    everything = dataset.encode(learnable)
    longest_source = max(map(len, everything.sources))
    longest = max(longest_source, *map(len, everything.targets)) + 2  # bos or eos, and one token more
    config = model_config(src, tgt, **{"max_len": max(LEAST_POSITIONS, longest), **(model or {})})
    check_special_ids(config)
    n_train, n_validation, n_test = map(len, (splits.train, splits.validation, splits.test))
    known = [pair.source for pair in splits.validation if not src.unknown(pair.source)]
    description = RunDescription(
        name=name,
        task=PAIRS,
        config=config,
        src_tokenizer=src,
        tgt_tokenizer=tgt,
        train_config=replace(training, n_train=n_train, n_validation=n_validation, n_test=n_test),
        max_source_tokens=max(longest_source, RunDescription.max_source_tokens),
        probes=tuple(known[:N_PROBES]),
    )
    return description, dataset, drops


def own_pairs_file(dataset: Dataset) -> bytes:
    """A run's copy of the pairs that it learns: training, validation and test pairs, in this order."""
    splits = dataset.splits
    return pairs_to_tsv([*splits.train, *splits.validation, *splits.test])


def dataset_of(folder: Path, description: RunDescription) -> Dataset:
    """The pairs of a run that has begun already.

    Raises:
        RunError: when its task is unknown, or its own pairs cannot be read.
    """
    if description.task != PAIRS:
        if description.task not in TASKS:
            raise RunError(
                f"the run {folder.name} learns the task {description.task!r}, which this program does not have"
            )
        return task_dataset(get_task(description.task), description.train_config)
    splits = own_splits(folder, description)
    return Dataset(splits, description.src_tokenizer, description.tgt_tokenizer, is_text=True)


def pairs_key(task: str, training: TrainConfig) -> str:
    """Names the pairs that a task gives for these settings: equal keys, equal pairs. No key is that of own pairs."""
    if task == PAIRS:
        return ""
    counts = [training.n_train, training.n_validation, training.n_test]
    return json.dumps([task, training.seed, *counts, training.unseen_pairs])


def _only(splits: Splits, kept: set[Pair]) -> Splits:
    """The splits without the pairs that are not kept.

    Raises:
        InputError: when that leaves one of them empty.
    """
    left = {
        name: tuple(pair for pair in getattr(splits, name) if pair in kept)
        for name in ("train", "validation", "test")
    }
    for name, pairs in left.items():
        if not pairs:
            raise InputError(f"no {name} pair is left that can be learnt; bring more pairs, or shorter ones")
    return Splits(**left)
