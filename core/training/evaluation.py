"""How well a model does on pairs it has never seen."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from core.config import DecodeConfig
from core.data.batching import Batch, EncodedPairs, collate
from core.data.dataset import Dataset
from core.data.tasks import Pair
from core.data.tokenizers import Tokenizer
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import decode_steps, last_step
from core.errors import InputError
from core.model.transformer import Transformer
from core.training.records import Evaluation

BLEU_WORDS = 4
MAX_PROBE_TOKENS = 50
UNREACHABLE = -1
"""Stands for a label that cannot be met: it is no token's id."""


def evaluate(
    model: Transformer,
    pairs: EncodedPairs,
    *,
    batch_size: int = 200,
    max_length: int | None = None,
    texts_of: Tokenizer | None = None,
    after_batch: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Translate every source greedily and compare with its reference.

    Args:
        model: In evaluation mode.
        pairs: Held-out pairs.
        batch_size: Sources decoded together.
        max_length: Most tokens produced for a source; by default half as many again as the longest reference
            decoded with it, and five. What is longer cannot be exact.
        texts_of: The target tokenizer, where chrF and BLEU of its texts are wanted.
        after_batch: Called whenever some are done.

    Raises:
        InputError: when there is no pair.
    """
    if not len(pairs):
        raise InputError("evaluation needs at least one pair")
    device = next(model.parameters()).device
    exact = right = total = 0
    loss_sum = 0.0
    outputs: list[str] = []
    references: list[str] = []
    # Sources of like length together: less padding, and short batches end early.
    order = sorted(range(len(pairs)), key=lambda row: len(pairs.sources[row]))
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        batch = collate(pairs.select(rows)).to(device)
        longest = max_length or batch.tgt_out.shape[1] * 3 // 2 + 5
        ids = last_step(decode_steps(model, batch.src, DecodeConfig(max_length=longest))).hypotheses
        n_exact, n_right = _matches(ids, batch.tgt_out, model.config.pad_id)
        exact, right, total = exact + n_exact, right + n_right, total + batch.n_tokens
        loss_sum += _teacher_forced_loss(model, batch)
        if texts_of is not None:
            known = ([token for token in row if token != Vocabulary.unk_id] for row in ids.tolist())
            outputs += [texts_of.decode(row) for row in known]
            references += [texts_of.decode(pairs.targets[row]) for row in rows]
        after_batch()
    chrf, bleu = _text_figures(outputs, references) if texts_of is not None else (None, None)
    return Evaluation(len(pairs), loss_sum / total, exact / len(pairs), right / total, chrf, bleu)


def translate_greedily(model: Transformer, dataset: Dataset, texts: Sequence[str]) -> list[str]:
    """What a model makes of some sources, of MAX_PROBE_TOKENS at most.

    Args:
        model: In evaluation mode.
        dataset: That knows the tokens of both sides.
        texts: Sources, at least one.
    """
    sources = dataset.encode([Pair(text, "", ()) for text in texts])
    src = collate(sources).src.to(next(model.parameters()).device)  # [source, position]
    steps = decode_steps(model, src, DecodeConfig(max_length=MAX_PROBE_TOKENS))
    return [dataset.tgt_tokenizer.decode(row) for row in last_step(steps).hypotheses.tolist()]


def _matches(ids: Tensor, labels: Tensor, pad_id: int) -> tuple[int, int]:
    """Rows that are equal, and labels that stand at their place."""
    length = max(ids.shape[1], labels.shape[1])
    # A reference with a token that the vocabulary lacks cannot be met, not even by saying "unknown".
    labels = labels.masked_fill(labels == Vocabulary.unk_id, UNREACHABLE)
    ids, labels = (F.pad(each, (0, length - each.shape[1]), value=pad_id) for each in (ids, labels))
    same = ids == labels
    return int(same.all(dim=1).sum()), int((same & (labels != pad_id)).sum())


@torch.no_grad()
def _teacher_forced_loss(model: Transformer, batch: Batch) -> float:
    """Sum of the plain cross-entropy over the labels."""
    logits = model(batch.src, batch.tgt_in).flatten(0, 1).float()
    labels = batch.tgt_out.flatten()
    return F.cross_entropy(logits, labels, ignore_index=model.config.pad_id, reduction="sum").item()


def _text_figures(outputs: list[str], references: list[str]) -> tuple[float, float | None]:
    """chrF and BLEU, as sacrebleu computes them; BLEU counts runs of four words, so these must occur."""
    # Not every training needs it, and it takes a third of a second to import.
    import sacrebleu

    chrf = sacrebleu.corpus_chrf(outputs, [references]).score
    if not any(len(reference.split()) >= BLEU_WORDS for reference in references):
        return chrf, None
    return chrf, sacrebleu.corpus_bleu(outputs, [references]).score
