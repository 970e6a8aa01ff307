"""Where the admin token of class mode is tried: compared in constant time, and not more than so often."""

from __future__ import annotations

import hmac
import threading
import time
from collections import deque
from collections.abc import Callable

from core.errors import InputError
from explorer.server.limits import MOST_TOKEN

MOST_WRONG = 10
"""Wrong tries of everybody together within the time below."""
WRONG_FOR = 60.0
"""Seconds that a wrong try counts."""


class AdminGate:
    """Tells whether a text is the admin token; one for a server.

    Wrong tries are counted for all visitors together, since a new session costs nobody anything. So somebody may keep
    the door shut by wrong tries, but cannot guess: the token has 16 characters at least.

    Args:
        token: The right one; empty where the door stays shut.
        clock: Seconds that only grow.
    """

    def __init__(self, token: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._token, self._clock = token.encode(), clock
        self._wrong: deque[float] = deque(maxlen=MOST_WRONG)
        self._one_at_a_time = threading.Lock()

    @property
    def exists(self) -> bool:
        """Whether there is a token at all."""
        return bool(self._token)

    def enter(self, text: str) -> None:
        """Let somebody in who knows the token.

        Raises:
            InputError: when the text is another one, or too many wrong ones were tried just now.
        """
        given = text[: MOST_TOKEN + 1].encode(errors="backslashreplace")
        with self._one_at_a_time:
            now = self._clock()
            while self._wrong and now - self._wrong[0] > WRONG_FOR:
                self._wrong.popleft()
            if len(self._wrong) == MOST_WRONG:
                raise InputError("Too many wrong tokens were tried; wait a minute.")
            if not self._token or not hmac.compare_digest(given, self._token):
                self._wrong.append(now)
                raise InputError("This is not the admin token of this server.")
