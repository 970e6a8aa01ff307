"""What the tests of pages, which live through many servers in one process, take anew and what they need not."""

from functools import cache

from streamlit.components.v2 import manifest_scanner

from explorer.models import server


def look_for_packages_once() -> None:
    """Let Streamlit's look through all installed packages for components, 0.15 s of each `AppTest`, be made once."""
    if not hasattr(manifest_scanner.scan_component_manifests, "cache_info"):
        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def another_server() -> None:
    """Let what a server reads from its environment be read again.

    Models, runs and what was computed from them stay: they are known by their folders and the versions of their files.
    """
    for held in (server.server_limits, server.admin_gate, server._engine):
        held.clear()
