"""Requests to the server's route, as a browser sends them."""

import gzip
import http.client
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from explorer.browser import navigation
from explorer.browser.sentence_bar import sentence_bar
from explorer.browser.stop import stop
from explorer.view import STOP
from explorer.views.decoding.component import decode_view
from explorer.views.living_map.component import living_map

PATHS = {
    "living_map": living_map.path,
    "navigation": navigation.PATH,
    "sentence_bar": sentence_bar.path,
    "step_by_step": decode_view.path,
    STOP: stop.path,
}
"""Paths of the TypeScript modules of components, by their keys."""
_NAME_BYTES = 16


@dataclass(frozen=True)
class Reply:
    """Answer of the route.

    Attributes:
        address: Query of the page's address.
        is_whole: Whether Streamlit has nothing to draw.
        messages: Messages by the paths of their TypeScript modules, without the numbers.
        n_bytes: Size before compression.
    """

    address: str
    is_whole: bool
    messages: Mapping[str, bytes]
    n_bytes: int


class Requester:
    """A browser that keeps one connection, and the numbers that it was sent.

    Args:
        url: Address of the server.
        token: 43 characters that name the browser.
    """

    def __init__(self, url: str, token: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
        self._headers = {
            "Cookie": f"explorer_browser={token}",
            "Accept-Encoding": "gzip",
            "Content-Type": "application/json",
        }
        self._names: list[str] = []

    def ask(self, page: str, address: str, part: str, event: str, report: Mapping[str, Any]) -> Reply:
        """Send a request.

        Raises:
            RuntimeError: when the server refuses it.
        """
        question = {"page": page, "address": address, "part": part, "event": event, "report": report}
        number = report.get("report", 0)
        rest = {"links": {}, "last": {"views": number, "box": number}, "has": self._names[-40:]}
        content = self._send(json.dumps({**question, **rest}))
        (length,) = struct.unpack_from("<I", content)
        header = json.loads(content[4 : 4 + length])
        start, messages = 4 + length, {}
        for path, size in header["parts"]:
            part_bytes, start = content[start : start + size], start + size
            if path:
                messages[path] = part_bytes
            else:
                self._names.append(part_bytes[:_NAME_BYTES].hex())
        return Reply(header["address"], header["is_whole"], messages, len(content))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _send(self, body: str) -> bytes:
        try:
            self._connection.request("POST", "/query", body, self._headers)
            response = self._connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            # The server closes connections that are idle for some seconds; the next request opens another.
            self._connection.close()
            self._connection.request("POST", "/query", body, self._headers)
            response = self._connection.getresponse()
        content = response.read()
        if response.status != 200:
            raise RuntimeError(f"the server answered {response.status}: {content[:200]!r}")
        return gzip.decompress(content) if response.headers["Content-Encoding"] == "gzip" else content
