"""Who is let in: every request to the server, to a page, a file, an upload or a WebSocket, passes here first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.server.hosts import HOSTS, Host, Hosts, is_own_page

FORBIDDEN = 403
_ANSWER = "websocket.http.response"
"""The extension of ASGI by which a WebSocket that is refused gets a sentence as well."""


@dataclass(frozen=True)
class Door:
    """Lets in what asks for one of the server's names, and comes from one of its own pages or from no page.

    What is let in goes to Streamlit, and its answer gets headers that keep a browser from more than the app needs.
    """

    app: ASGIApp
    hosts: Hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle what the server was asked, as ASGI has it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host = _asked_host(scope)
        refusal = self._refusal(scope, host)
        if refusal is not None or host is None:
            await _refuse(scope, send, refusal or "")
            return
        headers = careful_headers(host)

        async def send_carefully(message: Message) -> None:
            if message["type"] in ("http.response.start", f"{_ANSWER}.start"):
                MutableHeaders(scope=message).update(headers)
            await send(message)

        await self.app(scope, receive, send_carefully)

    def _refusal(self, scope: Scope, host: Host | None) -> str | None:
        """Why it is not let in, in a sentence."""
        if host is None:
            return "This request does not say, or not clearly, which host it is for."
        if not self.hosts.answer_to(host):
            return (
                f"This app is not served under the name {host.name[:100]}. Open it by another address, or let whoever "
                f"runs it list this one in {HOSTS}."
            )
        origins = _values(scope, b"origin")
        is_secure = scope.get("scheme") in ("https", "wss")
        if not all(is_own_page(origin, host, is_secure=is_secure) for origin in origins):
            return "This request comes from a page of another address; only the app's own pages may send it."
        return None


def careful_headers(host: Host) -> dict[str, str]:
    """What keeps a browser from loading, framing or guessing more than the app's pages need.

    Streamlit's page has scripts inline and compiles others at run time: those of our views, charts of Vega and of
    Plotly. So a policy cannot forbid these; that no stranger's script gets there is for the views to see to.
    """
    name = f"[{host.name}]" if ":" in host.name else host.name
    place = name if host.port is None else f"{name}:{host.port}"
    policy = {
        "default-src": "'self'",
        "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        # Some browsers do not count a WebSocket of the same host as 'self'.
        "connect-src": f"'self' ws://{place} wss://{place} data: blob:",
        "worker-src": "'self' blob:",
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{kind} {sources}" for kind, sources in policy.items()),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def _values(scope: Scope, name: bytes) -> Iterable[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key == name]


def _asked_host(scope: Scope) -> Host | None:
    values = list(_values(scope, b"host"))
    return Host.read(values[0]) if len(values) == 1 else None


async def _refuse(scope: Scope, send: Send, sentence: str) -> None:
    """Answer with a sentence; a WebSocket whose server cannot send one is closed before it is opened."""
    kind = "http.response" if scope["type"] == "http" else _ANSWER
    if kind == _ANSWER and _ANSWER not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": sentence[:100]})
        return
    body = f"{sentence}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"connection", b"close"),
    ]
    await send({"type": f"{kind}.start", "status": FORBIDDEN, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
