"""Laws of the byte-pair tokenizer."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tokenizers import WORD_BEGIN, BpeTokenizer, tokenizer_from_dict
from core.data.tokenizers.bpe import LONGEST_LEARNED_TOKEN
from core.data.vocabulary import SPECIALS, Vocabulary
from core.errors import ConfigError, InputError
from tests.another_python import said_by
from tests.optional import unwrap

ROOT = Path(__file__).resolve().parents[3]
TEXTS = [
    "The small cat sleeps, and the small dog sleeps too.",
    "Das kleine Kätzchen schläft; der kleine Hund schläft nicht!",
    "A cat is a cat: “cats” sleep (a lot).",
    "sleeping sleeper sleeps aaaaaa abab ababab aab",
]
TOKENIZER = BpeTokenizer.train(TEXTS, 120)
KNOWN = "".join(token for token in TOKENIZER.vocabulary.words if len(token) == 1)
# Letters that are merged often, so that random texts have merges that compete.
LIVELY_TEXT = st.text() | st.text(st.sampled_from("absleptch .,<>/" + WORD_BEGIN), max_size=40)
# Merges that compete with each other, one token made in two ways, in every order that can be drawn.
RIVALS = (("a", "b"), ("ab", "a"), ("b", "a"), ("a", "ba"), ("a", "a"), ("aa", "b"), ("▁", "a"), ("b", "b"))
RIVAL_VOCABULARY = Vocabulary.build(["▁", *"ab", *("".join(merge) for merge in RIVALS)])


def by_hand(*merges):
    tokens = dict.fromkeys(["▁", *"catsbd.", *(left + right for left, right in merges)])
    return BpeTokenizer(Vocabulary.build(tokens), merges)


def test_frequent_parts_of_words_become_tokens():
    assert TOKENIZER.tokenize("cat sleeps.") == ["▁cat", "▁sleeps", "."]


def test_the_mark_of_a_word_is_a_character_that_merges_like_any_other():
    tokenizer = by_hand(("a", "t"), ("c", "at"), ("▁", "cat"))
    assert tokenizer.tokenize("cat scat. cats") == ["▁cat", "▁", "s", "cat", ".", "▁cat", "s"]


def test_the_lowest_rank_goes_first_not_the_longest_token():
    assert by_hand(("a", "t"), ("c", "a"), ("ca", "t")).tokenize("cat") == ["▁", "c", "at"]


def test_punctuation_is_never_merged_with_letters():
    tokenizer = BpeTokenizer.train(["so. so. so. no? no? ... ..."] * 3, 40)
    assert tokenizer.tokenize("so.") == ["▁so", "."]
    assert tokenizer.tokenize("...") == ["▁.", ".", "."]


def test_vowel_signs_stay_with_their_letters():
    tokenizer = BpeTokenizer.train(["हिन्दी हिन्दी"], 40)
    assert tokenizer.tokenize("हिन्दी") == ["▁हिन्दी"]


@given(st.text(st.sampled_from(KNOWN + " \n\t"), max_size=60))
def test_decoding_an_encoded_text_gives_the_normalized_text(text):
    assert TOKENIZER.decode(TOKENIZER.encode(text)) == TOKENIZER.normalize(text)


@given(LIVELY_TEXT)
def test_normalizing_twice_changes_nothing(text):
    once = TOKENIZER.normalize(text)
    assert TOKENIZER.normalize(once) == once
    assert TOKENIZER.tokenize(once) == TOKENIZER.tokenize(text)


@given(LIVELY_TEXT)
def test_the_tokens_joined_are_the_normalized_text_also_where_it_is_unknown(text):
    joined = "".join(TOKENIZER.tokenize(text))
    assert " ".join(joined.replace(WORD_BEGIN, " ").split()) == TOKENIZER.normalize(text)


def test_case_is_kept_and_accents_are_composed():
    assert TOKENIZER.normalize("  Ka\u0308tzchen\n Der ") == "Kätzchen Der"


def test_a_typed_mark_of_a_word_is_read_as_the_space_that_it_stands_for():
    assert TOKENIZER.tokenize("▁the▁cat") == TOKENIZER.tokenize("the cat")
    assert TOKENIZER.decode(TOKENIZER.encode("▁the▁cat▁")) == "the cat"


def test_unknown_characters_are_named_once_each_and_encoded_as_unknown():
    assert TOKENIZER.tokenize("cat ж€жcat") == ["▁cat", "▁", "ж", "€", "ж", "cat"]
    assert TOKENIZER.unknown("cat ж€жcat") == ["ж", "€"]
    assert TOKENIZER.encode("ж") == [TOKENIZER.vocabulary.id("▁"), 3]
    assert TOKENIZER.decode(TOKENIZER.encode("cat жe")) == "cat <unk>e"


def test_half_a_character_is_unknown():
    assert TOKENIZER.unknown("a\ud800b") == ["\ufffd"]


@given(LIVELY_TEXT)
def test_no_text_becomes_a_special_id(text):
    ids = TOKENIZER.encode(text)
    assert not {0, 1, 2} & set(ids)
    assert len(ids) == len(TOKENIZER.tokenize(text))


@pytest.mark.parametrize("special", SPECIALS)
def test_specials_in_the_texts_are_neither_learned_nor_encoded(special):
    tokenizer = BpeTokenizer.train([f"{special} {special}a a{special}"] * 5, 60)
    assert tokenizer.decode(tokenizer.encode(special)) == special
    assert not {0, 1, 2, 3} & set(tokenizer.encode(f"{special} a{special}"))


@given(st.lists(st.integers(0, len(TOKENIZER.vocabulary) - 1), max_size=12))
def test_any_ids_can_be_decoded(ids):
    text = TOKENIZER.decode(ids)
    assert text == " ".join(text.split())
    assert WORD_BEGIN not in text


def test_an_id_outside_the_vocabulary_is_refused():
    with pytest.raises(InputError):
        TOKENIZER.decode([999])


@given(LIVELY_TEXT)
def test_the_replayed_merges_end_with_the_tokens_of_the_library(text):
    steps = TOKENIZER.merge_steps(text)
    assert all(len(token) == 1 for token in steps[0].tokens)
    assert (steps[0].merge, steps[0].rank, steps[0].positions) == (None, None, ())
    assert list(steps[-1].tokens) == TOKENIZER.tokenize(text)


@given(st.permutations(RIVALS), st.text("ab ", max_size=30))
def test_the_replay_is_the_library_s_for_merges_in_any_order(merges, text):
    tokenizer = BpeTokenizer(RIVAL_VOCABULARY, tuple(merges))
    assert list(tokenizer.merge_steps(text)[-1].tokens) == tokenizer.tokenize(text)


@given(st.permutations(RIVALS), st.text("ab ", max_size=30))
def test_every_step_merges_its_pair_at_its_positions(merges, text):
    tokenizer = BpeTokenizer(RIVAL_VOCABULARY, tuple(merges))
    steps = tokenizer.merge_steps(text)
    for before, after in pairwise(steps):
        assert after.merge == tokenizer.merges[unwrap(after.rank)]
        split = [
            part
            for place, token in enumerate(after.tokens)
            for part in (after.merge if place in after.positions else (token,))
        ]
        assert (tuple(split), bool(after.positions)) == (before.tokens, True)


def test_equal_pairs_are_merged_in_one_step():
    steps = by_hand(("a", "t"), ("c", "at")).merge_steps("cat sat")
    assert [(step.rank, step.positions) for step in steps] == [(None, ()), (0, (2, 5)), (1, (1,))]
    assert steps[1].tokens == ("▁", "c", "at", "▁", "s", "at")


def test_a_merge_does_not_cross_the_end_of_a_word():
    tokenizer = by_hand(("t", "."), ("t", "▁"))
    assert tokenizer.tokenize("t. t") == ["▁", "t", ".", "▁", "t"]
    assert len(tokenizer.merge_steps("t. t")) == 1


@pytest.mark.proof
def test_a_long_text_is_encoded_but_not_replayed():
    assert len(TOKENIZER.tokenize("sleeps. " * 50_000)) == 100_000
    assert len(TOKENIZER.tokenize("x" + "ab" * 100_000)) > 1_000
    with pytest.raises(InputError, match="1,000 characters"):
        TOKENIZER.merge_steps("a" * 1_000)


def test_training_ends_at_the_size_that_was_asked_for():
    assert len(BpeTokenizer.train(TEXTS, 60).vocabulary) == 60
    smaller, larger = BpeTokenizer.train(TEXTS, 60), BpeTokenizer.train(TEXTS, 90)
    assert larger.merges[: len(smaller.merges)] == smaller.merges


def test_merges_are_learned_by_frequency():
    tokenizer = BpeTokenizer.train(["xy xy xy zw zw"], 12)
    assert tokenizer.merges == (("x", "y"), ("▁", "xy"), ("z", "w"))


@pytest.mark.parametrize("letter", ["a", "é", "漢", "\U00020000"])
def test_no_token_is_learned_that_is_too_long_to_read(letter):
    tokenizer = BpeTokenizer.train([letter * 1_000, letter * 1_000], 500)
    assert LONGEST_LEARNED_TOKEN / 2 < max(map(len, tokenizer.vocabulary.words)) <= LONGEST_LEARNED_TOKEN


def test_a_vocabulary_is_the_specials_then_characters_then_merges_in_order():
    made = list(dict.fromkeys(left + right for left, right in TOKENIZER.merges))
    assert TOKENIZER.vocabulary.tokens == (*SPECIALS, *sorted(KNOWN), *made)


def test_training_in_another_process_gives_the_same_tokenizer():
    script = (
        "import json, sys; from core.data.tokenizers import BpeTokenizer\n"
        "print(json.dumps(BpeTokenizer.train(json.load(sys.stdin), 300).to_dict()))"
    )
    # Many words with equal counts, so that a tie left to chance would show.
    texts = TEXTS + [f"{a}{b}{c}" for a in "kmnpr" for b in "aeiou" for c in "stvxz"] * 2
    trained = [
        said_by(script, told=json.dumps(texts), PYTHONHASHSEED=seed, TOKENIZERS_PARALLELISM=parallel)
        for seed, parallel in (("1", "true"), ("2", "false"))
    ]
    assert trained[0] == trained[1] == json.dumps(BpeTokenizer.train(texts, 300).to_dict()) + "\n"


def test_reading_a_description_does_not_import_the_library():
    script = (
        "import json, sys; from core.data.tokenizers import tokenizer_from_dict\n"
        "tokenizer_from_dict(json.load(sys.stdin)); print('tokenizers' in sys.modules)"
    )
    assert said_by(script, told=json.dumps(TOKENIZER.to_dict())) == "False\n"


@pytest.mark.parametrize(
    ("texts", "size", "sentence"),
    [
        ([], 100, "at least one text"),
        (["", " \n", WORD_BEGIN], 100, "at least one text"),
        (["cat cat"], 8, "at least 9 tokens, not 8: the texts have 4 different characters"),
        (["cat cat"], 0, "at least 9 tokens"),
        (["cat cat"], -5, "at least 9 tokens"),
        (["cat", "dog"], 100, "no two characters are neighbours twice"),
        (["a", "b"], 100, "no two characters are neighbours twice"),
    ],
)
def test_texts_that_teach_nothing_are_refused(texts, size, sentence):
    with pytest.raises(ConfigError, match=sentence):
        BpeTokenizer.train(texts, size)


def test_a_tokenizer_survives_json():
    TOKENIZER.tokenize("cat")
    again = tokenizer_from_dict(json.loads(json.dumps(TOKENIZER.to_dict())))
    assert again == TOKENIZER
    assert again.tokenize("sleeping cats") == TOKENIZER.tokenize("sleeping cats")
    assert again != BpeTokenizer(TOKENIZER.vocabulary, TOKENIZER.merges[:-1])


def described(merges, *tokens):
    return {"kind": "bpe", "tokens": [*SPECIALS, "▁", "a", "b", "ab", *tokens], "merges": merges}


def test_the_description_that_the_bad_ones_are_made_from_is_good():
    assert tokenizer_from_dict(described([["a", "b"]])).tokenize("ab") == ["▁", "ab"]


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "bpe", "tokens": [*SPECIALS, "▁"]},
        {"kind": "bpe", "tokens": [*SPECIALS, "a", "b", "ab"], "merges": [["a", "b"]]},
        {"kind": "bpe", "tokens": "▁ab", "merges": []},
        described(None),
        described("ab"),
        described({"a": "b"}),
        described([["a", "b"], ["a"]]),
        described([["a", "b", "a"]]),
        described(["ab"]),
        described([["a", 1]]),
        described([["a", None]]),
        described([["a", ["b"]]]),
        described([["a", "b"], ["a", "b"]]),
        described([["a", "c"]]),
        described([["b", "a"]]),
        described([["a", ""]]),
        described([["", ""]]),
        described([["x" * 10_000_000, "b"]]),
        described([["<unk>", "a"]], "<unk>a"),
        described([["<un", "k>"]], "<un", "k>"),
        described([["a", "b"]] * 100_001),
        described([["a", "b"]], "\ud800"),
        described([["a", "b"]], "ab"),
    ],
    ids=lambda data: json.dumps(data)[40:100],
)
def test_bad_descriptions_are_refused_with_one_sentence(data):
    with pytest.raises(ConfigError) as refusal:
        tokenizer_from_dict(data)
    assert 10 < len(str(refusal.value)) < 150


def test_a_deeply_nested_merge_is_refused():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ConfigError, match="pairs of texts"):
        tokenizer_from_dict(described(deep))


@given(
    st.recursive(
        st.none() | st.integers() | st.sampled_from("ab▁"), lambda inner: st.lists(inner, max_size=3)
    )
)
def test_any_json_for_merges_is_read_or_refused(merges):
    try:
        tokenizer = tokenizer_from_dict(described(merges))
    except ConfigError:
        return
    assert isinstance(tokenizer, BpeTokenizer)
    assert set(tokenizer.merges) <= {("a", "b")}
