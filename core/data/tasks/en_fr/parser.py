"""The parser: from English words to the sentence tree that they write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from core.data.tasks.en_fr.english import write_english
from core.data.tasks.en_fr.grammar import Action, NounPhrase, Place, Polarity, Sentence, State
from core.data.tasks.en_fr.lexicon import (
    ADJECTIVES,
    DETERMINERS,
    FINAL_ADVERBS,
    FREQUENCIES,
    NOUNS,
    PREPOSITIONS,
    VERBS,
    Adverb,
    Preposition,
)

_DETERMINERS = {determiner.english: determiner for determiner in DETERMINERS}
_DETERMINERS["an"] = _DETERMINERS["a"]
_ADJECTIVES = {adjective.english: adjective for adjective in ADJECTIVES}
_NOUNS = {noun.singular: (noun, False) for noun in NOUNS} | {
    noun.plural: (noun, True) for noun in NOUNS if noun.plural
}
_VERBS = {form: verb for verb in VERBS for form in (verb.plural, verb.third_person)}
_FREQUENCIES = {adverb.english: adverb for adverb in FREQUENCIES}
_FINAL_ADVERBS = {adverb.english: adverb for adverb in FINAL_ADVERBS}
# "in front of" is tried before "in".
_PREPOSITIONS = sorted(PREPOSITIONS, key=lambda preposition: -len(preposition.english))

T = TypeVar("T")


def parse_english(words: Sequence[str]) -> Sentence | None:
    """Return the tree of an English sentence of the grammar, or None for anything else."""
    try:
        sentence = _Reader(words).sentence()
    except _NotInGrammarError:
        return None
    if not sentence.is_grammatical():
        return None
    # Writing it again finds every fault of form (a old man, the cat sleep), without a rule for each here.
    return sentence if [word.text for word in write_english(sentence)] == list(words) else None


class _NotInGrammarError(Exception):
    """The words stop making sense here."""


class _Reader:
    """Reads words from left to right; every method takes what it names or raises `_NotInGrammarError`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._next = 0

    def sentence(self) -> Sentence:
        subject = self._noun_phrase()
        is_state = self._skip("is") or self._skip("are")
        if not is_state and not self._skip("does"):
            self._skip("do")
        polarity, frequency = self._polarity(), self._optional(_FREQUENCIES)
        predicate = State(self._optional(_ADJECTIVES)) if is_state else self._action()
        return Sentence(subject, predicate, polarity, frequency, self._setting())

    def _polarity(self) -> Polarity:
        if self._skip("not"):
            return "not"
        return "never" if self._skip("never") else "affirmative"

    def _action(self) -> Action:
        verb = self._one_of(_VERBS)
        if verb.particle and not self._skip(verb.particle):
            raise _NotInGrammarError
        return Action(verb, None if verb.objects is None else self._noun_phrase())

    def _noun_phrase(self) -> NounPhrase:
        determiner = self._one_of(_DETERMINERS)
        adjectives = []
        while adjective := self._optional(_ADJECTIVES):
            adjectives.append(adjective)
        noun, is_plural = self._one_of(_NOUNS)
        return NounPhrase(determiner, tuple(adjectives), noun, is_plural)

    def _setting(self) -> Place | Adverb | None:
        if preposition := self._preposition():
            return Place(preposition, self._noun_phrase())
        return self._optional(_FINAL_ADVERBS)

    def _preposition(self) -> Preposition | None:
        return next((each for each in _PREPOSITIONS if self._skip(*each.english)), None)

    def _one_of(self, known: Mapping[str, T]) -> T:
        found = self._optional(known)
        if found is None:
            raise _NotInGrammarError
        return found

    def _optional(self, known: Mapping[str, T]) -> T | None:
        word = self._words[self._next] if self._next < len(self._words) else None
        if word is None or word not in known:
            return None
        self._next += 1
        return known[word]

    def _skip(self, *expected: str) -> bool:
        end = self._next + len(expected)
        if self._words[self._next : end] != expected:
            return False
        self._next = end
        return True
