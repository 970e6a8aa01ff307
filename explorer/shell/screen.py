"""Screens: pages that update by requests to our own route instead of Streamlit runs.

A request carries the page's address and, after an action, the report of a component. The answer carries the new address
and the messages of all components. It depends only on the request and the run store, so any process can answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from struct import pack
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlencode

from core.errors import ExplorerError, InputError
from core.run import Run
from explorer.browser import explain_panel, navigation, note, page_head
from explorer.browser import sentence_bar as bar
from explorer.browser.kept_view import NAME_BYTES, KeptView, parted
from explorer.browser.note import Note
from explorer.models.decodings import translation_of
from explorer.models.known import known_runs, loaded_run
from explorer.server.query import BadQuery, query_path
from explorer.server.shared import turns
from explorer.shell.blocks import AtPage
from explorer.shell.branches import usable_branches
from explorer.shell.explain_panel import after_panel, panel_data
from explorer.shell.frame import head_message
from explorer.shell.navigation import bar_message
from explorer.shell.search import LONGEST_TEXT, found
from explorer.shell.sentence import after_bar, bar_data, bar_source
from explorer.shell.worksheet_download import view_sheet
from explorer.view import HOME, HOME_ADDRESSES, TRAIN, Registry, View
from explorer.visitor.links import query_of, state_from_query, with_one_run
from explorer.visitor.reports import BOX, MAX_REPORT, VIEWS, Event, Payload, Refused
from explorer.visitor.running import run_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import like_left
from explorer.visitor.state import ExplorerState, with_row_of_link

D = TypeVar("D")
R = TypeVar("R")

LONGEST_ADDRESS = 64_000
"""Characters of a page's address that are read; a link of everything that can be chosen has a few thousand."""

WORKSHEET = "worksheet"
"""Part of a request for the page on paper; its report has the address of the page without query, to be printed."""
SLOW = "slow"
"""Part of a request for the slow components of a page, which follows the request for the others."""
LINKS = "links"
"""Part of a request for the links of the navigation bar, of any page; it has the queries at which pages were left."""
SEARCH = "search"
"""Part of a request for what a text finds, which every page sends; its report has the text."""


_SHARED = (
    bar.sentence_bar.path,
    navigation.PATH,
    note.PATH,
    explain_panel.PATH,
    page_head.HEAD,
)
"""Paths of the TypeScript modules of every page's frame."""


class Late(Exception):
    """Raised when a report refers to data that has been replaced, by a newer answer or by newer weights."""


class Unready(Exception):
    """Raised by `Part.show` while its result is missing, of which Streamlit shows the progress.

    Args:
        so_far: Data of what is computed, to which a report may refer.
    """

    def __init__(self, so_far: object) -> None:
        self.so_far = so_far


After = Callable[[Run, ExplorerState, R, Registry, AtPage], tuple[View, ExplorerState]]
"""Returns the page that is open after a report of a component, and the state."""


def stays(view: View, after: Callable[[Run, ExplorerState, R], ExplorerState]) -> After[R]:
    """Return an `After` of a component whose reports open no other page."""
    return lambda run, state, report, views, at: (view, after(run, state, report))


def _numbered(data: Any, report: int) -> Any:
    return replace(data, report=report)


@dataclass(frozen=True)
class Part(Generic[D, R]):
    """A component that a page updates by requests.

    Attributes:
        component: The component.
        events: What it reports.
        show: Returns its data for a run, a state and all views.
        after: Returns the page that is open after a report, and the state.
        numbered: Returns the data with the number of the last report.
        is_slow: Whether the browser asks for it after the rest of the page.
        tells_refusal: Whether its data has a `refusal`, why its last report was not acted on; without one Streamlit
            draws the page then.
    """

    component: KeptView[D]
    events: Sequence[Event[R, D]]
    show: Callable[[Run, ExplorerState, Registry], D]
    after: After[R]
    numbered: Callable[[D, int], D] = _numbered
    is_slow: bool = False
    tells_refusal: bool = False

    @property
    def path(self) -> str:
        """Path of its TypeScript module."""
        return self.component.path

    def packed(
        self, run: Run, state: ExplorerState, views: Registry, report: int, refusal: str = ""
    ) -> bytes:
        """Return its message."""
        data: Any = self.numbered(self.show(run, state, views), report)
        return self.component.pack(replace(data, refusal=refusal) if self.tells_refusal else data)


@dataclass(frozen=True)
class Screen:
    """A page that updates by requests.

    Attributes:
        view: Key of the view.
        parts: Its components.
        note: Returns the note for a run and a state; None for a page without words.
        rest: Returns what the rest of the page depends on, which Streamlit draws; None if there is no rest.
        layout: Name of its layout. A page takes the place of another of the same layout without Streamlit.
        is_covered: Whether a lesson may cover what it shows. In a lesson Streamlit draws it then.
    """

    view: str
    parts: Sequence[Part[Any, Any]]
    note: Callable[[Run, ExplorerState], Note | None] = lambda run, state: None
    rest: Callable[[ExplorerState], object] | None = None
    layout: str = ""
    is_covered: bool = False

    @property
    def addresses(self) -> tuple[str, ...]:
        """Addresses of the page."""
        return ("", *HOME_ADDRESSES) if self.view == HOME else (self.view,)

    def updates(self, state: ExplorerState) -> bool:
        """Return True if the page updates by requests in a state."""
        return not (self.is_covered and state.learning.lesson)

    def described(self, screens: Sequence[Screen]) -> dict[str, object]:
        """Return the description for the browser.

        Args:
            screens: All screens.
        """
        kin = {
            address: each.rest is not None
            for each in screens
            if each is self or (self.layout and each.layout == self.layout)
            for address in each.addresses
        }
        parts = (*(part.path for part in self.parts), *_SHARED)
        return {"pages": self.addresses, "parts": parts, "route": query_path(), "kin": kin}


@dataclass(frozen=True)
class Query:
    """A request of a page.

    Attributes:
        page: Address of the page, without its query.
        address: Query of the address, which holds the choices.
        part: Path of the TypeScript module that reports; empty to show an address, as after Back; `SLOW`; `WORKSHEET`;
            `LINKS`; or `SEARCH`.
        event: Name of the event.
        report: Payload of the event.
        links: Queries of the links to other pages, by address; they hold the choices last made there.
        last: Numbers of the last reports, by series.
        has: Names of the numbers that the browser has, as hexadecimal digits.
    """

    page: str
    address: str
    part: str
    event: str
    report: Payload
    links: Mapping[str, str]
    last: Mapping[str, int]
    has: Set[str] = frozenset()

    @classmethod
    def read(cls, body: bytes) -> Query:
        """Parse the body of a request.

        Raises:
            BadQuery: when it has another form.
        """
        try:
            asked = Payload(json.loads(body))
            left = asked["links"].value
            return cls(
                page=asked["page"].text(LONGEST_ADDRESS),
                address=asked["address"].text(LONGEST_ADDRESS),
                part=asked["part"].text(LONGEST_ADDRESS),
                event=asked["event"].text(LONGEST_ADDRESS),
                report=asked["report"],
                links={page: Payload(address).text(LONGEST_ADDRESS) for page, address in left.items()}
                if isinstance(left, dict)
                else {},
                last={name: asked["last"][name].whole(0, MAX_REPORT) for name in (VIEWS, BOX)},
                has={name.text(2 * NAME_BYTES) for name in asked["has"].items()},
            )
        except (ValueError, RecursionError, Refused) as error:
            raise BadQuery from error


@dataclass(frozen=True)
class Answer:
    """The answer to a request.

    Attributes:
        address: Query of the address after the report.
        messages: Messages by the paths of their TypeScript modules; empty if Streamlit has to draw the page. Of a
            worksheet, its content by the name of the file.
        opens: Address with query of the page to open; empty to stay.
        is_whole: False if the parts that Streamlit draws have changed as well.
        has_slow: Whether the slow components are to be asked for.
    """

    address: str
    messages: Mapping[str, bytes]
    opens: str = ""
    is_whole: bool = True
    has_slow: bool = False

    def packed(self, has: Set[str] = frozenset()) -> bytes:
        """Return the bytes: the length of a JSON header, the header, and the messages one after the other.

        The numbers of a message come before it, without a path, unless the browser has them.

        Args:
            has: Names of the numbers that the browser has.
        """
        parts: list[tuple[str, bytes]] = []
        for path, message in self.messages.items():
            message, numbers = parted(message)
            if numbers and numbers[:NAME_BYTES].hex() not in has:
                parts.append(("", numbers))
            parts.append((path, message))
        header = {
            "address": self.address,
            "opens": self.opens,
            "is_whole": self.is_whole,
            "has_slow": self.has_slow,
            "parts": [[path, len(part)] for path, part in parts],
        }
        text = json.dumps(header).encode()
        return b"".join((pack("<I", len(text)), text, *(part for _, part in parts)))


def answer_body(screens: Sequence[Screen], views: Registry, body: bytes) -> bytes:
    """Answer the body of a request, in turn with the pages of other visitors.

    Raises:
        BadQuery: when no page of the app sends this request.
    """
    query = Query.read(body)
    with turns().turn():
        return answer(query, screens, known_runs(), views).packed(query.has)


def answer(query: Query, screens: Sequence[Screen], runs: Runs, views: Registry) -> Answer:
    """Answer a request.

    Raises:
        BadQuery: when no page of the app sends this request.
    """
    screen = next((each for each in screens if query.page in each.addresses), None)
    try:
        if query.part == SEARCH:
            return _hits(query, runs, views)
        if query.part == LINKS:
            return _links(query, runs, views)
        if screen is None:
            raise BadQuery
        return _answer(query, screen, views[screen.view], runs, views)
    except ExplorerError:
        # Streamlit draws the page, which shows the error.
        return Answer(query.address, {}, is_whole=False)


def _answer(query: Query, screen: Screen, view: View, runs: Runs, views: Registry) -> Answer:
    before, notices = _state_at(query.address, runs)
    before = with_row_of_link(before, view.row_side(before))
    if query.part == WORKSHEET:
        return _worksheet(query, before, view, runs, views)
    if query.part != bar.sentence_bar.path:
        # What the bar reports needs no model: a change that the model cannot take can be undone.
        before, remarks = _usable(view, before)
        notices += remarks
    if query.part == SLOW:
        left = [part for part in screen.parts if part.is_slow]
        return Answer(
            query.address, _packed(left, _run_for(view, before), before, views, query.last[VIEWS], {})
        )
    at = _states_at_links(query, view, runs, views)
    last, refusals = dict(query.last), {}
    try:
        opened, state = _after(query, screen, view, before, runs, views, at)
    except InputError as error:
        telling = (part.path for part in screen.parts if part.tells_refusal)
        if query.part not in (bar.sentence_bar.path, *telling):
            raise
        opened, state, refusals = view, before, {query.part: error.sentence}
    except Late:
        # The component sees by the number that its report was not acted on.
        opened, state, last[VIEWS] = view, before, max(0, last[VIEWS] - 1)
    address = _address(state, runs)
    if opened is not view:
        return Answer(query.address, {}, opens=f"{opened.address}?{address}")
    if not screen.updates(state):
        return Answer(address, {}, is_whole=False)
    # Of a slow component that has reported something, the answer is awaited.
    shown = [part for part in screen.parts if not part.is_slow or part.path == query.part]
    try:
        state, remarks = _usable(view, state)
        address, run = _address(state, runs), _run_for(view, state)
        home = query.page if view.key == HOME else ""
        messages = {
            **_packed(shown, run, state, views, last[VIEWS], refusals),
            **(_bar_message(query, view, state, runs, last, refusals) if view.reads_sentence else {}),
            navigation.PATH: bar_message(state, runs, views, here=view, home=home, at=at),
            **_words_of(screen, view, run, state, views),
        }
        is_whole = (
            (screen.rest is None or screen.rest(before) == screen.rest(state))
            and not (notices or remarks)
            and all(_is_whole(view, each) for each in (before, state))
        )
    except (ExplorerError, Unready):
        # Streamlit draws the page, with the error or the progress.
        return Answer(address, {}, is_whole=False)
    return Answer(address, messages, is_whole=is_whole, has_slow=len(shown) < len(screen.parts))


def _words_of(
    screen: Screen, view: View, run: Run, state: ExplorerState, views: Registry
) -> dict[str, bytes]:
    """Return the messages of the head, the note and the explained number by the paths of their TypeScript modules."""
    words, lead = screen.note(run, state), view.lead and view.lead_for(run.config)
    found = {}
    if view.explains:
        found[explain_panel.PATH] = explain_panel.pack(panel_data(view, state, views))
    if words:
        found[note.PATH] = note.pack(words, lead)
    if lead:
        found[page_head.HEAD] = head_message(view, lead=lead)
    return found


def _bar_message(
    query: Query,
    view: View,
    state: ExplorerState,
    runs: Runs,
    last: Mapping[str, int],
    refusals: Mapping[str, str],
) -> dict[str, bytes]:
    """Return the message of the sentence bar by the path of its TypeScript module."""
    shown = replace(
        bar_data(view, state, runs),
        # Opening an address replaces the text in the field; otherwise the visitor's draft stays.
        value_id="" if query.part else f"{state.run}/{state.sentence}",
        message=refusals.get(bar.sentence_bar.path, ""),
        submitted=last[BOX],
        report=last[VIEWS],
    )
    return {bar.sentence_bar.path: bar.sentence_bar.pack(shown)}


def _run_for(view: View, state: ExplorerState) -> Run:
    """Return the model that a view shows: without a sentence, the model as it was trained."""
    return run_of(state) if view.reads_sentence else loaded_run(state.run, state.updates)


def _usable(view: View, state: ExplorerState) -> tuple[ExplorerState, tuple[str, ...]]:
    """Return the state with the branches that its model can write, and a sentence for each that was left out."""
    if not view.reads_sentence:
        return state, ()
    run = run_of(state)
    return usable_branches(state, lambda prefix: translation_of(run, state.sentence, prefix))


def _after(
    query: Query,
    screen: Screen,
    view: View,
    before: ExplorerState,
    runs: Runs,
    views: Registry,
    at: AtPage,
) -> tuple[View, ExplorerState]:
    """Return the page that is open after the report of a request, and the state.

    Raises:
        BadQuery: when no component of the page sends it.
        InputError: when the model cannot read the text, force the token or make the change.
        Late: when it refers to data that has been replaced.
    """
    if not query.part:
        return view, before
    if query.part == bar.sentence_bar.path:
        return after_bar(view, before, _read(query, bar.EVENTS, bar_source(before)), runs, views, at)
    if query.part == explain_panel.PATH:
        if (explained := panel_data(view, before, views)) is None:
            raise Late
        return after_panel(view, before, _read(query, (explain_panel.DONE,), explained), views, at)
    if query.part == note.PATH:
        return view, replace(before, depth=_read(query, (note.CHOSEN,), None))
    part = next((each for each in screen.parts if each.path == query.part), None)
    if part is None:
        raise BadQuery
    run = _run_for(view, before)
    try:
        shown = part.show(run, before, views)
    except Unready as early:
        shown = early.so_far
    return part.after(run, before, _read(query, part.events, shown), views, at)


def _packed(
    parts: Sequence[Part[Any, Any]],
    run: Run,
    state: ExplorerState,
    views: Registry,
    report: int,
    refusals: Mapping[str, str],
) -> dict[str, bytes]:
    """Return the messages of some components by the paths of their TypeScript modules."""
    return {part.path: part.packed(run, state, views, report, refusals.get(part.path, "")) for part in parts}


def _is_whole(view: View, state: ExplorerState) -> bool:
    """Return True if Streamlit draws nothing about a state: no lesson, and no output cut short."""
    return not state.learning.lesson and (
        not view.reads_sentence or translation_of(run_of(state), state.sentence, state.decoding.prefix).ended
    )


def _states_at_links(query: Query, view: View, runs: Runs, views: Registry) -> AtPage:
    """Return the function that gives the state for a link to a page."""

    # Most pages were left with the same choices. A state is known by its identity: to hash it takes longer.
    found: dict[tuple[str | None, bool, int], tuple[ExplorerState, ExplorerState]] = {}

    def at(state: ExplorerState, page: str) -> ExplorerState:
        if page == view.address:
            return state
        address, trains = query.links.get(page), page == views[TRAIN].address
        key = (address, trains, id(state))
        if key not in found:
            left = None if address is None else _state_at(address, runs, trains=trains)[0]
            made = like_left(state, left)
            found[key] = state, state if made == state else made
        return found[key][1]

    return at


def _worksheet(query: Query, state: ExplorerState, view: View, runs: Runs, views: Registry) -> Answer:
    address = f"{_read_page_address(query)}?{_address(state, runs)}"
    sheet = view_sheet(view, state, address, views)
    return Answer(query.address, {f"{view.key}.html": sheet.encode()})


def _links(query: Query, runs: Runs, views: Registry) -> Answer:
    here, state, at = _open_page(query, runs, views)
    home = query.page if here.key == HOME else ""
    return Answer(
        query.address, {navigation.PATH: bar_message(state, runs, views, here=here, home=home, at=at)}
    )


def _open_page(query: Query, runs: Runs, views: Registry) -> tuple[View, ExplorerState, AtPage]:
    """Return the page of a request, which need be no screen, its state, and the states for links to others."""
    try:
        here = views.at("" if query.page in HOME_ADDRESSES else query.page)
    except KeyError as error:
        raise BadQuery from error
    state, _ = _state_at(query.address, runs, trains=here.key == TRAIN)
    return here, state, _states_at_links(query, here, runs, views)


def _hits(query: Query, runs: Runs, views: Registry) -> Answer:
    try:
        text = query.report["text"].text(LONGEST_TEXT)
    except Refused as error:
        raise BadQuery from error
    here, state, at = _open_page(query, runs, views)
    return Answer(query.address, {SEARCH: found(text, run_of(state), state, runs, views, here=here, at=at)})


def _read(query: Query, events: Sequence[Event[R, D]], data: D) -> R:
    for event in events:
        if event.name != query.event:
            continue
        if event.owner and query.report[event.owner].value != getattr(data, "key", None):
            raise Late
        if (report := event.parse(query.report.value, data)) is not None:
            return report
    raise BadQuery


def _read_page_address(query: Query) -> str:
    try:
        address = query.report["page"].text(LONGEST_ADDRESS)
    except Refused as error:
        raise BadQuery from error
    if not address.startswith(("http://", "https://")):
        raise BadQuery
    return address


def _state_at(address: str, runs: Runs, *, trains: bool = False) -> tuple[ExplorerState, tuple[str, ...]]:
    """Return the state that an address describes, and a sentence for each unusable part."""
    named, problems = with_one_run(dict(parse_qsl(address, keep_blank_values=True)), runs, trains=trains)
    state, notices = state_from_query(named, runs)
    return state, (*problems, *notices)


def _address(state: ExplorerState, runs: Runs) -> str:
    return urlencode(query_of(state, runs))
