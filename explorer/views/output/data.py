"""The stages of the generator, from the decoder's output to probabilities, and the loss of a known target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.target_loss import TargetLoss, smoothed_target, target_loss
from core.data.batching import EncodedPairs, collate
from core.run import Run
from explorer.explaining.scene import Scene
from explorer.look.theme import format_count
from explorer.models.recorded import Recorded
from explorer.models.references import reference_of
from explorer.models.task_facts import can_read, examples_of, reference
from explorer.models.window import windowed
from explorer.tensors import Axis, Panel, Stage, TensorData, TensorViewData
from explorer.visitor.state import ExplorerState

SMALL_VOCABULARY = 32
"""Tokens that all have a row in one message."""
MOST_PROBABLE = 10
"""Tokens of each step that have a row."""
MAX_NUMBERS = 128 * 2**10
"""Numbers of the output matrix in one message."""
MAX_LOGITS, ENDS = 250_000, 1_000
"""Logits in one message; and how many of the largest and of the smallest there are of a long vocabulary."""
IdPair = tuple[tuple[int, ...], tuple[int, ...]]
"""A source and its answer as ids, without BOS and EOS."""
ROWS, VOCAB, WIDTH = ("position",), ("vocab",), ("d_model",)


@dataclass(frozen=True)
class Step:
    """What the last row says at one step.

    Attributes:
        reads: The token at its position.
        writes: The token that was taken.
        prob: Its probability.
        best: The most probable token; padding and BOS, which are never taken, included.
        best_prob: Its probability.
    """

    reads: str
    writes: str
    prob: float
    best: str
    best_prob: float


@dataclass(frozen=True)
class Target:
    """What the loss compares with.

    Attributes:
        ids: Without BOS and EOS.
        known: Whether it is the right answer, of the task or of the run's own pairs; else it is the model's output.
        same: Whether the model's output is the same.
    """

    ids: tuple[int, ...]
    known: bool
    same: bool


@dataclass(frozen=True)
class SmoothedRow:
    """One token of a smoothed target distribution.

    Attributes:
        token: Which; empty for all others together.
        n_tokens: How many it stands for.
        before: y of each.
        after: y' of each.
        prob: What the model gives each, on the average where they are several.
        loss: Its share of the loss: −y'·log P, of all of them together.
    """

    token: str
    n_tokens: int
    before: float
    after: float
    prob: float
    loss: float


def output_view(recorded: Recorded, state: ExplorerState) -> TensorViewData:
    """What the picture is fed: the decoder's output times the output matrix, and the softmax of that."""
    step = Scene(recorded, state).step
    stages = _stages(recorded)
    return TensorViewData(
        key=f"{recorded.key}/output",
        tensors=_tensors(recorded, step),
        stages=stages,
        stage=state.look.stage if state.look.stage in {stage.key for stage in stages} else stages[0].key,
        row=step,
    )


def shown_tokens(recorded: Recorded, step: int) -> tuple[int, ...] | None:
    """Ids of the tokens that have rows: those that were written, in their order, and the most probable of each step.

    Of a wide model with a long output the most probable ones are those of the given step alone. None: all of a
    small vocabulary.
    """
    config, probs = recorded.run.config, recorded.trace.activations["generator.log_probs"][0].float()
    if config.tgt_vocab_size <= SMALL_VOCABULARY:
        return None
    best = probs.topk(MOST_PROBABLE, dim=-1).indices
    produced = recorded.trace.tgt_out.tolist()
    found = tuple(dict.fromkeys([*produced, *best.flatten().tolist()]))
    if len(found) * config.d_model <= MAX_NUMBERS:
        return found
    return tuple(dict.fromkeys([*produced, *best[step].tolist()]))


def steps(recorded: Recorded) -> tuple[Step, ...]:
    """What each row of the finished output says, which is what the last row said at its step."""
    tokens = recorded.run.tgt_tokenizer.vocabulary
    probs = recorded.trace.logits.double().softmax(dim=-1)
    best = probs.max(dim=-1)
    taken = recorded.trace.tgt_out.tolist()
    return tuple(
        Step(
            recorded.inputs[t],
            tokens.token(token),
            float(probs[t, token]),
            tokens.token(int(best.indices[t])),
            float(best.values[t]),
        )
        for t, token in enumerate(taken)
    )


def target_of(recorded: Recorded) -> Target:
    """The right answer to the source where it is known, else the model's own output."""
    run = recorded.run
    own = _without_end(recorded.trace.tgt_out.tolist(), run.config.eos_id)
    pair = reference_of(run.name, run.task, recorded.sentence)
    if pair is None:
        return Target(own, known=False, same=True)
    accepted = [tuple(run.tgt_tokenizer.encode(text)) for text in pair.accepted]
    ids = own if own in accepted else accepted[0]
    return Target(ids, known=True, same=ids == own)


def loss_of(
    recorded: Recorded, target: Target, smoothing: float, *, beside: IdPair | None = None
) -> TargetLoss:
    """The loss of a target under teacher forcing, token by token.

    Args:
        recorded: The run.
        target: Its labels.
        smoothing: Of the labels.
        beside: A longer pair, in a batch with which this one is padded; None where it is alone.
    """
    pair = (_without_end(recorded.trace.src.tolist(), recorded.run.config.eos_id), target.ids)
    sources, targets = zip(*((pair, beside) if beside else (pair,)), strict=True)
    batch = collate(EncodedPairs(sources, targets))
    with recorded.run.changing(len(recorded.source)):
        return target_loss(recorded.run.model, batch, smoothing=smoothing)


def longer_pair(run: Run, target: Target) -> IdPair | None:
    """An example of the task whose answer is longer, as little as possible; None where there is none."""
    found = []
    for example in examples_of(run.task):
        pair = reference(run.task, example.source)
        if pair is not None and can_read(run, example.source):
            ids = tuple(run.tgt_tokenizer.encode(pair.target))
            found += [(len(ids), example.source, ids)] if len(ids) > len(target.ids) else []
    if not found:
        return None
    _, source, answer = min(found)
    return tuple(run.src_tokenizer.encode(source)), answer


def smoothed_rows(recorded: Recorded, loss: TargetLoss, position: int, k: int = 4) -> tuple[SmoothedRow, ...]:
    """The label, the k other tokens that the model finds most probable there, and all others together."""
    label, size = int(loss.tgt_out[position]), loss.log_probs.shape[1]
    before = smoothed_target(label, size, 0.0).tolist()
    after = smoothed_target(label, size, loss.smoothing).tolist()
    log_probs = loss.log_probs[position].tolist()
    order = sorted(range(size), key=lambda token: -log_probs[token])
    named = [label, *[token for token in order if token != label][:k]]
    others = [token for token in range(size) if token not in set(named)]
    groups = [[token] for token in named] + ([others] if others else [])
    vocabulary = recorded.run.tgt_tokenizer.vocabulary
    return tuple(
        SmoothedRow(
            token=vocabulary.token(group[0]) if len(group) == 1 else "",
            n_tokens=len(group),
            before=before[group[0]],
            after=after[group[0]],
            prob=math.fsum(math.exp(log_probs[token]) for token in group) / len(group),
            loss=math.fsum(-after[token] * log_probs[token] for token in group),
        )
        for group in groups
    )


def _without_end(ids: Sequence[int], eos_id: int) -> tuple[int, ...]:
    return tuple(ids[:-1]) if ids and ids[-1] == eos_id else tuple(ids)


def _all_logits(logits: TensorData, step: int) -> TensorData:
    """Every row's logits; only those of the step where they are too many, and of a long vocabulary its two ends."""
    rows, size = logits.values.shape
    if size > 2 * ENDS:
        order = np.argsort(-logits.values[step], kind="stable")
        ends = np.sort(np.concatenate((order[:ENDS], order[-ENDS:]))).tolist()
        sentence = f"The {ENDS:,} largest and the {ENDS:,} smallest of {size:,} logits at step {step}."
        logits = windowed(logits, "vocab", ends, sentence)
    if size <= 2 * ENDS and rows * size <= MAX_LOGITS:
        return logits
    return windowed(logits, "position", (step,), f"The row of step {step}.")


def _tensors(recorded: Recorded, step: int) -> dict[str, TensorData]:
    config = recorded.run.config
    logits, log_probs = recorded.tensor("generator.logits"), recorded.tensor("generator.log_probs")
    vocabulary = logits.axes[1]
    probs = recorded.trace.logits.softmax(dim=-1).float().numpy()
    tensors = {
        "x": recorded.tensor("decoder.output"),
        "matrix": recorded.parameter("generator.weight", vocabulary, Axis("d_model", config.d_model)),
        "logits": logits,
        "log_probs": log_probs,
        "probs": TensorData(
            "hypothesis.prob",
            np.ascontiguousarray(probs),
            logits.axes,
            lead=(),
            scale="weight",
            dtype=recorded.dtype,
        ),
    }
    shown = shown_tokens(recorded, step)
    if shown is not None:
        sentence = (
            f"The written tokens and the {MOST_PROBABLE} most probable ones of each step: {len(shown)} of "
            f"{format_count(config.tgt_vocab_size)} tokens."
        )
        tensors = {
            name: tensor if name == "x" else windowed(tensor, "vocab", shown, sentence)
            for name, tensor in tensors.items()
        }
    return {**tensors, "skyline": _all_logits(logits, step)}


def _stages(recorded: Recorded) -> tuple[Stage, ...]:
    config = recorded.run.config
    size = format_count(config.tgt_vocab_size)
    letter = "E" if config.tie_embeddings else "W"
    matrix = (
        "The matrix is the one that embeds source and target tokens: three uses, one set of numbers."
        if config.tie_embeddings
        else "The matrix is the generator's own; the embeddings have others."
    )
    last = "While decoding only the last row is read: the others were used at their own steps."
    return (
        Stage(
            "logits",
            "Logits",
            "product",
            (
                Panel("x", "decoder output", ROWS, WIDTH),
                Panel("matrix", f"{letter}ᵀ", WIDTH, VOCAB),
                Panel("logits", "logits", ROWS, VOCAB),
            ),
            formula=f"z = x·{letter}ᵀ",
            note=f"One score for each of {size} tokens. {matrix}",
        ),
        Stage(
            "softmax",
            "Softmax",
            "map",
            (
                Panel("logits", "logits", ROWS, VOCAB),
                Panel("log_probs", "log P", ROWS, VOCAB),
                Panel("probs", "P", ROWS, VOCAB),
            ),
            formula="log P = z − log Σ exp(z),  P = exp(log P)",
            note=f"The sum runs over all {size} tokens, so each row of P sums to 1 over all of them. {last}",
            arrows=("log softmax of each row", "exponential"),
        ),
    )
