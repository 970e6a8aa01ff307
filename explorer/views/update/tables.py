"""Sentences and tables of one update: its origin, its pair, the norms of all parameters, its largest changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

import numpy as np
import torch

from core.data.batching import Batch
from core.data.vocabulary import PAD
from core.explanation.update_sites import PREFIX, update_values
from core.run_description import RunDescription
from core.training.records import TrainStep
from explorer.look.numbers import exact
from explorer.look.theme import format_count, format_log_prob, format_probability, format_signed
from explorer.look.token_text import visible
from explorer.views.update.scene import UpdateScene
from explorer.visitor.state import ExplorerState

Columns = Mapping[str, list[str]]
LARGEST = 12
"""Weights in the table of the largest changes."""


def origin_sentence(scene: UpdateScene) -> str:
    """Which update this is, and how it was made again."""
    index, steps = scene.update.step.index, scene.run.train_config.steps
    which = f"Update {format_count(index)} of {format_count(steps)}, counted from 0"
    if scene.choice.checkpoint is not None:
        return (
            f"{which}: the one that follows the training checkpoint after {format_count(index)} updates, made from its "
            "weights, Adam’s moments and random generators."
        )
    seed = scene.run.train_config.seed
    if index == 0:
        return f"{which}: the very first, made again from seed {seed} with the training’s own first weights and batch."
    before = f"{format_count(index)} update{'' if index == 1 else 's'}"
    return f"{which}: made again from seed {seed}, after the {before} before it, with the training’s own batches."


def noise_sentence(scene: UpdateScene) -> str:
    """What is random in it."""
    shown = [f"{rate:g} on {name}" for name, rate in _dropout_rates(scene).items()]
    if not shown:
        return "The model is in training mode, but its dropout is 0: nothing is random."
    return (
        f"The model is in training mode, with dropout {' and '.join(shown)}: probabilities and gradients are those "
        "with the same numbers dropped as in the training."
    )


def proof_sentence(scene: UpdateScene, reported: TrainStep | None, made: int | None = None) -> str:
    """Whether the training has written the same loss and norm down.

    Args:
        scene: Of the update.
        reported: What it has written down of this update; None where it has not.
        made: How many updates it has made so far, where that is known.
    """
    step = scene.update.step
    if made is not None and made <= step.index:
        return _to_come_sentence(made, step.index)
    if reported is None:
        return "The training has written no figures of this very update down to compare with."
    loss, there = f"{step.loss:.9g}", f"{reported.loss:.9g}"
    if (reported.loss, reported.grad_norm) == (step.loss, step.grad_norm):
        norm = f"{step.grad_norm:.9g}"
        return f"Loss {loss} and gradient norm {norm} are, to the last bit, what the training wrote down."
    close = abs(reported.loss - step.loss) < 1e-3 * abs(reported.loss)
    why = (
        "the same but for rounding, which differs from machine to machine" if close else _other_numbers(scene)
    )
    return f"The training wrote down a loss of {there}, here it is {loss}: {why}."


def history_sentence(equal: int, total: int, moment: int) -> str:
    """Whether the weights that were kept after this update are the ones that it made."""
    kept = f"the weights that the run has kept after {format_count(moment)} updates, in half precision"
    if equal == total:
        return f"All {format_count(total)} weights after it, rounded to half precision, are {kept}."
    return f"{format_count(equal)} of {format_count(total)} weights after it, rounded, are {kept}."


def batch_columns(batch: Batch, run: RunDescription) -> Columns:
    """Return the texts of a batch's pairs, one pair in a row."""
    sides = ((run.src_tokenizer, batch.src), (run.tgt_tokenizer, batch.tgt_out))
    sources, targets = ([tokenizer.decode(row) for row in ids.tolist()] for tokenizer, ids in sides)
    return {"pair": [str(pair) for pair in range(len(sources))], "source": sources, "target": targets}


def pair_columns(scene: UpdateScene, state: ExplorerState) -> Columns:
    """The chosen pair as the decoder sees it: what it reads, its label, and what it made of that."""
    pair = scene.pair(state)
    prob = update_values(scene.update, f"{PREFIX}prob")[pair]
    loss = update_values(scene.update, f"{PREFIX}token_loss")[pair]
    labels = scene.update.batch.tgt_out[pair].tolist()
    reads = [scene.token("target", pair, t) for t in range(len(labels))]
    names = [scene.token("label", pair, t) for t in range(len(labels))]
    counts = [name != PAD for name in names]
    return {
        "position": [str(t) for t in range(len(labels))],
        "decoder reads": [visible(token) for token in reads],
        "label": [visible(token) for token in names],
        "P of the label": [
            format_probability(float(prob[t, label])) if real else ""
            for t, (label, real) in enumerate(zip(labels, counts, strict=True))
        ],
        "loss": [
            format_log_prob(float(loss[t]), total=True) if real else "does not count"
            for t, real in enumerate(counts)
        ],
    }


def norm_columns(scene: UpdateScene) -> Columns:
    """How large each parameter, its gradient and its change are."""
    update = scene.update
    columns: dict[str, list[str]] = {
        head: [] for head in ("parameter", "shape", "‖w‖", "‖g‖", "‖g‖ clipped", "‖Δ‖", "‖Δ‖ / ‖w‖")
    }
    for name in update.parameters:
        weight, gradient = update.of("before", name), float(update.of("gradient", name).norm())
        size, change = float(weight.norm()), float(update_values(update, f"{PREFIX}change.{name}").norm())
        cells = (
            name,
            "×".join(map(str, weight.shape)),
            format_signed(size),
            format_signed(gradient),
            format_signed(float(update.of("clipped", name).norm())),
            format_signed(change),
            format_signed(change / size) if size else "",
        )
        for head, cell in zip(columns, cells, strict=True):
            columns[head].append(cell)
    return columns


def largest_columns(scene: UpdateScene) -> Columns:
    """The weights that moved the furthest, of all parameters."""
    names = scene.update.parameters
    changes = [update_values(scene.update, f"{PREFIX}change.{name}") for name in names]
    ends = list(accumulate(change.numel() for change in changes))
    flat = torch.cat([change.flatten() for change in changes])
    largest: list[tuple[float, str, tuple[int, ...]]] = []
    for at in flat.abs().topk(min(LARGEST, len(flat))).indices.tolist():
        owner = bisect_right(ends, at)
        shape, inside = changes[owner].shape, at - ends[owner] + changes[owner].numel()
        place = tuple(map(int, np.unravel_index(inside, shape)))
        largest.append((float(flat[at]), names[owner], place))

    def value(part: str, name: str, place: tuple[int, ...]) -> float:
        return float(scene.update.of(part, name)[place])

    return {
        "parameter": [name for _, name, _ in largest],
        "at": [", ".join(map(str, place)) for _, _, place in largest],
        "before": [exact(value("before", name, place)) for _, name, place in largest],
        "g": [format_signed(value("gradient", name, place)) for _, name, place in largest],
        "Δ": [format_signed(change) for change, _, _ in largest],
        "after": [exact(value("after", name, place)) for _, name, place in largest],
    }


def whole_numbers(scene: UpdateScene) -> tuple[tuple[str, str], ...]:
    """The numbers that the update has one of, in words, with their sites."""
    step = scene.update.step
    factor = float(update_values(scene.update, f"{PREFIX}clip_factor"))
    return (
        (f"Loss {format_log_prob(step.loss, total=True)}", f"{PREFIX}loss"),
        (f"Gradient norm {format_signed(step.grad_norm)}", f"{PREFIX}grad_norm"),
        (f"Clipping × {format_signed(factor)}", f"{PREFIX}clip_factor"),
        (f"Learning rate {format_signed(step.learning_rate)}", f"{PREFIX}learning_rate"),
    )


def proof_details(scene: UpdateScene, compared: tuple[int, int] | None) -> tuple[str, ...]:
    """What else is known of how near this is to the training's own update."""
    found = [history_sentence(*compared, scene.update.step.index + 1)] if compared else []
    if scene.replayed.changes:
        changes = "; ".join(scene.replayed.changes)
        found.append(f"The checkpoint was made with {changes}: the last digits may differ.")
    return tuple(found)


def pair_sentence(scene: UpdateScene, state: ExplorerState) -> str:
    """The source of the chosen pair, as tokens."""
    pair = scene.pair(state)
    tokens = " ".join(visible(token) for token in scene.tokens("source", pair))
    return f"Pair {pair} of {scene.n_pairs}. The encoder reads: {tokens}"


def _to_come_sentence(made: int, index: int) -> str:
    if made == index:
        return "The training has not come to this update yet: it is the one that it will make next."
    updates = "no update" if made == 0 else "1 update" if made == 1 else f"{format_count(made)} updates"
    return f"The training has made {updates} so far; it has not come to this one."


def _other_numbers(scene: UpdateScene) -> str:
    """What may have been drawn otherwise, so that a loss is another one; a checkpoint's weights are not drawn."""
    drawn = ["first weights"] if scene.choice.checkpoint is None else []
    drawn += ["numbers for the dropout"] if _dropout_rates(scene) else []
    if not drawn:
        return "that is more than rounding explains, so this is not the training’s own update"
    return f"another device or version of torch has drawn other {' or '.join(drawn)}"


def _dropout_rates(scene: UpdateScene) -> dict[str, float]:
    """The model's dropout rates by what is dropped; without those that are 0."""
    config = scene.update.config
    rates = {
        "sub-layers": config.dropout,
        "attention weights": config.attention_dropout,
        "hidden units": config.ffn_dropout,
    }
    return {name: rate for name, rate in rates.items() if rate}
