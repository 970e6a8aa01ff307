"""A visitor without a browser: exchanges Streamlit's messages over a websocket and stores the elements it receives.

Thirty of them cost less than one Chromium, so measurements reflect the server.
"""

import json
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from benchmarks.ui.route import PATHS, Requester

PATIENCE = 60.0
"""Seconds to wait for a message before raising an error."""
CACHED_RUNS = 2
"""Number of runs for which a message is cached, as in the browser; the server then sends only its hash."""

_NUMBERS = count()
_FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass(frozen=True)
class Answer:
    """Timing and size of the server's answer to one action.

    Attributes:
        seconds: Time from the action to the last message of its rerun.
        view_seconds: Time from the action to the last message of a component on the page; 0 if there was none.
        n_bytes: Size of all messages before compression.
        n_messages: Number of messages.
    """

    seconds: float
    view_seconds: float
    n_bytes: int
    n_messages: int


class Visitor:
    """One session. Use it as a context manager, from one thread at a time.

    Attributes:
        elements: Elements on the page, by their path.
        exceptions: All stack traces shown so far; each is a bug in the app.
        query: Query string of the address, as last set by the app.

    Args:
        url: Address of the server, such as ``http://127.0.0.1:8501``.
    """

    def __init__(self, url: str) -> None:
        self.elements: dict[tuple[int, ...], Element] = {}
        self.exceptions: list[str] = []
        self.query = ""
        self._connection = connect(
            url.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
        )
        self._page = ""
        self._run = 0
        self._states: dict[str, WidgetState] = {}
        self._cached: dict[str, tuple[int, ForwardMsg]] = {}
        self._reports = 0
        self._requester = Requester(url, f"{next(_NUMBERS):043d}")

    def __enter__(self) -> Self:
        self._socket = self._connection.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._requester.close()
        self._socket.close()

    def open(self, path: str = "", query: str = "") -> Answer:
        """Open a page by its address; call this before any other action."""
        self.query = query
        return self._rerun(page_name=path)

    def receive_messages(self, path: str, patience: float) -> Iterator[ForwardMsg]:
        """Open a page and yield the server's messages as they arrive, without storing them."""
        self._send(page_name=path)
        end = time.monotonic() + patience
        while True:
            data = self._socket.recv(timeout=end - time.monotonic(), decode=False)
            yield ForwardMsg.FromString(data)

    def follow(self, title: str) -> Answer:
        """Click the link with this title in the navigation bar."""
        data = self.read_component("navigation")
        links = (link for _, menu in data["places"] for link in menu)
        address, query = next((address, query) for name, address, _, query in links if name == title)
        self._page, self.query = "", data["queries"][query]
        return self._rerun(page_name=address)

    def report(self, component: str, name: str, **value: Any) -> Answer:
        """Report a value from a component, with the next report number, the way that the page's browser would."""
        self._reports += 1
        value["report"] = self._reports
        screen = self.read_component("script_page")["screen"]
        if screen and PATHS.get(component) in screen["parts"]:
            return self._ask(screen["pages"][0], component, name, value)
        return self._set_value(component, name, value)

    def submit(self, text: str) -> Answer:
        """Type a sentence and submit it."""
        return self.report("sentence_bar", "submission", text=text)

    def choose(self, key: str, **value: Any) -> Answer:
        """Set the value of one of Streamlit's own widgets.

        Args:
            key: Key of the widget.
            value: One field of `WidgetState`, such as ``string_value="en-fr"``.
        """
        state = WidgetState(id=self._find_widget_id(key), **value)
        self._states[state.id] = state
        return self._rerun()

    def press(self, key: str) -> Answer:
        """Press the button with this key."""
        state = WidgetState(id=self._find_widget_id(key), trigger_value=True)
        return self._rerun(state)

    def read_component(self, key: str) -> dict[str, Any]:
        """Return the JSON of the data last sent to a component.

        Raises:
            LookupError: when there is no such component on the page.
        """
        return parse_header(self._find_component(key).bytes)

    def read_texts(self, kind: str) -> list[str]:
        """Return the bodies of all elements of a kind, such as ``alert`` or ``markdown``."""
        found = (element for element in self.elements.values() if element.WhichOneof("type") == kind)
        return [getattr(element, kind).body for element in found]

    def _ask(self, page: str, component: str, name: str, value: dict[str, Any]) -> Answer:
        start = time.perf_counter()
        reply = self._requester.ask(page, self.query, PATHS[component], name, value)
        seconds = time.perf_counter() - start
        self.query = reply.address
        for place, element in self.elements.items():
            path = PATHS.get(parse_key(element.bidi_component.id), "")
            if path in reply.messages:
                self.elements[place] = Element()
                self.elements[place].CopyFrom(element)  # The message may be cached, and stays as it was sent.
                self.elements[place].bidi_component.bytes = reply.messages[path]
        if not reply.is_whole:
            drawn = self._rerun()
            return Answer(
                seconds + drawn.seconds, seconds, reply.n_bytes + drawn.n_bytes, 1 + drawn.n_messages
            )
        return Answer(seconds, seconds, reply.n_bytes, 1)

    def _set_value(self, key: str, name: str, value: dict[str, Any]) -> Answer:
        widget_id = self._find_component(key).id
        before = json.loads(self._states[widget_id].json_value) if widget_id in self._states else {}
        self._states[widget_id] = WidgetState(id=widget_id, json_value=json.dumps({**before, name: value}))
        return self._rerun()

    def _find_component(self, key: str) -> Any:
        for element in self.elements.values():
            if element.WhichOneof("type") == "bidi_component" and parse_key(element.bidi_component.id) == key:
                return element.bidi_component
        raise LookupError(f"the page has no component {key}")

    def _find_widget_id(self, key: str) -> str:
        for element in self.elements.values():
            widget = getattr(element, element.WhichOneof("type") or "empty")
            if parse_key(getattr(widget, "id", "")) == key:
                return str(widget.id)
        raise LookupError(f"the page has no widget {key}")

    def _rerun(self, *pressed: WidgetState, page_name: str = "") -> Answer:
        start = time.perf_counter()
        self._send(*pressed, page_name=page_name)
        n_bytes, n_messages, view_seconds = 0, 0, 0.0
        fresh: set[tuple[int, ...]] = set()
        while True:
            data = self._socket.recv(timeout=PATIENCE, decode=False)
            elapsed = time.perf_counter() - start
            n_bytes += len(data)
            n_messages += 1
            message = ForwardMsg.FromString(data)
            if self._receive(message, fresh):
                view_seconds = elapsed
            if message.WhichOneof("type") == "script_finished" and message.script_finished in _FINISHED:
                break
        if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.elements = {path: self.elements[path] for path in fresh if path in self.elements}
        self._drop_stale()
        return Answer(elapsed, view_seconds, n_bytes, n_messages)

    def _send(self, *pressed: WidgetState, page_name: str = "") -> None:
        request = BackMsg()
        state = request.rerun_script
        state.query_string, state.page_name, state.page_script_hash = self.query, page_name, self._page
        state.widget_states.widgets.extend([*self._states.values(), *pressed])
        state.cached_message_hashes.extend(self._cached)
        self._run += 1
        self._socket.send(request.SerializeToString())

    def _receive(self, message: ForwardMsg, fresh: set[tuple[int, ...]]) -> bool:
        """Apply a message; return True if it sends data to a component on the page."""
        match message.WhichOneof("type"):
            case "new_session":
                self._page = message.new_session.page_script_hash
                fresh.clear()
            case "navigation":
                self._page = message.navigation.page_script_hash
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "ref_hash":
                _, cached = self._cached[message.ref_hash]
                self._cached[message.ref_hash] = (self._run, cached)
                return self._store(tuple(message.metadata.delta_path), cached, fresh)
            case "delta":
                if message.metadata.cacheable:
                    self._cached[message.hash] = (self._run, message)
                return self._store(tuple(message.metadata.delta_path), message, fresh)
        return False

    def _store(self, path: tuple[int, ...], message: ForwardMsg, fresh: set[tuple[int, ...]]) -> bool:
        fresh.add(path)
        if message.delta.WhichOneof("type") != "new_element":
            self.elements.pop(path, None)
            return False
        element = message.delta.new_element
        self.elements[path] = element
        if element.WhichOneof("type") == "exception":
            self.exceptions.append(f"{element.exception.type}: {element.exception.message}")
        is_in_page = path[0] == RootContainer.MAIN
        return is_in_page and element.WhichOneof("type") == "bidi_component"

    def _drop_stale(self) -> None:
        """Drop messages of earlier runs and states of widgets no longer on the page, as the browser does."""
        self._cached = {
            hash_: (run, message)
            for hash_, (run, message) in self._cached.items()
            if self._run - run < CACHED_RUNS
        }
        elements = self.elements.values()
        widgets = (getattr(element, element.WhichOneof("type") or "empty") for element in elements)
        present = {getattr(widget, "id", "") for widget in widgets}
        self._states = {widget_id: state for widget_id, state in self._states.items() if widget_id in present}


def parse_header(message: bytes) -> dict[str, Any]:
    """Parse the JSON of a component's message: the part before its binary numbers, or all of it."""
    (length,) = struct.unpack_from("<I", message)
    packed = message[4:5] == b"{" and 4 + length <= len(message)
    return dict(json.loads(message[4 : 4 + length] if packed else message))


def parse_key(widget_id: str) -> str:
    """Return a widget's key, the third part of its id; empty if the id has none."""
    return widget_id.split("-", 2)[-1] if widget_id.startswith("$$") else ""
