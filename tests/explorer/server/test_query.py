"""The route `/query`: accepted and refused requests."""

import asyncio
import gzip
import threading

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.server.query import MOST_BYTES, MOST_OF_A_BROWSER, BadQuery, query_path, query_route
from tests.conftest import PATIENCE
from tests.coroutines import run_coroutine


def client(answer) -> TestClient:
    return TestClient(Starlette(routes=[query_route(answer)]), headers={"accept-encoding": "identity"})


def test_query_returns_answer_uncached():
    response = client(lambda body: body[::-1]).post("/query", content=b"abc")
    assert (response.status_code, response.content) == (200, b"cba")
    assert response.headers["cache-control"] == "no-store"


def test_query_compresses_long_answer():
    with client(lambda body: b"7" * 5000).stream(
        "POST", "/query", headers={"accept-encoding": "gzip"}
    ) as response:
        raw = b"".join(response.iter_raw())
    assert response.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == b"7" * 5000
    assert "content-encoding" not in client(lambda body: b"7" * 5000).post("/query").headers


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_query_refuses_other_methods(method):
    response = client(lambda body: pytest.fail("it was asked")).request(method, "/query")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


def test_query_refuses_long_body_early():
    def parts():
        for _ in range(3):
            yield b" " * MOST_BYTES

    response = client(lambda body: pytest.fail("it was read")).post("/query", content=parts())
    assert (response.status_code, response.text) == (413, "This request is too long.\n")


def test_query_ends_when_body_does_not_arrive(monkeypatch):
    monkeypatch.setattr("explorer.server.query.LONGEST_READ", 0.01)
    app = Starlette(routes=[query_route(lambda body: pytest.fail("it was read"))])
    sent: list[dict] = []

    async def receive():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/query", "headers": [], "query_string": b""}
    run_coroutine(asyncio.wait_for(app(scope, receive, send), PATIENCE))
    assert sent[0]["status"] == 408


def test_bad_query_is_explained():
    def refuse(body):
        raise BadQuery

    response = client(refuse).post("/query")
    assert (response.status_code, response.text) == (
        400,
        "No page of this app sends this request. Load the page again.\n",
    )


def test_query_logs_fault(caplog):
    def fail(body):
        raise ZeroDivisionError("secret")

    response = client(fail).post("/query")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "ZeroDivisionError" in caplog.text


def test_query_limits_requests_per_browser():
    all_in, go_on = threading.Barrier(MOST_OF_A_BROWSER + 1), threading.Event()

    def answer(body: bytes) -> bytes:
        if body == b"slow":
            all_in.wait(PATIENCE)
            assert go_on.wait(PATIENCE)
        return b"done"

    mine, theirs = ({"cookie": f"explorer_browser={letter * 43}"} for letter in "ab")
    with client(answer) as server:
        slow = [
            threading.Thread(
                target=server.post, args=("/query",), kwargs={"content": b"slow", "headers": mine}
            )
            for _ in range(MOST_OF_A_BROWSER)
        ]
        for each in slow:
            each.start()
        all_in.wait(PATIENCE)
        refused = server.post("/query", headers=mine)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert server.post("/query", headers=theirs).content == b"done"
        go_on.set()
        for each in slow:
            each.join()
        assert server.post("/query", headers=mine).content == b"done"


def test_query_path_includes_base_path(monkeypatch):
    monkeypatch.setattr("explorer.server.query.config.get_option", {"server.baseUrlPath": "/lab/"}.get)
    assert query_path() == "/lab/query"
