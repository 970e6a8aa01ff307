"""Laws of the English parser: what it reads, and what it leaves alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tasks.en_fr import EnglishToFrench
from core.data.tasks.en_fr.english import write_english
from core.data.tasks.en_fr.parser import parse_english
from tests.optional import unwrap

TASK = EnglishToFrench()
KNOWN_WORDS = st.lists(st.sampled_from(TASK.tokenizers()[0].vocabulary.words), max_size=12)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the",
        "the cat",
        "cat sleeps",
        "the cat sleep",
        "the cats sleeps",
        "the cat do not sleep",
        "the cats does not sleep",
        "the cat does not sleeps",
        "the cat does sleep",
        "the cats do sleep",
        "the cats do never sleep",
        "the cat not sleeps",
        "the cat is",
        "the cat is now",
        "the cats is old",
        "the cat are old",
        "the cat is sleep",
        "the cat is old old",
        "a old cat sleeps",
        "an cat sleeps",
        "an small old cat sleeps",
        "a cats sleep",
        "some cat sleeps",
        "these cat sleeps",
        "two cat sleep",
        "any cats sleep",
        "a bread is cold",
        "the cat sees",
        "the cat sees any birds",
        "the cat sleeps the bird",
        "the cat looks the bird",
        "the cat sees at the bird",
        "the cat sleeps here now",
        "the cat sleeps in",
        "the cat sleeps in front the house",
        "the black small cat sleeps",
        "the small beautiful black cat sleeps",
        "the cat often never sleeps",
        "the cat sleeps often",
        "the unicorn sleeps",
        "le chat dort",
        "the cat sleeps <pad>",
        "<s> the cat sleeps </s>",
        "the cat sleeps, now",
    ],
)
def test_what_is_not_in_the_grammar_has_no_reference(text):
    assert TASK.reference(text) is None


@pytest.mark.parametrize(
    "typed",
    [
        "The small cat doesn't sleep.",
        "  the SMALL cat doesn’t   sleep !",
        "the small cat does not sleep…",
    ],
)
def test_typing_habits_do_not_matter(typed):
    assert TASK.reference(typed) == TASK.reference("the small cat does not sleep") is not None


def test_sense_is_not_asked_for():
    assert unwrap(TASK.reference("the table eats the king")).target == "la table mange le roi"


@given(KNOWN_WORDS)
def test_known_words_in_any_order_are_written_back_or_refused(words):
    sentence = parse_english(words)
    assert sentence is None or [word.text for word in write_english(sentence)] == words


@given(st.lists(st.text(max_size=5), max_size=8))
def test_unknown_words_are_refused_without_an_error(words):
    assert parse_english(words) is None or set(words) <= set(TASK.tokenizers()[0].vocabulary.words)
