"""The line that a server prints once it listens names addresses that a browser can open."""

import tomllib

import pytest

from explorer.server.ready import ready_line
from tests.browser.conftest import ROOT

DEFAULTS = {
    "server.address": "127.0.0.1",
    "server.port": 8501,
    "server.baseUrlPath": "",
    "server.sslCertFile": None,
    "browser.serverAddress": "localhost",
}
CLASS = {"server.address": "0.0.0.0", "browser.serverAddress": "192.168.1.20"}


@pytest.mark.parametrize(
    ("options", "addresses"),
    [
        ({}, "http://127.0.0.1:8501"),
        ({"server.port": 8080, "server.baseUrlPath": "/explorer/"}, "http://127.0.0.1:8080/explorer"),
        ({"server.sslCertFile": "cert.pem", "server.address": "a.example"}, "https://a.example:8501"),
        ({"server.address": "::1"}, "http://[::1]:8501"),
        (CLASS, "http://192.168.1.20:8501 (on this machine also http://127.0.0.1:8501)"),
        # Behind a proxy: class mode, but the server listens at one address alone.
        (CLASS | {"server.address": "127.0.0.1"}, "http://127.0.0.1:8501"),
        ({"server.address": "::"}, "http://10.0.0.7:8501 (on this machine also http://127.0.0.1:8501)"),
        ({"server.address": None}, "http://10.0.0.7:8501 (on this machine also http://127.0.0.1:8501)"),
    ],
)
def test_ready_line_names_the_open_addresses(options, addresses):
    line = ready_line((DEFAULTS | options).__getitem__, lambda: "10.0.0.7")
    assert line == f"Transformer explorer is ready: {addresses}"


def test_ready_line_without_a_network_names_one_address():
    options = DEFAULTS | {"server.address": "0.0.0.0"}
    assert ready_line(options.__getitem__, lambda: "localhost").endswith("ready: http://127.0.0.1:8501")


def test_streamlits_own_banner_is_off():
    options = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert options["logger"]["hideWelcomeMessage"] is True
