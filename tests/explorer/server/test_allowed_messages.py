"""Messages of a browser: those of the app's pages reach Streamlit, all others are dropped, however they are wrapped."""

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from explorer.server.allowed_messages import AllowedMessages
from tests.coroutines import run_coroutine


def received(*frames: dict) -> list[dict]:
    """Return the frames that reach the app behind the middleware, in their order."""
    waiting, reached = iter([{"type": "websocket.connect"}, *frames, {"type": "websocket.disconnect"}]), []

    async def app(scope, receive, send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            reached.append(message)

    async def receive():
        return next(waiting)

    async def send(message) -> None:
        raise AssertionError("nothing is answered")

    run_coroutine(AllowedMessages(app)({"type": "websocket"}, receive, send))
    assert reached.pop(0) == {"type": "websocket.connect"}
    return reached


def frame(message: BackMsg) -> dict:
    return {"type": "websocket.receive", "bytes": message.SerializeToString()}


def operation(payload: str) -> BackMsg:
    message = BackMsg()
    getattr(message.backend_operation_request, payload).SetInParent()
    return message


def padded(message: BackMsg) -> dict:
    """Return a frame of more than 4 MiB: the message after a field that no version of it has."""
    length = 5 * 2**20
    size = bytes([length & 127 | 128, length >> 7 & 127 | 128, length >> 14 & 127 | 128, length >> 21])
    # Field 2047 of wire type 2.
    return {
        "type": "websocket.receive",
        "bytes": b"\xfa\x7f" + size + bytes(length) + message.SerializeToString(),
    }


CLEAR = BackMsg(clear_cache=True)


@pytest.mark.parametrize(
    "sent",
    [
        frame(CLEAR),
        frame(BackMsg(set_run_on_save=True)),
        frame(BackMsg(load_git_info=True)),
        frame(BackMsg(debug_disconnect_websocket=True)),
        frame(BackMsg(debug_shutdown_runtime=True)),
        frame(operation("install_skills")),
        frame(operation("dismiss_skills_nudge")),
        frame(operation("dataframe_chunk")),
        frame(BackMsg()),
        padded(CLEAR),
        # Of two types in one message the last counts.
        {
            **frame(CLEAR),
            "bytes": BackMsg(app_heartbeat=True).SerializeToString() + CLEAR.SerializeToString(),
        },
        {"type": "websocket.receive", "text": "clear_cache"},
    ],
)
def test_unneeded_messages_are_dropped(sent):
    heartbeat = frame(BackMsg(app_heartbeat=True))
    assert received(sent, heartbeat) == [heartbeat]


@pytest.mark.parametrize("kind", ["rerun_script", "stop_script", "app_heartbeat", "file_urls_request"])
def test_messages_of_pages_reach_streamlit(kind):
    message = BackMsg()
    if kind in ("stop_script", "app_heartbeat"):
        setattr(message, kind, True)
    else:
        getattr(message, kind).SetInParent()
    assert received(frame(message)) == [frame(message)]
    assert received(frame(operation("deferred_file"))) == [frame(operation("deferred_file"))]


def test_undecodable_frames_are_left_to_streamlit():
    broken = {"type": "websocket.receive", "bytes": b"\xff\xff"}
    assert received(broken) == [broken]


def test_every_type_of_message_has_been_decided_on():
    """A newer Streamlit may add types: each must be looked at here before it is let through."""
    kinds = {field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields}
    assert kinds == {
        "rerun_script",
        "stop_script",
        "app_heartbeat",
        "file_urls_request",
        "backend_operation_request",
        "clear_cache",
        "set_run_on_save",
        "load_git_info",
        "debug_disconnect_websocket",
        "debug_shutdown_runtime",
    }
