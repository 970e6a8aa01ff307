"""What every `AppTest` would find out anew, and need not."""

from functools import cache

from streamlit.components.v2 import manifest_scanner


def look_for_packages_once() -> None:
    """Let Streamlit's look through all installed packages for components, 0.15 s of each `AppTest`, be made once."""
    if not hasattr(manifest_scanner.scan_component_manifests, "cache_info"):
        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
