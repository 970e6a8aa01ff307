"""Serve the app to a whole class, within the limits of class mode: ``python -m explorer.server.serve``.

All arguments are passed on to Streamlit, such as ``--server.port 8080``.
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
HELP = """usage: python -m explorer.server.serve [STREAMLIT OPTION ...]

Serve the app to a whole class, within the limits of class mode (docs/class.md).

options:
  -h, --help           show this help message and exit
  --server.port PORT   port to listen on (default: 8501)

All options are passed on to Streamlit; `streamlit run --help` lists them."""


def main(arguments: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Replace this process by the server; exit with status 2 if a limit or host in the environment is invalid."""
    if {"-h", "--help"} & set(arguments):
        print(HELP)
        sys.exit(0)
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
    """Build the command that starts the server; options added to its end override these."""
    options = {
        "server.address": "0.0.0.0",
        # The address that Streamlit prints; without it, Streamlit would ask a host on the internet.
        "browser.serverAddress": own_address(),
        # The server's own limit, independent of the limits of the pages' fields, in units of 2**20 bytes.
        "server.maxUploadSize": max(1, limits.most_upload // 2**20),
        # In MB; pages report their choices and pasted pairs.
        "server.maxWidgetStateSize": 4,
        "server.enableXsrfProtection": "true",
        "server.enableCORS": "true",
        # Errors are reported only in the server's log.
        "client.showErrorDetails": "none",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", *flags]


def notice(limits: Limits) -> str:
    """Return the line to print at start: the limits in force and who can change runs."""
    access = (
        "renaming, deleting and adding runs needs the admin token"
        if limits.admin_token
        else "runs cannot be renamed, deleted or added over the web, because EXPLORER_ADMIN_TOKEN is not set"
    )
    return f"Class mode: the limits of docs/class.md apply; {access}."


if __name__ == "__main__":
    main(sys.argv[1:], os.environ)
