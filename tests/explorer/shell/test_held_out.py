"""Answers to requests of Mistakes and Parts equal the messages of each page opened at the same address."""

from typing import Any
from urllib.parse import parse_qsl

import pytest

from core.interventions.intervention import ZeroAblation
from core.interventions.links import write_link
from explorer.app import REGISTRY
from explorer.browser.kept_view import NAME_BYTES, parted
from explorer.models.known import known_runs
from explorer.server.query import BadQuery
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import Answer, Query, answer
from explorer.views.mistakes.component import mistakes_view
from explorer.views.worth.component import worth_view
from explorer.views.worth.data import UNDONE
from tests.pages.opening import asked, message_of, open_page, said
from tests.unpacked import assert_same_message, unpacked

VIEWS = {"mistakes": ("mistakes", mistakes_view.path), "parts": ("worth", worth_view.path)}
MODEL = "model=en-de-numbers"
FILTER = {"split": "", "kind": "all", "group": "", "sort": "number", "search": "a b"}
CHANGE = write_link((ZeroAblation("decoder.layers.0.cross_attn.output"),))


def told(query: Query) -> Answer:
    return answer(query, SCREENS, known_runs(), REGISTRY)


def shown(page: str, address: str = MODEL) -> tuple[dict[str, Any], dict[str, Any]]:
    header, arrays, _ = unpacked(told(asked(address, page=page)).messages[VIEWS[page][1]])
    return header, arrays


def report(page: str, event: str, address: str = MODEL, **what: object) -> Query:
    what = {"key": shown(page, address)[0]["key"], "report": 5, **what}
    return asked(address, VIEWS[page][1], event, what, page=page, last={"views": 5, "box": 0})


REPORTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("mistakes", MODEL, "looked", FILTER),
    ("mistakes", MODEL, "looked", {**FILTER, "split": "validation"}),
    ("mistakes", f"{MODEL}&changes={CHANGE}", "looked", FILTER),
    ("parts", MODEL, "looked", {"order": "rest", "chosen": 3}),
    ("parts", f"{MODEL}&parts=decoder-0&changes={CHANGE}", "looked", {"order": "exact", "chosen": None}),
]


@pytest.mark.parametrize(("page", "address", "event", "what"), REPORTS)
def test_answer_equals_message_of_page(page, address, event, what):
    found = told(report(page, event, address, **what))
    assert found.is_whole
    app = open_page(REGISTRY[page].page, **dict(parse_qsl(found.address)))
    key, path = VIEWS[page]
    assert_same_message(found.messages[path], message_of(app, key), report=5)
    assert "sentence_bar" not in "".join(found.messages)


@pytest.mark.parametrize("page", VIEWS)
def test_next_answer_lacks_kept_numbers(page):
    first = told(asked(MODEL, page=page))
    _, numbers = parted(first.messages[VIEWS[page][1]])
    name = numbers[:NAME_BYTES].hex()
    event, what = next((each[2], each[3]) for each in REPORTS if each[0] == page)
    second = told(report(page, event, **what))
    assert len(second.packed({name})) < len(second.packed()) - len(numbers) + 100


def open_notices(found: Answer, page: str, address: str = MODEL) -> list[str]:
    """Open a page, and then what an answer opens; return the sentences above that."""
    app = open_page(REGISTRY[page].page, **dict(parse_qsl(address)))
    place, _, address = found.opens.partition("?")
    app.query_params.clear()
    for name, value in parse_qsl(address):
        app.query_params[name] = value
    app.switch_page(REGISTRY.at(place).page).run()
    assert not app.exception
    return said(app)


def test_wrong_pair_opens_and_says_why():
    _, arrays = shown("mistakes")
    number = int(arrays["numbers"][0])
    found = told(report("mistakes", "opened", number=number))
    assert not found.messages
    (notice,) = open_notices(found, "mistakes")
    assert notice.startswith("From the mistakes: at step ")
    assert notice.endswith("The branch “reference” goes on as it should be.")


def test_exact_pair_opens_without_a_word():
    _, arrays = shown("mistakes")
    number = int(arrays["numbers"][arrays["right"].argmax()])
    found = told(report("mistakes", "opened", number=number))
    assert found.opens.startswith("step-by-step?")
    assert not open_notices(found, "mistakes")


def test_link_to_an_opened_pair_says_nothing():
    _, arrays = shown("mistakes")
    found = told(report("mistakes", "opened", number=int(arrays["numbers"][0])))
    assert not open_notices(found, "parts")


@pytest.mark.parametrize(("address", "notices"), [(MODEL, []), (f"{MODEL}&changes={CHANGE}", [UNDONE])])
def test_block_opens_in_the_model_as_it_was_trained(address, notices):
    _, arrays = shown("parts", address)
    part, row = map(int, arrays["rows"][0][:2])
    found = told(report("parts", "opened", address, part=part, row=row, without=False))
    assert "changes" not in found.opens
    assert open_notices(found, "parts", address) == notices


IMPOSSIBLE: list[tuple[str, str, dict[str, Any]]] = [
    *(("mistakes", "opened", {"number": number}) for number in (-1, 10**6, "0", None, 0.5)),
    ("mistakes", "looked", {**FILTER, "sort": "size"}),
    ("mistakes", "looked", {**FILTER, "search": "\n"}),
    ("parts", "looked", {"order": "size", "chosen": 0}),
    ("parts", "looked", {"order": "loss", "chosen": 10**3}),
    ("parts", "looked", {"order": None}),
    ("parts", "opened", {"part": 10**3, "row": 0, "without": True}),
    ("parts", "opened", {"part": 0, "row": -1, "without": True}),
    ("parts", "opened", {"part": 0, "row": None, "without": True}),
    ("parts", "opened", {"part": 0, "without": "yes"}),
    ("parts", "opened", {}),
]


@pytest.mark.parametrize(("page", "event", "what"), IMPOSSIBLE)
def test_impossible_report_is_refused(page, event, what):
    with pytest.raises(BadQuery):
        told(report(page, event, **what))


@pytest.mark.parametrize("page", VIEWS)
def test_report_about_another_model_changes_nothing(page):
    event, what = next((each[2], each[3]) for each in REPORTS if each[0] == page)
    found = told(report(page, event, **{**what, "key": "other"}))
    assert found.address == MODEL
    assert unpacked(found.messages[VIEWS[page][1]])[0]["report"] == 4
