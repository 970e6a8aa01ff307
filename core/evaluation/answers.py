"""What a model makes of held-out pairs, in ids: the one pass that every evaluation is counted from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

from core.activations.record import Edits, edit
from core.config import USUAL_OUTPUT_TOKENS, DecodeConfig
from core.data.batching import Batch, EncodedPairs, by_length, collate, spread_lengths
from core.data.targets import TargetTexts
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import decode_steps
from core.decoding.together import TOGETHER
from core.evaluation.figures import Compared, Evaluation, figures_of, is_as_written, text_figures
from core.model.transformer import Transformer
from core.notebook import Brief

MOST_LOGITS = 2**26
"""Logits of references that are computed at a time: with their log-probabilities half a GiB in float32."""
UNREACHABLE = -1
"""Stands for a reference token that cannot be met: it is no token's id."""


@dataclass(frozen=True, repr=False)
class Answer(Brief):
    """One source's output beside its reference, in ids.

    Attributes:
        row: Of the pair among the given ones.
        reference: With eos; UNREACHABLE where the vocabulary lacks the token.
        output: Written greedily, up to and with eos, or as long as it may be.
        teacher_forced: At each place of the reference the most probable token after the reference's own beginning.
        losses: Plain cross-entropy of each reference token under teacher forcing, in nats.
        log_probs: Log-probability of each token of the output.
    """

    row: int
    reference: tuple[int, ...]
    output: tuple[int, ...]
    teacher_forced: tuple[int, ...]
    losses: tuple[float, ...]
    log_probs: tuple[float, ...]


def answers(
    model: Transformer,
    pairs: EncodedPairs,
    *,
    batch_size: int = TOGETHER,
    max_length: int = USUAL_OUTPUT_TOKENS,
    edits: Edits = (),
) -> Iterator[tuple[Answer, ...]]:
    """Yield the answers of one batch after the other; stop pulling to stop.

    Sources of like length are decoded together, so answers do not come in the pairs' order.

    Args:
        model: In evaluation mode.
        pairs: Held-out pairs.
        batch_size: Sources decoded together.
        max_length: Most tokens of an output; for a run its `output_limit`, so that what is measured is what it writes.
        edits: What is changed on the way, as for `decode_steps`.
    """
    for rows in spread_lengths(by_length(list(map(len, pairs.sources)), batch_size)):
        selected = pairs.select(rows)
        batch = collate(selected).to(model.device)
        outputs, log_probs = (each.tolist() for each in _decoded(model, batch.src, max_length, edits))
        losses, teacher_forced = (each.tolist() for each in _teacher_forced(model, batch, edits))
        yield tuple(
            _answer(row, target, *of_row)
            for row, target, *of_row in zip(
                rows, selected.targets, outputs, log_probs, losses, teacher_forced, strict=True
            )
        )


def evaluate(
    model: Transformer,
    pairs: EncodedPairs,
    *,
    batch_size: int = TOGETHER,
    max_length: int = USUAL_OUTPUT_TOKENS,
    texts: TargetTexts | None = None,
    after_batch: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Translate every source greedily and compare with its reference.

    Args:
        model: In evaluation mode.
        pairs: Held-out pairs.
        batch_size: As for `answers`.
        max_length: Likewise.
        texts: The pairs' targets as texts, where what is written is to be compared with them as well.
        after_batch: Called whenever some are done.

    Raises:
        InputError: when there is no pair.
    """
    outputs: dict[int, str] = {}

    def compared() -> Iterator[Compared]:
        for batch in answers(model, pairs, batch_size=batch_size, max_length=max_length):
            for answer in batch:
                if texts is None:
                    yield Compared((answer.reference,), answer.output, answer.losses)
                else:
                    outputs[answer.row] = texts.tokenizer.decode(answer.output)
                    yield _compared(answer, texts, outputs[answer.row])
            after_batch()

    # Pulled from, so that no more than a batch of answers is held.
    figures = figures_of(compared())
    if texts is None or not texts.is_text:
        return figures
    ordered = [outputs[row] for row in range(len(pairs))]
    references, others = zip(*((first, rest) for first, *rest in texts.accepted), strict=True)
    chrf, bleu = text_figures(ordered, references, others)
    return replace(figures, chrf=chrf, bleu=bleu)


def _compared(answer: Answer, texts: TargetTexts, output: str) -> Compared:
    """An answer beside all targets that are accepted for it."""
    accepted, tokenizer = texts.accepted[answer.row], texts.tokenizer
    others = (target_with_end(tokenizer.encode(text)) for text in accepted[1:])
    tokens = map(tokenizer.vocabulary.token, answer.output)
    return Compared(
        (answer.reference, *others), answer.output, answer.losses, is_as_written(output, tokens, accepted)
    )


def target_with_end(ids: Iterable[int]) -> tuple[int, ...]:
    """Return a target's ids with eos, as outputs are compared with them: nothing meets an unknown token."""
    # Not even saying "unknown" meets a token that the vocabulary lacks.
    return (*(UNREACHABLE if id == Vocabulary.unk_id else id for id in ids), Vocabulary.eos_id)


def _decoded(model: Transformer, src: Tensor, longest: int, edits: Edits) -> tuple[Tensor, Tensor]:
    """Greedy outputs [source, position], padded, and the log-probability of each of their tokens."""
    log_probs: list[Tensor] = []
    for step in decode_steps(model, src, DecodeConfig(max_length=longest), edits=edits):
        log_probs.append(step.log_prob)
        outputs = step.hypotheses
    return outputs, torch.stack(log_probs, dim=1)


@torch.no_grad()
def _teacher_forced(model: Transformer, batch: Batch, edits: Edits) -> tuple[Tensor, Tensor]:
    """The plain cross-entropy of each label, 0 at padding, and the most probable token there [pair, position]."""
    config = model.config
    together = max(1, MOST_LOGITS // (batch.tgt_in.shape[1] * config.tgt_vocab_size))
    losses, tokens = [], []
    for part in range(0, len(batch.src), together):
        src, tgt_in, labels = (
            ids[part : part + together] for ids in (batch.src, batch.tgt_in, batch.tgt_out)
        )
        with edit(model, edits) if edits else nullcontext():
            logits = model(src, tgt_in)
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        of_labels = F.cross_entropy(
            logits.flatten(0, 1), labels.flatten(), ignore_index=config.pad_id, reduction="none"
        )
        losses.append(of_labels.view_as(labels))
        for never in (config.pad_id, config.bos_id):  # As in decoding, they are never written.
            logits[..., never] = -torch.inf
        tokens.append(logits.argmax(dim=-1))
    return torch.cat(losses), torch.cat(tokens)


def _answer(
    row: int,
    target: tuple[int, ...],
    output: list[int],
    log_probs: list[float],
    losses: list[float],
    teacher_forced: list[int],
) -> Answer:
    """Cut what belongs to one pair out of its rows of a batch."""
    written = len(output) if Vocabulary.pad_id not in output else output.index(Vocabulary.pad_id)
    labels = len(target) + 1
    return Answer(
        row,
        target_with_end(target),
        tuple(output[:written]),
        tuple(teacher_forced[:labels]),
        tuple(losses[:labels]),
        tuple(log_probs[:written]),
    )
