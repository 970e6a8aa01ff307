"""Laws of the word tokenizer that loses nothing, and of every tokenizer that keeps exact spaces."""

import json
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.cleaning import clean_target
from core.data.tokenizers import (
    BpeTokenizer,
    CasedWordTokenizer,
    CharacterTokenizer,
    WordTokenizer,
    tokenizer_from_dict,
)
from core.data.vocabulary import Vocabulary
from core.errors import ConfigError

NOTHING = Vocabulary.build(())
WORDS = CasedWordTokenizer(NOTHING)
EXACT = CasedWordTokenizer(NOTHING, exact_spaces=True)
CODE = ("    return  f(x)\n\treturn  f(y)", "if a == b:  return ▁ab ab")
KEEPING = (
    EXACT,
    CharacterTokenizer(Vocabulary.build("abc")),
    CharacterTokenizer(NOTHING, exact_spaces=True),
    BpeTokenizer.train(CODE, 90, exact_spaces=True),
)
TEXTS = (
    st.text(
        st.sampled_from(
            "abLl'’qu·▁ \t\n\u00a0.,()\"“”«»-–=*$%👍🏽\u200d\u200c\u200b\ufe0f🇩🇪का\u0301é❤_7\ufeff"
        )
    )
    | st.text()
)


@given(TEXTS)
def test_words_join_to_the_normalized_text(text):
    assert WORDS.join(WORDS.tokenize(text)) == WORDS.normalize(text)


@given(TEXTS)
def test_cleaned_text_comes_back_exactly(text):
    assert WORDS.round_trips(clean_target(text).text)
    assert EXACT.round_trips(clean_target(text, keep_spaces=True).text)


@pytest.mark.parametrize("tokenizer", KEEPING[2:] + KEEPING[:1], ids=lambda each: each.kind)
@given(text=TEXTS)
def test_exact_spaces_are_kept_by_every_kind(tokenizer, text):
    assert tokenizer.join(tokenizer.tokenize(text)) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    "word",
    [
        *("किताब", "लड़का", "தமிழ்", "บ้าน", "น้ำดื่ม", "كِتَابٌ", "שָׁלוֹם", "צה״ל", "lọ̀", "কিতাব", "తెలుగు", "မြန်မာ"),
        *(
            "می\u200cروم",
            "İstanbul",
            "한국어",
            "tiếng",
            "aujourd'hui",
            "don't",
            "O’Brien",
            "col·lecció",
            "user_id",
        ),
        *("ខ្មែរ", "සිංහල", "ქართული", "ngữ", "Straße", "2nd", "ક્ષ", "ᠮᠣᠩᠭᠣᠯ", "ܫܠܡܐ", "1️⃣"),
        *(
            "👍🏽",
            "👨\u200d👩\u200d👧",
            "❤️",
            "🇩🇪",
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        ),
    ],
)
def test_a_word_with_its_marks_is_one_token(word):
    word = unicodedata.normalize("NFC", word)
    assert WORDS.tokenize(word) == [word]
    assert WORDS.tokenize(f"a {word}, {word} b") == ["a", word, ",", word, "b"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('He said "no" (twice): why?', ["He", "said", '"', "no", '·"', "(", "twice", ")", ":", "why", "?"]),
        ("L’homme qu'il aime", ["L’", "homme", "qu'", "il", "aime"]),
        ("state-of-the-art – so", ["state", "-", "of", "-", "the", "-", "art", "▁–", "so"]),
        ("12.5% of $5", ["12", ".", "·5", "%", "of", "$", "5"]),
        ("a = b, a=b", ["a", "=", "b", ",", "a", "·=", "b"]),
        ("f(x) > 2;", ["f", "·(", "x", ")", ">", "2", ";"]),
        ("non !", ["non", "▁!"]),
        ("„Haus“ und “house”", ["„", "Haus", "·“", "und", "“", "house", "”"]),
        ("dogs' tails", ["dogs", "·'", "tails"]),
        ("a\u200bb", ["a", "\u200b", "b"]),
        ("ja 👍👍", ["ja", "👍", "·👍"]),
        ("· ▁ a·", ["·", "▁", "a", "··"]),
    ],
)
def test_most_tokens_are_bare_and_prefixes_tell_other_spacing(text, tokens):
    assert WORDS.tokenize(text) == tokens


def test_blanks_beyond_a_single_space_are_tokens():
    blanks = [*"    ", "return", " ", " ", "x", "\t", "#", "▁a", " "]
    assert EXACT.tokenize("    return  x\t# a ") == blanks
    assert WORDS.tokenize("    return  x") == ["return", "x"]


def test_exact_spaces_survive_json_and_are_saved_only_if_true():
    for tokenizer in KEEPING:
        values = json.loads(json.dumps(tokenizer.to_dict()))
        assert tokenizer_from_dict(values) == tokenizer
        assert ("exact_spaces" in values) == tokenizer.exact_spaces


def test_a_file_cannot_ask_for_impossible_spaces():
    values = CharacterTokenizer(NOTHING).to_dict()
    with pytest.raises(ConfigError, match="exact_spaces to true or false"):
        tokenizer_from_dict({**values, "exact_spaces": 1})
    for kind in ("word", "morpheme"):
        with pytest.raises(ConfigError, match=f"of the kind {kind} cannot keep every space"):
            tokenizer_from_dict({**values, "kind": kind, "exact_spaces": True})


def test_losses_are_named():
    assert not WORDS.loss
    assert WordTokenizer(NOTHING).loss
    assert not WordTokenizer(NOTHING).round_trips("The cat")
    assert WordTokenizer(NOTHING).round_trips("the cat")


def test_fifty_thousand_pairs_are_cut_in_seconds():
    sentence = "The small cat number {} doesn't sleep, and its 2 friends (who knows?) don't!"
    texts = [sentence.format(number) for number in range(10_000)]
    begin = time.process_time()
    for text in texts:
        WORDS.tokenize(text)
    # A tenth of the texts; five times the time that it takes here.
    assert time.process_time() - begin < 2


def test_many_elided_words_are_cut_in_moments():
    text = "l'" * 100_000 + "eau"
    tokens = WORDS.tokenize(text)
    assert tokens[0] == "l'"
    assert WORDS.join(tokens) == text
