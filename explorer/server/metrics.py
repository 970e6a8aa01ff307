"""Metrics for the operator: what the app adds to Streamlit's own, and who may read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime.stats import GaugeStat, Stat

from core.errors import InputError
from explorer.server.hosts import address_of

PATH = "/_stcore/metrics"
"""Where Streamlit serves them, after the server's base path."""
FORWARDED = frozenset(
    {b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip"}
)
"""Headers by which a proxy says that it asks for somebody else."""
_BEARER = "Bearer "
_FOR_OPERATORS = (
    "The metrics are for the operator: ask from the server's own machine, or send the admin token as a bearer token "
    "(see docs/class.md)."
)


class Gauge(NamedTuple):
    """One number of the server, at the moment of the question.

    Attributes:
        name: Name of its family.
        value: The number at this moment.
        help: What it counts, in a sentence.
        labels: What it is the number of, beside others of the family.
        unit: Such as "bytes", which then ends the name.
    """

    name: str
    value: int
    help: str
    labels: Mapping[str, str] = {}
    unit: str = ""


class GaugeProvider:
    """Hands gauges to Streamlit's statistics.

    Args:
        families: Names of all families.
        read: Returns all gauges.
    """

    def __init__(self, families: Sequence[str], read: Callable[[], Iterable[Gauge]]) -> None:
        self._families, self._read = tuple(families), read

    @property
    def stats_families(self) -> Sequence[str]:
        """Names of all families, by which Streamlit asks."""
        return self._families

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        """Return the gauges of some families, by default of all."""
        asked = self._families if family_names is None else family_names
        found: dict[str, list[Stat]] = {}
        for gauge in self._read():
            if gauge.name in asked:
                stat = GaugeStat(gauge.name, gauge.value, dict(gauge.labels), gauge.unit, gauge.help)
                found.setdefault(gauge.name, []).append(stat)
        return found


@dataclass(frozen=True)
class MetricsGuard:
    """Middleware that shows the metrics to the operator alone.

    Attributes:
        app: That answers.
        enter: Raises InputError for a text that is not the admin token.
    """

    app: ASGIApp
    enter: Callable[[str], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, unless a stranger asks for the metrics."""
        if scope["type"] == "http" and scope["path"].rstrip("/").endswith(PATH):
            refusal = self._refusal(scope)
            if refusal:
                await PlainTextResponse(f"{refusal}\n", 403)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> str:
        """Return why a request is refused; empty for the operator's."""
        headers = dict(scope["headers"])
        given = headers.get(b"authorization", b"").decode("latin-1")
        if given.startswith(_BEARER):
            try:
                self.enter(given.removeprefix(_BEARER))
            except InputError as error:
                return error.sentence
            return ""
        address = address_of((scope.get("client") or ("",))[0])
        is_own = address is not None and address.is_loopback and not FORWARDED & headers.keys()
        return "" if is_own else _FOR_OPERATORS
