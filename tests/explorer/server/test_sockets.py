"""A reply of many small messages must not wait for the browser's delayed acknowledgement."""

import os
import socket

from explorer.server.sockets import send_at_once


def sends_at_once(each: socket.socket) -> bool:
    return each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_sockets_that_are_there_and_those_accepted_later_send_at_once(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening, open(tmp_path / "file", "w"):
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        with socket.create_connection(listening.getsockname()) as early, listening.accept()[0] as accepted:
            assert not sends_at_once(accepted)
            send_at_once()
            assert sends_at_once(early)
            assert sends_at_once(accepted)
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as later:
            assert sends_at_once(later)


def test_nothing_stays_open(tmp_path):
    with open(tmp_path / "file", "w"):
        before = len(os.listdir("/dev/fd"))
        send_at_once()
        assert len(os.listdir("/dev/fd")) == before
