"""The figures of an evaluation, from references, outputs and losses. They need no torch."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from math import fsum
from operator import eq

from core.data.vocabulary import UNK
from core.errors import InputError
from core.notebook import Brief

BLEU_WORDS = 4
"""Words, in the units of BLEU's tokenizer, that half of the references must have: BLEU counts runs of four."""
USUAL_BLEU_TOKENIZER = "13a"
"""Tokenizer of sacrebleu for texts with spaces between words, and of every BLEU that was stored without a name."""

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""A Chinese character."""
NO_SPACES = re.compile(
    "[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf]"
)
"""Kana, or a letter of a script of Southeast Asia or Tibet, which writes no spaces between words."""


@dataclass(frozen=True, repr=False)
class Compared(Brief):
    """One output beside what it should be.

    Attributes:
        references: Tokens of each accepted target with EOS; the first is the one that the losses are of.
        output: Tokens of the output up to and with EOS.
        losses: Loss of each token of the first reference.
        is_as_written: Whether the output's text equals an accepted target; None where nobody has compared the texts.
    """

    references: Sequence[Sequence[Hashable]]
    output: Sequence[Hashable]
    losses: Sequence[float]
    is_as_written: bool | None = None

    @property
    def reference(self) -> Sequence[Hashable]:
        """The reference that the output equals, otherwise the first."""
        return next((each for each in self.references if list(each) == list(self.output)), self.references[0])


@dataclass(frozen=True)
class Evaluation:
    """Held-out references against what the model says: greedily for itself, and led by the reference.

    Attributes:
        n_pairs: Pairs compared.
        loss: Mean cross-entropy per reference token, eos included, in nats, under teacher forcing.
        exact_match: Share of outputs that equal a reference from first token to eos.
        token_accuracy: Share of reference tokens, eos included, that stand at their place in the output.
        chrf: chrF of the outputs' texts, from 0 to 100 (Popović 2015); None where the targets are no text.
        bleu: BLEU of the outputs' texts, from 0 to 100 (Papineni et al. 2002); None where they are no text, or
            fewer than half of the references have four words.
        string_match: Share of outputs whose text equals a reference as it is written in its file. It is smaller than
            exact_match where the tokenizer loses something, such as capitals; None where no texts were compared.
    """

    n_pairs: int
    loss: float
    exact_match: float
    token_accuracy: float
    chrf: float | None = None
    bleu: float | None = None
    string_match: float | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """What weights are chosen by, larger is better: exact matches, then the loss."""
        return self.exact_match, -self.loss

    @property
    def leading_exact(self) -> float:
        """Share that is shown first: the one by text, or the one by tokens where no texts were compared."""
        return leading_exact(self.to_dict())

    def to_dict(self) -> dict[str, float]:
        """Plain JSON values; figures that do not apply are left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def leading_exact(figures: Mapping[str, float]) -> float:
    """Return the share that is shown first: the one by text, or the one by tokens where no texts were compared."""
    return figures.get("string_match", figures["exact_match"])


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
    n_pairs = n_exact = n_tokens = n_reference = n_in_place = n_as_written = 0
    has_texts = True
    losses: list[float] = []  # Of whole references: one number a pair, however many there are.
    for each in compared:
        n_pairs += 1
        reference = each.reference
        in_place = tokens_in_place(reference, each.output)
        n_exact += len(each.output) == len(reference) == in_place
        n_reference += len(reference)
        n_in_place += in_place
        has_texts = has_texts and each.is_as_written is not None
        n_as_written += bool(each.is_as_written)
        n_tokens += len(each.losses)
        losses.append(fsum(each.losses))
    if not n_pairs:
        raise InputError("evaluation needs at least one pair")
    return Evaluation(
        n_pairs=n_pairs,
        # fsum: the order in which pairs were decoded must not show in the figure.
        loss=fsum(losses) / n_tokens,
        exact_match=n_exact / n_pairs,
        token_accuracy=n_in_place / n_reference,
        chrf=chrf,
        bleu=bleu,
        string_match=n_as_written / n_pairs if has_texts else None,
    )


def first_difference(reference: Sequence[Hashable], output: Sequence[Hashable]) -> int | None:
    """The first place at which two sequences differ, which may be just after the end of one; None where equal."""
    nothing = object()
    both = zip_longest(reference, output, fillvalue=nothing)
    return next((place for place, (expected, written) in enumerate(both) if expected != written), None)


def tokens_in_place(reference: Sequence[Hashable], output: Sequence[Hashable]) -> int:
    """How many tokens of a reference stand at their place in an output."""
    return sum(map(eq, reference, output))


def is_as_written(output: str, tokens: Iterable[Hashable], accepted: Iterable[str]) -> bool:
    """Return True if an output's text equals an accepted target, character by character.

    Args:
        output: Text of the output.
        tokens: Its tokens as texts; "unknown" is no word, even where a reference has the same letters.
        accepted: The right targets as their file has them.
    """
    return output in accepted and UNK not in tokens


def bleu_tokenizer(references: Sequence[str]) -> str:
    """Return the name of the tokenizer with which sacrebleu is to cut these references into words.

    It is "zh" where most references have Chinese characters, "char" where most are in another script without spaces
    between words (Japanese, Thai, Lao, Khmer, Burmese) or in a mixture, and "13a" otherwise.
    """
    chinese = others = 0
    for reference in references:
        without_spaces = NO_SPACES.search(reference) is not None
        others += without_spaces
        chinese += not without_spaces and HAN.search(reference) is not None
    if 2 * (chinese + others) <= len(references):
        return USUAL_BLEU_TOKENIZER
    # A stray kana in a Chinese text does not make it Japanese.
    return "zh" if 2 * chinese > len(references) and 10 * others <= chinese else "char"


def text_figures(
    outputs: Sequence[str], references: Sequence[str], others: Sequence[Sequence[str]] = ()
) -> tuple[float, float | None]:
    """Compute chrF and BLEU of outputs as sacrebleu does, on the texts as they are written.

    Args:
        outputs: Text of each output.
        references: The first right target of each, as its file has it.
        others: The other right targets of each; none where every output has one reference.

    Returns:
        chrF, and BLEU with the tokenizer that `bleu_tokenizer` names; None where fewer than half of the references
        have four words in that tokenizer's units.
    """
    # Not every training needs it, and it takes a third of a second to import.
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    # One stream per place among the references; None where a pair has fewer.
    streams = [list(references), *([*stream] for stream in zip_longest(*others))]
    chrf = CHRF().corpus_score(list(outputs), streams).score
    bleu = BLEU(tokenize=bleu_tokenizer(references))
    long_enough = sum(len(bleu.tokenizer(reference).split()) >= BLEU_WORDS for reference in references)
    if 2 * long_enough < len(references):
        return chrf, None
    return chrf, bleu.corpus_score(list(outputs), streams).score
