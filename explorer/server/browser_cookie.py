"""Bind each session to the browser that began it, by a cookie that scripts cannot read.

A session's id is part of the addresses of its uploads, and so of the access logs of a proxy. Streamlit would continue a
session for anybody who names its id, with all that its visitor may do. It compares the identity of both connections,
however, and this gives them one: without the browser's cookie, a connection gets a new session.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

COOKIE = "explorer_browser"
HEADER = "X-Explorer-Browser"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_IDENTITIES = "server.trustedUserHeaders"
"""Streamlit's option that takes the identity of a connection from headers."""


@dataclass(frozen=True)
class BrowserCookie:
    """Middleware that gives each browser a random cookie, and tells Streamlit of it in a header."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request; a WebSocket with the header, and a page with the cookie if the browser has none."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        token = browser_token(scope)
        if scope["type"] == "websocket":
            # Without a cookie no later connection is the same browser's.
            own = (HEADER.lower().encode(), (token or secrets.token_urlsafe(32)).encode())
            headers = [header for header in scope["headers"] if header[0] != own[0]]
            await self.app({**scope, "headers": [*headers, own]}, receive, send)
            return

        # Only pages set it: scripts and fonts arrive at the same time, and each would set another value.
        needs_cookie = not token and any(b"text/html" in accepted for accepted in _values(scope, b"accept"))

        async def send_with_cookie(message: Message) -> None:
            if needs_cookie and message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", _new_cookie(scope))
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def trust_browser_header() -> None:
    """Let Streamlit take the header as part of each connection's identity, besides what the operator has set."""
    trusted = config.get_option(_IDENTITIES)
    config.set_option(_IDENTITIES, {**(trusted if isinstance(trusted, dict) else {}), HEADER: COOKIE})


def browser_token(scope: Scope) -> str:
    """Return the token of the browser that sends a request; empty where it has none."""
    tokens = (cookie_parser(value.decode("latin-1")).get(COOKIE, "") for value in _values(scope, b"cookie"))
    return next(filter(_TOKEN.fullmatch, tokens), "")


def _new_cookie(scope: Scope) -> str:
    is_secure = scope.get("scheme") == "https" or b"https" in _values(scope, b"x-forwarded-proto")
    # Lax: a link on another page leads to the app with the same cookie.
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if is_secure else "")
    return f"{COOKIE}={secrets.token_urlsafe(32)}{attributes}"


def _values(scope: Scope, name: bytes) -> list[bytes]:
    """Return the values of a header; ASGI has the names in lower case."""
    return [value for key, value in scope["headers"] if key == name]
