"""Bytes on the wire: a relay between browser and server that counts what the server sends."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread


@contextmanager
def counted(port: int) -> Iterator[tuple[int, Callable[[], int]]]:
    """A port that leads to another one of this machine, and how many bytes came back through it so far."""
    listener = socket.create_server(("127.0.0.1", 0))
    total = [0]

    def pump(source: socket.socket, target: socket.socket, counter: list[int] | None) -> None:
        try:
            while data := source.recv(65536):
                if counter is not None:
                    counter[0] += len(data)
                target.sendall(data)
        except OSError:
            return  # one side went away: so does the other
        finally:
            target.close()

    def accept() -> None:
        while True:
            try:
                browser, _ = listener.accept()
            except OSError:
                return  # the measurement is over
            server = socket.create_connection(("127.0.0.1", port))
            for end in (browser, server):
                # A relay that waits to fill its packets would be what is measured.
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Thread(target=pump, args=(browser, server, None), daemon=True).start()
            Thread(target=pump, args=(server, browser, total), daemon=True).start()

    Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1], lambda: total[0]
    finally:
        listener.close()
