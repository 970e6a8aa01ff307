"""What the app's server adds to Streamlit's: middlewares, and sockets that send at once."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from threading import Event
from typing import Any

from starlette.middleware import Middleware
from streamlit import config
from streamlit.elements import exception
from streamlit.runtime.pages_manager import PagesManager

from core.errors import ConfigError
from explorer.server.allowed_messages import AllowedMessages
from explorer.server.browser_cookie import BrowserCookie, trust_browser_header
from explorer.server.door import Door
from explorer.server.hosts import Hosts, hosts_from
from explorer.server.left_pages import LeftPages
from explorer.server.limits import ignored_settings
from explorer.server.metrics import MetricsGuard
from explorer.server.ready import EVERYWHERE, ready_line
from explorer.server.shared import admin_gate
from explorer.server.sockets import send_at_once
from explorer.server.starting import Starting

UNCAUGHT = (
    "This page could not be drawn. Load it again; if that does not help, tell whoever runs this server: the reason is "
    "in the server’s log."
)
"""What a visitor reads of an error that no page expects, where errors are described in the log alone."""


def server_parts(begin: Callable[[], None]) -> dict[str, Any]:
    """Return what `st.App` is given besides the script.

    A server whose names make no sense is not started: the process ends with a sentence.

    Args:
        begin: Called once in a thread, in which it may take seconds; the server says meanwhile that it is starting.
    """
    ready = Event()
    try:
        middleware = [
            Middleware(Door, hosts=served_hosts()),
            Middleware(Starting, is_ready=ready.is_set),
            Middleware(MetricsGuard, enter=lambda text: admin_gate().enter(text)),
            Middleware(BrowserCookie),
            Middleware(AllowedMessages),
            Middleware(LeftPages),
        ]
        trust_browser_header()
        return {"middleware": middleware, "lifespan": partial(_while_it_serves, begin, ready)}
    except ConfigError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def served_hosts() -> Hosts:
    """The names that the environment and Streamlit's options give this server.

    Raises:
        ConfigError: when one of them is none.
    """
    options = (config.get_option("server.address"), *config.get_option("server.allowedHosts"))
    return hosts_from(os.environ, [name for name in options if name and name not in EVERYWHERE])


@asynccontextmanager
async def _while_it_serves(begin: Callable[[], None], ready: Event, _app: object) -> AsyncIterator[None]:
    # The socket that listens is there already, and nobody has been let in yet.
    send_at_once()
    # As `st.navigation` has it once a script has run. Before that Streamlit would look for each address in the folder
    # `pages`, whose scripts lie deeper, and tell the server's first visitor that there is no such page.
    PagesManager.uses_pages_directory = False
    # Streamlit's own text sends visitors to the logs of a cloud that this server does not run in.
    vars(exception)["_GENERIC_UNCAUGHT_EXCEPTION_TEXT"] = UNCAUGHT
    _log_to_stderr()
    if ignored := ignored_settings(os.environ):
        print(ignored, file=sys.stderr, flush=True)
    starting = asyncio.create_task(_start(begin, ready))
    yield
    starting.cancel()


async def _start(begin: Callable[[], None], ready: Event) -> None:
    print("Loading PyTorch ...", flush=True)
    try:
        await asyncio.to_thread(begin)
    except Exception:
        logging.getLogger(__name__).exception("The app cannot start")
        signal.raise_signal(signal.SIGTERM)
        return
    ready.set()
    # At once, also where the output is a pipe or a file.
    print(ready_line(), flush=True)


def _log_to_stderr() -> None:
    """Show what the app logs, such as the start and end of each training, in lines with their time."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log = logging.getLogger("explorer")
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False
