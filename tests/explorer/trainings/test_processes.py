"""Tickets: the lock of each is held from the start of a process to its end, whether or not files are inherited."""

import os
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from core.errors import RunError
from explorer.trainings import processes as processes_module
from explorer.trainings.processes import TICKET_FOLDER, Processes
from tests.conftest import TRAINING_PATIENCE

WAIT = [sys.executable, "-c", "input()"]


@pytest.fixture(params=[True, False], ids=["inherits files", "as on Windows"])
def inherits(request, monkeypatch):
    """Where no file is inherited, subprocess refuses to pass one, as it does on Windows."""
    if not request.param:
        start = subprocess.Popen

        def refuse(command, *, pass_fds=(), **kinds):
            assert not pass_fds, "pass_fds not supported on Windows."
            return start(command, **kinds)

        monkeypatch.setattr(processes_module, "INHERITS_FILES", False)
        monkeypatch.setattr(subprocess, "Popen", refuse)
    return request.param


def is_open_here(file: os.stat_result) -> bool:
    for number in map(int, os.listdir("/dev/fd")):
        with suppress(OSError):  # The listing's own is closed by now.
            if os.path.samestat(os.fstat(number), file):
                return True
    return False


def test_a_ticket_is_held_as_long_as_its_process_lives(tmp_path, inherits):
    has_ended = threading.Event()
    processes = Processes(tmp_path, has_ended.set)
    started = processes.run(WAIT, stdin=subprocess.PIPE, output=subprocess.DEVNULL)
    assert processes.is_alive(started.ticket)
    assert Processes(tmp_path, lambda: None).is_alive(started.ticket), "another server sees it too"
    ticket = (tmp_path / TICKET_FOLDER / started.ticket).stat()
    assert is_open_here(ticket) == (not inherits), "where it is not inherited, this process holds it"
    started.process.communicate(b"\n", timeout=TRAINING_PATIENCE)
    assert has_ended.wait(TRAINING_PATIENCE)
    assert not processes.is_alive(started.ticket)
    assert list((tmp_path / TICKET_FOLDER).iterdir()) == []
    assert not is_open_here(ticket)


def test_a_process_that_cannot_be_started_leaves_nothing_open(tmp_path, inherits):
    with pytest.raises(RunError, match="cannot be started"):
        Processes(tmp_path, lambda: None).run(
            [str(tmp_path / "missing")], stdin=subprocess.DEVNULL, output=subprocess.DEVNULL
        )
    (ticket,) = (tmp_path / TICKET_FOLDER).iterdir()
    assert not is_open_here(ticket.stat())
