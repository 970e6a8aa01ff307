"""The date task: English dates in many forms to ISO 8601, character by character."""

from __future__ import annotations

import random
import re
import string
from datetime import date
from functools import cache
from typing import ClassVar

from core.data.tasks.alignment import Word, align
from core.data.tasks.task import Example, Pair
from core.data.tokenizers import CharacterTokenizer, Tokenizer
from core.data.vocabulary import Vocabulary

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2099, 12, 31)
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FORMATS = (
    "{month} {day}, {year}",
    "{day} {month} {year}",
    "{day}{th} of {month} {year}",
    "{month} {day}{th}, {year}",
    "{mon} {day}, {year}",
    "{weekday}, {day} {month} {year}",
    "{year}/{mm}/{dd}",
)
"""How a date is written. 05/03/2021 is not among them: a day in May or in March, depending on the reader."""
LOWER_CASE_SHARE = 0.2

_PART = re.compile(r"\{(\w+)\}|([^{}]+)")
_YEAR_MONTH, _MONTH_DAY = "year-month", "month-day"


class Dates:
    """Days from 1900 to 2099 in seven English forms, some in lower case; the target is YYYY-MM-DD."""

    name: ClassVar[str] = "dates"
    title: ClassVar[str] = "Dates to ISO"
    description: ClassVar[str] = (
        "Convert an English date in any of seven forms to YYYY-MM-DD, digit by digit."
    )
    source_name: ClassVar[str] = "Date"
    target_name: ClassVar[str] = "ISO date"
    max_source_tokens: ClassVar[int] = 32
    is_text: ClassVar[bool] = False
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "Month first",
            "March 5, 2021",
            "The answer begins with the year, so the attention begins at the end of the source.",
        ),
        Example(
            "Leading zero",
            "7 June 2015",
            "One digit of the day becomes two: the 0 is written because nothing stands before the 7.",
        ),
        Example(
            "June or July",
            "July 1st, 2010",
            "Only their third and fourth letters tell July from June, and so 07 from 06.",
        ),
        Example(
            "Words to skip",
            "21st of August 2034",
            'Neither the letters "st" nor the word "of" becomes a part of the answer.',
        ),
        Example(
            "A weekday to skip",
            "Wednesday, 25 September 2041",
            "The weekday has no place in the answer: no digit is aligned with its nine letters.",
        ),
        Example(
            "Nearly there",
            "2024/02/29",
            "Every digit is copied to its own place, and the two slashes become hyphens.",
        ),
    )

    def sample(self, rng: random.Random) -> Pair:
        """Return a random day in a random form."""
        day = date.fromordinal(rng.randint(FIRST_DAY.toordinal(), LAST_DAY.toordinal()))
        return _pair(day, rng.choice(FORMATS), lower=rng.random() < LOWER_CASE_SHARE)

    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Return one character tokenizer that keeps spaces, for both sides."""
        return _tokenizer(), _tokenizer()

    def source_words(self) -> tuple[str, ...]:
        """Return the characters that dates are written with."""
        return tuple(sorted(_source_characters()))

    def reference(self, source_text: str) -> Pair | None:
        """Return the ISO date of a typed day from 1900 to 2099, or None for anything else."""
        text = _tokenizer().normalize(source_text)
        day = parse_day(text)
        if day is None:
            return None
        # Writing the day again finds every fault of form, a wrong weekday among them, without a rule for each.
        pairs = (_pair(day, form, lower=lower) for form in FORMATS for lower in (False, True))
        return next((pair for pair in pairs if pair.source == text), None)


def parse_day(text: str) -> date | None:
    """Return the only day that the numbers and the month's name in a text can mean, or None."""
    numbers = re.findall(r"[0-9]+", text)
    months = [
        number for number, name in enumerate(MONTHS, 1) if re.search(rf"\b{name[:3]}", text, re.IGNORECASE)
    ]
    if len(numbers) == 3 and not months:
        year, month, day = numbers
    elif len(numbers) == 2 and len(months) == 1:
        month, (day, year) = str(months[0]), numbers
    else:
        return None
    try:
        found = date(int(year), int(month), int(day))
    except (ValueError, OverflowError):
        return None
    return found if FIRST_DAY <= found <= LAST_DAY else None


def write_date(day: date, form: str) -> list[Word]:
    """Return the characters of a date in one of `FORMATS`, each with its roles."""
    texts = _texts(day)
    words = []
    for field, separator, roles in _parts(form):
        text = texts[field] if field else separator
        for index, character in enumerate(text):
            words.append(Word(character, _roles(field, index, len(text)) if field else roles))
    return words


def write_iso(day: date) -> list[Word]:
    """Return the characters of YYYY-MM-DD, each with its roles."""
    roles = (
        *(f"year.{index}" for index in range(4)),
        _YEAR_MONTH,
        "month.0",
        "month.1",
        _MONTH_DAY,
        "day.0",
        "day.1",
    )
    return [Word(character, (role,)) for character, role in zip(day.isoformat(), roles, strict=True)]


def _texts(day: date) -> dict[str, str]:
    """Return what each field of `FORMATS` stands for."""
    month = MONTHS[day.month - 1]
    return {
        "year": str(day.year),
        "month": month,
        "mon": month[:3],
        "mm": f"{day.month:02}",
        "day": str(day.day),
        "dd": f"{day.day:02}",
        "th": ordinal_suffix(day.day),
        "weekday": WEEKDAYS[day.weekday()],
    }


def ordinal_suffix(number: int) -> str:
    """Return st, nd, rd or th, as in 1st and 11th; the number is below 100."""
    if number // 10 == 1:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _roles(field: str, index: int, length: int) -> tuple[str, ...]:
    """Return the digits of the target that a character of a field stands for."""
    if field == "year":
        return (f"year.{index}",)
    if field in ("month", "mon"):
        return ("month.0", "month.1")
    if field == "mm":
        return (f"month.{index}",)
    if field in ("day", "dd"):
        return (f"day.{index}",) if length == 2 else ("day.0", "day.1")
    return ()


@cache
def _parts(form: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the fields of a format and the separators between them, the latter with their roles."""
    parts = _PART.findall(form)
    fields = ["", *(field for field, _ in parts), ""]
    beside = zip(fields, fields[2:], strict=False)
    return tuple(
        (field, separator, _separator_roles(set(neighbours)) if separator else ())
        for (field, separator), neighbours in zip(parts, beside, strict=True)
    )


def _separator_roles(neighbours: set[str]) -> tuple[str, ...]:
    """Return the hyphen that a separator becomes: the first beside the year, the second between month and day."""
    if "weekday" in neighbours:
        return ()
    return (_YEAR_MONTH,) if "year" in neighbours else (_MONTH_DAY,)


def _pair(day: date, form: str, *, lower: bool) -> Pair:
    source, target = write_date(day, form), write_iso(day)
    text = "".join(word.text for word in source)
    return Pair(text.lower() if lower else text, day.isoformat(), align(source, target))


@cache
def _tokenizer() -> CharacterTokenizer:
    return CharacterTokenizer(Vocabulary.build(sorted({"-", *_source_characters()})))


def _source_characters() -> set[str]:
    names = "".join((*MONTHS, *WEEKDAYS, "of", "st", "nd", "rd", "th"))
    return {*string.digits, *" ,/", *names, *names.lower()}
