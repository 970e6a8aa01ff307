"""Measure when each page shows its first content on a server that has just been started.

    python -m benchmarks.ui --only first-content

Every page gets a server of its own, whose first visitor opens that page: nothing is computed before.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from streamlit.proto.RootContainer_pb2 import RootContainer

from benchmarks.ui.server import ROOT, URL, make_script_command, run_server
from benchmarks.ui.visitor import Visitor, parse_key
from explorer.app import REGISTRY

FRAME = (
    "script_",
    "term_tips",
    "sentence_bar",
    "navigation",
    "depth",
    "worksheet",
    "explain_panel",
    "site_tree",
)
"""Beginnings of the keys of elements that are not what a page is about."""
CONTENT = ("bidi_component", "plotly_chart", "dataframe", "arrow_data_frame", "page_link", "imgs")
"""Kinds of elements that show something of a model, a run or a lesson."""
WAITING = ("skeleton", "progress")
PATIENCE = 180.0
"""Seconds after which a page is given up."""


@dataclass(frozen=True)
class PageTimes:
    """Times of one page on a fresh server, in seconds.

    Attributes:
        title: Time from the request to the page's title.
        empty: Longest time after the title in which the page showed neither content nor that it is coming.
        content: Time from the request to the first content.
    """

    title: float
    empty: float
    content: float


def measure_page(address: str) -> PageTimes:
    """Start a server, open one page and time what arrives."""
    command = make_script_command(ROOT / "streamlit_app.py")
    with (
        TemporaryDirectory() as runs,
        run_server(command, {"EXPLORER_RUNS": runs}),
        Visitor(URL) as visitor,
    ):
        return times_of(list(_arrivals(visitor, address, time.monotonic())))


Arrival = tuple[float, tuple[int, ...], str, str]
"""Seconds since the request, place on the page, kind and key of an element."""


def _arrivals(visitor: Visitor, address: str, start: float) -> Iterator[Arrival]:
    """Yield the elements of the page's own area until the first content has arrived."""
    for message in visitor.receive_messages(address, PATIENCE):
        if message.WhichOneof("type") != "delta" or message.metadata.delta_path[0] != RootContainer.MAIN:
            continue
        if message.delta.WhichOneof("type") != "new_element":
            continue
        element = message.delta.new_element
        kind = element.WhichOneof("type") or ""
        key = parse_key(str(getattr(getattr(element, kind), "id", "")))
        yield time.monotonic() - start, tuple(message.metadata.delta_path), kind, key
        if is_content(kind, key):
            return


def is_content(kind: str, key: str) -> bool:
    """Return True for an element that shows what its page is about."""
    return kind in CONTENT and not key.startswith(FRAME)


def times_of(arrivals: Sequence[Arrival]) -> PageTimes:
    """Compute the times of a page from what has arrived, the last of which is its first content."""
    title = next((seconds for seconds, _, kind, _ in arrivals if kind == "heading"), arrivals[0][0])
    waiting: set[tuple[int, ...]] = set()
    empty, since = 0.0, title
    for seconds, place, kind, _ in arrivals:
        if seconds < title:
            continue
        # Empty for as long as nothing waits, up to the next sign of what is coming, or the content itself.
        if waiting:
            since = seconds
        waiting = waiting | {place} if kind in WAITING else waiting - {place}
        empty = max(empty, seconds - since)
    return PageTimes(title, empty, arrivals[-1][0])


def measure_first_visits(addresses: Sequence[str] = ()) -> Iterator[tuple[str, PageTimes]]:
    """Yield each page's title with its times; all pages by default."""
    for view in REGISTRY.values():
        if not addresses or view.address in addresses:
            yield view.title, measure_page(view.address)
