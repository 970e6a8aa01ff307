"""Sentences that once said something false, and the numbers that were missing beside them."""

import pytest

from tests.words.texts import docstrings, sentences

FALSE = {
    "a product depends on the lengths as well": r"point the same way, the score",
    "souris has one form": "souris makes every word",
    "nobody has tried it": "here one head would do",
    "a head has no opinion": "opinion of what is near",
    "other languages have other letters": "write any text",
    "attention grows with the square": "costs a row in every matrix that follows",
    "the exponentials are summed, not the scores": "before it divides by their sum",
    "a sum may be shorter": "sums grow",
    "a pre-norm model has a final norm": r"x^{(\ell)}",
    "this may not be the schedule of the model": r"d_{\text{model}}^{-1/2}",
}


@pytest.fixture(scope="module")
def said() -> str:
    return "\n".join(each.text for each in (*sentences(), *docstrings())).casefold()


@pytest.mark.parametrize("words", FALSE.values(), ids=FALSE)
def test_what_was_false_is_said_nowhere_any_more(said, words):
    assert words.casefold() not in said
