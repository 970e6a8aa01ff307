"""Laws of the morpheme tokenizer."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tokenizers import MorphemeTokenizer, tokenizer_from_dict
from core.data.vocabulary import SPECIALS, Vocabulary
from core.errors import ConfigError, InputError

PIECES = "twenty one - vier eins ein ·und ·ein ·eins ·zwanzig ·dreißig ·vier ·hundert zwölf"
GERMAN = MorphemeTokenizer(Vocabulary.build(PIECES.split()))
LIVELY_TEXT = st.text() | st.text(st.sampled_from(" -·vierundzwanzigßİ’é<>/s_"), max_size=30)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("vierundzwanzig", ["vier", "·und", "·zwanzig"]),
        ("Einunddreißig", ["ein", "·und", "·dreißig"]),
        ("einhunderteins", ["ein", "·hundert", "·eins"]),
        ("einhunderteinundzwanzig", ["ein", "·hundert", "·ein", "·und", "·zwanzig"]),
        ("eins", ["eins"]),
        ("twenty-one", ["twenty", "-", "one"]),
        (" Twenty -  ONE\n", ["twenty", "-", "one"]),
        ("vier und zwanzig", ["vier", "und", "zwanzig"]),
        ("zwo\u0308lf", ["zwölf"]),
        ("zwanzig", ["zwanzig"]),
        ("vierundvierzig", ["vierundvierzig"]),
        ("vierund", ["vier", "·und"]),
        ("·und ·", ["·", "und", "·"]),
        ("one, one!", ["one", ",", "one", "!"]),
        ("", []),
    ],
)
def test_words_are_cut_into_the_longest_known_pieces(text, tokens):
    assert GERMAN.tokenize(text) == tokens


def test_a_word_that_cannot_be_cut_is_unknown_as_a_whole():
    assert GERMAN.unknown("vierundvierzig vier zwanzig vierundvierzig") == ["vierundvierzig", "zwanzig"]
    assert GERMAN.encode("vier vierundvierzig") == [GERMAN.vocabulary.id("vier"), GERMAN.vocabulary.unk_id]


def test_pieces_and_hyphens_are_joined_without_spaces():
    assert GERMAN.join(["vier", "·und", "·zwanzig", "ein", "·hundert"]) == "vierundzwanzig einhundert"
    assert GERMAN.join(["twenty", "-", "one", "vier"]) == "twenty-one vier"
    assert GERMAN.join(["·und", "·vier"]) == "undvier"
    assert GERMAN.join([]) == ""


def test_decoding_drops_padding_begin_and_end_and_shows_the_unknown():
    ids = [GERMAN.vocabulary.id(piece) for piece in ("vier", "·und", "·zwanzig")]
    assert GERMAN.decode([1, *ids, 3, 2, 0, 0]) == "vierundzwanzig <unk>"
    with pytest.raises(InputError):
        GERMAN.decode([4, 999])


@given(LIVELY_TEXT)
def test_normalizing_twice_changes_nothing(text):
    once = GERMAN.normalize(text)
    assert GERMAN.normalize(once) == once


def test_normalizing_twice_changes_nothing_for_any_character_with_case():
    for character in filter(lambda each: each.lower() != each, map(chr, range(sys.maxunicode + 1))):
        once = GERMAN.normalize("a" + character + "b")
        assert GERMAN.normalize(once) == once


@given(LIVELY_TEXT)
def test_no_text_becomes_a_special_id(text):
    assert not {0, 1, 2} & set(GERMAN.encode(text))
    assert len(GERMAN.encode(text)) == len(GERMAN.tokenize(text))


@pytest.mark.parametrize("special", SPECIALS)
def test_typed_specials_are_ordinary_text(special):
    assert not {0, 1, 2} & set(GERMAN.encode(f"vier {special}"))
    assert GERMAN.unknown(special)


@given(st.lists(st.sampled_from(["twenty", "vier", "vierundzwanzig", "einhunderteins", "-"]), max_size=6))
def test_a_text_of_known_words_survives(words):
    text = GERMAN.normalize(" ".join(words))
    assert GERMAN.unknown(text) == []
    assert GERMAN.decode(GERMAN.encode(text)) == text


def test_it_survives_json():
    assert tokenizer_from_dict(json.loads(json.dumps(GERMAN.to_dict()))) == GERMAN


def test_an_empty_piece_is_refused():
    with pytest.raises(ConfigError, match="·"):
        MorphemeTokenizer(Vocabulary.build(["vier", "·"]))


@pytest.mark.proof
def test_a_long_word_is_cut_in_linear_time():
    assert len(GERMAN.tokenize("vier" * 50_000)) == 50_000
    assert len(GERMAN.tokenize("vier" * 50_000 + "?" + "vier" * 50_000 + "x")) == 50_002
