"""The frame around every page: what a tab of the browser is called."""

from explorer.app import REGISTRY
from explorer.shell.frame import browser_title


def test_tabs_of_different_pages_have_different_titles():
    titles = [browser_title(view) for view in REGISTRY.values()]
    assert len(set(titles)) == len(titles)
    assert "Cross-attention · Transformer explorer" in titles
