"""Laws of the number task; num2words is the judge of the spelling on both sides."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from core.data.tasks import get_task
from core.data.tasks.en_de_numbers import MAX_NUMBER, SPELLINGS, Spelling, number_pair, parse_english
from tests.optional import unwrap

TASK = get_task("en_de_numbers")
TOKENIZER = TASK.tokenizers()[0]
BRITISH = Spelling(has_and=True, has_hyphen=True)
SOME_NUMBERS = [*range(2500), *range(99_000, 102_200), *random.Random(0).sample(range(MAX_NUMBER + 1), 4000)]


def aligned(source: str) -> list[str]:
    """Return "piece < source tokens" for each German piece."""
    pair = unwrap(TASK.reference(source))
    words, pieces = TOKENIZER.tokenize(pair.source), TOKENIZER.tokenize(pair.target)
    return [
        f"{piece} < {' '.join(words[position] for position in positions)}"
        for piece, positions in zip(pieces, pair.alignment, strict=True)
    ]


@pytest.mark.proof
def test_english_is_that_of_num2words_without_commas():
    for number in SOME_NUMBERS:
        assert number_pair(number, BRITISH).source == num2words(number, lang="en").replace(",", "")


@pytest.mark.proof
def test_german_is_that_of_num2words_but_for_ein_before_tausend():
    for number in SOME_NUMBERS:
        # num2words writes einhunderteinstausend for 101,000, which nobody says.
        assert number_pair(number, BRITISH).target == num2words(number, lang="de").replace(
            "einstausend", "eintausend"
        )


def test_the_units_come_before_the_tens_and_und_is_the_hyphen():
    assert aligned("twenty-one") == ["ein < one", "·und < -", "·zwanzig < twenty"]
    assert aligned("twenty one") == ["ein < one", "·und < twenty one", "·zwanzig < twenty"]


def test_every_piece_is_aligned_in_its_own_group_of_digits():
    assert aligned("forty-two thousand three hundred and forty-two") == [
        "zwei < two",
        "·und < -",
        "·vierzig < forty",
        "·tausend < thousand",
        "·drei < three",
        "·hundert < hundred",
        "·zwei < two",
        "·und < -",
        "·vierzig < forty",
    ]
    assert unwrap(TASK.reference("forty-two thousand forty-two")).alignment == (
        *((2,), (1,), (0,), (3,)),
        *((6,), (5,), (4,)),
    )


@given(st.integers(0, MAX_NUMBER), st.sampled_from(SPELLINGS))
def test_only_and_has_no_german_piece(number, spelling):
    pair = number_pair(number, spelling)
    words = TOKENIZER.tokenize(pair.source)
    seen = {position for positions in pair.alignment for position in positions}
    assert {word for position, word in enumerate(words) if position not in seen} <= {"and"}


@given(st.integers(0, MAX_NUMBER), st.sampled_from(SPELLINGS))
def test_every_spelling_of_a_number_is_read_back(number, spelling):
    pair = number_pair(number, spelling)
    assert TASK.reference(pair.source) == pair
    assert len(TOKENIZER.tokenize(pair.source)) <= TASK.max_source_tokens


@given(st.integers(0, MAX_NUMBER), st.integers(0, MAX_NUMBER))
def test_different_numbers_have_different_words(first, second):
    pairs = [number_pair(number, BRITISH) for number in (first, second)]
    assert (pairs[0].source == pairs[1].source) == (first == second) == (pairs[0].target == pairs[1].target)


def test_typed_text_is_read_in_any_case():
    assert unwrap(TASK.reference(" Twenty - One  THOUSAND ")).source == "twenty-one thousand"


@pytest.mark.parametrize(
    "text",
    [
        *("", "and", "-", "hundred", "thousand", "one one", "one twenty", "twenty-ten", "twenty-zero"),
        *("ten-one", "hundred one", "one hundred and", "one hundred zero", "one thousand thousand"),
        *("one thousand and one hundred", "thousand one", "zero thousand", "ten hundred", "one million"),
        *(
            "one hundred-five",
            "and one",
            "twenty- one hundred hundred",
            "42",
            "einundzwanzig",
            "hundred " * 60,
        ),
        *("one thousand, one hundred", "one hundred five thousand and one", "twenty-one thousand thirty two"),
    ],
)
def test_anything_else_is_outside_of_the_task(text):
    assert TASK.reference(text) is None


def test_every_count_of_digits_is_as_likely():
    rng = random.Random(1)
    digits = Counter(
        len(str(parse_english(TOKENIZER.tokenize(TASK.sample(rng).source)))) for _ in range(3000)
    )
    assert set(digits) == set(range(1, 7))
    assert all(420 < count < 580 for count in digits.values())


def test_a_number_is_always_sampled_in_one_spelling():
    rng = random.Random(2)
    sources: dict[str, set[str]] = {}
    for _ in range(5000):
        pair = TASK.sample(rng)
        sources.setdefault(pair.target, set()).add(pair.source)
    assert {len(spellings) for spellings in sources.values()} == {1}
    texts = [next(iter(spellings)) for spellings in sources.values()]
    assert 500 < sum(" and " in text for text in texts) < len(texts) - 500
    assert 500 < sum("-" in text for text in texts) < len(texts) - 500
