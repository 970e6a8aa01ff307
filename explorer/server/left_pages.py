"""Drop what the timers of a page still send after its visitor has gone to another page."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_LONGEST_REQUEST, _LONGEST_ANSWER = 4 * 2**20, 2**16
"""Bytes of messages that are parsed. Requests hold all that is typed on a page; answers that name a page are short."""


@dataclass(frozen=True)
class LeftPages:
    """Middleware that keeps late fragment requests of a page that was left from Streamlit.

    A fragment with `run_every` asks the server again by a timer. A request that is under way while its visitor opens
    another page still names the old page. Streamlit would start a run for the old page, and the browser would then
    clear the new page and leave it blank.
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a connection; of a WebSocket, all messages but those requests."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        visit = Visit()

        async def receive_current() -> Message:
            while not visit.accept(message := await receive()):
                pass
            return message

        async def send_noted(message: Message) -> None:
            visit.note(message)
            await send(message)

        await self.app(scope, receive_current, send_noted)


class Visit:
    """The page that a connection is at, as far as its messages tell."""

    def __init__(self) -> None:
        self.page = ""
        """Hash of the page that was asked for, or drawn, last; empty while it is not known."""

    def accept(self, message: Message) -> bool:
        """Follow a message from the browser; return False for a request of a fragment of another page."""
        data = message.get("bytes") or b""
        if not data or len(data) > _LONGEST_REQUEST:
            return True
        asked = BackMsg()
        try:
            asked.ParseFromString(data)
        except DecodeError:
            return True  # Streamlit closes the connection.
        if asked.WhichOneof("type") != "rerun_script":
            return True
        request = asked.rerun_script
        if request.fragment_id:
            return "" in (self.page, request.page_script_hash) or self.page == request.page_script_hash
        # A visitor who comes by an address names the page, and learns its hash from the answer.
        self.page = request.page_script_hash
        return True

    def note(self, message: Message) -> None:
        """Take the page from a message to the browser that names it, unless only a fragment is run."""
        data = message.get("bytes") or b""
        if not data or len(data) > _LONGEST_ANSWER:
            return
        told = ForwardMsg.FromString(data)
        match told.WhichOneof("type"):
            case "new_session" if not told.metadata.run.fragment_ids:
                self.page = told.new_session.page_script_hash
            case "navigation":
                # Only this one tells the page of the first run.
                self.page = told.navigation.page_script_hash
