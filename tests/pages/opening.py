"""Pages opened through the entry script, and what their views were fed."""

import json
import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

from streamlit.testing.v1 import AppTest

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.server.query import BadQuery
from explorer.shell.model_page import HEAD_KEY
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import Query, answer
from explorer.views.living_map.component import living_map
from explorer.visitor.reports import BOX, VIEWS, Payload
from tests.conftest import PATIENCE

BAR = "sentence_bar"
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


def title_of(app: AppTest) -> str:
    """The title of the page."""
    assert not app.exception
    return json.loads(app.get_by_key(HEAD_KEY).proto.bytes)["title"]


def lead_of(app: AppTest) -> str:
    """The sentence beside the title."""
    assert not app.exception
    return "".join(text for _, text in json.loads(app.get_by_key(HEAD_KEY).proto.bytes)["lead"])


def message_of(app: AppTest, view: str) -> bytes:
    """The whole message that a view got, with numbers that travel by themselves."""
    message = app.get_by_key(view).proto.bytes
    try:
        numbers = app.get_by_key(f"script_{view}_numbers").proto.bytes
    except KeyError:
        return message
    return message[:-16] + numbers[16:]


def asked(address: str = "", part: str = "", event: str = "", report: object = None, **others: Any) -> Query:
    """A request of the first page."""
    query = Query("", address, part, event, Payload(report), links={}, last={VIEWS: 0, BOX: 0})
    return replace(query, **others)


def after_report(
    app: AppTest, event: str, report: dict[str, object], *, page: str = "", part: str = living_map.path
) -> AppTest:
    """The page that is open after a component has reported something, the living map unless another is named."""
    query = asked(urlencode(query_of(app)), part, event, {"report": 5, **report}, page=page)
    try:
        found = answer(query, SCREENS, known_runs(), REGISTRY)
    except BadQuery:
        return app.run()
    page, _, address = found.opens.partition("?") if found.opens else (page, "", found.address)
    app.query_params.clear()
    for name, value in parse_qsl(address):
        app.query_params[name] = value
    return app.switch_page(REGISTRY.at(page).page).run()


def is_over(app: AppTest, view: str) -> bool:
    """Return True if a view has its result from the background, and not only that of the parts that are done."""
    keys = {each.key for each in (*app.get("bidi_component"), *app.button)}
    return view in keys and f"{view}_stop" not in keys


def light_row(app: AppTest, view: str, row: int, report: int = 5) -> AppTest:
    """Choose a row of a picture, and leave all else as it is."""
    shown = header_of(app, view)
    choices = {each["axis"]: each["value"] for each in shown["choosers"]}
    looked = {"key": shown["key"], "stage": shown["stage"], "choices": choices, "row": row, "report": report}
    app.session_state[view] = {"view": looked}
    return app.run()


def bar_of(app: AppTest) -> dict:
    """What the bar of the sentence was fed, without what its tokenizer knows."""
    return header_of(app, BAR)


def submit(app: AppTest, text: object, report: int = 1) -> AppTest:
    """Run a text, as the field of the bar does."""
    app.session_state[BAR] = {"submission": {"text": text, "report": report}}
    return app.run()


def pick_example(app: AppTest, title: str, report: int = 1) -> AppTest:
    """Choose an example by its title under the field."""
    example = next(each for each in bar_of(app)["examples"] if each["title"] == title)
    return submit(app, example["source"], report)


def choose_step(app: AppTest, step: object, report: int = 1) -> AppTest:
    """Rest on a step, as the chips of the bar do."""
    app.session_state[BAR] = {"view": {"key": bar_of(app)["key"], "step": step, "report": report}}
    return app.run()


def words_of(app: AppTest) -> str:
    """All Markdown of a page, as a reader sees it where terms are marked."""
    return re.sub(
        r"\[([^\]]+)\]\(glossary\?term=[a-z-]+\)", r"\1", "\n".join(each.value for each in app.markdown)
    )


def said(app: AppTest, kind: str = "info") -> list[str]:
    """The sentences in the boxes of a kind, as a reader sees them."""
    boxes = [box.value for box in getattr(app, kind)]
    return [re.sub(r"\\(.)", r"\1", sentence) for box in boxes for sentence in box.split("\n\n")]


def menu_links(app: AppTest) -> dict[str, tuple[str, str]]:
    """Return address and query of each link in the navigation bar, by its title."""
    told = json.loads(app.get_by_key("navigation").proto.bytes)
    return {
        name: (address, told["queries"][query])
        for _, links in told["places"]
        for name, address, _, query in links
    }


def links_of(app: AppTest) -> dict[str, dict[str, list[str]]]:
    """Return what the links take along, by their addresses."""
    return {address: parse_qs(query) for address, query in menu_links(app).values()}


def follow(app: AppTest, page: str) -> AppTest:
    """Click the link to a page, by its address."""
    query = links_of(app)[page]
    app.query_params.clear()
    for name, (value,) in query.items():
        app.query_params[name] = value
    return app.switch_page(REGISTRY.at(page).page).run()


def query_of(app: AppTest) -> dict[str, str]:
    """The address of a page, by its parts."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def go_to_block(app: AppTest, view: str, block: str, report: int = 9) -> AppTest:
    """Press a block on the rail of a stop."""
    header = header_of(app, view)
    assert block in [each["id"] for each in header["rail"]]
    app.session_state[view] = {"open": {"key": header["key"], "block": block, "report": report}}
    return app.run()


def note_beside(app: AppTest) -> dict[str, Any]:
    """Return the message of the note beside a page's picture."""
    assert not app.exception
    message: dict[str, Any] = json.loads(app.get_by_key("note").proto.bytes)
    return message


def said_beside(app: AppTest) -> str:
    """Return the sentences of that note."""
    return "".join(text for _, text in note_beside(app)["said"]["pieces"])
