"""Laws of the tokenizers that are chosen for a user's own pairs."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.pairs import TOKENIZER_CHOICES, Cutting, Drop, DropReason, choose_tokenizer, learnable_pairs
from core.data.tasks.task import Pair
from core.data.tokenizers import tokenizer_from_dict
from core.errors import ConfigError


def pairs_of(*sides):
    return [Pair(source, target, ()) for source, target in sides]


PETS = pairs_of(
    ("the small cat", "die kleine Katze"), ("the dog", "der Hund"), ("a cat, a dog", "Katze, Hund")
)


def sentences_of(n_words):
    """Pairs of sentences with so many different words in all, none of which looks like another."""
    rng = random.Random(0)
    words = rng.sample(
        [a + b + c + d for a in "bdfgklmnhw" for b in "aeiou" for c in "prstvz" for d in "aeiouyng"], n_words
    )
    return pairs_of(*((" ".join(words[start : start + 8]), "ja nein") for start in range(0, n_words, 8)))


@pytest.mark.parametrize("kind", TOKENIZER_CHOICES)
def test_one_tokenizer_serves_both_sides_and_knows_all_of_them(kind):
    source, target = choose_tokenizer(PETS, Cutting(kind, bpe_size=60))
    assert source is target
    assert not any(source.unknown(text) for pair in PETS for text in (pair.source, pair.target))
    assert tokenizer_from_dict(json.loads(json.dumps(source.to_dict()))) == source


@pytest.mark.parametrize("kind", ["character", "bpe"])
def test_texts_with_spaces_and_capitals_come_back_exactly(kind):
    tokenizer, _ = choose_tokenizer(PETS, Cutting(kind, bpe_size=60))
    assert [tokenizer.decode(tokenizer.encode(pair.target)) for pair in PETS] == [
        pair.target for pair in PETS
    ]


def test_few_words_are_tokens_and_many_are_cut():
    assert choose_tokenizer(PETS)[0].kind == "word"
    assert choose_tokenizer(sentences_of(1_900))[0].kind == "word"
    many = choose_tokenizer(sentences_of(2_100), Cutting(bpe_size=300))[0]
    assert (many.kind, len(many.vocabulary)) == ("bpe", 300)


def test_the_last_number_of_words_that_are_tokens_is_two_thousand():
    # Each of these has two words more, ja and nein.
    assert choose_tokenizer(sentences_of(1_998))[0].kind == "word"
    assert choose_tokenizer(sentences_of(1_999))[0].kind == "bpe"


def test_texts_of_one_word_are_cut_into_characters():
    tokenizer, _ = choose_tokenizer(pairs_of(("abc", "cba"), ("hello", "olleh")))
    assert (tokenizer.kind, tokenizer.vocabulary.words) == ("character", tuple("abcehlo"))


def test_frequent_words_come_first_and_equally_frequent_ones_by_the_alphabet():
    tokenizer, _ = choose_tokenizer(pairs_of(("b a", "b c"), ("b", "c")), Cutting("word"))
    assert tokenizer.vocabulary.words == ("b", "c", "a")


@given(st.permutations(PETS))
def test_characters_do_not_depend_on_the_order_of_the_pairs(pairs):
    assert choose_tokenizer(pairs, Cutting("character")) == choose_tokenizer(PETS, Cutting("character"))


@pytest.mark.parametrize(
    ("pairs", "kind", "sentence"),
    [
        ([], "auto", "at least two different words: with 0"),
        (pairs_of(("yes yes", "Yes.")), "auto", "at least two different words: with 1"),
        (pairs_of(("yes", "Yes.")), "word", "at least two different words: with 1"),
        (pairs_of(("a", "aa")), "auto", "at least two different characters: with 1"),
        (pairs_of(("...", "!")), "word", "at least two different words: with 0"),
        ([], "bpe", "at least one text"),
        (pairs_of(("a", "b")), "bpe", "no two characters are neighbours twice"),
        (PETS, "banana", "auto, word, character, bpe, not 'banana'"),
    ],
)
def test_pairs_with_nothing_to_choose_between_are_refused(pairs, kind, sentence):
    with pytest.raises(ConfigError, match=sentence):
        choose_tokenizer(pairs, Cutting(kind))


def test_a_size_without_room_for_the_characters_is_refused():
    with pytest.raises(ConfigError, match="at least 26 tokens, not 10"):
        choose_tokenizer(PETS, Cutting("bpe", bpe_size=10))


@pytest.mark.proof
def test_more_words_than_a_vocabulary_may_have_are_refused():
    pairs = pairs_of(*((str(number), "a b") for number in range(99_995)))
    with pytest.raises(ConfigError, match="choose bpe: the pairs have 99,997 different words"):
        choose_tokenizer(pairs, Cutting("word"))
    assert len(choose_tokenizer(pairs[:-1], Cutting("word"))[0].vocabulary) == 100_000


def test_a_word_that_is_too_long_for_a_file_stays_unknown():
    tokenizer, _ = choose_tokenizer(pairs_of(("a b", "x" * 101 + " " + "y" * 100)), Cutting("word"))
    assert tokenizer.vocabulary.words == ("a", "b", "y" * 100)
    assert tokenizer_from_dict(tokenizer.to_dict()) == tokenizer


def test_pairs_are_learnable_by_the_tokens_they_really_have():
    pairs = pairs_of(("Stop!", "Halt!"), ("stop", "anhalten"), ("...", "so"), ("a b c d", "e"), ("f", "g"))
    tokenizer, _ = choose_tokenizer(pairs, Cutting("word"))
    kept, drops = learnable_pairs(pairs, tokenizer, tokenizer, max_tokens=3)
    assert kept == (pairs[0], pairs[4])
    assert set(drops) == {
        Drop(DropReason.SAME_TOKENS, 1),
        Drop(DropReason.NO_TOKENS, 1),
        Drop(DropReason.TOO_LONG, 1),
    }


def test_either_side_may_be_too_long_or_empty():
    pairs = pairs_of(("a", "b c"), ("b c", "a"), ("a b", "?"), ("c", "b"))
    tokenizer, _ = choose_tokenizer(pairs, Cutting("word"))
    assert learnable_pairs(pairs, tokenizer, tokenizer, max_tokens=1)[0] == (pairs[3],)
    assert learnable_pairs(pairs, tokenizer, tokenizer, max_tokens=2)[0] == (pairs[0], pairs[1], pairs[3])


def test_separate_vocabularies_hold_the_tokens_of_one_side_each():
    pairs = pairs_of(("a b", "x y z"), ("b c", "z z y"))
    source, target = choose_tokenizer(pairs, Cutting("word", separate=True))
    assert set(source.vocabulary.tokens[4:]) == {"a", "b", "c"}
    assert set(target.vocabulary.tokens[4:]) == {"x", "y", "z"}


def test_how_many_words_have_a_token_each_is_a_choice():
    pairs = sentences_of(50)
    assert choose_tokenizer(pairs)[0].kind == "word"
    assert choose_tokenizer(pairs, Cutting(max_words=49, bpe_size=100))[0].kind == "bpe"


def test_pairs_with_tokens_that_are_not_known_can_be_left_out():
    pairs = pairs_of(("a b", "c"), ("a d", "c"), ("b", "d"))
    tokenizer, _ = choose_tokenizer(pairs[:1], Cutting("word"))
    kept, drops = learnable_pairs(pairs, tokenizer, tokenizer, known_only=True)
    assert kept == tuple(pairs[:1])
    assert [(drop.reason, drop.count) for drop in drops] == [(DropReason.UNKNOWN, 2)]
