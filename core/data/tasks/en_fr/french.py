"""The French side of the grammar: agreement, elision, negation and word order."""

from __future__ import annotations

import unicodedata

from core.data.tasks.alignment import Word
from core.data.tasks.en_fr.grammar import Action, NounPhrase, Place, Sentence
from core.data.tasks.en_fr.lexicon import Adverb, FrenchAdjective

# Their h is silent too, but the word before them keeps its vowel: le hibou.
_ASPIRATED = {"hibou", "hiboux"}


def write_french(sentence: Sentence) -> list[Word]:
    """Return the French words, each with the roles of the English words that it renders."""
    subject = _noun_phrase(sentence.subject, "subject", negated=False)
    return [*subject, *_verb_group(sentence), *_complement(sentence), *_setting(sentence.setting)]


def starts_with_vowel(word: str) -> bool:
    """Whether a French word makes the word before it elide: it starts with a vowel or a mute h."""
    first = unicodedata.normalize("NFD", word)[0]
    return first in "aeiouœ" or (first == "h" and word not in _ASPIRATED)


def _verb_group(sentence: Sentence) -> list[Word]:
    """Return the verb, in between "ne" and "pas" or "jamais" when negated, and the adverb of frequency."""
    verb = _verb(sentence)
    adverb = [Word(sentence.frequency.french, ("frequency",))] if sentence.frequency else []
    if sentence.polarity == "affirmative":
        return [verb, *adverb]
    ne = "n'" if starts_with_vowel(verb.text) else "ne"
    if sentence.polarity == "never":
        return [Word(ne, ("never",)), verb, Word("jamais", ("never",))]
    return [Word(ne, ("do", "not")), verb, Word("pas", ("not",)), *adverb]


def _verb(sentence: Sentence) -> Word:
    plural = sentence.subject.is_plural
    if isinstance(sentence.predicate, Action):
        verb = sentence.predicate.verb
        return Word(verb.fr_plural if plural else verb.fr_singular, ("verb", "particle"))
    return Word("sont" if plural else "est", ("verb",))


def _complement(sentence: Sentence) -> list[Word]:
    """Return the object of an action, or the adjective of a state, which agrees with the subject."""
    if sentence.object:
        return _noun_phrase(sentence.object, "object", negated=sentence.negates_object)
    if isinstance(sentence.predicate, Action):
        return []
    if not sentence.predicate.adjective:
        return []
    adjective = sentence.predicate.adjective.french_of(sentence.subject.noun, is_told=True)
    return [Word(_agreeing(adjective, sentence.subject), ("adjective",))]


def _setting(setting: Place | Adverb | None) -> list[Word]:
    if isinstance(setting, Place):
        english = setting.preposition.english
        roles = tuple(f"preposition.{index}" for index in range(len(english)))
        place = _noun_phrase(setting.noun_phrase, "place", negated=False)
        return [Word(setting.preposition.french, roles), *place]
    return [Word(setting.french, ("setting",))] if setting else []


def _noun_phrase(phrase: NounPhrase, role: str, *, negated: bool) -> list[Word]:
    """Return determiner, adjectives, noun, adjectives; those after the noun stand in reverse English order."""
    adjectives = [(index, each.french_of(phrase.noun)) for index, each in enumerate(phrase.adjectives)]
    noun = phrase.noun.fr_plural if phrase.is_plural and phrase.noun.fr_plural else phrase.noun.fr_singular
    words = [Word(noun, (f"{role}.noun",))]
    for index, adjective in reversed(adjectives):
        if adjective.before_noun:
            before_vowel = starts_with_vowel(words[0].text)
            words.insert(0, _adjective(adjective, phrase, f"{role}.adjective.{index}", before_vowel))
        else:
            words.append(_adjective(adjective, phrase, f"{role}.adjective.{index}", False))
    determiner = _determiner(phrase, words[0].text, negated=negated)
    return [*(Word(text, (f"{role}.determiner",)) for text in determiner), *words]


def _adjective(adjective: FrenchAdjective, phrase: NounPhrase, role: str, before_vowel: bool) -> Word:
    singular_masculine = phrase.noun.gender == "m" and not phrase.is_plural
    if before_vowel and singular_masculine and adjective.before_vowel:
        return Word(adjective.before_vowel, (role,))
    return Word(_agreeing(adjective, phrase), (role,))


def _agreeing(adjective: FrenchAdjective, phrase: NounPhrase) -> str:
    """Return the adjective in the gender and number of the noun."""
    if phrase.noun.gender == "m":
        return adjective.masculine_plural if phrase.is_plural else adjective.masculine
    return adjective.feminine_plural if phrase.is_plural else adjective.feminine


def _determiner(phrase: NounPhrase, next_word: str, *, negated: bool) -> list[str]:
    """Return the determiner in one or two words; `negated` means that a negation reaches it."""
    determiner, vowel = phrase.determiner, starts_with_vowel(next_word)
    if determiner.is_indefinite and (negated or _has_plural_de(phrase)):
        return ["d'" if vowel else "de"]
    if determiner.is_indefinite and phrase.noun.is_mass:
        return _partitive(phrase, vowel)
    if phrase.is_plural:
        return [determiner.fr_plural]
    masculine = phrase.noun.gender == "m"
    if vowel and determiner.fr_before_vowel:
        return [determiner.fr_before_vowel[0 if masculine else 1]]
    return [determiner.fr_masculine if masculine else determiner.fr_feminine]


def _has_plural_de(phrase: NounPhrase) -> bool:
    """Whether "des" becomes "de": in the plural, in front of an adjective."""
    return phrase.is_plural and any(each.french_of(phrase.noun).before_noun for each in phrase.adjectives)


def _partitive(phrase: NounPhrase, vowel: bool) -> list[str]:
    """Return some of a stuff: de l'eau, de la soupe, du pain."""
    if vowel:
        return ["de", "l'"]
    return ["du"] if phrase.noun.gender == "m" else ["de", "la"]
