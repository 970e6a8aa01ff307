"""The journey of a newcomer in a real browser: open, watch, step, look closer, type, share."""

import pytest

pytestmark = pytest.mark.browser
