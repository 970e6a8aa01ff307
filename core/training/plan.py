"""What a training starts from: a description of the run to be, and the pairs that it learns from."""

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
    AS_SUITS,
    PIECE_NAMES,
    Cutting,
    Drop,
    DropReason,
    choose_tokenizer,
    learnable_pairs,
    measure_side,
    pairs_to_tsv,
)
from core.data.splits import Splits, accept_all_targets, one_target_each
from core.data.tasks import TASKS, Pair, Task, get_task
from core.data.tokenizers import Tokenizer
from core.errors import ConfigError, InputError, RunError
from core.presets import SMALL_MODEL
from core.run_description import Parent, RunDescription, check_special_ids
from core.training.own_pairs import PAIRS, own_splits

if TYPE_CHECKING:
    from core.run import Run

N_PROBES = 4
"""Fixed sources that are translated again and again while training goes on."""
LEAST_POSITIONS = 64
DRAWN_BY = ("n_train", "n_validation", "n_test", "seed", "unseen_pairs")
"""Settings that decide which pairs a task gives and how they are dealt out."""


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


@dataclass(frozen=True)
class KeptApart:
    """Pairs that somebody brought to measure with, instead of a part of the training pairs; none where empty."""

    validation: tuple[Pair, ...] = ()
    test: tuple[Pair, ...] = ()


DEALT_OUT = KeptApart()
"""Nothing was brought to measure with: a part of the pairs is held out."""


def plan_pairs(
    pairs: Sequence[Pair],
    training: TrainConfig,
    model: Mapping[str, object] | None = None,
    *,
    name: str = PAIRS,
    cutting: Cutting = AS_SUITS,
    held_out: KeptApart = DEALT_OUT,
) -> tuple[RunDescription, Dataset, tuple[str, ...]]:
    """A run that learns somebody's own pairs, and sentences about those that it cannot learn.

    The vocabulary is made of the training pairs alone. The sentences also tell what the tokenizers do not know and what
    they lose.

    Args:
        pairs: The pairs to learn; a source may have several targets.
        training: Its counts of pairs are the most in each split; the description has those there are.
        model: Settings that differ from the small model.
        name: Of the run.
        cutting: How they are cut into tokens.
        held_out: Pairs that were brought to measure with.

    Raises:
        ConfigError: when a setting is impossible.
        InputError: when there are too few pairs.
    """
    apart, held_out, remarks = _apart(pairs, held_out)
    whole = split_own_pairs(apart, training, held_out.validation, held_out.test)
    chosen = choose_tokenizer(whole.train, cutting, [*whole.validation, *whole.test])
    src, tgt = chosen.source, chosen.target
    learnable, drops = learnable_pairs(
        [*held_out.test, *held_out.validation, *apart], src, tgt, cutting.max_tokens
    )
    dataset = Dataset(_only(whole, set(learnable)), src, tgt, is_text=True)
    longest_source, longest_target = _longest(dataset, learnable)
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
    check_special_ids(config)
    description = RunDescription(
        name=name,
        task=PAIRS,
        config=config,
        src_tokenizer=src,
        tgt_tokenizer=tgt,
        train_config=_counted(training, dataset.splits),
        max_source_tokens=max(longest_source, RunDescription.max_source_tokens),
        max_target_tokens=longest_target,
        probes=_probes(dataset),
    )
    cut = (*chosen.sentences(), *(f"Cut into tokens, {drop}." for drop in drops))
    return description, dataset, (*remarks, *cut)


def describe_on(parent: Run, training: TrainConfig, *, name: str) -> RunDescription:
    """A run that trains another one's model on, with the pairs that this has learned.

    Args:
        parent: Whose weights it begins with.
        training: How it goes on; how its pairs were drawn stays as it was.
        name: Of the new run.
    """
    kept = {each: getattr(parent.train_config, each) for each in DRAWN_BY}
    return _gone_on(parent, replace(training, **kept), name)


def plan_pairs_on(
    parent: Run,
    pairs: Sequence[Pair],
    training: TrainConfig,
    *,
    name: str,
    cutting: Cutting = AS_SUITS,
    held_out: KeptApart = DEALT_OUT,
) -> tuple[RunDescription, Dataset, tuple[str, ...]]:
    """A run that trains another one's model on with other pairs, cut into tokens as the parent cuts them.

    Pairs with a token that the parent does not know are left out. The other arguments are those of `plan_pairs`; of
    `cutting` only the most tokens of a side count.

    Raises:
        InputError: when there are too few pairs that the parent can read and write.
    """
    apart, held_out, remarks = _apart(pairs, held_out)
    src, tgt = parent.src_tokenizer, parent.tgt_tokenizer
    learnable, drops = learnable_pairs(
        [*held_out.test, *held_out.validation, *apart], src, tgt, cutting.max_tokens, known_only=True
    )
    known = set(learnable)
    held = KeptApart(
        *(tuple(filter(known.__contains__, each)) for each in (held_out.validation, held_out.test))
    )
    if bool(held.validation) < bool(held_out.validation) or bool(held.test) < bool(held_out.test):
        raise InputError(
            f"no pair to measure with is left that {parent.name} can read and write; bring others"
        )
    splits = split_own_pairs([pair for pair in apart if pair in known], training, held.validation, held.test)
    dataset = Dataset(_only(splits, known), src, tgt, is_text=True)
    longest_source, longest_target = _longest(dataset, learnable)
    description = replace(
        _gone_on(parent, _counted(training, dataset.splits), name),
        task=PAIRS,
        max_source_tokens=max(longest_source, parent.max_source_tokens),
        max_target_tokens=max(longest_target, parent.max_target_tokens or 0),
        probes=_probes(dataset),
    )
    lost = measure_side("targets", tgt, [pair.target for pair in learnable]).sentences()
    return description, dataset, (*remarks, *lost, *(f"Cut into tokens, {drop}." for drop in drops))


def _gone_on(parent: Run, training: TrainConfig, name: str) -> RunDescription:
    """The parent's description before anything was trained on."""
    known = {each.name: getattr(parent, each.name) for each in fields(RunDescription)}
    new = {"name": name, "train_config": training, "parent": Parent(parent.name, parent.fingerprint)}
    unknown: dict[str, Any] = {"evaluation": {}, "progress": {}, "history": (), "best_after": None}
    return RunDescription(**known | new | unknown)


def _apart(pairs: Sequence[Pair], held_out: KeptApart) -> tuple[list[Pair], KeptApart, tuple[str, ...]]:
    """The pairs without those whose source is held out, and what is held out without a source that stands twice."""
    tested = {pair.source for pair in held_out.test}
    validation = tuple(pair for pair in held_out.validation if pair.source not in tested)
    taken = tested | {pair.source for pair in validation}
    apart = [pair for pair in pairs if pair.source not in taken]
    left_out = (
        ("validation", Drop(DropReason.TESTED, len(held_out.validation) - len(validation))),
        ("training", Drop(DropReason.HELD_OUT, len(pairs) - len(apart))),
    )
    remarks = tuple(f"Left out of the {split}, {drop}." for split, drop in left_out if drop.count)
    return apart, KeptApart(validation, held_out.test), remarks


def _longest(dataset: Dataset, pairs: Sequence[Pair]) -> tuple[int, int]:
    """Tokens of the longest source and of the longest target."""
    everything = dataset.encode(pairs)
    return max(map(len, everything.sources)), max(map(len, everything.targets))


def _counted(training: TrainConfig, splits: Splits) -> TrainConfig:
    n_train, n_validation, n_test = map(len, (splits.train, splits.validation, splits.test))
    return replace(training, n_train=n_train, n_validation=n_validation, n_test=n_test)


def _probes(dataset: Dataset) -> tuple[str, ...]:
    sources = (pair.source for pair in dataset.splits.validation)
    return tuple(islice((text for text in sources if not dataset.src_tokenizer.unknown(text)), N_PROBES))


def own_pairs_file(dataset: Dataset) -> bytes:
    """A run's copy of the pairs that it learns: training, validation and test pairs, in this order."""
    splits = dataset.splits
    return pairs_to_tsv([*splits.train, *one_target_each([*splits.validation, *splits.test])])


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


def with_longest_target(description: RunDescription, dataset: Dataset) -> RunDescription:
    """Return the description with the length of its longest target, which older runs of own pairs do not say."""
    if description.task != PAIRS or description.max_target_tokens is not None:
        return description
    splits = dataset.splits
    _, longest = _longest(dataset, one_target_each([*splits.train, *splits.validation, *splits.test]))
    return replace(description, max_target_tokens=longest)


def pairs_key(task: str, training: TrainConfig) -> str:
    """Names the pairs that a task gives for these settings: equal keys, equal pairs. No key is that of own pairs."""
    if task == PAIRS:
        return ""
    counts = [training.n_train, training.n_validation, training.n_test]
    return json.dumps([task, training.seed, *counts, training.unseen_pairs])


def _only(splits: Splits, kept: set[Pair]) -> Splits:
    """The splits without the pairs that are not kept; held-out pairs of one source are one that accepts all targets.

    Raises:
        InputError: when that leaves one of them empty.
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
