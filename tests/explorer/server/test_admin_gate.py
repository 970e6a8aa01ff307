"""The door for whoever runs the server: the token alone opens it, and guessing is not possible for long."""

import pytest

from core.errors import InputError
from explorer.server.admin_gate import MOST_WRONG, WRONG_FOR, AdminGate

TOKEN = "0123456789abcdef"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_the_token_opens(clock):
    gate = AdminGate(TOKEN, clock)
    for _ in range(3 * MOST_WRONG):
        gate.enter(TOKEN)


@pytest.mark.parametrize(
    "text", ["", TOKEN[:-1], f"{TOKEN} ", TOKEN.upper(), "x" * 10**6, "\ud800", "é" * 16]
)
def test_nothing_else_does(clock, text):
    with pytest.raises(InputError, match="not the admin token") as caught:
        AdminGate(TOKEN, clock).enter(text)
    assert TOKEN not in str(caught.value)


def test_without_a_token_nothing_opens(clock):
    gate = AdminGate("", clock)
    assert not gate.exists
    with pytest.raises(InputError):
        gate.enter("")


def test_after_ten_wrong_tries_nobody_enters_for_a_minute(clock):
    gate = AdminGate(TOKEN, clock)
    for _ in range(MOST_WRONG):
        with pytest.raises(InputError, match="not the admin token"):
            gate.enter("wrong")
    with pytest.raises(InputError, match="wait a minute"):
        gate.enter(TOKEN)
    clock.now += WRONG_FOR
    with pytest.raises(InputError, match="wait a minute"):
        gate.enter("wrong")
    clock.now += 1.0
    gate.enter(TOKEN)
