"""The English side of the grammar: from a sentence tree to words."""

from __future__ import annotations

from core.data.tasks.alignment import Word
from core.data.tasks.en_fr.grammar import Action, NounPhrase, Place, Sentence, State
from core.data.tasks.en_fr.lexicon import Adverb, Verb


def write_english(sentence: Sentence) -> list[Word]:
    """Return the English words, each with a role that no other word of the sentence has."""
    subject = _noun_phrase(sentence.subject, "subject")
    if isinstance(sentence.predicate, Action):
        predicate = _action(sentence, sentence.predicate)
    else:
        predicate = _state(sentence, sentence.predicate)
    return [*subject, *predicate, *_setting(sentence.setting)]


def _noun_phrase(phrase: NounPhrase, role: str) -> list[Word]:
    adjectives = [
        Word(adjective.english, (f"{role}.adjective.{index}",))
        for index, adjective in enumerate(phrase.adjectives)
    ]
    noun = phrase.noun.plural if phrase.is_plural and phrase.noun.plural else phrase.noun.singular
    rest = [*adjectives, Word(noun, (f"{role}.noun",))]
    determiner = phrase.determiner.english
    if determiner == "a" and rest[0].text[0] in "aeiou":
        determiner = "an"
    return [Word(determiner, (f"{role}.determiner",)), *rest]


def _action(sentence: Sentence, action: Action) -> list[Word]:
    verb = [*_verb_group(sentence, action.verb), *_optional(action.verb.particle, "particle")]
    return verb + (_noun_phrase(action.object, "object") if action.object else [])


def _verb_group(sentence: Sentence, verb: Verb) -> list[Word]:
    frequency = _frequency(sentence)
    if sentence.polarity == "not":
        auxiliary = "do" if sentence.subject.is_plural else "does"
        return [Word(auxiliary, ("do",)), Word("not", ("not",)), *frequency, Word(verb.plural, ("verb",))]
    form = verb.plural if sentence.subject.is_plural else verb.third_person
    return [*frequency, Word(form, ("verb",))]


def _state(sentence: Sentence, state: State) -> list[Word]:
    be = Word("are" if sentence.subject.is_plural else "is", ("verb",))
    negation = [Word("not", ("not",))] if sentence.polarity == "not" else []
    adjective = _optional(state.adjective.english if state.adjective else None, "adjective")
    return [be, *negation, *_frequency(sentence), *adjective]


def _frequency(sentence: Sentence) -> list[Word]:
    if sentence.polarity == "never":
        return [Word("never", ("never",))]
    return _optional(sentence.frequency.english if sentence.frequency else None, "frequency")


def _setting(setting: Place | Adverb | None) -> list[Word]:
    if isinstance(setting, Place):
        words = enumerate(setting.preposition.english)
        preposition = [Word(word, (f"preposition.{index}",)) for index, word in words]
        return preposition + _noun_phrase(setting.noun_phrase, "place")
    return _optional(setting.english if setting else None, "setting")


def _optional(text: str | None, role: str) -> list[Word]:
    return [Word(text, (role,))] if text else []
