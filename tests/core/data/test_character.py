"""Laws of the character tokenizer where a space is a token."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tokenizers import CharacterTokenizer, tokenizer_from_dict
from core.data.vocabulary import SPECIALS, Vocabulary

SPACED = CharacterTokenizer(Vocabulary.build(" abcé,"))
LETTERS = CharacterTokenizer(Vocabulary.build("abcé"))


def test_a_space_is_a_token_where_the_vocabulary_has_one():
    assert SPACED.keeps_spaces
    assert not LETTERS.keeps_spaces
    assert SPACED.tokenize("ab c") == ["a", "b", " ", "c"]
    assert LETTERS.tokenize("ab c") == ["a", "b", "c"]


def test_inner_white_space_becomes_one_space_and_outer_none():
    assert SPACED.normalize("  a\t\n b ,  e\u0301 \n") == "a b , é"


@pytest.mark.parametrize("tokenizer", [SPACED, LETTERS], ids=["spaced", "letters"])
@given(text=st.text(st.sampled_from(" \t\u2003abe\u0301é,AZ"), max_size=20) | st.text())
def test_normalizing_twice_changes_nothing(tokenizer, text):
    once = tokenizer.normalize(text)
    assert tokenizer.normalize(once) == once


def test_an_accent_that_meets_its_letter_is_composed_with_it():
    assert LETTERS.tokenize("e \u0301") == ["é"]
    assert SPACED.tokenize("e \u0301") == ["e", " ", "\u0301"]


@given(st.text(" abcé,"))
def test_decoding_gives_the_normalized_text_back(text):
    assert SPACED.decode(SPACED.encode(text)) == SPACED.normalize(text)


def test_case_is_kept():
    assert SPACED.unknown("aB b") == ["B"]


def test_it_survives_json():
    assert tokenizer_from_dict(json.loads(json.dumps(SPACED.to_dict()))) == SPACED
    assert SPACED.to_dict() == {"kind": "character", "tokens": [*SPECIALS, *" abcé,"]}
