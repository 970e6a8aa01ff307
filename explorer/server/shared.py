"""What a server has once: its limits, its turns, and the gate of its administrator."""

from __future__ import annotations

import os

from explorer.server.admin_gate import AdminGate
from explorer.server.limits import Limits, limits_from
from explorer.server.singleton import Singleton
from explorer.server.turns import Turns


@Singleton
def turns() -> Turns:
    """The turns of this server's pages."""
    return Turns()


@Singleton
def server_limits() -> Limits:
    """The limits of this server, read once from its environment.

    Raises:
        ConfigError: when the environment sets one that makes no sense.
    """
    return limits_from(os.environ)


@Singleton
def admin_gate() -> AdminGate:
    """The one place of this server where an admin token is tried."""
    return AdminGate(server_limits().admin_token)
