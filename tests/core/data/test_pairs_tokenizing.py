"""Laws of the tokenizers that are chosen for a user's own pairs."""

import json
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.data.cleaning import clean_source, clean_target
from core.data.pairs import (
    AUTOMATIC_CUTTING,
    TOKENIZER_CHOICES,
    Cutting,
    Drop,
    DropReason,
    choose_tokenizer,
    learnable_pairs,
)
from core.data.tasks import TASKS
from core.data.tasks.task import Pair
from core.data.tokenizers import WORD_BEGIN, tokenizer_from_dict
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
    chosen = choose_tokenizer(PETS, Cutting(kind, bpe_size=60))
    source, target = chosen.source, chosen.target
    assert source is target
    assert not any(source.unknown(text) for pair in PETS for text in (pair.source, pair.target))
    assert tokenizer_from_dict(json.loads(json.dumps(source.to_dict()))) == source


@pytest.mark.parametrize("kind", ["character", "bpe"])
def test_texts_with_spaces_and_capitals_come_back_exactly(kind):
    tokenizer = choose_tokenizer(PETS, Cutting(kind, bpe_size=60)).source
    assert [tokenizer.decode(tokenizer.encode(pair.target)) for pair in PETS] == [
        pair.target for pair in PETS
    ]


def chosen_of(pairs, cutting=AUTOMATIC_CUTTING):
    """Choose with held-out pairs that have no new words, so that the number of words decides."""
    return choose_tokenizer(pairs, cutting, pairs[:10])


def test_few_words_are_tokens_and_many_are_cut():
    assert chosen_of(PETS).source.kind == "cased_word"
    assert chosen_of(sentences_of(1_900)).source.kind == "cased_word"
    many = chosen_of(sentences_of(2_100), Cutting(bpe_size=300)).source
    assert (many.kind, len(many.vocabulary)) == ("bpe", 300)


def test_the_last_number_of_words_that_are_tokens_is_two_thousand():
    # Each of these has two words more, ja and nein.
    assert chosen_of(sentences_of(1_998)).source.kind == "cased_word"
    assert chosen_of(sentences_of(1_999)).source.kind == "bpe"


def test_texts_of_one_word_are_cut_into_characters():
    tokenizer = choose_tokenizer(pairs_of(("abc", "cba"), ("hello", "olleh"))).source
    assert (tokenizer.kind, tokenizer.vocabulary.words) == ("character", tuple("abcehlo"))


def test_frequent_words_come_first_and_equally_frequent_ones_by_the_alphabet():
    tokenizer = choose_tokenizer(pairs_of(("b a", "b c"), ("b", "c")), Cutting("word")).source
    assert tokenizer.vocabulary.words == ("b", "c", "a")


@given(st.permutations(PETS))
def test_characters_do_not_depend_on_the_order_of_the_pairs(pairs):
    assert choose_tokenizer(pairs, Cutting("character")) == choose_tokenizer(PETS, Cutting("character"))


@pytest.mark.parametrize(
    ("pairs", "kind", "sentence"),
    [
        ([], "auto", "at least two different words: with 0"),
        (pairs_of(("yes yes", "yes yes")), "auto", "at least two different words: with 1"),
        (pairs_of(("yes yes", "Yes.")), "lowercase-word", "at least two different words: with 1"),
        (pairs_of(("yes", "yes")), "word", "at least two different words: with 1"),
        (pairs_of(("a", "aa")), "auto", "at least two different characters: with 1"),
        (pairs_of(("...", "!")), "lowercase-word", "at least two different words: with 0"),
        ([], "bpe", "at least one text"),
        (pairs_of(("a", "b")), "bpe", "no two characters are neighbours twice"),
        (PETS, "banana", "auto, word, lowercase-word, character, bpe, not 'banana'"),
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
    assert len(choose_tokenizer(pairs[:-1], Cutting("word")).source.vocabulary) == 100_000


def test_a_word_that_is_too_long_for_a_file_stays_unknown():
    tokenizer = choose_tokenizer(pairs_of(("a b", "x" * 101 + " " + "y" * 100)), Cutting("word")).source
    assert tokenizer.vocabulary.words == ("a", "b", "y" * 100)
    assert tokenizer_from_dict(tokenizer.to_dict()) == tokenizer


def test_pairs_are_learnable_by_the_tokens_they_really_have():
    pairs = pairs_of(("Stop!", "Halt!"), ("stop", "anhalten"), ("...", "so"), ("a b c d", "e"), ("f", "g"))
    tokenizer = choose_tokenizer(pairs, Cutting("lowercase-word")).source
    kept, drops = learnable_pairs(pairs, tokenizer, tokenizer, max_tokens=3)
    assert kept == (pairs[0], pairs[4])
    assert set(drops) == {
        Drop(DropReason.SAME_TOKENS, 1),
        Drop(DropReason.NO_TOKENS, 1),
        Drop(DropReason.TOO_LONG, 1),
    }


def test_either_side_may_be_too_long_or_empty():
    pairs = pairs_of(("a", "b c"), ("b c", "a"), ("a b", "?"), ("c", "b"))
    tokenizer = choose_tokenizer(pairs, Cutting("lowercase-word")).source
    assert learnable_pairs(pairs, tokenizer, tokenizer, max_tokens=1)[0] == (pairs[3],)
    assert learnable_pairs(pairs, tokenizer, tokenizer, max_tokens=2)[0] == (pairs[0], pairs[1], pairs[3])


def test_separate_vocabularies_hold_the_tokens_of_one_side_each():
    pairs = pairs_of(("a b", "x y z"), ("b c", "z z y"))
    chosen = choose_tokenizer(pairs, Cutting("word", separate=True))
    source, target = chosen.source, chosen.target
    assert set(source.vocabulary.tokens[4:]) == {"a", "b", "c"}
    assert set(target.vocabulary.tokens[4:]) == {"x", "y", "z"}


def test_how_many_words_have_a_token_each_is_a_choice():
    pairs = sentences_of(50)
    assert chosen_of(pairs).source.kind == "cased_word"
    assert chosen_of(pairs, Cutting(max_words=49, bpe_size=100)).source.kind == "bpe"


def test_pairs_with_tokens_that_are_not_known_can_be_left_out():
    pairs = pairs_of(("a b", "c"), ("a d", "c"), ("b", "d"))
    tokenizer = choose_tokenizer(pairs[:1], Cutting("word")).source
    kept, drops = learnable_pairs(pairs, tokenizer, tokenizer, known_only=True)
    assert kept == tuple(pairs[:1])
    assert [(drop.reason, drop.count) for drop in drops] == [(DropReason.UNKNOWN, 2)]


def test_one_source_may_have_several_targets():
    pairs = pairs_of(("a b", "c"), ("a b", "d"), ("A b", "c"))
    words = choose_tokenizer(pairs, Cutting("word")).source
    assert learnable_pairs(pairs, words, words)[0] == tuple(pairs)
    lowered = choose_tokenizer(pairs, Cutting("lowercase-word")).source
    assert learnable_pairs(pairs, lowered, lowered) == (
        tuple(pairs[:2]),
        (Drop(DropReason.SAME_TOKENS, 1),),
    )


SOUNDS = pairs_of(
    *((a + b + c, f"{a.upper()} {b.upper()} {c.upper()}") for a in "bdg" for b in "aeiou" for c in "ptkmn")
)


def test_letters_to_sounds_are_read_by_character_and_written_by_word():
    held_out = SOUNDS[::7]
    chosen = choose_tokenizer([pair for pair in SOUNDS if pair not in held_out], AUTOMATIC_CUTTING, held_out)
    assert (chosen.source.kind, chosen.target.kind) == ("character", "cased_word")
    assert "Sources are cut into characters, targets into words." in chosen.sentences()
    assert not any(chosen.source.unknown(pair.source) for pair in held_out)


def test_unseen_words_lead_to_smaller_pieces():
    pairs = sentences_of(400)
    assert chosen_of(pairs).source.kind == "cased_word"
    chosen = choose_tokenizer(pairs[10:], AUTOMATIC_CUTTING, pairs[:10])
    assert (chosen.source.kind, chosen.target.kind) == ("bpe", "cased_word")
    assert chosen.sentences()[1] == (
        "The sources are not cut into words, because 10 of 10 held-out sources would have one that was never seen."
    )
    # Without held-out pairs a tenth is set aside, whose words are new as well.
    assert choose_tokenizer(pairs).source.kind == "bpe"


def test_words_are_kept_if_smaller_pieces_would_be_too_many():
    pairs = sentences_of(400)
    chosen = choose_tokenizer(pairs[10:], Cutting(max_tokens=8), pairs[:10])
    assert chosen.source.kind == "cased_word"
    assert chosen.sentences()[0].endswith(
        "because smaller pieces would be more than 8 tokens (--max-tokens)."
    )


def test_a_tenth_of_unknown_texts_is_allowed():
    held_out = [*pairs_of(("new words", "ja nein")), *sentences_of(400)[:9]]
    assert choose_tokenizer(sentences_of(400), AUTOMATIC_CUTTING, held_out).source.kind == "cased_word"
    assert choose_tokenizer(sentences_of(400), AUTOMATIC_CUTTING, held_out[:9]).source.kind == "bpe"


def test_chosen_words_are_measured_before_training():
    pairs = sentences_of(400)
    source, target = choose_tokenizer(pairs[10:], Cutting("word"), pairs[:10]).facts
    assert (source.n_unknown, source.n_held_out, target.n_unknown) == (10, 10, 0)
    (sentence,) = source.sentences()
    assert sentence.startswith("A token that was never seen, such as “")
    assert sentence.endswith("stands in 10 of 10 held-out sources.")


@pytest.mark.parametrize("cutting", [AUTOMATIC_CUTTING, Cutting(bpe_size=100)], ids=["usual", "small"])
def test_an_alphabet_beyond_the_byte_pairs_leads_to_characters(cutting):
    size = cutting.bpe_size
    signs = [chr(0x4E00 + number) for number in range(size)]
    pairs = pairs_of(*((f"{a} {b}", "ja nein") for a, b in zip(signs, signs[1:] + signs[:1], strict=True)))
    chosen = choose_tokenizer(pairs, Cutting(bpe_size=size, max_words=50), pairs[:20])
    assert (chosen.source.kind, chosen.target.kind) == ("character", "cased_word")
    with pytest.raises(ConfigError, match=rf"choose --bpe-size {size + 6}, or --tokenizer character"):
        choose_tokenizer(pairs, Cutting("bpe", bpe_size=size, separate=True))


def test_sides_can_be_asked_for_by_themselves():
    chosen = choose_tokenizer(PETS, Cutting("word", source_tokenizer="character"))
    assert (chosen.source.kind, chosen.target.kind) == ("character", "cased_word")
    chosen = choose_tokenizer(PETS, Cutting("word", target_tokenizer="lowercase-word"))
    assert (chosen.source.kind, chosen.target.kind) == ("cased_word", "word")


def test_a_lossy_choice_is_announced_with_number_and_example():
    chosen = choose_tokenizer(PETS, Cutting("lowercase-word"))
    assert chosen.sentences() == (
        "3 of 3 targets do not survive this tokenizer (capital letters, spaces beside marks and marks at the end): "
        "“die kleine Katze” becomes “die kleine katze”.",
    )


TEXT = st.text(st.sampled_from("abAB 'éका\u200b.,(\"")) | st.text(max_size=12)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=2, max_size=25), st.booleans())
def test_auto_never_loses_a_target(sides, keep_spaces):
    pairs = pairs_of(
        *(
            (clean_source(a, keep_spaces=keep_spaces).text, clean_target(b, keep_spaces=keep_spaces).text)
            for a, b in sides
        )
    )
    try:
        chosen = choose_tokenizer(pairs, Cutting(keep_spaces=keep_spaces))
    except ConfigError as error:
        assume("nothing to learn" not in str(error))
        raise
    lost = [pair.target for pair in pairs if not chosen.target.round_trips(pair.target)]
    # Byte pairs read their own mark as a space, which the measurement must count.
    assert not lost or chosen.facts[1].n_changed == len(lost)
    assert not any(WORD_BEGIN not in text for text in lost)
    assert tokenizer_from_dict(json.loads(json.dumps(chosen.target.to_dict()))) == chosen.target


def test_lower_case_words_cannot_keep_every_space():
    with pytest.raises(ConfigError, match="lower-case words cannot keep every space; choose words"):
        choose_tokenizer(PETS, Cutting("lowercase-word", keep_spaces=True))


@pytest.mark.parametrize("kind", ["word", "bpe", "character"])
def test_indented_code_comes_back_exactly(kind):
    pairs = pairs_of(("print two", "    print('  ')"), ("print one", "\tprint(' ')"))
    target = choose_tokenizer(pairs, Cutting(kind, keep_spaces=True)).target
    assert target.exact_spaces
    assert [target.decode(target.encode(pair.target)) for pair in pairs] == [pair.target for pair in pairs]


@pytest.mark.parametrize("name", TASKS)
def test_targets_of_every_task_round_trip(name):
    _, target = TASKS[name].tokenizers()
    rng = random.Random(0)
    texts = [TASKS[name].sample(rng).target for _ in range(200)]
    assert [text for text in texts if not target.round_trips(text)] == []


def test_auto_takes_no_byte_pairs_for_texts_with_their_mark():
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefgh", k=5)) for _ in range(400)]
    pairs = [Pair(f"{a} {b}", f"{b} ▁{a}", ()) for a, b in zip(words, reversed(words), strict=True)]
    chosen = choose_tokenizer(pairs, Cutting(max_words=50))
    assert chosen.target.kind == "character"
    assert all(chosen.target.round_trips(pair.target) for pair in pairs)


def test_source_with_several_targets_is_counted_once():
    pairs = [Pair(f"a{n % 3} b", f"c d{n % 4}", ()) for n in range(24)]
    held_out = [Pair("x b", "c d1", ()), Pair("x b", "c d2", ()), Pair("a1 b", "c d3", ())]
    sources = choose_tokenizer(pairs, Cutting("word"), held_out).facts[0]
    assert (sources.n_unknown, sources.n_held_out) == (1, 2)
