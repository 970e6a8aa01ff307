"""What the tests of pages, which live through many servers in one process, take anew and what they need not."""

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from explorer.models import server


def share_between_app_tests() -> None:
    """Let all `AppTest`s use what Streamlit would make anew for each run of each of them.

    That is a search through all installed packages for components, 0.15 s, and the bytecode of the app's scripts,
    a sixth of a run.
    """
    if not hasattr(manifest_scanner.scan_component_manifests, "cache_info"):
        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
        for module in (app_test, local_script_runner):
            module.ScriptCache = cache(ScriptCache)  # type: ignore[attr-defined]


def another_server() -> None:
    """Let what a server reads from its environment be read again.

    Models, runs and what was computed from them stay: they are known by their folders and the versions of their files.
    """
    for held in (server.server_limits, server.admin_gate, server._engine):
        held.clear()
