"""Laws of the sentence trees and of the alignment."""

import pytest

from core.data.tasks.en_fr import EnglishToFrench
from core.data.tasks.en_fr.grammar import Action, NounPhrase, Place, Sentence, State
from core.data.tasks.en_fr.lexicon import (
    ADJECTIVES,
    DETERMINERS,
    FINAL_ADVERBS,
    FREQUENCIES,
    NOUNS,
    PREPOSITIONS,
    VERBS,
)
from tests.optional import unwrap

ADJECTIVE = {each.english: each for each in ADJECTIVES}
DETERMINER = {each.english: each for each in DETERMINERS}
NOUN = {each.singular: each for each in NOUNS}
VERB = {each.plural: each for each in VERBS}
ADVERB = {each.english: each for each in (*FREQUENCIES, *FINAL_ADVERBS)}


def phrase(determiner: str, *adjectives: str, noun: str = "cat", plural: bool = False) -> NounPhrase:
    return NounPhrase(
        DETERMINER[determiner], tuple(ADJECTIVE[each] for each in adjectives), NOUN[noun], plural
    )


@pytest.mark.parametrize(
    "good",
    [
        phrase("the"),
        phrase("a"),
        phrase("two", plural=True),
        phrase("some", noun="bread"),
        phrase("the", noun="bread"),
        phrase("the", "beautiful", "small"),
        phrase("the", "small", "sad"),
        phrase("the", "sad", "small"),
        phrase("the", "young", "black"),
    ],
)
def test_what_agrees_is_grammatical(good):
    assert good.is_grammatical()


@pytest.mark.parametrize(
    "bad",
    [
        phrase("a", plural=True),
        phrase("some"),
        phrase("two"),
        phrase("these"),
        phrase("this", plural=True),
        phrase("a", noun="bread"),
        phrase("two", noun="bread"),
        phrase("the", noun="bread", plural=True),
        phrase("the", "black", "small"),
        phrase("the", "small", "big"),
        phrase("the", "small", "small"),
        phrase("the", "young", "beautiful"),
        phrase("the", "beautiful", "small", "black"),
    ],
)
def test_what_does_not_agree_is_ungrammatical(bad):
    assert not bad.is_grammatical()
    assert not Sentence(bad, State(ADJECTIVE["old"])).is_grammatical()


CAT, ANY = phrase("the"), phrase("any", plural=True)
SEE, SLEEP = VERB["see"], VERB["sleep"]


@pytest.mark.parametrize(
    ("sentence", "grammatical"),
    [
        (Sentence(CAT, Action(SLEEP, None)), True),
        (Sentence(CAT, Action(SLEEP, CAT)), False),
        (Sentence(CAT, Action(SEE, CAT)), True),
        (Sentence(CAT, Action(SEE, None)), False),
        (Sentence(CAT, Action(SEE, ANY), "not"), True),
        (Sentence(CAT, Action(SEE, ANY), "never"), True),
        (Sentence(CAT, Action(SEE, ANY)), False),
        (Sentence(ANY, Action(SEE, CAT), "not"), False),
        (Sentence(ANY, Action(SEE, ANY), "not"), False),
        (Sentence(CAT, Action(SLEEP, None), "not", None, Place(PREPOSITIONS[0], ANY)), False),
        (Sentence(CAT, Action(SLEEP, None), "not", ADVERB["often"]), True),
        (Sentence(CAT, Action(SLEEP, None), "never", ADVERB["often"]), False),
        (Sentence(CAT, State(None)), False),
        (Sentence(CAT, State(None), setting=ADVERB["now"]), False),
        (Sentence(CAT, State(None), setting=ADVERB["here"]), True),
        (Sentence(CAT, State(None), setting=Place(PREPOSITIONS[0], CAT)), True),
        (Sentence(CAT, State(ADJECTIVE["old"])), True),
    ],
)
def test_only_complete_sentences_are_grammatical(sentence, grammatical):
    assert sentence.is_grammatical() is grammatical


@pytest.mark.parametrize(
    ("english", "aligned"),
    [
        (
            "the small cat does not sleep",
            "le:the petit:small chat:cat ne:does+not dort:sleep pas:not",
        ),
        ("the man is not old", "l':the homme:man n':not est:is pas:not vieux:old"),
        (
            "the sad black cat never looks at any birds",
            "le:the chat:cat noir:black triste:sad ne:never regarde:looks+at jamais:never d':any oiseaux:birds",
        ),
        (
            "a child often drinks some water in front of the house",
            "un:a enfant:child boit:drinks souvent:often de:some l':some eau:water devant:in+front+of"
            " la:the maison:house",
        ),
        (
            "the boy does not see an old tree today",
            "le:the garçon:boy ne:does+not voit:see pas:not de:an vieil:old arbre:tree aujourd'hui:today",
        ),
    ],
)
def test_every_french_word_stands_for_its_english_words(english, aligned):
    task = EnglishToFrench()
    pair, tokenizer = task.reference(english), task.tokenizers()[0]
    source, target = tokenizer.tokenize(unwrap(pair).source), tokenizer.tokenize(unwrap(pair).target)
    found = [
        f"{word}:{'+'.join(source[position] for position in positions)}"
        for word, positions in zip(target, unwrap(pair).alignment, strict=True)
    ]
    assert " ".join(found) == aligned
