"""What SQLite raises of a file that it cannot use, and the sentence that says what to do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import ExplorerError, RunError, excerpt
from core.files import shown

STORE_ERRORS = (sqlite3.Error, UnicodeError)
"""What SQLite raises: its own errors, and that of a message or a text which is damaged itself."""
_ADVICE = {
    sqlite3.SQLITE_FULL: "free some space on the disk",
    sqlite3.SQLITE_IOERR: "look whether the disk is full or damaged",
    sqlite3.SQLITE_READONLY: "let this program write it and its folder",
    sqlite3.SQLITE_CANTOPEN: "let this program read it, and write its folder",
    sqlite3.SQLITE_PERM: "let this program read and write it",
}


def is_busy(error: Exception) -> bool:
    """Whether somebody else has the file locked for now."""
    return _kind(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def store_problem(path: Path, error: Exception, otherwise: str) -> str:
    """What is wrong with a file, and what to do; `otherwise` where it seems to be damaged."""
    if is_busy(error):
        return (
            f"{shown(path)} is locked by another program, such as a viewer of databases; close it there, "
            "then try again"
        )
    problem = "a text in it is damaged" if isinstance(error, UnicodeError) else excerpt(str(error), 200)
    return f"{shown(path)} cannot be used: {problem}; {_ADVICE.get(_kind(error), otherwise)}"


@contextmanager
def as_sentences(path: Path, otherwise: str) -> Iterator[None]:
    """Tell what SQLite says of a file, and of a value in it that is none, as `store_problem` does.

    Raises:
        RunError: then.
    """
    try:
        yield
    except ExplorerError:
        raise  # it is a sentence already
    except (*STORE_ERRORS, ValueError, TypeError) as error:
        raise RunError(store_problem(path, error, otherwise)) from error


def _kind(error: Exception) -> int:
    # The lower byte is the kind of error, the rest says more about it.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
