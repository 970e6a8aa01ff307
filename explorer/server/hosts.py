"""Under which names a server answers, and which pages may speak with it.

A page of somebody else's name can make a browser believe that the name is this machine (DNS rebinding). The browser
then takes that page for one of ours, unless the server knows its own names.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple, Self

from core.errors import ConfigError
from explorer.server.limits import PUBLIC

HOSTS = "EXPLORER_HOSTS"
MOST_NAMES = 50
LOOPBACK = "localhost"
_NAME = re.compile(r"(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?")
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>.+)")
_USUAL_PORT = {"http": 80, "https": 443}


class Host(NamedTuple):
    """What a browser says it has connected to.

    Attributes:
        name: In lower case, an IPv6 address without its brackets and in its shortest form.
        port: None where the usual one of the scheme is meant.
    """

    name: str
    port: int | None

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The host of a header, or None where it is none."""
        found = _HOST.fullmatch(text.lower())
        if found is None:
            return None
        name, port = found["name"].removesuffix("."), found["port"]
        if name.startswith("["):
            address = address_of(name[1:-1])
            if not isinstance(address, IPv6Address):
                return None
            name = str(address)
        return cls(name, int(port) if port else None)


def address_of(name: str) -> IPv4Address | IPv6Address | None:
    """The address that a name is, if it is one."""
    try:
        return ip_address(name)
    except ValueError:
        return None


@dataclass(frozen=True)
class Hosts:
    """The names of a server.

    Attributes:
        named: By whoever runs it; one that begins with ``*.`` stands for all names under the rest.
        is_public: Whether others open it. It then answers to addresses as well: no name server can make a browser
            take somebody else's page for one of an address, and behind a port that is handed on (a container's, a
            router's) the server cannot know which addresses lead to it.
    """

    named: frozenset[str] = frozenset()
    is_public: bool = False

    def answer_to(self, host: Host) -> bool:
        """Whether the server is known under this name; at which port does not matter, it may be handed on."""
        address = address_of(host.name)
        if host.name == LOOPBACK or (address is not None and (self.is_public or address.is_loopback)):
            return True
        above = (f"*.{host.name.split('.', n)[n]}" for n in range(1, host.name.count(".") + 1))
        return not self.named.isdisjoint((host.name, *above))


def is_own_page(origin: str, host: Host, *, is_secure: bool) -> bool:
    """Whether a page of this origin is one of the server's own: of the same scheme, name and port.

    Args:
        origin: As the browser tells it.
        host: That the page's request is for.
        is_secure: Whether the request is known to have come over HTTPS. A proxy that ends it may not say so.
    """
    found = _ORIGIN.fullmatch(origin)
    if found is None or (is_secure and found["scheme"] == "http"):
        return False
    page, usual = Host.read(found["host"]), _USUAL_PORT[found["scheme"]]
    return page is not None and (page.name, page.port or usual) == (host.name, host.port or usual)


def hosts_from(environment: Mapping[str, str], also: Iterable[str] = ()) -> Hosts:
    """The names that environment variables give a server.

    Args:
        environment: Of the process.
        also: Names that the operator has given by Streamlit's own options.

    Raises:
        ConfigError: with the variable, and what it may be.
    """
    given = [*environment.get(HOSTS, "").replace(",", " ").split(), *also]
    names = frozenset(_read_name(each) for each in given)
    if len(names) > MOST_NAMES:
        raise ConfigError(f"{HOSTS} may list {MOST_NAMES} names at most, not {len(names)}")
    is_public = environment.get(PUBLIC, "") == "1"
    return Hosts(names | machine_names(socket.gethostname()) if is_public else names, is_public)


def machine_names(name: str) -> frozenset[str]:
    """What other machines of its network call a machine that calls itself so."""
    name = name.lower().removesuffix(".")
    first = name.partition(".")[0]
    return frozenset({name, first, f"{first}.local"}) if first else frozenset()


def own_address() -> str:
    """This machine's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # An address that is reserved for documentation: only the way there is looked up.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


def _read_name(text: str) -> str:
    name = text.lower().removesuffix(".")
    address = address_of(name.strip("[]"))
    if address is not None:
        return str(address)
    if not _NAME.fullmatch(name) or len(name) > 253:
        raise ConfigError(
            f"{HOSTS} must list the names that browsers open the app by, without http:// and port, such as "
            f"explorer.example.org or *.example.org, not {text[:60]!r}"
        )
    return name
