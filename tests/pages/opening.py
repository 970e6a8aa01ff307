"""Pages opened through the entry script, and what their views were fed."""

import json
import re
import struct
from pathlib import Path
from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from explorer.app import REGISTRY
from tests.conftest import PATIENCE

APP = str(Path(__file__).parent.parent.parent / "streamlit_app.py")


def open_page(page: str, **query: str) -> AppTest:
    """A page, with these parts of an address."""
    app = AppTest.from_file(APP, default_timeout=PATIENCE).run()
    for name, value in query.items():
        app.query_params[name] = value
    return app.switch_page(page).run()


def header_of(app: AppTest, view: str) -> dict:
    """The header of the message that a view got."""
    assert not app.exception
    message = app.get_by_key(view).proto.bytes
    (length,) = struct.unpack("<I", message[:4])
    return json.loads(message[4 : 4 + length])


def words_of(app: AppTest) -> str:
    """All Markdown of a page, as a reader sees it where terms are marked."""
    return re.sub(
        r"\[([^\]]+)\]\(glossary\?term=[a-z-]+\)", r"\1", "\n".join(each.value for each in app.markdown)
    )


def said(app: AppTest, kind: str = "info") -> list[str]:
    """The sentences in the boxes of a kind, as a reader sees them."""
    boxes = [box.value for box in getattr(app, kind)]
    return [re.sub(r"\\(.)", r"\1", sentence) for box in boxes for sentence in box.split("\n\n")]


def links_of(app: AppTest) -> dict[str, dict[str, list[str]]]:
    """What the sidebar's links take along, by their addresses."""
    return {each.proto.page: parse_qs(each.proto.query_string) for each in app.sidebar.get("page_link")}


def follow(app: AppTest, page: str) -> AppTest:
    """Click the sidebar's link to a page, by its address."""
    query = links_of(app)[page]
    app.query_params.clear()
    for name, (value,) in query.items():
        app.query_params[name] = value
    return app.switch_page(REGISTRY.at(page).page).run()


def query_of(app: AppTest) -> dict[str, str]:
    """The address of a page, by its parts."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
