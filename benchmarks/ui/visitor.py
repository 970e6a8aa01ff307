"""A visitor without a browser: speaks Streamlit's own messages over a websocket, and keeps what it is shown.

Thirty of them cost a machine less than one Chromium, so that what is measured is the server.
"""

import json
import struct
import time
from dataclasses import dataclass
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect
from websockets.typing import Subprotocol

PATIENCE = 60.0
"""Seconds after which an answer that does not come is an error."""
REMEMBERED = 2
"""Runs for which a message is kept, as the browser keeps it: the server then sends its hash alone."""

_FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass(frozen=True)
class Answer:
    """What the server made of one action.

    Attributes:
        seconds: From the action to the last message of its rerun.
        view_seconds: To the last message of a component of the page; 0 where none came.
        n_bytes: Of all messages, before they were compressed.
    """

    seconds: float
    view_seconds: float
    n_bytes: int


class Visitor:
    """One session. Use it as a context manager, from one thread at a time.

    Attributes:
        elements: What is shown now, by its place on the page.
        exceptions: Every stack trace that ever was; each is a fault of the app.
        query: The address's query, as the app has written it.

    Args:
        url: Of the server, as ``http://127.0.0.1:8501``.
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
        self._kept: dict[str, tuple[int, ForwardMsg]] = {}
        self._reports = 0

    def __enter__(self) -> Self:
        self._socket = self._connection.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._socket.close()

    def open(self, path: str = "", query: str = "") -> Answer:
        """Open a page by its address, the first thing that a visitor does."""
        self.query = query
        return self._rerun(page_name=path)

    def follow(self, title: str) -> Answer:
        """Click the link of the sidebar with this title."""
        told = self.shown("page_links")
        links = (link for _, section in told["sections"] for link in section)
        address, query = next((address, query) for name, address, query in links if name == title)
        self._page, self.query = "", told["queries"][query]
        return self._rerun(page_name=address)

    def report(self, component: str, name: str, **value: Any) -> Answer:
        """Let a component report something, as its `setStateValue` does; its number counts up by itself."""
        self._reports += 1
        return self._tell(component, name, {**value, "report": self._reports})

    def submit(self, text: str) -> Answer:
        """Type a sentence and run it."""
        self._reports += 1
        return self._tell("sentence_bar", "submission", {"text": text, "report": self._reports})

    def choose(self, key: str, **value: Any) -> Answer:
        """Choose something in one of Streamlit's own widgets.

        Args:
            key: Of the widget.
            value: One field of `WidgetState`, such as ``string_value="en-fr"``.
        """
        state = WidgetState(id=self._id(key), **value)
        self._states[state.id] = state
        return self._rerun()

    def press(self, key: str) -> Answer:
        """Press a button."""
        state = WidgetState(id=self._id(key), trigger_value=True)
        return self._rerun(state)

    def shown(self, key: str) -> dict[str, Any]:
        """The header of what a component was last fed.

        Raises:
            LookupError: when there is no such component on the page.
        """
        return header(self._component(key).bytes)

    def texts(self, kind: str) -> list[str]:
        """The bodies of all elements of a kind, such as ``alert`` or ``markdown``."""
        found = (each for each in self.elements.values() if each.WhichOneof("type") == kind)
        return [getattr(each, kind).body for each in found]

    def _tell(self, key: str, name: str, value: dict[str, Any]) -> Answer:
        place = self._component(key).id
        before = json.loads(self._states[place].json_value) if place in self._states else {}
        self._states[place] = WidgetState(id=place, json_value=json.dumps({**before, name: value}))
        return self._rerun()

    def _component(self, key: str) -> Any:
        for element in self.elements.values():
            if element.WhichOneof("type") == "bidi_component" and _key(element.bidi_component.id) == key:
                return element.bidi_component
        raise LookupError(f"no component {key} is shown")

    def _id(self, key: str) -> str:
        for element in self.elements.values():
            widget = getattr(element, element.WhichOneof("type") or "empty")
            if _key(getattr(widget, "id", "")) == key:
                return str(widget.id)
        raise LookupError(f"no widget {key} is shown")

    def _rerun(self, *pressed: WidgetState, page_name: str = "") -> Answer:
        ask = BackMsg()
        state = ask.rerun_script
        state.query_string, state.page_name, state.page_script_hash = self.query, page_name, self._page
        state.widget_states.widgets.extend([*self._states.values(), *pressed])
        state.cached_message_hashes.extend(self._kept)
        self._run += 1
        begin = time.perf_counter()
        self._socket.send(ask.SerializeToString())
        n_bytes, view = 0, 0.0
        fresh: set[tuple[int, ...]] = set()
        while True:
            data = self._socket.recv(timeout=PATIENCE, decode=False)
            now = time.perf_counter() - begin
            n_bytes += len(data)
            message = ForwardMsg.FromString(data)
            if self._take(message, fresh):
                view = now
            if message.WhichOneof("type") == "script_finished" and message.script_finished in _FINISHED:
                break
        if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.elements = {place: self.elements[place] for place in fresh if place in self.elements}
        self._forget()
        return Answer(now, view, n_bytes)

    def _take(self, message: ForwardMsg, fresh: set[tuple[int, ...]]) -> bool:
        """Keep what a message says; tell whether it feeds a component."""
        match message.WhichOneof("type"):
            case "new_session":
                self._page = message.new_session.page_script_hash
                fresh.clear()
            case "navigation":
                self._page = message.navigation.page_script_hash
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "ref_hash":
                _, kept = self._kept[message.ref_hash]
                self._kept[message.ref_hash] = (self._run, kept)
                return self._place(tuple(message.metadata.delta_path), kept, fresh)
            case "delta":
                if message.metadata.cacheable:
                    self._kept[message.hash] = (self._run, message)
                return self._place(tuple(message.metadata.delta_path), message, fresh)
        return False

    def _place(self, path: tuple[int, ...], message: ForwardMsg, fresh: set[tuple[int, ...]]) -> bool:
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

    def _forget(self) -> None:
        """Drop, as the browser does, messages of earlier runs and the states of widgets that are gone."""
        kept = {name: each for name, each in self._kept.items() if self._run - each[0] < REMEMBERED}
        self._kept = kept
        widgets = (getattr(each, each.WhichOneof("type") or "empty") for each in self.elements.values())
        there = {getattr(widget, "id", "") for widget in widgets}
        self._states = {name: state for name, state in self._states.items() if name in there}


def header(message: bytes) -> dict[str, Any]:
    """The JSON of a message to a component: before its numbers, or all of it."""
    (length,) = struct.unpack_from("<I", message)
    packed = message[4:5] == b"{" and 4 + length <= len(message)
    return dict(json.loads(message[4 : 4 + length] if packed else message))


def _key(widget_id: str) -> str:
    """A widget's key, which ends its id after two others."""
    return widget_id.split("-", 2)[-1] if widget_id.startswith("$$") else ""
