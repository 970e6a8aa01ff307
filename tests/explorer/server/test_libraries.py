"""Once everything is imported, no page imports anything: no thread can meet what another one has half."""

import json
import os
import subprocess
import sys

import pytest

from tests.addresses import FILES
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
    assert len(found) > len(FILES)
    assert {page: modules for page, modules in found.items() if modules} == {}
