"""Files that appear whole or not at all, and are never read beyond the size they may have."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from core.errors import RunError

_PLACE = re.compile(r"""(?<![^\s"'(\[=:,])(?:[A-Za-z]:)?[\\/](?:[^\s"'\\/:]+[\\/])+""")
"""The folders of an absolute path, from a blank, a quotation mark or the like to the last slash."""
PART = ".part"
"""Ends the name of a file that is still being written."""


def read_bounded(path: Path, limit: int) -> bytes:
    """A file's bytes; its size is looked at before anything is read.

    Raises:
        RunError: when it cannot be read, or is larger than the limit.
    """
    name = shown(path)
    try:
        if not path.is_file():
            raise RunError(f"{name} cannot be read: there is no such file")
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > limit:
                raise RunError(f"{name} is larger than {_size(limit)}")
            # A file may grow while it is read.
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"{name} cannot be read: {_reason(error)}") from error
    if len(data) > limit:
        raise RunError(f"{name} is larger than {_size(limit)}")
    return data


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one, also after a power cut.

    Raises:
        RunError: when it cannot be written.
    """
    with replacing(path) as beside:
        beside.write_bytes(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The path of a file to fill, which takes the place of `path` when the block ends well, and goes otherwise.

    Raises:
        RunError: when it cannot be written.
    """
    beside = path.with_name(f"{path.name}.{uuid4().hex}{PART}")
    try:
        yield beside
        _to_disk(beside)
        beside.replace(path)
        _to_disk(path.parent)
    except (OSError, ValueError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"{shown(path)} cannot be written: {_reason(error)}") from error
    finally:
        beside.unlink(missing_ok=True)


def prepare_folder(folder: Path) -> None:
    """Make the folder of a run, so that a long training does not end with nowhere to write to.

    Raises:
        RunError: when nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".{uuid4().hex}"
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        raise RunError(
            f"the folder {shown(folder)} cannot be written: {_reason(error)}; choose another"
        ) from error


def prepare_part(folder: Path) -> None:
    """Make a folder inside that of a run; where the run itself is gone, nothing is made again.

    Raises:
        RunError: when it cannot be made.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise RunError(f"{shown(folder)} cannot be written: {_reason(error)}") from error


def shown(path: Path) -> str:
    """A path as a message names it: the folder and the file, but not where on the machine they lie."""
    return f"{path.parent.name}/{path.name}"


def without_places(text: str) -> str:
    """A text of whatever program without where on the machine the files lie that it names."""
    return _PLACE.sub("", text)


def _to_disk(path: Path) -> None:
    if os.name == "nt" and path.is_dir():
        return  # Windows cannot open a folder; its file system keeps the order of renames by itself.
    descriptor = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reason(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _size(limit: int) -> str:
    return f"{limit / 2**20:,.0f} MiB" if limit >= 2**20 else f"{limit / 2**10:,.0f} KiB"
