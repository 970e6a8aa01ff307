"""Once everything is imported, no page imports anything: no thread can meet what another one has half."""

import json
import os
import subprocess
import sys

import pytest

from tests.addresses import FILES
from tests.another_python import said_by
from tests.browser.conftest import ROOT
from tests.explorer.own_runs import train_tiny


@pytest.mark.proof
def test_a_page_imports_nothing_once_everything_is_imported(tmp_path):
    train_tiny(tmp_path, "tiny0001")
    result = subprocess.run(
        [sys.executable, "-m", "tests.explorer.server.importing", "tiny0001"],
        cwd=ROOT,
        env={**os.environ, "EXPLORER_RUNS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(result.stdout.splitlines()[-1])
    assert len(found) == 2 * len(FILES)
    assert {page: modules for page, modules in found.items() if modules} == {}


@pytest.mark.proof
def test_the_first_page_of_a_server_ends_with_everything_imported():
    program = (
        "import sys; from explorer.models import server\n"
        "server.turns().pause = lambda seconds: None\n"
        "assert not {'pandas', 'torch'} & sys.modules.keys() and not server.turns().is_warm\n"
        "try:\n"
        "    with server.drawing(): raise ValueError('a page that cannot be drawn')\n"
        "except ValueError: pass\n"
        "needed = {'pandas', 'torch', 'explorer.models.beam_trees'}\n"
        "print(needed <= sys.modules.keys(), server.turns().is_warm)"
    )
    assert said_by(program) == "True True\n"
