"""Whose choice counts where a visitor's reports and Python's messages cross on the way, as the views decide it."""

import pytest

from explorer.browser.assets import parts, script
from tests.explorer.mounting import asked_of

pytestmark = pytest.mark.browser

# A choice is a number. A story is a list of what happens; of each message it keeps the verdict.
STORY = """(story) => {
    const choices = makeChoices((a, b) => a === b), reports = [0], verdicts = [];
    for (const [what, choice, named, fresh, pending, possible] of story) {
        if (what === "tell") reports.push(choices.tell(choice));
        else verdicts.push(choices.hear(choice, reports[named], { fresh, pending, possible }));
    }
    return verdicts;
}"""


def told(choice: int) -> tuple:
    return ("tell", choice)


def message(choice: int, *, named: int = 0, fresh=False, pending=False, possible=True) -> tuple:
    """A message that names the report told as the so-manyth; 0 for none."""
    return ("hear", choice, named, fresh, pending, possible)


FIRST = message(1, fresh=True)


@pytest.mark.parametrize(("story", "verdicts"), [
    pytest.param([FIRST], ["follow"], id="the first message of all"),
    pytest.param([FIRST, message(1)], ["follow", ""], id="the same once more"),
    pytest.param([FIRST, message(2)], ["follow", "follow"], id="Python's own choice"),
    pytest.param([FIRST, told(2), message(2, named=1)], ["follow", ""], id="its own report comes back"),
    pytest.param([FIRST, told(2), message(1)], ["follow", ""], id="written before the report was heard"),
    pytest.param([FIRST, told(2), message(1, named=1)], ["follow", "follow"], id="Back, after the report"),
    pytest.param([FIRST, message(1, fresh=True)], ["follow", "follow"], id="other numbers"),
    pytest.param([FIRST, message(1, fresh=True, pending=True)], ["follow", "keep"], id="chosen, but not told yet"),
    pytest.param([FIRST, told(2), message(1, fresh=True)], ["follow", "keep"], id="told, but not heard yet"),
    pytest.param([FIRST, told(2), told(3), message(2, named=1, fresh=True)], ["follow", "keep"], id="one heard"),
    pytest.param([FIRST, told(2), message(2, named=1, fresh=True)], ["follow", "follow"], id="all heard"),
    pytest.param([FIRST, message(5, fresh=True, pending=True)], ["follow", "follow"], id="a link to other numbers"),
    pytest.param(
        [FIRST, message(1, fresh=True, pending=True, possible=False)], ["follow", "follow"], id="no longer possible"
    ),
    pytest.param([FIRST, told(2), message(1, fresh=True), message(1)], ["follow", "keep", ""], id="kept since"),
])  # fmt: skip
def test_the_newer_choice_counts(browser, story, verdicts):
    assert asked_of(browser, script(*parts("report", "choices")), STORY, story) == verdicts
