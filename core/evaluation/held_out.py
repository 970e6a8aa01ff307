"""All results of a split, and what can be counted of them. It needs no torch."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Self

from core.errors import RunError
from core.evaluation.figures import Evaluation, bleu_tokenizer, figures_of
from core.evaluation.mistakes import MISTAKES
from core.evaluation.pair_result import MOST_CHARACTERS, PairResult
from core.notebook import MOST_LISTED, Brief, brief, html_table
from core.numbers import is_number, is_whole

MOST_PAIRS = 10_000
"""The most in one evaluation: a share is known to within a percentage point then, and results fit into 100 MB."""


@dataclass(frozen=True)
class Share:
    """How many of those with something in common are right.

    Attributes:
        of: What they have in common: a length, or a token.
        n: How many they are.
        right: How many of them are right.
    """

    of: int | str
    n: int
    right: int

    @property
    def share(self) -> float:
        """The part that is right, from 0 to 1."""
        return self.right / self.n


@dataclass(frozen=True)
class Confusion:
    """A token of references that was taken for another.

    Attributes:
        expected: The token of the reference.
        written: The token in its place; empty where the output was cut off before.
        count: How many times.
    """

    expected: str
    written: str
    count: int


@dataclass(frozen=True, repr=False)
class HeldOut(Brief):
    """What a run made of some held-out pairs.

    Attributes:
        fingerprint: Of the run; of another one, or the same after more training, these results say nothing.
        split: Such as "test" or "validation".
        n_available: Pairs of the split; at most MOST_PAIRS of them have a result.
        results: In the pairs' order.
        chrf: Of the outputs' texts, from 0 to 100; None where the targets are no text.
        bleu: Likewise; None too where fewer than half of the references have four words.
    """

    fingerprint: str
    split: str
    n_available: int
    results: tuple[PairResult, ...]
    chrf: float | None = None
    bleu: float | None = None

    def _repr_html_(self) -> str:
        """Show the figures, and the worst outputs beside their references."""
        title = f"{self.split}: {len(self.results):,} of {self.n_available:,} pairs"
        figures = self.figures.to_dict() if self.results else {}
        worst = [(each.source, each.reference, each.output) for each in self.worst(MOST_LISTED)]
        return html_table(title, [(name, brief(value)) for name, value in figures.items()]) + html_table(
            f"Worst of {len(self.wrong):,} wrong outputs", worst, head=("source", "reference", "output")
        )

    @cached_property
    def figures(self) -> Evaluation:
        """Exact match by tokens and by text, token accuracy, loss per token, chrF and BLEU.

        Raises:
            InputError: when there is no pair.
        """
        return figures_of((each.compared for each in self.results), chrf=self.chrf, bleu=self.bleu)

    @cached_property
    def bleu_tokenizer(self) -> str | None:
        """Name of sacrebleu's tokenizer that BLEU was computed with; None without BLEU."""
        return None if self.bleu is None else bleu_tokenizer([each.reference for each in self.results])

    @cached_property
    def wrong(self) -> tuple[PairResult, ...]:
        """The results that are right neither by their tokens nor by their text, in the pairs' order."""
        return tuple(each for each in self.results if not each.right)

    @cached_property
    def mistakes(self) -> Mapping[str, tuple[PairResult, ...]]:
        """The wrong results of each kind, by the keys of MISTAKES; a result may be of several kinds or of none."""
        return {key: tuple(filter(mistake, self.wrong)) for key, mistake in MISTAKES.items()}

    def worst(self, count: int) -> tuple[PairResult, ...]:
        """The wrong results whose references the model finds least probable per token, the worst first."""
        return tuple(sorted(self.wrong, key=lambda each: (-each.loss, each.number))[:count])

    def by_source_length(self) -> tuple[Share, ...]:
        """Right outputs by the number of source tokens, without EOS."""
        return _shares((len(each.source_tokens), each.right) for each in self.results)

    def by_reference_length(self) -> tuple[Share, ...]:
        """Right outputs by the number of reference tokens, without EOS."""
        return _shares((len(each.reference_tokens) - 1, each.right) for each in self.results)

    def by_token(self) -> tuple[Share, ...]:
        """For each token of the references, EOS included, how often it is the most probable under teacher forcing.

        In the outputs themselves everything after one left-out token stands in the wrong place, and would count
        against tokens that the model knows very well.
        """
        return _shares(
            (expected, expected == best)
            for each in self.results
            for expected, best in zip(each.reference_tokens, each.teacher_forced_tokens, strict=True)
        )

    def confusions(self) -> tuple[Confusion, ...]:
        """Which token is written for which at the first wrong place of each wrong output, the most frequent first."""
        return _confusions(
            (each.reference_tokens[place], "".join(each.output_tokens[place : place + 1]))
            for each in self.wrong
            if (place := each.first_wrong) is not None
        )

    def teacher_forced_confusions(self) -> tuple[Confusion, ...]:
        """Which token is more probable than which at any place under teacher forcing, the most frequent first."""
        return _confusions(
            (expected, best)
            for each in self.results
            for expected, best in zip(each.reference_tokens, each.teacher_forced_tokens, strict=True)
            if expected != best
        )

    def first_wrong_places(self) -> Mapping[int, int]:
        """How many outputs are wrong at each place for the first time, in the order of the places."""
        places = Counter(each.first_wrong for each in self.wrong if each.first_wrong is not None)
        return dict(sorted(places.items()))

    def summary(self) -> dict[str, Any]:
        """Everything that is counted, as plain JSON values.

        Raises:
            InputError: when there is no pair.
        """
        return {
            "split": self.split,
            "n_available": self.n_available,
            **self.figures.to_dict(),
            **({"bleu_tokenizer": self.bleu_tokenizer} if self.bleu_tokenizer else {}),
            "n_exact": sum(each.exact for each in self.results),
            "n_string_exact": sum(each.as_written for each in self.results),
            "n_truncated": sum(not each.finished for each in self.results),
            "mistakes": {key: len(found) for key, found in self.mistakes.items()},
            "by_source_length": [asdict(share) for share in self.by_source_length()],
            "by_reference_length": [asdict(share) for share in self.by_reference_length()],
            "by_token": [asdict(share) for share in self.by_token()],
            "confusions": [asdict(confusion) for confusion in self.confusions()],
            "teacher_forced_confusions": [
                asdict(confusion) for confusion in self.teacher_forced_confusions()
            ],
            "first_wrong_places": [
                {"place": place, "count": count} for place, count in self.first_wrong_places().items()
            ],
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values from which `from_dict` builds it again."""
        return {
            "fingerprint": self.fingerprint,
            "split": self.split,
            "n_available": self.n_available,
            "chrf": self.chrf,
            "bleu": self.bleu,
            "results": [each.to_dict() for each in self.results],
        }

    @classmethod
    def from_dict(cls, values: Any) -> Self:
        """Build from plain JSON values, none of which is trusted.

        Raises:
            RunError: when a value is missing or impossible.
        """
        if not isinstance(values, dict) or not isinstance(values.get("results"), list):
            raise RunError("it has no list of results")
        results, available = values["results"], values.get("n_available")
        if not 1 <= len(results) <= MOST_PAIRS:
            raise RunError(f"it has {len(results):,} results; from 1 to {MOST_PAIRS:,} are read")
        if not is_whole(available, len(results)):
            raise RunError("its number of pairs is smaller than that of its results")
        for name in ("fingerprint", "split"):
            if not isinstance(values.get(name), str) or len(values[name]) > MOST_CHARACTERS:
                raise RunError(f"its {name} is not a text")
        for name in ("chrf", "bleu"):
            # Rounding takes sacrebleu's figures a little above 100.
            if values.get(name) is not None and not is_number(values[name], 0, 100.001):
                raise RunError(f"its {name} is not from 0 to 100")
        return cls(
            values["fingerprint"],
            values["split"],
            available,
            tuple(map(PairResult.from_dict, results)),
            values.get("chrf"),
            values.get("bleu"),
        )


def _shares(found: Iterable[tuple[int | str, bool]]) -> tuple[Share, ...]:
    """Counted by what they have in common, in its order."""
    counts: dict[int | str, list[bool]] = defaultdict(list)
    for of, is_right in found:
        counts[of].append(is_right)
    # One kind of key at a time: whole numbers, or texts.
    ordered = sorted(counts.items(), key=itemgetter(0))
    return tuple(Share(of, len(right), sum(right)) for of, right in ordered)


def _confusions(found: Iterable[tuple[str, str]]) -> tuple[Confusion, ...]:
    ordered = sorted(Counter(found).items(), key=lambda item: (-item[1], item[0]))
    return tuple(Confusion(expected, written, count) for (expected, written), count in ordered)
