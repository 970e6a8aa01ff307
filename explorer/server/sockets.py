"""Sockets of the server that send what they have at once."""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

_DESCRIPTORS = Path("/dev/fd")
"""Where Linux and macOS list what a process has open; Windows has no such place, and nothing is changed there."""


def send_at_once() -> None:
    """Let every TCP socket of this process, and all that a listening one accepts later, send without waiting.

    asyncio asks for that only of sockets that name their protocol, and Streamlit binds its own without. A reply of
    several small messages, as each of its reruns is, then waits in the middle for the browser's delayed
    acknowledgement: 40 ms.
    """
    for name in os.listdir(_DESCRIPTORS) if _DESCRIPTORS.is_dir() else ():
        # What another thread has closed meanwhile is gone.
        with suppress(OSError):
            _send_at_once(int(name))


def _send_at_once(descriptor: int) -> None:
    # Asked before it is doubled: of what is no socket none can be made, and the double would stay open.
    if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        return
    with socket.socket(fileno=os.dup(descriptor)) as each:
        if each.family in (socket.AF_INET, socket.AF_INET6) and each.type == socket.SOCK_STREAM:
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
