"""What the tests of pages, which live through many servers in one process, take anew and what they need not."""

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from explorer.models import server
from explorer.server import shared


def share_between_app_tests() -> None:
    """Share between all `AppTest`s the list of installed components and the compiled scripts.

    Streamlit would search all installed packages for each test (0.15 s), and compile the app's scripts for each run
    (a sixth of its time).
    """
    if not hasattr(manifest_scanner.scan_component_manifests, "cache_info"):
        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
        for module in (app_test, local_script_runner):
            module.ScriptCache = cache(ScriptCache)  # type: ignore[attr-defined]


def another_server() -> None:
    """Let what a server reads from its environment be read again.

    Models, runs and what was computed from them stay: they are known by their folders and the versions of their files.
    """
    for engine in server._engine._values.values():
        engine.close()  # Its thread would start what waits in an earlier test's folder.
    for held in (shared.server_limits, shared.admin_gate, server._engine):
        held.clear()
