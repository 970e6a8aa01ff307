"""The sentences of the grammar as trees, before they are words of either language."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.data.tasks.en_fr.lexicon import (
    Adjective,
    Adverb,
    Determiner,
    Noun,
    Number,
    Preposition,
    Verb,
    in_english_order,
    in_french_together,
)

Polarity = Literal["affirmative", "not", "never"]
MAX_ADJECTIVES = 2


@dataclass(frozen=True)
class NounPhrase:
    """A determiner, up to two adjectives in English order, and a noun."""

    determiner: Determiner
    adjectives: tuple[Adjective, ...]
    noun: Noun
    is_plural: bool

    @property
    def number(self) -> Number:
        """The number that the determiner must go with."""
        if self.noun.is_mass:
            return "mass"
        return "plural" if self.is_plural else "singular"

    def is_grammatical(self) -> bool:
        """Whether determiner and noun agree, and the adjectives are few, in order, and French side by side."""
        return (
            self.number in self.determiner.numbers
            and not (self.noun.is_mass and self.is_plural)
            and len(self.adjectives) <= MAX_ADJECTIVES
            and all(
                in_english_order(first, second) and in_french_together(first, second, self.noun)
                for first, second in pairwise(self.adjectives)
            )
        )


@dataclass(frozen=True)
class Place:
    """A preposition and a noun phrase."""

    preposition: Preposition
    noun_phrase: NounPhrase


@dataclass(frozen=True)
class Action:
    """A verb and its object, if it takes one."""

    verb: Verb
    object: NounPhrase | None


@dataclass(frozen=True)
class State:
    """What a sentence with "to be" says of its subject; an adjective, or None when only the place is told."""

    adjective: Adjective | None


@dataclass(frozen=True)
class Sentence:
    """A whole sentence; "never" takes the place of an adverb of frequency."""

    subject: NounPhrase
    predicate: Action | State
    polarity: Polarity = "affirmative"
    frequency: Adverb | None = None
    setting: Place | Adverb | None = None

    def is_grammatical(self) -> bool:
        """Whether all parts fit together, whatever they may mean."""
        return (
            all(phrase.is_grammatical() for phrase in self.noun_phrases())
            and not (self.polarity == "never" and self.frequency)
            and self._predicate_is_complete()
            and self._any_is_negated_object()
            and self._some_is_no_negated_object()
            and self._fond_verb_has_definite_object()
        )

    @property
    def object(self) -> NounPhrase | None:
        """The object of the verb, if there is one."""
        return self.predicate.object if isinstance(self.predicate, Action) else None

    @property
    def negates_object(self) -> bool:
        """True if the negation reaches the object; in "not always" it reaches the adverb alone."""
        is_partial = self.frequency is not None and self.frequency.english == "always"
        return self.polarity != "affirmative" and not is_partial

    def noun_phrases(self) -> list[NounPhrase]:
        """Return the noun phrases of subject, object and place."""
        place = self.setting.noun_phrase if isinstance(self.setting, Place) else None
        return [phrase for phrase in (self.subject, self.object, place) if phrase]

    def descriptions(self) -> list[tuple[Adjective, Noun]]:
        """Return each adjective with the noun that it describes, beside it or after "to be"."""
        pairs = [
            (adjective, phrase.noun) for phrase in self.noun_phrases() for adjective in phrase.adjectives
        ]
        told = self.predicate.adjective if isinstance(self.predicate, State) else None
        return [*pairs, (told, self.subject.noun)] if told else pairs

    def _predicate_is_complete(self) -> bool:
        if isinstance(self.predicate, Action):
            return (self.predicate.object is None) == (self.predicate.verb.objects is None)
        told_place = isinstance(self.setting, Place) or (self.setting is not None and self.setting.is_place)
        return self.predicate.adjective is not None or told_place

    def _any_is_negated_object(self) -> bool:
        n_any = sum(phrase.determiner.english == "any" for phrase in self.noun_phrases())
        in_object = self.object is not None and self.object.determiner.english == "any"
        return n_any == 0 or (n_any == 1 and in_object and self.polarity != "affirmative")

    def _some_is_no_negated_object(self) -> bool:
        """Any takes the place of some: "does not see some trees" would see others."""
        negated = self.object if self.polarity != "affirmative" else None
        return negated is None or negated.determiner.english != "some"

    def _fond_verb_has_definite_object(self) -> bool:
        """French loves bread as such, le pain: "loves some bread" has no word-for-word translation."""
        fond = isinstance(self.predicate, Action) and self.predicate.verb.is_fond
        return not (fond and self.object is not None and self.object.determiner.is_indefinite)
