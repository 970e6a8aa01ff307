"""What a server answers until it has imported what its pages need: a page that waits, and then loads again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

WAIT_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Transformer explorer is starting</title>
<style>
  body { margin: 20vh auto 0; max-width: 34rem; padding: 0 1.5rem; font: 16px/1.5 system-ui, sans-serif; }
  h1 { font-size: 20px; }
</style>
<h1>Transformer explorer is starting</h1>
<p role="status">The server is loading PyTorch, which takes a few seconds. This page then opens by itself.</p>
<script>
  const look = async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer?.ok) location.reload();
    else setTimeout(look, 300);
  };
  setTimeout(look, 300);
</script>
<noscript><p>Load it again in a few seconds.</p></noscript>
</html>
"""


@dataclass(frozen=True)
class Starting:
    """Middleware that answers every request with the page that waits until the server is ready.

    Attributes:
        app: Answers from then on.
        is_ready: Whether the server is.
    """

    app: ASGIApp
    is_ready: Callable[[], bool]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a WebSocket is closed before it is opened, and the browser tries again."""
        if scope["type"] == "lifespan" or self.is_ready():
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013, "reason": "The server is starting."})
        else:
            headers = {"Retry-After": "2", "Cache-Control": "no-store"}
            await HTMLResponse(WAIT_PAGE, 503, headers)(scope, receive, send)
