"""A relay between browser and server that counts the bytes that the server sends."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread


@contextmanager
def count_received(port: int) -> Iterator[tuple[int, Callable[[], int]]]:
    """Relay a new local port to `port`; yield the new port and a function that returns the bytes sent back so far."""
    listener = socket.create_server(("127.0.0.1", 0))
    total = [0]

    def pump(source: socket.socket, target: socket.socket, counter: list[int] | None) -> None:
        try:
            while data := source.recv(65536):
                if counter is not None:
                    counter[0] += len(data)
                target.sendall(data)
        except OSError:
            return  # One side has closed the connection; close the other as well.
        finally:
            target.close()

    def accept() -> None:
        while True:
            try:
                browser, _ = listener.accept()
            except OSError:
                return  # The listener is closed: the measurement is over.
            server = socket.create_connection(("127.0.0.1", port))
            for end in (browser, server):
                # Otherwise the relay would delay small packets, and the delay would be measured.
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Thread(target=pump, args=(browser, server, None), daemon=True).start()
            Thread(target=pump, args=(server, browser, total), daemon=True).start()

    Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1], lambda: total[0]
    finally:
        listener.close()
