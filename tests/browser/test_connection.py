"""What becomes of a visitor whose connection is cut in the middle of an action, and of one whose server dies."""

import os
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.bar import chips, chosen, expect_output, expect_step, focus_chips, go_to_step
from tests.browser.conftest import ROOT, free_port, wait_until_healthy
from tests.browser.test_debugger import FORCED, GREEDY, branch, force_by_typing
from tests.conftest import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.proof]

RECONNECTED = 90_000
"""Milliseconds: the browser tries again after longer and longer pauses."""


@contextmanager
def relay(port: int) -> Iterator[tuple[str, Callable[[], None]]]:
    """An address that leads to a port, and a function that cuts all that go through it now."""
    listener = socket.create_server(("127.0.0.1", 0))
    ends: list[socket.socket] = []

    def pump(source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass  # cut, or gone by itself
        finally:
            # Not closed by this thread: while the other one still waits for what comes from there, the connection would
            # stay, and its end never hear of the cut.
            with suppress(OSError):
                target.shutdown(socket.SHUT_RDWR)
            source.close()

    def accept() -> None:
        while True:
            try:
                visitor, _ = listener.accept()
            except OSError:
                return  # the test is over
            server = socket.create_connection(("127.0.0.1", port))
            for end in (visitor, server):
                # Closed without a word, as when a network goes away.
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                ends.append(end)
            for pair in ((visitor, server), (server, visitor)):
                Thread(target=pump, args=pair, daemon=True).start()

    def cut() -> None:
        while ends:
            end = ends.pop()
            with suppress(OSError):  # it may have ended already
                end.shutdown(socket.SHUT_RDWR)

    Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", cut
    finally:
        listener.close()
        cut()


@contextmanager
def server_on(port: int) -> Iterator[subprocess.Popen]:
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}", process)
        yield process
    finally:
        process.kill()
        process.wait(timeout=PATIENCE)


def opened(browser: Browser, url: str, path: str) -> Page:
    page = browser.new_page(base_url=url, viewport={"width": 1440, "height": 1000}, reduced_motion="reduce")
    page.goto(path)
    expect_output(page, GREEDY)
    return page


def is_there(found: Locator) -> bool:
    """Whether it is seen after some patience."""
    try:
        expect(found).to_be_visible(timeout=15_000)
    except AssertionError:
        return False
    return True


def test_a_connection_cut_in_the_middle_of_an_action_loses_nothing(browser: Browser, server: str):
    with relay(int(server.rpartition(":")[2])) as (url, cut):
        page = opened(browser, url, "/step-by-step")
        go_to_step(page, 4)
        expect_step(page, 4)
        force_by_typing(page, "mange")
        # At once: neither the question nor all of the answer need have arrived.
        cut()
        expect(page.locator("[data-test-connection-state=CONNECTED]")).to_be_attached(timeout=RECONNECTED)
        expect(chips(page).first).to_be_visible(timeout=RECONNECTED)
        expect_step(page, 4)
        # What was not confirmed may have to be done again, and then is done once.
        for _ in range(3):
            if is_there(chips(page).filter(has_text="mange").first):
                break
            force_by_typing(page, "mange")
        expect_output(page, FORCED)
        expect(branch(page, "forced mange")).to_have_count(1)
        expect(page).to_have_url(re.compile("prefix="))
        # The same session goes on: what it knew is there, and it acts.
        page.get_by_role("button", name="Open greedy").click()
        expect_output(page, GREEDY)
        expect(branch(page, "forced mange")).to_be_visible()
        page.close()


def test_a_server_that_died_and_is_back_shows_the_same_view(browser: Browser):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with server_on(port) as first:
        page = opened(browser, url, "/step-by-step")
        force_by_typing(page, "mange")
        expect(branch(page, "forced mange")).to_be_visible()
        page.get_by_role("button", name="Open greedy").click()
        expect(page).to_have_url(re.compile("branches="))
        go_to_step(page, 2)
        expect(page).to_have_url(re.compile("step=2"))
        first.send_signal(signal.SIGKILL)
        first.wait()
    # What is on the screen stays there, and can be looked at, while nobody answers.
    focus_chips(page)
    page.keyboard.press("ArrowRight")
    expect_step(page, 3)
    with server_on(port):
        expect(page.locator("[data-test-connection-state=CONNECTED]")).to_be_attached(timeout=RECONNECTED)
        expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached(timeout=RECONNECTED)
        expect_output(page, GREEDY)
        # A step that was taken while nobody answered may be lost, what the address held is not.
        expect(chosen(page)).to_have_text(re.compile("chat|ne"))
        expect(branch(page, "forced mange")).to_be_visible()
        assert "Traceback" not in page.content()
        page.reload()
        expect(branch(page, "forced mange")).to_be_visible()
        expect_output(page, GREEDY)
        page.close()
