"""The figures of an evaluation, from references, outputs and losses. They need no torch."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from math import fsum
from operator import eq

from core.errors import InputError

BLEU_WORDS = 4

Compared = tuple[Sequence[Hashable], Sequence[Hashable], Sequence[float]]
"""Tokens of a reference with EOS, tokens of the output up to and with EOS, and the loss of each reference token."""


@dataclass(frozen=True)
class Evaluation:
    """Held-out references against what the model says: greedily for itself, and led by the reference.

    Attributes:
        n_pairs: Pairs compared.
        loss: Mean cross-entropy per reference token, eos included, in nats, under teacher forcing.
        exact_match: Share of outputs that equal their reference from first token to eos.
        token_accuracy: Share of reference tokens, eos included, that stand at their place in the output.
        chrf: chrF of the outputs' texts, from 0 to 100 (Popović 2015); None where the targets are no text.
        bleu: BLEU of the outputs' texts, from 0 to 100 (Papineni et al. 2002); None where they are no text, or
            none of the references has four words.
    """

    n_pairs: int
    loss: float
    exact_match: float
    token_accuracy: float
    chrf: float | None = None
    bleu: float | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """What weights are chosen by, larger is better: exact matches, then the loss."""
        return self.exact_match, -self.loss

    def to_dict(self) -> dict[str, float]:
        """Plain JSON values; figures that do not apply are left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def figures_of(
    compared: Iterable[Compared], *, chrf: float | None = None, bleu: float | None = None
) -> Evaluation:
    """The figures of some pairs.

    Args:
        compared: Each pair's reference, output and losses.
        chrf: Of their texts, where they have any.
        bleu: Likewise.

    Raises:
        InputError: when there is no pair.
    """
    n_pairs = n_exact = n_tokens = n_in_place = 0
    losses: list[float] = []  # Of whole references: one number a pair, however many there are.
    for reference, output, of_tokens in compared:
        n_pairs += 1
        in_place = tokens_in_place(reference, output)
        n_exact += len(output) == len(reference) == in_place
        n_tokens += len(reference)
        n_in_place += in_place
        losses.append(fsum(of_tokens))
    if not n_pairs:
        raise InputError("evaluation needs at least one pair")
    # fsum: the order in which pairs were decoded must not show in the figure.
    return Evaluation(
        n_pairs, fsum(losses) / n_tokens, n_exact / n_pairs, n_in_place / n_tokens, chrf=chrf, bleu=bleu
    )


def first_difference(reference: Sequence[Hashable], output: Sequence[Hashable]) -> int | None:
    """The first place at which two sequences differ, which may be just after the end of one; None where equal."""
    nothing = object()
    both = zip_longest(reference, output, fillvalue=nothing)
    return next((place for place, (expected, written) in enumerate(both) if expected != written), None)


def tokens_in_place(reference: Sequence[Hashable], output: Sequence[Hashable]) -> int:
    """How many tokens of a reference stand at their place in an output."""
    return sum(map(eq, reference, output))


def text_figures(outputs: Sequence[str], references: Sequence[str]) -> tuple[float, float | None]:
    """chrF and BLEU, as sacrebleu computes them; BLEU counts runs of four words, so these must occur."""
    # Not every training needs it, and it takes a third of a second to import.
    import sacrebleu

    chrf = sacrebleu.corpus_chrf(list(outputs), [list(references)]).score
    if not any(len(reference.split()) >= BLEU_WORDS for reference in references):
        return chrf, None
    return chrf, sacrebleu.corpus_bleu(list(outputs), [list(references)]).score
