"""Requests of a page that was left are dropped; all others reach Streamlit."""

from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from explorer.server.left_pages import LeftPages
from tests.coroutines import run_coroutine

TRAIN, LESSONS = "hash of train", "hash of lessons"


def request(page: str, fragment: str = "") -> Message:
    message = BackMsg()
    message.rerun_script.page_script_hash = page
    message.rerun_script.fragment_id = fragment
    return {"type": "websocket.receive", "bytes": message.SerializeToString()}


def start(page: str, *fragments: str) -> Message:
    message = ForwardMsg()
    message.new_session.page_script_hash = page
    message.metadata.run.fragment_ids.extend(fragments)
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


def received(*messages: Message) -> list[Message]:
    """Return what reaches the app of messages in their order; those to the browser are sent by the app."""
    end: Message = {"type": "websocket.disconnect"}
    waiting, found, sent = [*messages, end], list[Message](), list[Send]()

    async def receive() -> Message:
        while waiting[0]["type"] == "websocket.send":
            await sent[0](waiting.pop(0))
        return waiting.pop(0)

    async def send(message: Message) -> None:
        assert message["type"] == "websocket.send"

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        sent.append(send)
        while (message := await receive()) != end:
            found.append(message)

    run_coroutine(LeftPages(app)({"type": "websocket"}, receive, send))
    return found


def test_late_fragment_request_of_a_left_page_is_dropped():
    opened, left, late = request(""), request(LESSONS), request(TRAIN, "clock")
    in_time = request(TRAIN, "clock")
    assert received(opened, start(TRAIN), in_time, left, late, start(LESSONS), late) == [
        opened,
        in_time,
        left,
    ]


def test_fragment_runs_after_server_switched_page():
    opened, current, late = request(""), request(LESSONS, "clock"), request(TRAIN, "clock")
    assert received(opened, start(TRAIN), start(LESSONS), late, current) == [opened, current]


def test_fragment_run_does_not_change_the_page():
    opened, current = request(""), request(LESSONS, "clock")
    assert received(opened, start(LESSONS), start(TRAIN, "clock"), current) == [opened, current]


def test_fragment_runs_on_reopened_page():
    messages = request(TRAIN), request(LESSONS), request(TRAIN), request(TRAIN, "clock")
    assert received(*messages) == list(messages)


def test_other_messages_are_passed_on():
    broken: Message = {"type": "websocket.receive", "bytes": b"\xff\xff"}
    text: Message = {"type": "websocket.receive", "text": "hello"}
    long: Message = {"type": "websocket.send", "bytes": b"\xff" * 70_000}
    assert received(broken, long, text) == [broken, text]


def test_requests_over_http_are_passed_on():
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert await receive() == {"type": "http.request"}

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        raise AssertionError(message)

    run_coroutine(LeftPages(app)({"type": "http"}, receive, send))
