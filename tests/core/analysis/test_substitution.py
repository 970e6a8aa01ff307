"""One token of the source varied: which tokens can stand there, and what the model makes of each, one by one."""

import pytest
import torch

from core.activations.trace import trace
from core.analysis.substitution import (
    MAX_VALUES,
    Alternatives,
    Contexts,
    Variation,
    alternatives,
    vary_token,
)
from core.config import DecodeConfig
from core.data.tokenizers import BpeTokenizer, CharacterTokenizer, Tokenizer, WordTokenizer
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import decode_steps, generate
from core.errors import InputError
from tests.core.conftest import EOS, PAD

POSITION = 2
VALUES = (4, 9, 17, 6, 12)
TARGET = (5, 8, 11, EOS)
RIVALS = ((5, 6), (8, 3), (18, 11), (EOS, 7))


@pytest.fixture
def source(src) -> torch.Tensor:
    """One source [7], without padding."""
    return src[0]


@pytest.fixture
def variation(tiny_model, source) -> Variation:
    return vary_token(tiny_model, source, POSITION, VALUES, TARGET, RIVALS, max_length=9)


def with_value(source: torch.Tensor, value: int) -> torch.Tensor:
    changed = source.clone()
    changed[POSITION] = value
    return changed


def test_each_output_is_the_one_that_the_source_alone_is_given(tiny_model, source, variation):
    for row, value in enumerate(VALUES):
        changed = with_value(source, value)[None]
        steps = list(decode_steps(tiny_model, changed, DecodeConfig(max_length=9)))
        alone = steps[-1].hypotheses[0].tolist()
        together = variation.outputs[row].tolist()
        assert together[: len(alone)] == alone
        assert set(together[len(alone) :]) <= {PAD}
        assert bool(variation.ended[row]) is bool(steps[-1].finished[0])
        expected = sum(float(step.log_prob[0]) for step in steps)
        assert float(variation.log_prob[row]) == pytest.approx(expected, abs=1e-12)


def test_the_rivals_are_asked_for_after_the_same_words_as_a_trace_of_each_source(
    tiny_model, source, variation
):
    assert variation.rival_probs.shape == (len(VALUES), len(TARGET), 2)
    for row, value in enumerate(VALUES):
        probs = trace(tiny_model, with_value(source, value), torch.tensor(TARGET)).logits.softmax(dim=-1)
        expected = torch.stack([probs[step, list(pair)] for step, pair in enumerate(RIVALS)])
        torch.testing.assert_close(variation.rival_probs[row], expected, rtol=0, atol=1e-12)
        torch.testing.assert_close(variation.best_probs[row], probs.amax(dim=-1), rtol=0, atol=1e-12)
        assert variation.best_ids[row].tolist() == probs.argmax(dim=-1).tolist()


def test_every_output_begins_with_a_forced_prefix(tiny_model, source):
    forced = vary_token(tiny_model, source, POSITION, VALUES, TARGET, RIVALS, prefix=(8, 13), max_length=9)
    for row, value in enumerate(VALUES):
        alone = generate(tiny_model, with_value(source, value)[None], max_length=9, prefix=(8, 13))[
            0
        ].tolist()
        assert forced.outputs[row].tolist()[: len(alone)] == alone
        assert alone[:2] == [8, 13]


def test_a_float32_model_is_asked_as_closely(tiny_model, source):
    model = tiny_model.float()
    found = vary_token(model, source, POSITION, VALUES, TARGET, RIVALS)
    for row, value in enumerate(VALUES):
        probs = trace(model, with_value(source, value), torch.tensor(TARGET)).logits.double().softmax(dim=-1)
        expected = torch.stack([probs[step, list(pair)] for step, pair in enumerate(RIVALS)])
        torch.testing.assert_close(found.rival_probs[row], expected, rtol=0, atol=2e-6)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"position": 6}, "choose a position from 0 to 5 of this source, not 6"),
        ({"position": -1}, "choose a position from 0 to 5 of this source, not -1"),
        ({"values": ()}, "give at least one value for the position"),
        ({"values": (4, 19)}, "value 19 is not a word of the vocabulary of 19 tokens"),
        ({"values": (EOS,)}, "value 2 is not a word of the vocabulary"),
        ({"rivals": RIVALS[:2]}, "give two rivals for each of the 4 steps of the target, not 2"),
        ({"rivals": (*RIVALS[:3], (3, 99))}, "rival 99 is not a word of the vocabulary"),
        ({"target": ()}, "a target of at least one token"),
    ],
)
def test_what_cannot_be_varied_is_said_in_a_sentence(tiny_model, source, changes, sentence):
    asked = {"position": POSITION, "values": VALUES, "target": TARGET, "rivals": RIVALS} | changes
    with pytest.raises(InputError, match=sentence):
        vary_token(tiny_model, source, **asked)


def characters(letters: str) -> CharacterTokenizer:
    return CharacterTokenizer(Vocabulary.build(letters))


def words(text: str) -> WordTokenizer:
    return WordTokenizer(Vocabulary.build(sorted(set(text.split()))))


def found(
    tokenizer: Tokenizer, text: str, position: int, sources: str = ""
) -> tuple[Alternatives, list[str]]:
    rows = [tokenizer.encode(line) for line in sources.splitlines()]
    answer = alternatives(tokenizer, tokenizer.encode(text), position, lambda: Contexts(rows))
    return answer, [tokenizer.vocabulary.token(id) for id in answer.values]


def test_a_digit_gives_way_to_every_digit_by_value():
    answer, values = found(characters("+7310a9 "), "13+9", 1)
    assert (answer.kind, values) == ("digits", ["0", "1", "3", "7", "9"])


def test_a_letter_gives_way_to_every_letter_of_its_case():
    answer, values = found(characters("zBya A1c"), "Ab".replace("b", "c"), 1)
    assert (answer.kind, values) == ("letters", ["a", "c", "y", "z"])
    assert found(characters("zBya A1c"), "Ac", 0)[1] == ["A", "B"]


def test_more_letters_than_an_alphabet_are_cut_and_the_own_one_stays():
    letters = "".join(chr(code) for code in range(0x3B1, 0x3B1 + 40) if chr(code).islower())
    _, values = found(characters(letters), letters[-1], 0)
    assert len(values) == MAX_VALUES
    assert values == [*sorted(letters)[: MAX_VALUES - 1], letters[-1]]


def test_a_sign_among_characters_gives_way_to_what_stands_between_its_neighbours():
    answer, values = found(characters("123+-*"), "1+2", 1, "1-2\n1-2\n1+2\n1*23")
    assert (answer.kind, values, answer.n_between) == ("neighbours", ["-", "+", "*"], 3)


GRAMMAR = """the cat sleeps
the dog sleeps
the dog sleeps
a bird sings
the bird sings
the old dog sleeps
cats sleep
birds sleep
birds sing"""


def test_a_word_gives_way_to_the_words_between_its_neighbours_then_to_those_beside_one_of_them():
    tokenizer = words(GRAMMAR.replace("\n", " "))
    answer, values = found(tokenizer, "the cat sleeps", 1, GRAMMAR)
    assert answer.kind == "neighbours"
    assert (values[: answer.n_between], answer.n_sources) == (["dog", "cat"], 9)
    assert values[answer.n_between :] == ["bird", "old"]


def test_the_sentences_begin_and_end_are_neighbours():
    tokenizer = words(GRAMMAR.replace("\n", " "))
    answer, values = found(tokenizer, "cats sleep", 0, GRAMMAR)
    assert values[: answer.n_between] == ["birds", "cats"]
    answer, values = found(tokenizer, "birds sleep", 1, GRAMMAR)
    assert values[: answer.n_between] == ["sing", "sleep"]


def test_where_no_source_is_known_any_word_can_stand():
    tokenizer = words(GRAMMAR.replace("\n", " "))
    answer, values = found(tokenizer, "the cat sleeps", 1)
    assert answer.kind == "vocabulary"
    assert values == list(tokenizer.vocabulary.words)


def test_what_nobody_could_type_is_left_out():
    # ▁ab is one token: after ▁a no text is read as b.
    tokenizer = BpeTokenizer(Vocabulary.build(["▁", "a", "b", "c", "▁a", "▁ab"]), (("▁", "a"), ("▁a", "b")))
    ids = tokenizer.encode("ac")
    assert [tokenizer.vocabulary.token(id) for id in ids] == ["▁a", "c"]
    after_a = tokenizer.vocabulary.id("▁a")
    sources = [[after_a, tokenizer.vocabulary.id(token)] for token in "bca"]
    values = alternatives(tokenizer, ids, 1, lambda: Contexts(sources)).values
    assert [tokenizer.vocabulary.token(id) for id in values] == ["a", "c"]


@pytest.mark.parametrize("position", [-1, 3])
def test_a_position_that_the_source_has_not_is_named(position):
    with pytest.raises(InputError, match=f"choose a position from 0 to 2 of this source, not {position}"):
        found(characters("abc"), "abc", position)
