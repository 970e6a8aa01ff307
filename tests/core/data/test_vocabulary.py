"""Laws of the vocabulary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.vocabulary import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary
from core.errors import ConfigError, InputError

WORDS = st.lists(st.text(min_size=1, max_size=6), max_size=20)


def test_the_specials_have_the_ids_zero_to_three():
    vocabulary = Vocabulary.build(["cat"])
    assert [vocabulary.id(token) for token in (PAD, BOS, EOS, UNK)] == [0, 1, 2, 3]
    assert (Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id, Vocabulary.unk_id) == (0, 1, 2, 3)


def test_words_keep_their_order_and_their_first_place():
    assert Vocabulary.build(["dog", "cat", "dog", "</s>", "ant"]).words == ("dog", "cat", "ant")


@given(WORDS)
def test_id_and_token_are_inverse(words):
    vocabulary = Vocabulary.build(words)
    assert all(vocabulary.id(vocabulary.token(index)) == index for index in range(len(vocabulary)))
    assert all(vocabulary.token(vocabulary.id(word)) == word for word in words)


@given(WORDS)
def test_exactly_the_words_are_contained(words):
    vocabulary = Vocabulary.build(words)
    assert all(word in vocabulary for word in vocabulary.words)
    assert not any(special in vocabulary for special in SPECIALS)
    assert len(vocabulary) == len(vocabulary.words) + 4


def test_an_unknown_token_has_the_unknown_id_and_is_not_contained():
    vocabulary = Vocabulary.build(["cat"])
    assert vocabulary.id("dog") == vocabulary.unk_id
    assert "dog" not in vocabulary
    assert 4 not in vocabulary


@pytest.mark.parametrize("id", [-1, 5])
def test_an_id_outside_the_vocabulary_is_refused(id):
    with pytest.raises(InputError, match="from 0 to 4"):
        Vocabulary.build(["cat"]).token(id)


@pytest.mark.parametrize(
    "tokens",
    [
        ("cat", *SPECIALS),
        SPECIALS[:3],
        (*SPECIALS, "cat", "cat"),
        (*SPECIALS, PAD),
        (*SPECIALS, ""),
        (*SPECIALS, 7),
        (*SPECIALS, ["cat"]),
    ],
)
def test_an_impossible_list_of_tokens_is_refused(tokens):
    with pytest.raises(ConfigError):
        Vocabulary(tokens)


def test_a_repeated_token_is_named():
    with pytest.raises(ConfigError, match="'cat'"):
        Vocabulary((*SPECIALS, "ant", "cat", "dog", "cat"))


def test_equal_tokens_make_equal_vocabularies():
    assert Vocabulary.build("ab") == Vocabulary.build("ab") != Vocabulary.build("ba")
    assert len({Vocabulary.build("ab"), Vocabulary.build("ab")}) == 1
