"""The limits of class mode: read from the environment or refused with a sentence, and as the documentation has them."""

import dataclasses
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.data.tasks import TASKS
from core.errors import ConfigError
from explorer.server.limits import (
    ADMIN_TOKEN,
    OPEN,
    PAIR_SETTINGS,
    SETTINGS,
    Limits,
    ignored_settings,
    limits_from,
)
from explorer.server.serve import command, notice
from explorer.trainings.expected import ExpectedTimes
from explorer.trainings.rules import Rules
from explorer.views.training.form import describe, first_values

ROOT = Path(__file__).parents[3]
PUBLIC = {"EXPLORER_PUBLIC": "1"}
TOKEN = "correct horse battery"


@pytest.mark.parametrize("public", [{}, {"EXPLORER_PUBLIC": ""}, {"EXPLORER_PUBLIC": "0"}])
def test_a_server_for_oneself_has_no_limits_whatever_else_is_set(public):
    assert limits_from({**public, "EXPLORER_MOST_UPDATES": "5", ADMIN_TOKEN: TOKEN}) == OPEN


def test_class_mode_has_its_own_limits_and_each_can_be_set():
    usual = limits_from(PUBLIC)
    assert usual.is_public
    for setting in SETTINGS:
        assert getattr(usual, setting.field) == setting.usual * setting.unit
        value = setting.least + 1
        changed = limits_from({**PUBLIC, setting.variable: f" {value} "})
        changes: dict[str, Any] = {setting.field: value * setting.unit}
        assert changed == dataclasses.replace(usual, **changes)
    assert limits_from({**PUBLIC, ADMIN_TOKEN: TOKEN}).admin_token == TOKEN


@pytest.mark.parametrize("public", [{}, PUBLIC])
def test_limits_of_own_pairs_can_be_set_with_and_without_class_mode(public):
    usual = limits_from(public)
    for setting in PAIR_SETTINGS:
        assert getattr(usual, setting.field) == getattr(OPEN, setting.field) == setting.usual * setting.unit
        changed = limits_from({**public, setting.variable: str(setting.least + 1)})
        changes: dict[str, Any] = {setting.field: (setting.least + 1) * setting.unit}
        assert changed == dataclasses.replace(usual, **changes)


def test_settings_of_ones_own_server_are_honoured_without_class_mode():
    own = [setting for setting in SETTINGS if setting.own is not None]
    assert {
        "EXPLORER_MOST_AT_ONCE",
        "EXPLORER_MOST_RUNS",
        "EXPLORER_MOST_DISK_MB",
        "EXPLORER_LISTED_RUNS",
    } <= {setting.variable for setting in own}
    for setting in own:
        assert setting.own is not None
        assert getattr(OPEN, setting.field) == setting.own * setting.unit
        changes: dict[str, Any] = {setting.field: (setting.least + 1) * setting.unit}
        assert limits_from({setting.variable: str(setting.least + 1)}) == dataclasses.replace(OPEN, **changes)
        with pytest.raises(ConfigError, match=setting.variable):
            limits_from({setting.variable: "many"})


def test_settings_without_effect_are_told():
    assert (
        ignored_settings({"EXPLORER_MOST_RUNS": "9", "EXPLORER_HOSTS": "a.test", "EXPLORER_RUNS": "/r"}) == ""
    )
    told = ignored_settings(
        {"EXPLORER_MOST_BATCH": "9", ADMIN_TOKEN: TOKEN, "EXPLORER_MOST_RUN": "9", "PATH": "/"}
    )
    assert told == (
        "EXPLORER_ADMIN_TOKEN, EXPLORER_MOST_BATCH: has an effect only in class mode (EXPLORER_PUBLIC=1). "
        "EXPLORER_MOST_RUN: has an effect nowhere, because there is no such setting."
    )
    assert TOKEN not in told
    everything = {setting.variable: "1" for setting in (*SETTINGS, *PAIR_SETTINGS)}
    assert ignored_settings({**everything, **PUBLIC, ADMIN_TOKEN: TOKEN}) == ""


def test_every_limit_that_can_be_broken_has_a_variable():
    fields = {field.name for field in dataclasses.fields(Limits)}
    assert {setting.field for setting in (*SETTINGS, *PAIR_SETTINGS)} == fields - {
        "is_public",
        "admin_token",
        "most_together",
    }


@pytest.mark.parametrize("text", ["x", "-1", "1e3", "5.5", "٣", "9" * 40, "1000000000001", "<b>", "0x10"])
def test_nonsense_is_one_clear_sentence(text):
    for setting in (*SETTINGS, *PAIR_SETTINGS):
        with pytest.raises(ConfigError) as caught:
            limits_from({**PUBLIC, setting.variable: text})
        notice = str(caught.value)
        assert notice.startswith(f"{setting.variable} ({setting.meaning}) must be a whole number from")
        assert "\n" not in notice
        assert len(notice) < 200


def test_a_mode_that_is_neither_is_refused():
    with pytest.raises(ConfigError, match="EXPLORER_PUBLIC must be 1 for class mode, or 0, not 'yes'"):
        limits_from({"EXPLORER_PUBLIC": "yes"})


@pytest.mark.parametrize("token", ["short", "x" * 201, " " + TOKEN, "line\nbreak and more of it", "x" * 15])
def test_a_token_that_can_be_guessed_or_not_be_typed_is_refused_and_not_quoted(token):
    with pytest.raises(ConfigError, match="16 to 200 visible characters") as caught:
        limits_from({**PUBLIC, ADMIN_TOKEN: token})
    assert token not in str(caught.value)


def test_the_token_is_in_no_representation():
    limits = limits_from({**PUBLIC, ADMIN_TOKEN: TOKEN})
    assert TOKEN not in repr(limits) + notice(limits) + " ".join(command(limits))


@pytest.mark.parametrize(("page", "settings"), [("class.md", SETTINGS), ("own-pairs.md", PAIR_SETTINGS)])
def test_the_documentation_has_the_same_table(page, settings):
    text = (ROOT / "docs" / page).read_text()
    rows = re.findall(r"^\| `(EXPLORER_\w+)` \| ([\d,]+) \| (.+?) \|", text, re.MULTILINE)
    assert rows == [(setting.variable, f"{setting.usual:,}", setting.meaning) for setting in settings]


def test_documentation_has_the_defaults_without_class_mode():
    text = (ROOT / "docs" / "class.md").read_text()
    rows = re.findall(r"^\| `(EXPLORER_\w+)` \| [\d,]+ \| [^|]+ \| ([\d,]+|—) \|$", text, re.MULTILINE)
    assert rows == [
        (setting.variable, "—" if setting.own is None else f"{setting.own:,}") for setting in SETTINGS
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("task", TASKS)
def test_every_task_can_be_learnt_as_it_is_offered(task):
    rules, description = Rules(limits_from(PUBLIC)), describe(task, first_values(task))
    rules.require_size(description)
    times = ExpectedTimes().of(description)
    assert times
    # Another one may share the core.
    rules.require_time(2 * times.of(description.train_config))


def test_a_server_is_not_started_with_nonsense():
    result = subprocess.run(
        [sys.executable, "-m", "explorer.server.serve"],
        cwd=ROOT,
        env={"PATH": "", "EXPLORER_MOST_RUNS": "many"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2
    assert (
        result.stderr
        == "EXPLORER_MOST_RUNS (runs in all) must be a whole number from 1 to 10000, not 'many'\n"
    )


@pytest.mark.proof
def test_a_server_is_not_started_under_a_name_that_is_none():
    for started in (
        ["explorer.server.serve"],
        ["streamlit", "run", "streamlit_app.py", "--server.port", "0"],
    ):
        result = subprocess.run(
            [sys.executable, "-m", *started],
            cwd=ROOT,
            env={"PATH": "", "EXPLORER_HOSTS": "http://a.test"},
            capture_output=True,
            text=True,
        )
        assert result.returncode == 2
        assert result.stderr.startswith("EXPLORER_HOSTS must list the names that browsers open the app by")
        assert result.stderr.count("\n") == 1


def test_the_server_is_a_careful_one():
    options = command(limits_from({**PUBLIC, "EXPLORER_MOST_UPLOAD_MB": "7"}))
    given = dict(zip(options[5::2], options[6::2], strict=True))
    assert given["--server.maxUploadSize"] == "7"
    assert given["--server.enableXsrfProtection"] == given["--server.enableCORS"] == "true"
    assert given["--client.showErrorDetails"] == "none"
    # Left to itself, Streamlit asks a host of the internet which address to print.
    assert given["--browser.serverAddress"]
    assert "EXPLORER_ADMIN_TOKEN is not set" in notice(Limits(is_public=True))
    assert re.search(
        r"^serve: .*\n\tEXPLORER_PUBLIC=1 .* -m explorer\.server\.serve ",
        (ROOT / "Makefile").read_text(),
        re.M,
    )
