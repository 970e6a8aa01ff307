"""Servers as they are started, asked as a browser would be that somebody else's page has led here."""

import http.client
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from explorer.server.admin_gate import MOST_WRONG
from explorer.server.parts import UNCAUGHT
from tests.browser.conftest import ROOT, free_port, wait_until_healthy
from tests.conftest import PATIENCE
from tests.explorer.server.client import Client
from tests.explorer.trainings.conftest import wait_until
from tests.marks import proofs

pytestmark = pytest.mark.proof

TOKEN = "0123456789abcdef"
PATHS = (
    "/query",
    "/",
    "/runs",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/upload_file/a/b",
    "/_stcore/agent/openapi.json",
    "/_stcore/agent/mcp",
    "/media/a.csv",
    "/component/a/index.html",
    "/_stcore/bidi-components/a/index.js",
    "/static/js/index.js",
)
"""One of each kind of address that Streamlit serves, and some of the app's own."""


@contextmanager
def started(*command: str, **variables: str) -> Iterator[str]:
    """The address of a server that is started so, at a free port."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    process = subprocess.Popen(
        [sys.executable, "-m", *command, "--server.port", str(port)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
    )
    try:
        wait_until_healthy(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="module")
def own() -> Iterator[str]:
    """The server that the mission's command starts."""
    with started("streamlit", "run", "streamlit_app.py") as url:
        yield url


@pytest.fixture(scope="module")
def class_mode(tmp_path_factory) -> Iterator[str]:
    """The server of a class, which the operator has given a name."""
    with started(
        "explorer.server.serve",
        EXPLORER_RUNS=str(tmp_path_factory.mktemp("runs")),
        EXPLORER_HOSTS="explorer.example.org",
        EXPLORER_ADMIN_TOKEN=TOKEN,
    ) as url:
        yield url


def asked(
    url: str, path: str, host: str, method: str = "GET", **headers: str
) -> tuple[int, str, dict[str, str]]:
    """Status, text and headers of an answer to a request for this host."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    connection.request(method, path, headers={"Host": host, **headers})
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    connection.close()
    return answer.status, text, {name.lower(): value for name, value in answer.getheaders()}


def joined(url: str, host: str, origin: str | None) -> int:
    """101 when a page of this origin is let into the app's WebSocket and is answered there, otherwise the status."""
    address = urlsplit(url)
    try:
        with connect(
            f"ws://{host}/_stcore/stream",
            sock=socket.create_connection((address.hostname, address.port)),
            origin=None if origin is None else Origin(origin),
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
        ) as page:
            ask = BackMsg()
            ask.rerun_script.query_string = ""
            page.send(ask.SerializeToString())
            assert page.recv(timeout=60)
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


@pytest.mark.parametrize("server", ["own", "class_mode"])
def test_nobody_elses_name_leads_into_a_server(server, request):
    url = request.getfixturevalue(server)
    port = urlsplit(url).port
    for path in PATHS:
        for method in ("GET", "PUT", "POST", "DELETE", "OPTIONS"):
            status, text, _ = asked(url, path, f"evil.test:{port}", method, Origin=f"http://evil.test:{port}")
            assert status == 403, (path, method)
            assert re.fullmatch(
                r"This app is not served under the name evil\.test\. .*EXPLORER_HOSTS.*\.\n", text
            )
    assert joined(url, f"evil.test:{port}", f"http://evil.test:{port}") == 403
    assert joined(url, f"evil.test:{port}", None) == 403


@pytest.mark.parametrize("server", ["own", "class_mode"])
def test_another_port_of_the_same_host_is_another_origin(server, request):
    url = request.getfixturevalue(server)
    address = urlsplit(url)
    for origin in (f"http://127.0.0.1:{address.port + 1}", f"http://localhost:{address.port}", "null"):
        assert joined(url, address.netloc, origin) == 403
        status, text, _ = asked(url, "/_stcore/upload_file/a/b", address.netloc, "PUT", Origin=origin)
        assert status == 403
        assert "page of another address" in text


@pytest.mark.parametrize(
    ("server", "host", "origin"),
    [
        ("own", "127.0.0.1:{port}", "http://127.0.0.1:{port}"),
        ("own", "localhost:{port}", "http://localhost:{port}"),
        ("own", "[::1]:{port}", "http://[::1]:{port}"),
        ("own", "localhost:9000", "http://localhost:9000"),
        *proofs(
            ("class_mode", "192.168.1.20:{port}", "http://192.168.1.20:{port}"),
            ("class_mode", "127.0.0.1:{port}", "http://127.0.0.1:{port}"),
            ("class_mode", "explorer.example.org", "https://explorer.example.org"),
            ("class_mode", "explorer.example.org:8443", "https://explorer.example.org:8443"),
        ),
    ],
)
def test_a_servers_own_addresses_lead_into_it(server, host, origin, request):
    url = request.getfixturevalue(server)
    port = urlsplit(url).port
    host, origin = host.format(port=port), origin.format(port=port)
    assert joined(url, host, origin) == 101
    assert joined(url, host, None) == 101
    for path in ("/", "/runs", "/_stcore/health"):
        assert asked(url, path, host)[0] == 200


@pytest.mark.parametrize("server", ["own", "class_mode"])
def test_every_answer_tells_the_browser_what_it_may_do(server, request):
    url = request.getfixturevalue(server)
    host = urlsplit(url).netloc
    for path in PATHS:
        _, _, headers = asked(url, path, host)
        assert headers["x-frame-options"] == "DENY", path
        assert headers["x-content-type-options"] == "nosniff"
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
        assert policy["default-src"] == "'self'"
        # Nothing of another host, to load or to tell: what is not a kind of source in quotes is this very host's.
        strangers = {
            each for sources in policy.values() for each in sources.split() if not each.startswith("'")
        }
        assert strangers <= {"data:", "blob:", f"ws://{host}", f"wss://{host}"}


@pytest.mark.proof
def test_late_request_of_a_left_pages_timer_starts_no_run(own):
    address = urlsplit(own)
    with connect(
        f"ws://{address.netloc}/_stcore/stream", subprotocols=[Subprotocol("streamlit")], max_size=None
    ) as socket:

        def ask(page: str = "", fragment: str = "", name: str = "") -> None:
            request = BackMsg()
            state = request.rerun_script
            state.page_script_hash, state.fragment_id, state.page_name = page, fragment, name
            state.is_auto_rerun = bool(fragment)
            socket.send(request.SerializeToString())

        def answer(end: int) -> dict[str, ForwardMsg]:
            """The last message of each kind up to an end."""
            found: dict[str, ForwardMsg] = {}
            while True:
                message = ForwardMsg.FromString(socket.recv(timeout=PATIENCE, decode=False))
                kind = message.WhichOneof("type")
                if kind == "new_session":
                    runs.append(message.new_session.page_script_hash)
                found[kind] = message
                if kind == "script_finished" and message.script_finished == end:
                    return found

        runs: list[str] = []
        ask(name="runs")
        first = answer(ForwardMsg.FINISHED_SUCCESSFULLY)
        pages = {
            page.url_pathname: page.page_script_hash for page in first["navigation"].navigation.app_pages
        }
        timer = first["auto_rerun"].auto_rerun.fragment_id
        ask(pages["runs"], timer)
        answer(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)

        del runs[:]
        ask(pages["glossary"])
        ask(pages["runs"], timer)
        answer(ForwardMsg.FINISHED_SUCCESSFULLY)
        # Had the late request been queued, its run would come before this one.
        ask(pages["glossary"])
        answer(ForwardMsg.FINISHED_SUCCESSFULLY)
        assert runs == 2 * [pages["glossary"]]


def test_nobody_but_a_browser_steers_the_app_and_nobody_is_told_of_its_use(own):
    host = urlsplit(own).netloc
    assert asked(own, "/_stcore/agent/interact", host, "POST", **{"Content-Type": "application/json"})[0] in (
        403,
        404,
    )
    options = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert options["server"]["enableAgentApi"] is False
    assert options["server"]["showEmailPrompt"] is False
    assert options["browser"]["gatherUsageStats"] is False


def cookie_of(url: str) -> str:
    """Return the cookie that a server gives to a browser that opens a page for the first time."""
    return asked(url, "/runs", urlsplit(url).netloc, Accept="text/html")[2]["set-cookie"]


@pytest.mark.parametrize("server", ["own", "class_mode"])
def test_session_is_continued_only_by_its_browser(server, request):
    url = request.getfixturevalue(server)
    assert cookie_of(url).endswith("; Path=/; HttpOnly; SameSite=Lax")
    cookie = cookie_of(url).split(";")[0]
    token = cookie.partition("=")[2]
    with Client(url, cookie=cookie) as visitor:
        session = visitor.join()
        # A stranger has read the id in a log while the visitor is connected.
        for stranger in ({}, {"cookie": f"explorer_browser={'A' * 43}"}, {"X-Explorer-Browser": token}):
            with Client(url, session=session, **stranger) as client:
                assert client.join() != session
    with Client(url, session=session) as client:
        assert client.join() != session
    # The visitor's own browser, whose connection was cut.
    with Client(url, session=session, cookie=f"other=1; {cookie}") as visitor:
        assert visitor.join() == session


@pytest.mark.parametrize("server", ["own", "class_mode"])
def test_session_without_a_cookie_is_not_continued(server, request):
    url = request.getfixturevalue(server)
    with Client(url) as visitor:
        session = visitor.join()
    with Client(url, session=session) as again:
        assert again.join() != session


@pytest.mark.parametrize("server", ["own", "class_mode"])
def test_client_is_told_nothing_of_the_repository(server, request):
    with Client(request.getfixturevalue(server)) as client:
        client.send(BackMsg(load_git_info=True))
        client.send(BackMsg(set_run_on_save=True))
        client.send(BackMsg(app_heartbeat=True))
        answer = ForwardMsg.FromString(client.socket.recv(timeout=PATIENCE, decode=False))
        assert answer.WhichOneof("type") == "heartbeat_ack"


@pytest.mark.proof
def test_metrics_are_for_the_operator_alone(class_mode):
    host = urlsplit(class_mode).netloc

    def metrics(**headers: str) -> tuple[int, str]:
        path = "/_stcore/metrics?families=explorer_background_jobs"
        return asked(class_mode, path, host, **headers)[:2]

    for forwarded in ("X-Forwarded-For", "X-Real-IP", "Forwarded"):
        status, text = metrics(**{forwarded: "127.0.0.1"})
        assert status == 403
        assert text.startswith("The metrics are for the operator")
    assert metrics(Authorization="Bearer wrong")[0] == 403
    for found in (metrics(), metrics(Authorization=f"Bearer {TOKEN}", **{"X-Forwarded-For": "192.0.2.1"})):
        assert found[0] == 200
        assert 'explorer_background_jobs{state="waiting"} 0' in found[1].splitlines()


def enter(client: Client, token: str) -> None:
    """Send the admin form of the page Runs with a token."""
    client.run("runs")
    field, button = client.element("admin_token"), client.element("admin_enter")
    client.run(
        "runs", WidgetState(id=field.id, string_value=token), WidgetState(id=button.id, trigger_value=True)
    )


def is_admin(client: Client) -> bool:
    client.run("runs")
    return any(text.startswith("You may rename, delete, add and stop all runs") for text in client.texts())


@pytest.mark.proof
def test_admin_rights_do_not_follow_a_session_id(class_mode):
    cookie = cookie_of(class_mode).split(";")[0]
    with Client(class_mode, cookie=cookie) as admin:
        enter(admin, TOKEN)
        wait_until(lambda: is_admin(admin))
        with Client(class_mode, session=admin.session) as stranger:
            assert not is_admin(stranger)
        wait_until(lambda: is_admin(admin))
    with Client(class_mode, session=admin.session) as stranger:
        assert not is_admin(stranger)
    with Client(class_mode, session=admin.session, cookie=cookie) as admin:
        wait_until(lambda: is_admin(admin))


@pytest.mark.proof
def test_forged_widget_states_are_answered_in_the_apps_words(class_mode):
    with Client(class_mode) as client:
        client.run("runs")
        field = client.element("admin_token").id
        forged: dict[str, Any] = {
            "json_value": '{"a":',
            "int_value": 2**62,
            "bytes_value": b"\xff",
            "double_value": float("nan"),
        }
        shown = []
        for kind, value in forged.items():
            client.run("runs", WidgetState(id=field, **{kind: value}))
            shown += [each.message for each in client.elements.values() if type(each).__name__ == "Exception"]
        assert set(shown) == {UNCAUGHT}


@pytest.mark.proof
def test_metrics_count_trainings_and_disk(class_mode):
    lines = asked(class_mode, "/_stcore/metrics", urlsplit(class_mode).netloc)[1].splitlines()
    for line in (
        'explorer_runs{state="training"} 0',
        'explorer_runs{state="failed"} 0',
        "explorer_queue_length 0",
        "explorer_runs_disk_bytes 0",
    ):
        assert line in lines


@pytest.mark.proof
def test_clear_cache_of_a_client_keeps_the_count_of_wrong_tokens(class_mode):
    """Leave this test the last one of its server, which then refuses every token for a minute."""
    with Client(class_mode) as attacker:
        for _ in range(MOST_WRONG):
            enter(attacker, "a wrong token")
        attacker.send(BackMsg(clear_cache=True))
        enter(attacker, "a wrong token")
        assert "Too many wrong tokens were tried; wait a minute." in attacker.texts()
