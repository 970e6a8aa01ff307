"""Until everything is imported a server says that it is starting; then it lets everybody in."""

import threading

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from explorer.server.starting import Starting
from tests.another_python import said_by


async def greet(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("open")


@pytest.fixture
def ready() -> threading.Event:
    return threading.Event()


@pytest.fixture
def client(ready: threading.Event) -> TestClient:
    routes = [Route("/page", lambda request: PlainTextResponse("the app")), WebSocketRoute("/stream", greet)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Starting, is_ready=ready.is_set)]))


def test_starting_server_answers_503_at_every_address(client, ready):
    for path in ("/page", "/_stcore/health", "/nowhere"):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert answer.headers["cache-control"] == "no-store"
        assert "is starting" in answer.text
    ready.set()
    assert client.get("/page").text == "the app"
    assert client.get("/nowhere").status_code == 404


def test_websocket_is_refused_until_the_server_is_ready(client, ready):
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect("/stream"):
        pass
    assert refused.value.code == 1013
    ready.set()
    with client.websocket_connect("/stream") as socket:
        assert socket.receive_text() == "open"


@pytest.mark.proof
def test_server_listens_before_it_imports_torch_and_pandas():
    program = (
        "import sys, streamlit_app\n"
        "print(sorted({'pandas', 'torch'} & sys.modules.keys()), type(streamlit_app.app).__name__)"
    )
    assert said_by(program) == "[] App\n"
