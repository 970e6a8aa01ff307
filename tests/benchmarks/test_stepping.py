"""The made-up decode that steps are measured in is drawn, and answers keys."""

import pytest
from playwright.sync_api import Browser

from benchmarks.ui.stepping import time_long_steps

pytestmark = [pytest.mark.browser, pytest.mark.proof]


def test_a_step_of_a_long_decode_can_be_measured(browser: Browser):
    _, shown = time_long_steps(browser, presses=12)
    assert shown > 0
