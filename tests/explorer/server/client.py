"""A client that speaks Streamlit's protocol over a real WebSocket, as an attacker's program would."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.conftest import PATIENCE


class Client:
    """One connection to a server.

    Args:
        url: Address of the server.
        session: Id of an earlier session that the connection asks to continue.
        cookie: Value of the request's Cookie header.
    """

    def __init__(self, url: str, *, session: str = "", cookie: str = "", **headers: str) -> None:
        # A reconnecting browser sends the protocol, a token and the session; a token need not be valid to connect.
        protocols = ["streamlit", "none", session] if session else ["streamlit"]
        self._opened = ExitStack()
        opening = connect(
            f"ws://{urlsplit(url).netloc}/_stcore/stream",
            subprotocols=[Subprotocol(each) for each in protocols],
            additional_headers={**headers, **({"Cookie": cookie} if cookie else {})},
            max_size=None,
            # A full queue would keep the answer to a close from being read.
            max_queue=None,
        )
        self.socket = self._opened.enter_context(opening)
        self.session = ""
        self.elements: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._opened.close()

    def send(self, message: BackMsg) -> None:
        self.socket.send(message.SerializeToString())

    def receive(self, kind: str, timeout: float = PATIENCE) -> ForwardMsg:
        """Return the next message of a kind, and take note of the elements before it."""
        while True:
            message = ForwardMsg.FromString(self.socket.recv(timeout=timeout, decode=False))
            self._note(message)
            if message.WhichOneof("type") == kind:
                return message

    def run(self, page: str = "", *widgets: WidgetState) -> int:
        """Let the server draw a page with these states of its widgets; return how the run ended."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.widget_states.widgets.extend(widgets)
        self.send(message)
        return self.receive("script_finished").script_finished

    def join(self) -> str:
        """Ask for a page and return the session's id, which is sent before the page is drawn."""
        message = BackMsg()
        message.rerun_script.query_string = ""
        self.send(message)
        self.receive("new_session")
        return self.session

    def element(self, key: str) -> Any:
        """Return the last drawn widget of a key."""
        return next(each for id_, each in self.elements.items() if id_.endswith(f"-{key}"))

    def texts(self) -> list[str]:
        """Return the texts of all elements that have been drawn."""
        return [text for each in self.elements.values() if (text := getattr(each, "body", ""))]

    def _note(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id
            if not message.metadata.run.fragment_ids:
                self.elements.clear()
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            found = getattr(element, str(element.WhichOneof("type")))
            self.elements[getattr(found, "id", "") or repr(message.metadata.delta_path)] = found
