"""Start of a server: what it prints, where its log goes, and which texts of Streamlit it replaces."""

import logging
import re
from threading import Event

from streamlit.elements import exception
from streamlit.runtime.pages_manager import PagesManager

from explorer.server import parts
from tests.coroutines import run_coroutine

STREAMLITS = "_GENERIC_UNCAUGHT_EXCEPTION_TEXT"


def test_start_names_ignored_settings_and_logs_to_the_terminal(capsys, monkeypatch):
    log = logging.getLogger("explorer")
    for name, value in (("handlers", []), ("level", log.level), ("propagate", True)):
        monkeypatch.setattr(log, name, value)
    monkeypatch.setattr(parts, "send_at_once", lambda: None)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", True)
    monkeypatch.setitem(vars(exception), STREAMLITS, "see the logs of the cloud")
    monkeypatch.setenv("EXPLORER_MOST_RUN", "9")

    async def serve() -> None:
        async with parts._while_it_serves(lambda: None, Event(), None):
            logging.getLogger("explorer.trainings.engine").info("Training started: %s", "a run")

    run_coroutine(serve())
    told = capsys.readouterr().err
    assert "EXPLORER_MOST_RUN: has an effect nowhere, because there is no such setting." in told.splitlines()
    assert re.search(r"^\d{4}-\d\d-\d\d [\d:,]+ INFO Training started: a run$", told, re.MULTILINE)
    assert vars(exception)[STREAMLITS] == parts.UNCAUGHT
    assert PagesManager.uses_pages_directory is False
