"""Start of a training: the description of the new run, and the pairs that it learns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.config import TrainConfig, TransformerConfig
from core.data.dataset import Dataset, split_own_pairs, task_dataset
from core.data.pairs import (
    AUTOMATIC_CUTTING,
    PIECE_NAMES,
    Cutting,
    Drop,
    DropReason,
    choose_tokenizer,
    learnable_pairs,
    measure_side,
    pairs_to_tsv,
)
from core.data.splits import Splits, accept_all_targets, separate_targets
from core.data.tasks import TASKS, Pair, Task, get_task
from core.data.tokenizers import Tokenizer
from core.errors import ConfigError, InputError, RunError
from core.notebook import Brief
from core.presets import SMALL_MODEL
from core.run_description import Parent, RunDescription
from core.training.own_pairs import PAIRS, own_splits

if TYPE_CHECKING:
    from core.run import Run

N_PROBES = 4
"""Number of fixed sources that are translated after each validation."""
LEAST_POSITIONS = 64
"""Fewest positions of a new model."""
DRAWN_BY = ("n_train", "n_validation", "n_test", "seed", "unseen_pairs")
"""Settings that decide which pairs a task generates and how they are split."""


def model_config(src: Tokenizer, tgt: Tokenizer, **changes: object) -> TransformerConfig:
    """Return the configuration of a small model: 2 + 2 layers of width 64 with 4 heads, unless changed.

    Args:
        src: Tokenizer of the sources, whose vocabulary the encoder reads.
        tgt: Tokenizer of the targets, whose vocabulary the decoder writes.
        changes: Other values of the configuration.

    Raises:
        ConfigError: a setting is impossible.
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
    """Describe a run that learns a task, and generate its pairs.

    Raises:
        ConfigError: a setting is impossible, or the task has too few pairs.
    """
    return describe_task(task, training, model, name=name), task_dataset(task, training)


def describe_task(
    task: Task, training: TrainConfig, model: Mapping[str, object] | None = None, *, name: str = ""
) -> RunDescription:
    """Describe a run that learns a task, without generating its pairs, which takes seconds.

    Raises:
        ConfigError: a setting is impossible.
    """
    src, tgt = task.tokenizers()
    config = model_config(src, tgt, **(model or {}))
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


@dataclass(frozen=True, repr=False)
class HeldOutPairs(Brief):
    """A user's own validation and test pairs. An empty one is replaced by a part of the training pairs.

    Attributes:
        validation: Pairs to validate with during the training.
        test: Pairs to evaluate the trained model with.
    """

    validation: tuple[Pair, ...] = ()
    test: tuple[Pair, ...] = ()


NO_HELD_OUT_PAIRS = HeldOutPairs()
"""Validation and test pairs of a user who brings none."""


def plan_pairs(
    pairs: Sequence[Pair],
    training: TrainConfig,
    model: Mapping[str, object] | None = None,
    *,
    name: str = PAIRS,
    cutting: Cutting = AUTOMATIC_CUTTING,
    held_out: HeldOutPairs = NO_HELD_OUT_PAIRS,
) -> tuple[RunDescription, Dataset, tuple[str, ...]]:
    """Describe a run that learns a user's own pairs, split the pairs, and say in sentences what is lost.

    The vocabularies are built from the training pairs alone. The sentences name pairs that are left out, tokens that
    the tokenizers do not know, and texts that they change.

    Args:
        pairs: The pairs to learn; a source may have several targets.
        training: Settings of the training. Its counts of pairs are upper limits; the description has the real counts.
        model: Settings of the model that differ from the small one.
        name: Name of the run.
        cutting: Settings that decide how texts are cut into tokens.
        held_out: The user's validation and test pairs.

    Raises:
        ConfigError: a setting is impossible.
        InputError: there are too few pairs.
    """
    apart, held_out, remarks = _set_apart(pairs, held_out)
    whole = split_own_pairs(apart, training, held_out.validation, held_out.test)
    chosen = choose_tokenizer(whole.train, cutting, [*whole.validation, *whole.test])
    src, tgt = chosen.source, chosen.target
    learnable, drops = learnable_pairs(
        [*held_out.test, *held_out.validation, *apart], src, tgt, cutting.max_tokens
    )
    dataset = Dataset(_keep_only(whole, set(learnable)), src, tgt, is_text=True)
    longest_source, longest_target = _measure_longest(dataset, learnable)
    if src is not tgt and (model or {}).get("tie_embeddings"):
        differ = f": sources are cut into {PIECE_NAMES[src.kind]}, targets into {PIECE_NAMES[tgt.kind]}"
        raise ConfigError(
            f"separate vocabularies cannot share a matrix{differ if src.kind != tgt.kind else ''}; switch "
            "tie_embeddings off (leave out --tie-embeddings), or share one vocabulary, such as characters "
            "(--tokenizer character)"
        )
    # bos or eos, and one token more
    positions = max(LEAST_POSITIONS, longest_source + 2, longest_target + 2)
    config = model_config(src, tgt, **{"max_len": positions, **(model or {})})
    description = RunDescription(
        name=name,
        task=PAIRS,
        config=config,
        src_tokenizer=src,
        tgt_tokenizer=tgt,
        train_config=_with_counts(training, dataset.splits),
        max_source_tokens=max(longest_source, RunDescription.max_source_tokens),
        max_target_tokens=longest_target,
        probes=_choose_probes(dataset),
    )
    cut = (*chosen.sentences(), *(f"Dropped after cutting into tokens: {drop}." for drop in drops))
    return description, dataset, (*remarks, *_several_targets(dataset.splits), *cut)


def describe_on(parent: Run, training: TrainConfig, *, name: str) -> RunDescription:
    """Describe a run that continues to train another run's model with the same pairs.

    Args:
        parent: Run whose weights the new one begins with.
        training: Settings of the training, except those that decide which pairs are drawn.
        name: Name of the new run.
    """
    kept = {setting: getattr(parent.train_config, setting) for setting in DRAWN_BY}
    return _describe_continuation(parent, replace(training, **kept), name)


def plan_pairs_on(
    parent: Run,
    pairs: Sequence[Pair],
    training: TrainConfig,
    *,
    name: str,
    cutting: Cutting = AUTOMATIC_CUTTING,
    held_out: HeldOutPairs = NO_HELD_OUT_PAIRS,
) -> tuple[RunDescription, Dataset, tuple[str, ...]]:
    """Describe a run that continues to train another run's model with a user's own pairs.

    The parent's tokenizers are kept. Pairs with a token that the parent does not know are left out. The arguments are
    those of `plan_pairs`; of `cutting` only `max_tokens` counts.

    Raises:
        InputError: there are too few pairs that the parent can read and write.
    """
    apart, held_out, remarks = _set_apart(pairs, held_out)
    src, tgt = parent.src_tokenizer, parent.tgt_tokenizer
    learnable, drops = learnable_pairs(
        [*held_out.test, *held_out.validation, *apart], src, tgt, cutting.max_tokens, known_only=True
    )
    known = set(learnable)
    held = HeldOutPairs(
        *(tuple(filter(known.__contains__, pairs)) for pairs in (held_out.validation, held_out.test))
    )
    if bool(held.validation) < bool(held_out.validation) or bool(held.test) < bool(held_out.test):
        raise InputError(
            f"no pair to measure with is left that {parent.name} can read and write; bring others"
        )
    splits = split_own_pairs([pair for pair in apart if pair in known], training, held.validation, held.test)
    dataset = Dataset(_keep_only(splits, known), src, tgt, is_text=True)
    longest_source, longest_target = _measure_longest(dataset, learnable)
    description = replace(
        _describe_continuation(parent, _with_counts(training, dataset.splits), name),
        task=PAIRS,
        max_source_tokens=max(longest_source, parent.max_source_tokens),
        max_target_tokens=max(longest_target, parent.max_target_tokens or 0),
        probes=_choose_probes(dataset),
    )
    lost = measure_side("targets", tgt, [pair.target for pair in learnable]).sentences()
    return (
        description,
        dataset,
        (
            *remarks,
            *_several_targets(dataset.splits),
            *lost,
            *(f"Dropped after cutting into tokens: {drop}." for drop in drops),
        ),
    )


def _describe_continuation(parent: Run, training: TrainConfig, name: str) -> RunDescription:
    """Return the parent's description for a new run, without results."""
    known = {field.name: getattr(parent, field.name) for field in fields(RunDescription)}
    new = {"name": name, "train_config": training, "parent": Parent(parent.name, parent.fingerprint)}
    unknown: dict[str, Any] = {"evaluation": {}, "progress": {}, "history": (), "best_after": None}
    return RunDescription(**known | new | unknown)


def _set_apart(
    pairs: Sequence[Pair], held_out: HeldOutPairs
) -> tuple[list[Pair], HeldOutPairs, tuple[str, ...]]:
    """Remove pairs whose source is also held out, and validation pairs whose source is also tested."""
    tested = {pair.source for pair in held_out.test}
    validation = tuple(pair for pair in held_out.validation if pair.source not in tested)
    taken = tested | {pair.source for pair in validation}
    apart = [pair for pair in pairs if pair.source not in taken]
    left_out = (
        ("validation", Drop(DropReason.TESTED, len(held_out.validation) - len(validation))),
        ("training", Drop(DropReason.HELD_OUT, len(pairs) - len(apart))),
    )
    remarks = tuple(f"Left out of the {split}: {drop}." for split, drop in left_out if drop.count)
    return apart, replace(held_out, validation=validation), remarks


def _several_targets(splits: Splits) -> tuple[str, ...]:
    """Say that any target of a held-out source counts as right, if one has several."""
    count = sum(len(pair.accepted) > 1 for pair in (*splits.validation, *splits.test))
    if not count:
        return ()
    sources = "1 held-out source has" if count == 1 else f"{count:,} held-out sources have"
    return (f"{sources} several targets; each of them counts as right.",)


def _measure_longest(dataset: Dataset, pairs: Sequence[Pair]) -> tuple[int, int]:
    """Tokens of the longest source and of the longest target."""
    everything = dataset.encode(pairs)
    return max(map(len, everything.sources)), max(map(len, everything.targets))


def _with_counts(training: TrainConfig, splits: Splits) -> TrainConfig:
    n_train, n_validation, n_test = map(len, (splits.train, splits.validation, splits.test))
    return replace(training, n_train=n_train, n_validation=n_validation, n_test=n_test)


def _choose_probes(dataset: Dataset) -> tuple[str, ...]:
    sources = (pair.source for pair in dataset.splits.validation)
    return tuple(islice((text for text in sources if not dataset.src_tokenizer.unknown(text)), N_PROBES))


def serialize_splits(dataset: Dataset) -> bytes:
    """Return the file with a run's own pairs: training, validation and test pairs, in this order."""
    splits = dataset.splits
    return pairs_to_tsv([*splits.train, *separate_targets([*splits.validation, *splits.test])])


def dataset_of(folder: Path, description: RunDescription) -> Dataset:
    """Return the pairs of a run whose training has begun.

    Raises:
        RunError: its task is unknown, or its own pairs cannot be read.
    """
    if description.task != PAIRS:
        if description.task not in TASKS:
            raise RunError(
                f"the run {folder.name} learns the task {description.task!r}, which this program does not have"
            )
        return task_dataset(get_task(description.task), description.train_config)
    splits = own_splits(folder, description)
    return Dataset(splits, description.src_tokenizer, description.tgt_tokenizer, is_text=True)


def add_longest_target(description: RunDescription, dataset: Dataset) -> RunDescription:
    """Return the description with the length of its longest target, which older runs of own pairs do not say."""
    if description.task != PAIRS or description.max_target_tokens is not None:
        return description
    splits = dataset.splits
    _, longest = _measure_longest(
        dataset, separate_targets([*splits.train, *splits.validation, *splits.test])
    )
    return replace(description, max_target_tokens=longest)


def pairs_key(task: str, training: TrainConfig) -> str:
    """Return a key of the pairs that a task generates: equal keys mean equal pairs. Own pairs have an empty key."""
    if task == PAIRS:
        return ""
    counts = [training.n_train, training.n_validation, training.n_test]
    return json.dumps([task, training.seed, *counts, training.unseen_pairs])


def _keep_only(splits: Splits, kept: set[Pair]) -> Splits:
    """Return the splits with only these pairs; held-out pairs of one source become one that accepts all targets.

    Raises:
        InputError: one of the splits becomes empty.
    """
    left = {
        name: tuple(pair for pair in getattr(splits, name) if pair in kept)
        for name in ("train", "validation", "test")
    }
    for name, pairs in left.items():
        if not pairs:
            raise InputError(f"no {name} pair is left that can be learned; bring more pairs, or shorter ones")
    held_out = {name: accept_all_targets(left[name]) for name in ("validation", "test")}
    return Splits(**left | held_out)
