"""What the page Output says in tables and sentences; every number in them is computed elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.analysis.target_loss import TargetLoss
from core.numbers import counted
from core.run import Run
from explorer.look.theme import format_count, format_log_prob, format_probability, raised
from explorer.look.token_text import visible
from explorer.views.output.data import SmoothedRow, Step, Target

Columns = Mapping[str, Sequence[str]]


def step_columns(rows: Sequence[Step], step: int) -> Columns:
    """What each row says, with a mark at the row that is read at the chosen step."""
    return {
        "step": [str(at) for at in range(len(rows))],
        "row": [_mark(at, step) for at in range(len(rows))],
        "reads": [visible(row.reads) for row in rows],
        "writes": [visible(row.writes) for row in rows],
        "P": [format_probability(row.prob) for row in rows],
        "most probable": [visible(row.best) for row in rows],
        "its P": [format_probability(row.best_prob) for row in rows],
    }


def step_sentence(step: int, *, causal: bool) -> str:
    """Which row decides at a step."""
    if step == 0:
        return "At step 0 the decoder has read BOS alone, and its only row decides."
    others = (
        "The others say what they said at their own steps, since no row sees later tokens."
        if causal
        else "This model has no causal mask: at its own step a row saw less, and said something else."
    )
    return f"At step {step} there are {step + 1} rows, and only the last one, row {step}, decides. {others}"


def target_sentence(target: Target) -> str:
    """Where the labels come from."""
    if not target.known:
        return "The right answer to this source is not known, so that the labels are what the model itself wrote."
    if target.same:
        return "The labels are the right answer, which the model's output equals."
    return "The labels are the right answer; the model's output is another one."


def aligned_columns(run: Run, loss: TargetLoss) -> Columns:
    """Decoder input and labels under each other, with the loss of each label."""
    reads, labels = (
        run.tgt_tokenizer.vocabulary.tokens_of(ids.tolist()) for ids in (loss.tgt_in, loss.tgt_out)
    )
    own = loss.log_probs.gather(1, loss.tgt_out[:, None])[:, 0].exp().tolist()
    pad_id = run.config.pad_id
    counts = [label != pad_id for label in loss.tgt_out.tolist()]
    rows = (
        ("decoder reads", [visible(token) for token in reads]),
        ("label", [visible(token) for token in labels]),
        (
            "P of the label",
            [format_probability(p) if yes else "" for p, yes in zip(own, counts, strict=True)],
        ),
        ("loss", [format_log_prob(value, total=True) for value in loss.plain.tolist()]),
        ("loss, smoothed", [format_log_prob(value, total=True) for value in loss.smoothed.tolist()]),
    )
    return {
        "position": [head for head, _ in rows],
        **{str(at): [cells[at] for _, cells in rows] for at in range(len(reads))},
    }


def loss_sentence(loss: TargetLoss) -> str:
    """Sum over the labels that count, and their mean."""

    def of(total: float, mean: float) -> str:
        return f"{format_log_prob(total, total=True)} / {loss.n_tokens} = {format_log_prob(mean, total=True)}"

    plain = of(float(loss.plain.sum()), loss.mean_plain)
    smoothed = of(float(loss.smoothed.sum()), loss.mean_smoothed)
    return (
        f"Over {counted(loss.n_tokens, 'token')} the mean loss is {plain} without smoothing, and {smoothed} with "
        f"ε_ls = {loss.smoothing:g}."
    )


def padding_sentence(loss: TargetLoss, padded: TargetLoss) -> str:
    """What padding does to the loss, measured."""
    n_pads = len(padded.tgt_out) - padded.n_tokens
    difference = abs(loss.mean_smoothed - padded.mean_smoothed)
    return (
        f"In a batch with a longer pair, padding fills {counted(n_pads, 'more position')}, with a loss "
        f"of 0 that does not count: the sum is still divided by {padded.n_tokens}. "
        f"The mean is {format_log_prob(padded.mean_smoothed, total=True)}, and differs by {_tiny(difference)}."
    )


def smoothing_columns(rows: Sequence[SmoothedRow]) -> Columns:
    """The target distribution of one label before and after smoothing, beside what the model says."""
    return {
        "token": [
            visible(row.token) if row.n_tokens == 1 else f"each of {row.n_tokens} others" for row in rows
        ],
        "y before": [format_probability(row.before) for row in rows],
        "y′ after": [format_probability(row.after) for row in rows],
        "P of the model": [format_probability(row.prob) for row in rows],
        "−y′ · log P": [
            format_log_prob(row.loss, total=True) + (" in all" if row.n_tokens > 1 else "") for row in rows
        ],
    }


def smoothing_sentence(loss: TargetLoss, position: int, trained_with: float) -> str:
    """What ε_ls does to one label's distribution, and to its loss."""
    size = loss.log_probs.shape[1]
    floor = loss.smoothing / size
    label = 1 - loss.smoothing + floor
    plain, smoothed = float(loss.plain[position]), float(loss.smoothed[position])
    return (
        f"At position {position} the label has {format_probability(label)} instead of 1, and each of the "
        f"{format_count(size - 1)} others {format_probability(floor)} instead of 0: its loss is "
        f"{format_log_prob(smoothed, total=True)} and not {format_log_prob(plain, total=True)}. "
        f"This model was trained with ε_ls = {trained_with:g}."
    )


def _mark(row: int, step: int) -> str:
    if row == step:
        return "read now"
    return "read before" if row < step else "not there yet"


def _tiny(value: float) -> str:
    if value == 0:
        return "nothing"
    exponent = math.floor(math.log10(value))
    return f"less than 10{raised(exponent + 1)}"
