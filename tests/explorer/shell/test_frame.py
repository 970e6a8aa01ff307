"""The frame around every page: what a tab of the browser is called."""

import streamlit as st

from explorer.app import REGISTRY
from explorer.shell.frame import browser_title
from tests.pages.opening import open_page


def test_tabs_of_different_pages_have_different_titles():
    titles = [browser_title(view) for view in REGISTRY.values()]
    assert len(set(titles)) == len(titles)
    assert "Cross-attention · Transformer explorer" in titles


def test_tab_gets_the_title_of_its_page(monkeypatch):
    titles, draw = [], st.set_page_config

    def note(**given):
        titles.append(given["page_title"])
        draw(**given)

    monkeypatch.setattr(st, "set_page_config", note)
    assert not open_page("pages/learn/glossary.py").exception
    assert titles == ["Watch it run · Transformer explorer", "Glossary · Transformer explorer"]
