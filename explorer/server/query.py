"""The route `POST /query`: one request, one binary answer."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit import config

from explorer.server.browser_cookie import browser_token

MOST_BYTES = 2**20
"""Bytes of a request that are read; one has a few thousand."""
MOST_OF_A_BROWSER = 4
"""Requests of one browser that are answered at once; each tab sends one at a time."""
MOST_WAITING = 1000
"""Requests of all browsers that are answered or wait."""
LONGEST_READ = 20
"""Seconds in which the body of a request has to arrive."""
THREADS = 8
"""Requests that are answered at once, or wait for a turn; others wait outside."""
LEAST_PACKED = 2**10
"""Size in bytes from which an answer is compressed."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
"""All methods of HTTP: Streamlit's own pages would answer those that the route leaves out."""

_UNKNOWN = "No page of this app sends this request. Load the page again."


class BadQuery(Exception):
    """Raised for a request that no page of the app sends."""


def query_path() -> str:
    """Return the address of the route on this server."""
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"{base and f'/{base}'}/query"


def query_route(answer: Callable[[bytes], bytes]) -> Route:
    """Return the route.

    Args:
        answer: Returns the answer to the body of a request, in a thread of its own; raises `BadQuery`.
    """
    asking: Counter[str] = Counter()
    # Each waiting thread costs time whenever a turn ends (`Turns`).
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="query")

    async def handle(request: Request) -> Response:
        if request.method != "POST":
            return _say("Use POST.", 405, Allow="POST")
        # Every page sets the cookie; all requests without one share a place.
        browser = browser_token(request.scope)
        if asking.total() >= MOST_WAITING:
            return _say("The server is busy. Try again.", 503, **{"Retry-After": "1"})
        if asking[browser] >= MOST_OF_A_BROWSER:
            return _say("Too many requests of this browser at once. Try again.", 429, **{"Retry-After": "1"})
        asking[browser] += 1
        try:
            return await _answered(request, answer, threads)
        finally:
            asking[browser] -= 1
            if not asking[browser]:
                del asking[browser]

    return Route(query_path(), handle, methods=list(METHODS))


async def _answered(request: Request, answer: Callable[[bytes], bytes], threads: Executor) -> Response:
    body = b""
    try:
        async with asyncio.timeout(LONGEST_READ):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    return _say("This request is too long.", 413)
    except TimeoutError:
        return _say("The request did not arrive in time. Try again.", 408)
    packs = "gzip" in request.headers.get("accept-encoding", "")

    def work() -> tuple[bytes, dict[str, str]]:
        content = answer(body)
        if packs and len(content) >= LEAST_PACKED:
            return gzip.compress(content, 2), {"Content-Encoding": "gzip"}
        return content, {}

    try:
        content, headers = await asyncio.get_running_loop().run_in_executor(threads, work)
    except BadQuery:
        return _say(_UNKNOWN, 400)
    except Exception:
        logging.getLogger(__name__).exception("A query could not be answered")
        return _say("This could not be worked out; the reason is in the server’s log.", 500)
    return Response(
        content, headers={"Cache-Control": "no-store", **headers}, media_type="application/octet-stream"
    )


def _say(sentence: str, status: int, **headers: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status, {"Cache-Control": "no-store", **headers})
