"""Laws of the word and the character tokenizer."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tokenizers import CharacterTokenizer, WordTokenizer, tokenizer_from_dict
from core.data.vocabulary import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary
from core.errors import ConfigError, InputError

WORDS = WordTokenizer(
    Vocabulary.build(["the", "cat", "l'", "homme", "n'", "aime", "pas", "aujourd'hui", "?"])
)
LETTERS = CharacterTokenizer(Vocabulary.build("abcé"))
BOTH = pytest.mark.parametrize("tokenizer", [WORDS, LETTERS], ids=["word", "character"])
LIVELY_TEXT = st.text() | st.text(st.sampled_from(" 'abln’.!?…-é<>/s_"), max_size=30)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("l'homme", ["l'", "homme"]),
        ("L’homme n’aime pas", ["l'", "homme", "n'", "aime", "pas"]),
        ("jusqu'à qu'elle", ["jusqu'", "à", "qu'", "elle"]),
        ("aujourd'hui", ["aujourd'hui"]),
        ("  The\tcat \n sleeps . ", ["the", "cat", "sleeps"]),
        ("Really?!…", ["really"]),
        ("no. yes, two-three", ["no", ".", "yes", ",", "two", "-", "three"]),
        ("e\u0301cole", ["école"]),
        ("the dogs' bones", ["the", "dogs", "'", "bones"]),
        ("it doesn't, they don’t!", ["it", "does", "not", ",", "they", "do", "not"]),
        ("isn't aren't", ["is", "not", "are", "not"]),
        ("", []),
        (" ...", []),
    ],
)
def test_words_are_cut_where_a_reader_cuts_them(text, tokens):
    assert WORDS.tokenize(text) == tokens


def test_characters_lose_white_space_and_keep_case():
    assert LETTERS.tokenize(" aB\tc e\u0301\n") == ["a", "B", "c", "é"]


@BOTH
@given(text=LIVELY_TEXT)
def test_normalizing_twice_changes_nothing(tokenizer, text):
    once = tokenizer.normalize(text)
    assert tokenizer.normalize(once) == once


def test_normalizing_twice_changes_nothing_for_any_character_with_case():
    for character in filter(lambda each: each.lower() != each, map(chr, range(sys.maxunicode + 1))):
        once = WORDS.normalize("a" + character + "b")
        assert WORDS.normalize(once) == once


@BOTH
@given(text=LIVELY_TEXT)
def test_no_text_becomes_a_special_id(tokenizer, text):
    assert not {0, 1, 2} & set(tokenizer.encode(text))
    assert len(tokenizer.encode(text)) == len(tokenizer.tokenize(text))


@BOTH
@pytest.mark.parametrize("special", SPECIALS)
def test_typed_specials_are_ordinary_text(tokenizer, special):
    assert not {0, 1, 2} & set(tokenizer.encode(f"a {special} b{special}"))
    assert set(tokenizer.unknown(special)) == set(tokenizer.tokenize(special)) - {*"abc"}


def test_a_tokenizer_that_returned_a_special_would_still_not_encode_it():
    class Splitting(WordTokenizer):
        def tokenize(self, text):
            return text.split()

    assert Splitting(WORDS.vocabulary).encode(f"the {PAD} {BOS} {EOS} {UNK}")[1:] == [3, 3, 3, 3]


@BOTH
@given(text=LIVELY_TEXT)
def test_unknown_tokens_are_those_with_the_unknown_id_in_order(tokenizer, text):
    encoded = zip(tokenizer.tokenize(text), tokenizer.encode(text), strict=True)
    assert tokenizer.unknown(text) == list(dict.fromkeys(token for token, id in encoded if id == 3))


@given(st.lists(st.sampled_from(WORDS.vocabulary.words[:-1]), max_size=8))
def test_decoded_words_encode_to_the_same_ids(words):
    # A text cannot end in an elision, which needs a word to lean on.
    words = [word for word in (*words, "cat") if word != "?"]
    ids = [WORDS.vocabulary.id(word) for word in words]
    assert WORDS.encode(WORDS.decode(ids)) == ids


@given(st.text("abcé"))
def test_decoded_characters_are_the_text(text):
    assert LETTERS.decode(LETTERS.encode(text)) == text


def test_decoding_drops_padding_begin_and_end_and_shows_the_unknown():
    assert WORDS.decode([1, 4, 3, 5, 2, 0, 0]) == "the <unk> cat"
    assert LETTERS.decode([1, 4, 3, 5, 2, 0]) == "a<unk>b"


def test_an_elided_word_is_joined_to_the_next():
    assert WORDS.join(["l'", "homme", "n'", "aime", "pas", "'", "x"]) == "l'homme n'aime pas ' x"


def test_an_id_outside_the_vocabulary_is_refused():
    with pytest.raises(InputError):
        WORDS.decode([4, 999])


@BOTH
def test_a_tokenizer_survives_json(tokenizer):
    assert tokenizer_from_dict(json.loads(json.dumps(tokenizer.to_dict()))) == tokenizer


def test_a_character_vocabulary_of_words_is_refused():
    with pytest.raises(ConfigError, match="'cat'"):
        CharacterTokenizer(Vocabulary.build(["a", "cat"]))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "word",
        {},
        {"kind": "word"},
        {"kind": "bpe", "tokens": list(SPECIALS)},
        {"kind": ["word"], "tokens": list(SPECIALS)},
        {"kind": "word", "tokens": "abcd"},
        {"kind": "word", "tokens": {"<pad>": 0}},
        {"kind": "word", "tokens": []},
        {"kind": "word", "tokens": ["cat"]},
        {"kind": "word", "tokens": [*SPECIALS, 5]},
        {"kind": "word", "tokens": [*SPECIALS, None]},
        {"kind": "word", "tokens": [*SPECIALS, "cat", "cat"]},
        {"kind": "word", "tokens": [*SPECIALS, "x" * 101]},
        {"kind": "word", "tokens": [*SPECIALS, *map(str, range(99_997))]},
        {"kind": "character", "tokens": [*SPECIALS, "cat"]},
    ],
)
def test_bad_data_is_refused_with_one_sentence(data):
    with pytest.raises(ConfigError) as refusal:
        tokenizer_from_dict(data)
    assert 10 < len(str(refusal.value)) < 150


def test_the_limits_themselves_are_allowed():
    tokens = [*SPECIALS, "x" * 100, *map(str, range(99_995))]
    assert len(tokenizer_from_dict({"kind": "word", "tokens": tokens}).vocabulary) == 100_000


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=5)))
def test_any_json_for_tokens_is_read_or_refused(tokens):
    try:
        tokenizer_from_dict({"kind": "word", "tokens": tokens})
    except ConfigError:
        return
    assert tuple(tokens[:4]) == SPECIALS


def test_a_long_run_of_marks_is_tokenized_in_linear_time():
    assert len(WORDS.tokenize("." * 50_000 + "x" + "'" * 50_000)) == 100_001


@pytest.mark.parametrize(
    ("word", "tokens"),
    [("किताब", "क ि त ा ब"), ("தமிழ்", "தம ி ழ ்"), ("บ้าน", "บ ้ าน"), ("İstanbul", "i ̇ stanbul")],
)
def test_words_of_saved_runs_are_cut_as_they_were_trained(word, tokens):
    """A saved vocabulary holds marks by themselves; by another rule its run would know no word."""
    assert WordTokenizer(Vocabulary.build(())).tokenize(word) == tokens.split(" ")
