"""The limits of a server, all in one place: few for oneself, and those of class mode for many.

They are read from environment variables once, when the server starts; docs/class.md has the same table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import ConfigError

PUBLIC = "EXPLORER_PUBLIC"
ADMIN_TOKEN = "EXPLORER_ADMIN_TOKEN"
LEAST_TOKEN, MOST_TOKEN = 16, 200
"""Characters of an admin token: fewer could be guessed."""
OTHER_VARIABLES = ("EXPLORER_HOSTS", "EXPLORER_RUNS")
"""Variables that are read elsewhere: the server's names, and the folder of the runs."""
_PREFIX = "EXPLORER_"
MEGABYTE = 2**20
DAY, MINUTE = 86_400, 60
"""Seconds of a day and of a minute."""
MOST_HANDED_OVER = 900_000
"""Characters that a field sends, so that a text too long for its purpose can be told so by the server.

They may be of four bytes each, and a public server closes a connection at 4 MB.
"""


@dataclass(frozen=True)
class Limits:
    """What a server lets people do; the defaults are those of a server for oneself, where None is no limit.

    Attributes:
        is_public: Whether it is in class mode: only who began a run steers it, only an admin renames, deletes, uploads.
        most_parameters: Of a model that is trained.
        most_tokens: Of the longest source that a model is made for.
        most_updates: Of a training.
        most_batch: Pairs in one update.
        most_pairs: Training pairs of a run.
        most_upload: Bytes of an uploaded file.
        pairs_bytes: Bytes of a file of somebody's own pairs; this and the next three hold without class mode as well.
        pairs_count: Pairs of such a file that are read.
        pairs_tokens: Tokens of either side of a pair.
        pairs_vocabulary: Tokens of byte pairs, and different words up to which each is a token of its own.
        most_seconds: Of a training: what it is expected to take, and how long its process may take in one turn.
        most_at_once: Runs that train at the same time; others wait in the queue.
        most_together: So many of the runs that were begun together take one place of these: one's own machine trains
            an experiment's models side by side, and class mode gives each a place of its own.
        most_waiting: Runs in the queue.
        most_of_a_visitor: Runs of one visitor that train or wait.
        most_runs: Runs in the folder, of any state.
        most_bytes: Of all runs together, with what a new one will need.
        run_seconds: After these a visitor's run that has ended is deleted.
        kept_seconds: Before these it is not deleted either to make room for another one.
        paused_seconds: After these a paused run is stopped at a checkpoint if another one waits for its place.
        update_parameters: Parameters of the largest model whose updates are taken apart; this and the next hold without
            class mode as well.
        listed_runs: Runs of the folder that pages offer as models, the newest.
        admin_token: Lets its owner rename, delete, upload and stop over the web; empty for nobody.
    """

    is_public: bool = False
    most_parameters: int | None = None
    most_tokens: int | None = None
    most_updates: int | None = None
    most_batch: int | None = None
    most_pairs: int | None = None
    most_upload: int = 256 * 2**20
    pairs_bytes: int = 2_000_000
    pairs_count: int = 50_000
    pairs_tokens: int = 40
    pairs_vocabulary: int = 2_000
    most_seconds: int | None = None
    most_at_once: int = 1
    most_together: int = 4
    most_waiting: int = 20
    most_of_a_visitor: int | None = None
    most_runs: int = 50
    most_bytes: int = 2 * 2**30
    run_seconds: int | None = None
    kept_seconds: int = 0
    paused_seconds: int | None = None
    update_parameters: int = 2_000_000
    listed_runs: int = 30
    admin_token: str = ""

    def __repr__(self) -> str:
        """Without the token: a representation may end up in a log."""
        return f"Limits(is_public={self.is_public})"


OPEN = Limits()
"""The limits of a server for oneself."""


@dataclass(frozen=True)
class Setting:
    """A limit as the environment sets it.

    Attributes:
        variable: Name in the environment.
        field: Of `Limits`.
        usual: Where the environment says nothing.
        least: Of the values that make sense; so is most.
        meaning: What it limits, as the documentation says it.
        unit: What one of it is in the field's unit.
        own: Default without class mode; None for a limit that class mode alone has.
    """

    variable: str
    field: str
    usual: int
    least: int
    most: int
    meaning: str
    unit: int = 1
    own: int | None = None


SETTINGS = (
    Setting("EXPLORER_MOST_PARAMETERS", "most_parameters", 1_000_000, 1000, 10**9, "parameters of a model"),
    Setting("EXPLORER_MOST_TOKENS", "most_tokens", 40, 2, 4096, "tokens of the longest source"),
    Setting("EXPLORER_MOST_UPDATES", "most_updates", 2000, 1, 10**6, "updates of a training"),
    Setting("EXPLORER_MOST_BATCH", "most_batch", 128, 1, 4096, "pairs in one update"),
    Setting("EXPLORER_MOST_PAIRS", "most_pairs", 50_000, 10, 10**6, "training pairs of a run"),
    Setting("EXPLORER_MOST_UPLOAD_MB", "most_upload", 32, 1, 256, "megabytes of an uploaded file", MEGABYTE),
    Setting(
        "EXPLORER_MOST_MINUTES", "most_seconds", 20, 1, 10**6, "minutes of a training in one turn", MINUTE
    ),
    Setting("EXPLORER_MOST_AT_ONCE", "most_at_once", 1, 1, 64, "trainings at the same time", own=1),
    Setting("EXPLORER_MOST_WAITING", "most_waiting", 30, 0, 1000, "runs in the queue", own=20),
    Setting(
        "EXPLORER_MOST_PER_VISITOR", "most_of_a_visitor", 4, 1, 1000, "runs of a visitor that train or wait"
    ),
    Setting("EXPLORER_MOST_RUNS", "most_runs", 100, 1, 10_000, "runs in all", own=50),
    Setting(
        "EXPLORER_MOST_DISK_MB", "most_bytes", 4096, 100, 10**7, "megabytes of all runs", MEGABYTE, own=2048
    ),
    Setting("EXPLORER_RUN_DAYS", "run_seconds", 14, 1, 3650, "days until an ended run is deleted", DAY),
    Setting(
        "EXPLORER_KEPT_MINUTES",
        "kept_seconds",
        60,
        0,
        10**6,
        "minutes before a new run may replace an ended one",
        MINUTE,
    ),
    Setting(
        "EXPLORER_PAUSED_MINUTES",
        "paused_seconds",
        5,
        1,
        10**6,
        "minutes of pause before a run gives way to one that waits",
        MINUTE,
    ),
    Setting(
        "EXPLORER_UPDATE_PARAMETERS",
        "update_parameters",
        2_000_000,
        1000,
        10**8,
        "parameters of a model whose updates are taken apart",
        own=2_000_000,
    ),
    Setting(
        "EXPLORER_LISTED_RUNS", "listed_runs", 30, 1, 500, "newest runs that pages offer as models", own=30
    ),
)


PAIR_SETTINGS = (
    Setting("EXPLORER_PAIRS_MB", "pairs_bytes", 2, 1, 999, "megabytes of a file of pairs", 10**6, own=2),
    Setting("EXPLORER_PAIRS_COUNT", "pairs_count", 50_000, 10, 10**6, "pairs of a file", own=50_000),
    Setting("EXPLORER_PAIRS_TOKENS", "pairs_tokens", 40, 2, 4096, "tokens of either side of a pair", own=40),
    Setting(
        "EXPLORER_PAIRS_VOCABULARY", "pairs_vocabulary", 2000, 10, 100_000, "tokens of a vocabulary", own=2000
    ),
)
"""The limits of somebody's own pairs, which a server for oneself has as well; docs/own-pairs.md has the same table."""


def limits_from(environment: Mapping[str, str]) -> Limits:
    """Return the limits that environment variables set; without EXPLORER_PUBLIC=1 some have no effect.

    Raises:
        ConfigError: with the variable, and what it may be.
    """
    public = environment.get(PUBLIC, "")
    if public not in ("", "0", "1"):
        raise ConfigError(f"{PUBLIC} must be 1 for class mode, or 0, not {_shown(public)}")
    defaults = {
        setting: setting.usual if public == "1" else setting.own for setting in (*SETTINGS, *PAIR_SETTINGS)
    }
    values = {
        setting.field: _value(setting, environment.get(setting.variable, ""), default)
        for setting, default in defaults.items()
        if default is not None
    }
    if public != "1":
        return Limits(is_public=False, admin_token="", **values)
    token = _token(environment.get(ADMIN_TOKEN, ""))
    return Limits(is_public=True, most_together=1, admin_token=token, **values)


def ignored_settings(environment: Mapping[str, str]) -> str:
    """Return a sentence about the variables that are set but have no effect on this server; empty for none."""
    is_public = environment.get(PUBLIC, "") == "1"
    settings = (*SETTINGS, *PAIR_SETTINGS)
    known = {PUBLIC, ADMIN_TOKEN, *OTHER_VARIABLES, *(setting.variable for setting in settings)}
    given = sorted(name for name, text in environment.items() if name.startswith(_PREFIX) and text.strip())
    for_classes = {ADMIN_TOKEN, *(setting.variable for setting in settings if setting.own is None)}
    sentences = (
        (
            "only in class mode (EXPLORER_PUBLIC=1)",
            [name for name in given if name in for_classes and not is_public],
        ),
        ("nowhere, because there is no such setting", [name for name in given if name not in known]),
    )
    return " ".join(f"{', '.join(names)}: has an effect {where}." for where, names in sentences if names)


def _value(setting: Setting, text: str, default: int) -> int:
    text = text.strip()
    if not text:
        return default * setting.unit
    is_number = text.isascii() and text.isdigit() and len(text) <= 12
    if not is_number or not setting.least <= int(text) <= setting.most:
        raise ConfigError(
            f"{setting.variable} ({setting.meaning}) must be a whole number from {setting.least} "
            f"to {setting.most}, not {_shown(text)}"
        )
    return int(text) * setting.unit


def _token(text: str) -> str:
    """A token that can be typed and is long enough; the sentence about another one does not quote it."""
    if text and not (LEAST_TOKEN <= len(text) <= MOST_TOKEN and text.isprintable() and text == text.strip()):
        raise ConfigError(
            f"{ADMIN_TOKEN} must have {LEAST_TOKEN} to {MOST_TOKEN} visible characters and no space around "
            "them; `openssl rand -hex 16` makes a good one"
        )
    return text


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}…")
