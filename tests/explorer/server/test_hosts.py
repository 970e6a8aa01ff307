"""Names of a server: read from the environment, compared with what browsers say."""

import pytest

from core.errors import ConfigError
from explorer.server.hosts import HOSTS, Host, Hosts, hosts_from, is_own_page
from tests.optional import unwrap

OWN, CLASS = Hosts(), Hosts(is_public=True)


@pytest.mark.parametrize(
    "text",
    ["localhost", "LOCALHOST:8501", "localhost.", "127.0.0.1:1", "127.8.9.1", "[::1]:8501", "[0:0::1]"],
)
def test_loopback_names_are_everybodys(text):
    for hosts in (OWN, CLASS, Hosts(frozenset({"a.test"}))):
        assert hosts.answer_to(unwrap(Host.read(text)))


@pytest.mark.parametrize(
    "text",
    [
        "evil.test",
        "localhost.evil.test",
        "127.0.0.1.evil.test",
        "evil.localhost.test:8501",
        "2130706433",
        "0x7f.1",
        "127.1",
    ],
)
def test_a_name_that_nobody_gave_is_no_servers(text):
    for hosts in (OWN, CLASS, Hosts(frozenset({"a.test", "*.b.test"}), is_public=True)):
        assert not hosts.answer_to(unwrap(Host.read(text)))


@pytest.mark.parametrize("text", ["192.168.1.20:8501", "10.0.0.1", "[2001:db8::1]:80", "0.0.0.0"])
def test_an_address_of_the_network_is_a_classs(text):
    assert CLASS.answer_to(unwrap(Host.read(text)))
    assert not OWN.answer_to(unwrap(Host.read(text)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":80",
        "a b",
        "a:b",
        "a:",
        "user@localhost",
        "localhost/path",
        "localhost:80:80",
        "[localhost]",
        "[127.0.0.1]",
        "::1",
        "läb.test",
        "a\tb",
        "localhost:123456",
    ],
)
def test_what_is_no_host_is_none(text):
    assert Host.read(text) is None


def test_a_class_may_use_the_names_of_the_machine(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Desk-7.Lab.test")
    for text in ("desk-7:8501", "Desk-7.local", "desk-7.lab.test"):
        assert hosts_from({"EXPLORER_PUBLIC": "1"}).answer_to(unwrap(Host.read(text)))
        assert not hosts_from({}).answer_to(unwrap(Host.read(text)))
    assert not hosts_from({"EXPLORER_PUBLIC": "1"}).answer_to(unwrap(Host.read("lab.test")))


def test_the_operator_names_hosts():
    hosts = hosts_from(
        {HOSTS: " Explorer.Example.org., *.lab.test 192.168.1.20,[2001:DB8:0::1]", "EXPLORER_PUBLIC": "0"}
    )
    for text in ("explorer.example.org", "a.lab.test:80", "a.b.lab.test", "192.168.1.20", "[2001:db8::1]"):
        assert hosts.answer_to(unwrap(Host.read(text))), text
    for text in (
        "example.org",
        "www.explorer.example.org",
        "lab.test",
        "xlab.test",
        "192.168.1.21",
        "[2001:db8::2]",
    ):
        assert not hosts.answer_to(unwrap(Host.read(text))), text
    assert hosts_from({}) == OWN
    assert hosts_from({}, ["mybox.lan"]).answer_to(unwrap(Host.read("mybox.lan:8501")))


@pytest.mark.parametrize(
    "text",
    ["http://a.test", "a.test:8501", "*", "*.", "a.*.test", "a..test", "-", "a/b", "ä.test", "x" * 300],
)
def test_names_that_are_none_are_refused_with_what_to_write(text):
    with pytest.raises(
        ConfigError, match=r"EXPLORER_HOSTS must list the names .* such as explorer\.example\.org"
    ):
        hosts_from({HOSTS: f"good.test {text}"})


@pytest.mark.parametrize(
    ("origin", "host", "is_secure", "is_own"),
    [
        ("http://localhost:8501", "localhost:8501", False, True),
        ("http://LOCALHOST:8501", "localhost:8501", False, True),
        ("http://[::1]:8501", "[0:0::1]:8501", False, True),
        ("http://a.test", "a.test:80", False, True),
        ("https://a.test", "a.test", False, True),
        ("https://a.test", "a.test:443", True, True),
        ("http://localhost:8502", "localhost:8501", False, False),
        ("http://localhost", "localhost:8501", False, False),
        ("http://127.0.0.1:8501", "localhost:8501", False, False),
        ("http://a.test", "a.test", True, False),
        ("https://a.test", "a.test:80", False, False),
        ("http://a.test.evil.test", "a.test", False, False),
        ("http://evil@a.test", "a.test", False, False),
        ("file://", "a.test", False, False),
        ("null", "a.test", False, False),
        ("", "a.test", False, False),
    ],
)
def test_a_page_is_the_servers_own_or_not(origin, host, is_secure, is_own):
    assert is_own_page(origin, unwrap(Host.read(host)), is_secure=is_secure) is is_own
