"""What the app's server adds to Streamlit's: two middlewares, and sockets that send at once."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.middleware import Middleware
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

from core.errors import ConfigError
from explorer.server.door import Door
from explorer.server.hosts import Hosts, hosts_from
from explorer.server.left_pages import LeftPages
from explorer.server.ready import EVERYWHERE, ready_line
from explorer.server.sockets import send_at_once


def server_parts() -> dict[str, Any]:
    """What `st.App` is given besides the script.

    A server whose names make no sense is not started: the process ends with a sentence.
    """
    try:
        middleware = [Middleware(Door, hosts=served_hosts()), Middleware(LeftPages)]
        return {"middleware": middleware, "lifespan": _while_it_serves}
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
async def _while_it_serves(_app: object) -> AsyncIterator[None]:
    # The socket that listens is there already, and nobody has been let in yet.
    send_at_once()
    # As `st.navigation` has it once a script has run. Before that Streamlit would look for each address in the folder
    # `pages`, whose scripts lie deeper, and tell the server's first visitor that there is no such page.
    PagesManager.uses_pages_directory = False
    # At once, also where the output is a pipe or a file.
    print(ready_line(), flush=True)
    yield
