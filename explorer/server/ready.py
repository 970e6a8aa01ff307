"""The line that the server prints once it listens: where to open the app."""

from __future__ import annotations

from collections.abc import Callable

from streamlit import config

from explorer.server.hosts import LOOPBACK, address_of, own_address

EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that stand for all addresses of a machine, so that no browser can open them."""
_THIS_MACHINE = "127.0.0.1"


def ready_line(
    read_option: Callable[[str], object] = config.get_option, network_address: Callable[[], str] = own_address
) -> str:
    """Return the sentence that names the addresses of the running server.

    Args:
        read_option: Returns the value of one of Streamlit's options by its name.
        network_address: Returns this machine's address in its network.
    """

    def url(host: str) -> str:
        scheme = "https" if read_option("server.sslCertFile") else "http"
        path = str(read_option("server.baseUrlPath") or "").strip("/")
        bracketed = f"[{host}]" if ":" in host else host
        return f"{scheme}://{bracketed}:{read_option('server.port')}{path and f'/{path}'}"

    listens_at = str(read_option("server.address") or "")
    if listens_at and listens_at not in EVERYWHERE:
        return f"Transformer explorer is ready: {url(listens_at)}"
    shown = str(read_option("browser.serverAddress") or "")
    # Streamlit's default is no address of the network.
    network = network_address() if _is_loopback(shown) else shown
    if _is_loopback(network):
        return f"Transformer explorer is ready: {url(_THIS_MACHINE)}"
    return f"Transformer explorer is ready: {url(network)} (on this machine also {url(_THIS_MACHINE)})"


def _is_loopback(host: str) -> bool:
    address = address_of(host)
    return host in ("", LOOPBACK) or (address is not None and address.is_loopback)
