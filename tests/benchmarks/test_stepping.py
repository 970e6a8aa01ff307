"""The made-up decode that steps are measured in is drawn, and answers keys."""

import pytest
from playwright.sync_api import Browser

from benchmarks.ui.stepping import step_long

pytestmark = [pytest.mark.browser, pytest.mark.proof]


def test_a_step_of_a_long_decode_can_be_measured(browser: Browser):
    _, shown = step_long(browser, presses=12)
    assert shown > 0
