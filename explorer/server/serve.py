"""Open the app to a whole class: ``python -m explorer.server.serve``, with the limits of class mode.

Everything after the name is handed on to Streamlit, such as ``--server.port 8080``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from core.errors import ConfigError
from explorer.server.hosts import hosts_from, own_address
from explorer.server.limits import PUBLIC, Limits, limits_from

_PROJECT = Path(__file__).parents[2]


def main(arguments: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Become the server, or end with 2 when the environment sets a limit or a name that makes no sense."""
    environment = {**environment, PUBLIC: "1"}
    try:
        limits = limits_from(environment)
        hosts_from(environment)
    except ConfigError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    print(notice(limits), flush=True)
    os.chdir(_PROJECT)
    os.execve(sys.executable, [*command(limits), *arguments], environment)


def command(limits: Limits) -> list[str]:
    """How the server is started; what comes later in a command line counts more."""
    options = {
        "server.address": "0.0.0.0",
        # What is printed as the app's address. Streamlit would ask a host of the internet for one.
        "browser.serverAddress": own_address(),
        # Whatever a page's field allows, this is what the server accepts; in units of 2**20 bytes.
        "server.maxUploadSize": max(1, limits.most_upload // 2**20),
        # A page reports its choices, and pairs that are pasted.
        "server.maxWidgetStateSize": 4,
        "server.enableXsrfProtection": "true",
        "server.enableCORS": "true",
        # What goes wrong is told in the server's log alone.
        "client.showErrorDetails": "none",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", *flags]


def notice(limits: Limits) -> str:
    """What whoever starts the server should know."""
    door = (
        "runs are renamed, deleted and added with the admin token"
        if limits.admin_token
        else "nobody renames, deletes or adds runs over the web: EXPLORER_ADMIN_TOKEN is not set"
    )
    return f"Class mode: the limits are those of docs/class.md; {door}."


if __name__ == "__main__":
    main(sys.argv[1:], os.environ)
