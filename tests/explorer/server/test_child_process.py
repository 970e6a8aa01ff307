"""Processes that the server starts: none knows the admin token, and all give way to the pages."""

import json
import os
import subprocess
import sys

import pytest

from core.errors import InputError
from explorer.server.child_process import NICENESS, child_environment
from explorer.server.limits import ADMIN_TOKEN
from explorer.trainings.processes import Processes
from explorer.views.update.process import make_update_again
from tests.conftest import PATIENCE

TELL = f"import os; told = [os.nice(0), os.environ.get({ADMIN_TOKEN!r}), os.environ['OMP_NUM_THREADS']]"


@pytest.fixture(autouse=True)
def token(monkeypatch):
    monkeypatch.setenv(ADMIN_TOKEN, "0123456789abcdef")


def test_everything_but_the_token_is_passed_on():
    known = child_environment()
    assert ADMIN_TOKEN not in known
    assert known["PATH"] == os.environ["PATH"]


def test_the_process_that_makes_an_update_again_has_no_token_and_gives_way(tmp_path, monkeypatch):
    program = (
        f"import json; input(); {TELL}; print(json.dumps(dict(done='problem', sentence=json.dumps(told))))"
    )
    start = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda command, **kinds: start([sys.executable, "-c", program], **kinds)
    )
    with pytest.raises(InputError) as problem:
        make_update_again(tmp_path, None, 0)
    niceness, secret, threads = json.loads(str(problem.value))
    assert (niceness >= NICENESS, secret, threads) == (True, None, "1")


def test_a_process_that_trains_has_no_token_and_gives_way(tmp_path):
    program = f"import json; input(); {TELL}; print(json.dumps(told))"
    started = Processes(tmp_path, lambda: None).run(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, output=subprocess.PIPE
    )
    told, _ = started.process.communicate(b"\n", timeout=PATIENCE)
    niceness, secret, threads = json.loads(told)
    assert (niceness >= NICENESS, secret, threads) == (True, None, "1")
