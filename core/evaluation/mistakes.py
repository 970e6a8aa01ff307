"""Kinds of mistakes that people ask about, each a question to one result. A right output makes none.

The kinds overlap, and none of them knows a language: they compare the tokens and words of the source, the reference
and the output. Where words count, they are the runs of letters with their marks, and of digits, without case and
punctuation; in a script without spaces between words every letter counts as one. Where none of the texts has a space
(digits, letters, one word each), every token counts as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.data.vocabulary import EOS
from core.evaluation.figures import HAN, NO_SPACES
from core.evaluation.pair_result import PairResult

_WORD = re.compile(r"[^\s']+(?:'[^\s']+)*")
_UNSPACED = re.compile(f"({HAN.pattern}|{NO_SPACES.pattern})")
_JOINERS = "'_\u200c\u200d"


@dataclass(frozen=True)
class Mistake:
    """A kind of mistake.

    Attributes:
        key: Its name in links, files and JSON.
        title: As a list shows it.
        meaning: A sentence that says when exactly a result is one of these.
        holds: Whether a result is.
    """

    key: str
    title: str
    meaning: str
    holds: Callable[[PairResult], bool]

    def __call__(self, result: PairResult) -> bool:
        """Whether a result is of this kind."""
        return not result.right and self.holds(result)


def repeats(result: PairResult) -> bool:
    """Some run of tokens stands twice in a row in the output, more often than it does in the reference."""
    in_reference = _repeated_runs(result.reference_tokens)
    return any(count > in_reference[run] for run, count in _repeated_runs(result.output_tokens).items())


def stops_early(result: PairResult) -> bool:
    """The output ends in EOS and is shorter than the reference."""
    return result.finished and len(result.output_tokens) < len(result.reference_tokens)


def goes_on(result: PairResult) -> bool:
    """The output ends in EOS and is longer than the reference."""
    return result.finished and len(result.output_tokens) > len(result.reference_tokens)


def never_stops(result: PairResult) -> bool:
    """The model wrote no EOS as long as it was let."""
    return not result.finished


def invents(result: PairResult) -> bool:
    """The output has a word that neither the source nor the reference has.

    In a copying or sorting task that is a word out of nowhere. In a translation, where no word of the output need
    stand in the source, it is every word that the reference does not have: a wrong one, or a synonym.
    """
    source, reference, output = _words(result)
    return not set(output) <= {*source, *reference}


def loses(result: PairResult) -> bool:
    """The output lacks a word that the source has and the reference keeps, or has it too few times.

    In a translation these are the words that stay as they are, such as names and numbers; the loss of a word that is
    translated cannot be seen without knowing the language.
    """
    source, reference, output = map(Counter, _words(result))
    return bool((source & reference) - output)


def reorders(result: PairResult) -> bool:
    """The output has exactly the tokens of the reference, in another order."""
    return Counter(result.output_tokens) == Counter(result.reference_tokens)


def is_one_token_off(result: PairResult) -> bool:
    """The output is as long as the reference and differs from it in one token."""
    reference, output = result.reference_tokens, result.output_tokens
    return len(reference) == len(output) and sum(map(str.__ne__, reference, output)) == 1


MISTAKES: Mapping[str, Mistake] = {
    mistake.key: mistake
    for mistake in (
        Mistake(
            "repeats",
            "Repeats itself",
            "A run of tokens stands twice in a row, more often than in the reference.",
            repeats,
        ),
        Mistake(
            "stops_early",
            "Stops too early",
            f"The output ends in {EOS} and is shorter than the reference.",
            stops_early,
        ),
        Mistake(
            "goes_on",
            "Stops too late",
            f"The output ends in {EOS} and is longer than the reference.",
            goes_on,
        ),
        Mistake(
            "never_stops", "Never stops", f"The model wrote no {EOS} as long as it was let.", never_stops
        ),
        Mistake(
            "invents",
            "Words from nowhere",
            "The output has a word that neither the source nor the reference has; a synonym counts as well.",
            invents,
        ),
        Mistake(
            "loses",
            "Words lost",
            "The output lacks a word that the source has and the reference keeps as it is.",
            loses,
        ),
        Mistake(
            "reorders",
            "Another order",
            "The output has exactly the tokens of the reference, in another order.",
            reorders,
        ),
        Mistake(
            "one_token_off",
            "One token off",
            "The output is as long as the reference and differs from it in one token.",
            is_one_token_off,
        ),
    )
}
"""All kinds, by their keys."""


def _repeated_runs(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
    """Every run of tokens that the same run follows at once, with how often."""
    found: Counter[tuple[str, ...]] = Counter()
    for length in range(1, len(tokens) // 2 + 1):
        alike = 0  # Tokens up to here that equal the one that stands a run's length before them.
        for place in range(length, len(tokens)):
            alike = alike + 1 if tokens[place] == tokens[place - length] else 0
            if alike >= length:
                found[tuple(tokens[place - length + 1 : place + 1])] += 1
    return found


def _words(result: PairResult) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The words of source, reference and output."""
    texts = (result.source, result.reference, result.output)
    if any(" " in text.strip() for text in texts):
        source, reference, output = map(_words_of, texts)
        return source, reference, output
    reference_tokens, output_tokens = (
        [token for token in tokens if token != EOS]
        for tokens in (result.reference_tokens, result.output_tokens)
    )
    return result.source_tokens, reference_tokens, output_tokens


def _words_of(text: str) -> list[str]:
    # Categories, not \w, which would tear the vowel signs of Hindi off their letters.
    kept = (
        character if unicodedata.category(character)[0] in "LMN" or character in _JOINERS else " "
        for character in text.casefold().replace("’", "'")
    )
    return _WORD.findall(_UNSPACED.sub(r" \1 ", "".join(kept)))
