"""Evaluate a run on held-out pairs, with the texts of everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.data.batching import encode_pairs
from core.data.tasks import TASKS, Pair
from core.data.vocabulary import EOS
from core.errors import InputError
from core.evaluation.answers import Answer, answers
from core.evaluation.figures import text_figures
from core.evaluation.held_out import MOST_PAIRS, HeldOut
from core.evaluation.pair_result import PairResult
from core.notebook import Brief

if TYPE_CHECKING:
    from core.run import Run

TOGETHER = 64
"""Sources decoded together: few, so that first results are there soon; more would hardly be faster."""


def evaluate_pairs(
    run: Run,
    pairs: Sequence[Pair],
    *,
    split: str = "test",
    batch_size: int = TOGETHER,
    max_length: int | None = None,
) -> Generator[tuple[PairResult, ...], None, None]:
    """Yield the results of one batch of pairs after the other; stop pulling to stop.

    Pairs of like length are decoded together, so results do not come in the pairs' order: each has its number.

    Args:
        run: What is evaluated.
        pairs: Held-out pairs.
        split: What they are called.
        batch_size: Sources decoded together.
        max_length: Most tokens of an output; by default the run's own limit.

    Raises:
        InputError: when there is no pair, or more than MOST_PAIRS.
        CaptureError: when a change of the run asks for a position that a source does not have.
    """
    if not pairs:
        raise InputError("evaluation needs at least one pair")
    if len(pairs) > MOST_PAIRS:
        raise InputError(f"evaluate at most {MOST_PAIRS:,} pairs at a time, not {len(pairs):,}")
    return _evaluated(run, pairs, split, batch_size, max_length)


def held_out(run: Run, pairs: Sequence[Pair], *, split: str = "test") -> HeldOut:
    """What a run makes of some pairs, of the first MOST_PAIRS where there are more.

    Raises:
        InputError: when there is no pair.
    """
    batches = evaluate_pairs(run, pairs[:MOST_PAIRS], split=split)
    results = (result for batch in batches for result in batch)
    return collect(run, results, split=split, n_available=len(pairs))


def collect(run: Run, results: Iterable[PairResult], *, split: str, n_available: int) -> HeldOut:
    """Bring results into the pairs' order, and measure their texts where the targets are text.

    Args:
        run: That they are of.
        results: Of `evaluate_pairs`, in any order.
        split: What the pairs are called.
        n_available: Pairs of the split, more perhaps than have a result.
    """
    ordered = tuple(sorted(results, key=lambda result: result.number))
    chrf = bleu = None
    if ordered and is_text(run):
        outputs = [each.output for each in ordered]
        references, others = [each.reference for each in ordered], [each.others for each in ordered]
        chrf, bleu = text_figures(outputs, references, others)
    return HeldOut(run.fingerprint, split, n_available, ordered, chrf, bleu)


@dataclass(frozen=True, repr=False)
class UnknownTokens(Brief):
    """Tokens of held-out pairs that a run's vocabularies lack, each with how often it occurs.

    Attributes:
        source: The model reads each of them as "unknown".
        reference: No output can have them.
        n_pairs: Pairs with at least one, on either side.
    """

    source: Counter[str]
    reference: Counter[str]
    n_pairs: int


def unknown_tokens(run: Run, found: HeldOut) -> UnknownTokens:
    """What the vocabularies lack of the pairs that a run was evaluated on."""
    known_sources = {*run.src_tokenizer.vocabulary.words}
    known_targets = {*run.tgt_tokenizer.vocabulary.words, EOS}
    source, reference, n_pairs = Counter[str](), Counter[str](), 0
    for result in found.results:
        of_source = [token for token in result.source_tokens if token not in known_sources]
        of_reference = [token for token in result.reference_tokens if token not in known_targets]
        source.update(of_source)
        reference.update(of_reference)
        n_pairs += bool(of_source or of_reference)
    return UnknownTokens(source, reference, n_pairs)


def is_text(run: Run) -> bool:
    """Whether a run's targets are words of a language, for which chrF and BLEU mean something; own pairs are."""
    return run.task not in TASKS or TASKS[run.task].is_text


def _evaluated(
    run: Run, pairs: Sequence[Pair], split: str, batch_size: int, max_length: int | None
) -> Generator[tuple[PairResult, ...], None, None]:
    encoded = encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer)
    for source in encoded.sources:
        run.changes.check(len(source) + 1)
    edits = run.changes.edits
    most = max_length or run.output_limit
    if max_length is None and run.max_target_tokens is None:
        # Older runs do not say how long their targets are.
        most = max(most, run.output_limit_for(max(map(len, encoded.targets))))
    for batch in answers(run.model, encoded, batch_size=batch_size, max_length=most, edits=edits):
        yield tuple(_result(run, pairs[answer.row], answer, split) for answer in batch)


def _result(run: Run, pair: Pair, answer: Answer, split: str) -> PairResult:
    tokenizer = run.tgt_tokenizer
    written = tokenizer.vocabulary.token
    return PairResult(
        number=answer.row,
        split=split,
        source=pair.source,
        reference=pair.target,
        output=tokenizer.decode(answer.output),
        source_tokens=tuple(run.src_tokenizer.tokenize(pair.source)),
        # Not by their ids: what the vocabulary lacks is shown as somebody wrote it.
        reference_tokens=(*tokenizer.tokenize(pair.target), EOS),
        output_tokens=tuple(map(written, answer.output)),
        teacher_forced_tokens=tuple(map(written, answer.teacher_forced)),
        losses=answer.losses,
        log_probs=answer.log_probs,
        others=pair.others,
        other_tokens=tuple((*tokenizer.tokenize(other), EOS) for other in pair.others),
    )
