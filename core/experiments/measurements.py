"""What is measured of an experiment's arm, from the folder of its finished run."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import torch

from core.activations.record import record
from core.config import TrainConfig
from core.data.batching import EncodedPairs, collate, encode_pairs
from core.data.dataset import Dataset, task_dataset
from core.data.splits import split_pairs
from core.data.tasks import Pair, Task, get_task
from core.data.tasks.letters import LetterTask
from core.errors import RunError
from core.evaluation.answers import answers, evaluate
from core.model.attention import MultiHeadAttention
from core.model.transformer import Transformer
from core.run import Run, load_run
from core.training.beginning import training_batches
from core.training.history import load_run_at
from core.training.loss import label_smoothed_cross_entropy
from core.training.run_store import RunStore

LENGTH_WORDS = 300
"""Words of each length that are tried; the same ones for every arm and seed."""
LAST_UPDATES = 25
"""Whose mean is the last loss."""
TOP_WEIGHT_WORDS = 64
TOP_WEIGHT_LENGTH = 10
_LENGTH = re.compile(r"exact_([0-9]+)_letters")
_QUERY_GRADIENT = re.compile(r"query_gradient_after_([0-9]+)")


def measure(folder: Path, names: Iterable[str]) -> dict[str, float]:
    """The figures of a finished run.

    - Of the test pairs, as the training has left them: ``exact_match``, ``token_accuracy``, ``loss``.
    - ``led_accuracy``: share of their tokens that are right when the reference leads.
    - ``letters_any_order``: share of their outputs that are the reference's tokens, in whatever order.
    - ``exact_11_letters``: exact match on words of so many letters.
    - ``exact_unseen``: exact match on sources with a combination of words that the task can keep out.
    - ``last_loss``: mean loss of the last batches.
    - ``first_top_weight``: mean of the largest weight of each row of the encoder's attention, before any update.
    - ``query_gradient_after_100``: ‖∂L/∂W_Q‖ after so many updates, for the batch of the next one.

    Raises:
        RunError: when the run has not finished, or there is no such figure.
    """
    run = load_run(folder)
    if not run.is_complete or "exact_match" not in run.evaluation:
        raise RunError(f"the run {folder.name} has not finished, so there is nothing to measure")
    return {name: _figure(folder, run, name) for name in names}


def _figure(folder: Path, run: Run, name: str) -> float:
    task = get_task(run.task)
    length = _LENGTH.fullmatch(name)
    if name in run.evaluation:
        return run.evaluation[name]
    if length and isinstance(task, LetterTask):
        return exact_at_length(run, task, int(length[1]))
    if name == "led_accuracy":
        dataset = task_dataset(task, run.train_config)
        return led_accuracy(run.model, dataset.encode(dataset.splits.test))
    if name == "letters_any_order":
        dataset = task_dataset(task, run.train_config)
        return any_order(run.model, dataset.encode(dataset.splits.test))
    if name == "exact_unseen" and "unseen_exact_match" in run.evaluation:
        return run.evaluation["unseen_exact_match"]
    if name == "exact_unseen":
        dataset = task_dataset(task, run.train_config)
        return evaluate(run.model, dataset.encode(unseen_pairs(task, dataset, run.train_config))).exact_match
    if name == "last_loss":
        return last_loss(folder)
    if moment := _QUERY_GRADIENT.fullmatch(name):
        updates = int(moment[1])
        return query_gradient(load_run_at(folder, updates), task_dataset(task, run.train_config), updates)
    if name == "first_top_weight" and isinstance(task, LetterTask):
        return top_weight(load_run_at(folder, 0), task)
    raise RunError(f"{name} cannot be measured of a run that learns {run.task}")


def words(length: int, count: int) -> list[str]:
    """Random words of the letters a to z; the same ones at each call."""
    rng = random.Random(f"words of {length} letters")
    return ["".join(rng.choices(string.ascii_lowercase, k=length)) for _ in range(count)]


def exact_at_length(run: Run, task: LetterTask, length: int, count: int = LENGTH_WORDS) -> float:
    """Share of words of a length whose answer comes out exactly right."""
    return evaluate(run.model, _encoded(run, [task.pair(word) for word in words(length, count)])).exact_match


@torch.no_grad()
def led_accuracy(model: Transformer, pairs: EncodedPairs, batch_size: int = 200) -> float:
    """Share of the reference tokens, eos included, that are the most probable ones when the reference leads.

    Args:
        model: In evaluation mode.
        pairs: Held-out pairs.
        batch_size: Pairs read together.
    """
    right = total = 0
    for start in range(0, len(pairs), batch_size):
        batch = collate(pairs.select(range(start, min(start + batch_size, len(pairs))))).to(model.device)
        predicted = model(batch.src, batch.tgt_in).argmax(dim=-1)
        counts = batch.tgt_out != model.config.pad_id
        right, total = right + int(((predicted == batch.tgt_out) & counts).sum()), total + batch.n_tokens
    return right / total


def any_order(model: Transformer, pairs: EncodedPairs) -> float:
    """Share of the outputs, written greedily, that have exactly the reference's tokens, in whatever order.

    Args:
        model: In evaluation mode.
        pairs: Held-out pairs.
    """
    found = [
        sorted(each.output) == sorted(each.reference) for batch in answers(model, pairs) for each in batch
    ]
    return sum(found) / len(found)


def unseen_pairs(task: Task, dataset: Dataset, training: TrainConfig) -> tuple[Pair, ...]:
    """Pairs with a combination of words that the task can keep out, though this training did not.

    Args:
        task: That the run learned.
        dataset: Of the run; no source that it trains on or validates with is among the pairs.
        training: Of the run; its seed draws them, and at most as many as it tests with.
    """
    # The next seed's stream: the run's own would give what it has learned from.
    drawn = split_pairs(task, training.seed + 1, 0, 0, training.n_test, unseen_pairs=True).unseen
    learned = {pair.source for pair in (*dataset.splits.train, *dataset.splits.validation)}
    return tuple(pair for pair in drawn if pair.source not in learned)


def last_loss(folder: Path) -> float:
    """Mean loss of the last batches of a training, as its store has them.

    Raises:
        RunError: when it has none.
    """
    with closing(RunStore.read(folder)) as store:
        losses = [step.loss for step in store.steps()[-LAST_UPDATES:]]
    if not losses:
        raise RunError(f"the run {folder.name} has kept no losses")
    return sum(losses) / len(losses)


@torch.no_grad()
def top_weight(run: Run, task: LetterTask) -> float:
    """Mean of the largest weight of each row of the encoder's attention, on words of ten letters."""
    # Of one length, so that no row belongs to padding.
    batch = collate(_encoded(run, [task.pair(word) for word in words(TOP_WEIGHT_LENGTH, TOP_WEIGHT_WORDS)]))
    with record(run.model, "encoder.layers.*.self_attn.weights") as activations:
        run.model.encode(batch.src)
    tops = [weights.amax(dim=-1).flatten() for weights in activations.values()]
    return torch.cat(tops).double().mean().item()


def query_gradient(run: Run, dataset: Dataset, updates: int) -> float:
    """Norm of the loss's gradient for the W_Q of every attention together, without dropout.

    Args:
        run: The run with its weights after so many updates.
        dataset: The pairs of its training.
        updates: The number of updates; the batch is that of the next one.
    """
    config, pad_id = run.train_config, run.config.pad_id
    batch = next(training_batches(dataset.encode(dataset.splits.train), config, updates)).to(run.model.device)
    matrices = [
        module.in_proj.weight for module in run.model.modules() if isinstance(module, MultiHeadAttention)
    ]
    for matrix in matrices:
        matrix.requires_grad_(True)
    logits = run.model(batch.src, batch.tgt_in)
    loss = label_smoothed_cross_entropy(
        logits, batch.tgt_out, smoothing=config.label_smoothing, pad_id=pad_id
    )
    of_queries = [gradient.chunk(3)[0] for gradient in torch.autograd.grad(loss, matrices)]
    norm: float = torch.cat(of_queries).norm().item()
    return norm


def _encoded(run: Run, pairs: Sequence[Pair]) -> EncodedPairs:
    return encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer)
