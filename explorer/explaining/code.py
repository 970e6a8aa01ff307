"""The lines of core/ that compute a block, read from the source that runs."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

import core

ROOT = Path(core.__file__).resolve().parent.parent
"""The project's folder."""


@dataclass(frozen=True)
class Source:
    """A function or method of the project.

    Attributes:
        name: With its class.
        path: Of its file, from the project's folder.
        first: Its first line in the file, from 1; and so is last.
        text: Its lines, indented as if it stood alone.
    """

    name: str
    path: str
    first: int
    last: int
    text: str


def read_source(function: Callable[..., object]) -> Source:
    """The lines of a function or method of the project."""
    plain = inspect.unwrap(function)
    assert isinstance(plain, FunctionType)
    lines, first = inspect.getsourcelines(plain)
    path = Path(inspect.getfile(plain)).resolve().relative_to(ROOT)
    text = textwrap.dedent("".join(lines)).rstrip("\n")
    return Source(plain.__qualname__, path.as_posix(), first, first + len(lines) - 1, text)
