"""Let only those messages of a browser through to Streamlit that the app's pages need."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

ALLOWED = frozenset(
    {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
)
"""Types of the messages that pages send. Streamlit obeys others from any client: one clears the caches of all visitors,
one lists the changed files of the repository, and two are for Streamlit's own tests."""
ALLOWED_OPERATION = "deferred_file"
"""The one operation that pages need, a file that is made when it is downloaded. Another one writes into the project."""


@dataclass(frozen=True)
class AllowedMessages:
    """Middleware that drops every other message of a WebSocket."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a connection; of a WebSocket, only messages that pages send."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def receive_allowed() -> Message:
            while not is_allowed(message := await receive()):
                pass
            return message

        await self.app(scope, receive_allowed, send)


def is_allowed(message: Message) -> bool:
    """Return True if an ASGI message may reach Streamlit. Connecting and disconnecting always may."""
    if message["type"] != "websocket.receive":
        return True
    request = BackMsg()
    try:
        request.ParseFromString(message.get("bytes") or b"")
    except DecodeError:
        return True  # Streamlit closes the connection.
    kind = request.WhichOneof("type")
    if kind == "backend_operation_request":
        return request.backend_operation_request.WhichOneof("payload") == ALLOWED_OPERATION
    return kind in ALLOWED
