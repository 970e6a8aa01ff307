"""Laws of the date task; Python's own calendar is the judge."""

import random
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tasks import get_task
from core.data.tasks.dates import FIRST_DAY, FORMATS, LAST_DAY, ordinal_suffix
from tests.optional import unwrap

TASK = get_task("dates")
DAYS = st.dates(FIRST_DAY, LAST_DAY)


def aligned(source: str) -> list[str]:
    """Return the source characters behind each character of the target."""
    pair = unwrap(TASK.reference(source))
    return ["".join(pair.source[position] for position in positions) for positions in pair.alignment]


@pytest.mark.parametrize(
    "text",
    [
        "March 5, 2021",
        "5 March 2021",
        "5th of March 2021",
        "March 5th, 2021",
        "Mar 5, 2021",
        "Friday, 5 March 2021",
        "2021/03/05",
        "  march   5,  2021 ",
        "friday, 5 march 2021",
    ],
)
def test_every_form_is_read_as_typed(text):
    assert unwrap(TASK.reference(text)).target == "2021-03-05"


@given(DAYS)
def test_long_forms_are_those_of_the_calendar(day):
    for form in ("%B {day}, %Y", "{day} %B %Y", "%A, {day} %B %Y", "%b {day}, %Y", "%Y/%m/%d"):
        assert unwrap(TASK.reference(day.strftime(form).format(day=day.day))).target == day.isoformat()


@given(st.integers())
def test_samples_are_days_from_1900_to_2099(seed):
    pair = TASK.sample(random.Random(seed))
    assert FIRST_DAY <= datetime.strptime(pair.target, "%Y-%m-%d").date() <= LAST_DAY


def test_samples_come_in_every_form_and_mostly_with_capitals():
    rng = random.Random(0)
    sources = [TASK.sample(rng).source for _ in range(4000)]
    for mark, share in ((" of ", 1 / 7), ("/", 1 / 7), ("day, ", 1 / 7)):
        assert abs(sum(mark in source for source in sources) / 4000 - share) < 0.03
    with_letters = [source for source in sources if "/" not in source]
    assert 0.17 < sum(source.islower() for source in with_letters) / len(with_letters) < 0.23
    assert len(FORMATS) == 7


@pytest.mark.parametrize(
    "text",
    [
        *("", "2021", "March", "March 2021", "5 March", "March 5 2021", "5, March 2021", "MARCH 5, 2021"),
        *("05/03/2021", "2021-03-05", "2021/3/5", "05 March 2021", "March 05, 2021", "5 Mar 2021"),
        *("February 29, 2023", "April 31, 2021", "March 0, 2021", "2021/13/01", "2021/02/30"),
        *("March 5, 1899", "March 5, 2100", "March 5, 21", "4st of March 2021", "11st of March 2021"),
        *("Monday, 5 March 2021", "Sept 5, 2021", "Marchy 5, 2021", "March 5, ٢٠٢١", "9" * 5000 + " March 1"),
    ],
)
def test_anything_else_is_outside_of_the_task(text):
    assert TASK.reference(text) is None


def test_leap_days_are_valid_where_the_year_has_one():
    assert unwrap(TASK.reference("February 29, 2000")).target == "2000-02-29"
    assert TASK.reference("February 29, 1900") is None


def test_digits_come_from_digits_and_the_month_from_its_letters():
    assert aligned("25 March 2021") == [*"2021", " ", "March", "March", " ", "2", "5"]
    assert aligned("Mar 5, 2021") == [*"2021", ", ", "Mar", "Mar", " ", "5", "5"]
    assert aligned("Friday, 5 March 2021") == [*"2021", " ", "March", "March", " ", "5", "5"]
    assert aligned("5th of march 2021") == [*"2021", " ", "march", "march", " of ", "5", "5"]
    assert aligned("2021/03/05") == list("2021/03/05")


def test_equal_digits_are_told_apart_by_their_place():
    assert unwrap(TASK.reference("22 May 2022")).alignment == (
        *((7,), (8,), (9,), (10,)),
        *((6,), (3, 4, 5), (3, 4, 5)),
        *((2,), (0,), (1,)),
    )


def test_ordinals_of_a_month():
    text = " ".join(f"{day}{ordinal_suffix(day)}" for day in range(1, 32))
    assert text == (
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th 13th 14th 15th 16th 17th 18th 19th 20th "
        "21st 22nd 23rd 24th 25th 26th 27th 28th 29th 30th 31st"
    )


def test_the_longest_source_fits():
    longest = unwrap(TASK.reference("Wednesday, 25 September 2041")).source
    assert len(longest) <= TASK.max_source_tokens
    assert date(2041, 9, 25).strftime("%A") == "Wednesday"
