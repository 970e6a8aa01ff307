"""Results of pairs, written by hand."""

from core.data.vocabulary import EOS
from core.evaluation.pair_result import PairResult


def planted(
    source: str,
    reference: str,
    output: str,
    *,
    number: int = 0,
    teacher_forced: str | None = None,
    finished: bool = True,
    losses: tuple[float, ...] | None = None,
) -> PairResult:
    """A result whose tokens are the words of its texts."""
    reference_tokens = (*reference.split(), EOS)
    output_tokens = (*output.split(), *([EOS] if finished else []))
    led = reference_tokens if teacher_forced is None else tuple(teacher_forced.split())
    return PairResult(
        number=number,
        split="test",
        source=source,
        reference=reference,
        output=output,
        source_tokens=tuple(source.split()),
        reference_tokens=reference_tokens,
        output_tokens=output_tokens,
        teacher_forced_tokens=led,
        losses=losses or tuple(0.5 for _ in reference_tokens),
        log_probs=tuple(-0.25 for _ in output_tokens),
    )
