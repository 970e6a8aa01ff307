"""A run as one zip file: packed for a download, and unpacked from a stranger's upload, of which nothing is trusted.

It holds `run.json`, `model.safetensors` and, where there are figures, `metrics.sqlite`. Sizes are looked at before
anything is read, and what is read is bounded whatever they claim; weights and description pass the checks of every
loaded run, and figures are copied number by number.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from core.errors import ExplorerError, RunError
from core.files import read_bounded, write_whole
from core.run import load_run
from core.run_description import MAX_RUN_BYTES, MODEL_FILE, RUN_FILE, parse_description
from core.training.run_store import STORE_FILE
from explorer.trainings.figures import MOST_STORE_BYTES, copied_figures, packed_figures
from explorer.trainings.run_folders import RunFolders

MOST_ARCHIVE_BYTES = 256 * 2**20
"""Most bytes of an upload, and of all that comes out of it."""

_LIMITS = {RUN_FILE: MAX_RUN_BYTES, MODEL_FILE: MOST_ARCHIVE_BYTES, STORE_FILE: MOST_STORE_BYTES}
_DATE = (2017, 6, 12, 0, 0, 0)
"""Date of every file in an archive, so that the same run gives the same bytes."""
_END = struct.Struct("<4s4H2LH")
"""The record that ends a zip file: signature, disk numbers, entries twice, size and place of the list, comment."""
_ZIP64_LOCATOR_BYTES = 20
_MOST_LIST_BYTES = 2**16
_CHUNK = 2**16
_DAMAGES = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, RuntimeError)
"""How zipfile tells of damage; NotImplementedError, of what it cannot read, is a RuntimeError."""


def pack(folder: Path) -> bytes:
    """A run's zip file, of its model as it is now; also while it trains.

    Raises:
        RunError: when the run has no model yet, or cannot be read.
    """
    described = read_bounded(folder / RUN_FILE, MAX_RUN_BYTES)
    if not (folder / MODEL_FILE).is_file():
        raise RunError("This run has no model yet; let it train until its first validation, or stop it.")
    weights = read_bounded(folder / MODEL_FILE, MOST_ARCHIVE_BYTES)
    figures = packed_figures(folder)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        _put(archive, RUN_FILE, described, zipfile.ZIP_DEFLATED)
        _put(archive, MODEL_FILE, weights, zipfile.ZIP_STORED)  # Weights cannot be made smaller.
        if figures:
            _put(archive, STORE_FILE, figures, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def needed_bytes(uploaded: bytes | BinaryIO, most_bytes: int) -> int:
    """About what `unpacked` will write, by the sizes in the archive's list, of which no file comes out larger.

    Raises:
        RunError: when the list is none of a run.
    """
    with _opened(uploaded, most_bytes) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    # The figures lie there twice while they are copied.
    return sum(sizes.values()) + sizes.get(STORE_FILE, 0)


@contextmanager
def unpacked(uploaded: bytes | BinaryIO, folders: RunFolders, *, most_bytes: int) -> Iterator[Path]:
    """The new folder of an uploaded run that has passed every check, for the block to publish.

    Args:
        uploaded: The zip file.
        folders: Of all runs.
        most_bytes: Of the zip file and of all that comes out of it.

    Raises:
        RunError: when it is no archive of a run, or cannot be written; nothing is left then, nor when the block fails.
    """
    with _opened(uploaded, most_bytes) as archive:
        files = {entry.filename: _content(archive, entry) for entry in archive.infolist()}
    place = folders.make()
    try:
        _write_checked(place, files)
        yield place
    except BaseException:
        folders.remove(place)
        raise


def _put(archive: zipfile.ZipFile, name: str, data: bytes, compression: int) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    archive.writestr(entry, data, compression)


def _write_checked(place: Path, files: dict[str, bytes]) -> None:
    """Write a run's files into a new folder, after every check that a loaded run passes."""
    try:
        description = parse_description(place.name, files[RUN_FILE])
        write_whole(place / RUN_FILE, description.to_json())
        write_whole(place / MODEL_FILE, files[MODEL_FILE])
        load_run(place)
    except ExplorerError as error:
        raise RunError(f"The upload cannot be used: {_without_place(error, place)}") from error
    except (ValueError, TypeError, OverflowError, RecursionError, MemoryError, RuntimeError) as error:
        raise RunError("The upload cannot be used: its weights and its description do not fit.") from error
    if STORE_FILE in files:
        copied_figures(files[STORE_FILE], place, most_steps=description.train_config.steps)


def _without_place(error: ExplorerError, place: Path) -> str:
    return str(error).replace(f"{place.name}/", "")


@contextmanager
def _opened(uploaded: bytes | BinaryIO, most_bytes: int) -> Iterator[zipfile.ZipFile]:
    """The archive, after every check of its list; damage is told as a sentence.

    Raises:
        RunError: when it is no archive of a run.
    """
    file = io.BytesIO(uploaded) if isinstance(uploaded, bytes) else uploaded
    _check_end(file, most_bytes)
    try:
        with zipfile.ZipFile(file) as archive:
            _check_entries(archive.infolist(), most_bytes)
            yield archive
    except RunError:
        raise
    except _DAMAGES as error:
        raise RunError(f"The upload is damaged: {error}") from error


def _check_end(file: BinaryIO, most_bytes: int) -> None:
    """Look at the size and at the last record before a list of any length is read into memory."""
    size = file.seek(0, io.SEEK_END)
    if size > most_bytes:
        raise RunError(f"The upload is larger than {most_bytes / 2**20:.0f} MiB.")
    if size < _END.size:
        raise RunError("The upload is not a zip file.")
    file.seek(max(0, size - _END.size - _ZIP64_LOCATOR_BYTES))
    tail = file.read(_END.size + _ZIP64_LOCATOR_BYTES)
    signature, _, _, entries, in_all, list_bytes, list_place, comment = _END.unpack(tail[-_END.size :])
    if signature != b"PK\x05\x06" or comment:
        raise RunError("The upload is not a zip file of a run: it does not end as one.")
    too_long = tail.startswith(b"PK\x06\x07") or list_bytes > _MOST_LIST_BYTES
    if entries != in_all or entries > len(_LIMITS) or too_long or list_place > size:
        raise RunError("The upload holds more than a run's files.")
    file.seek(0)


def _check_entries(entries: list[zipfile.ZipInfo], most_bytes: int) -> None:
    names = [entry.filename for entry in entries]
    for entry in entries:
        if entry.filename not in _LIMITS or entry.orig_filename != entry.filename:
            raise RunError(
                f"The upload holds a file that a run does not have; it may hold {', '.join(_LIMITS)}."
            )
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or entry.flag_bits & 1:
            raise RunError(f"{entry.filename} in the upload is a link or encrypted.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise RunError(f"{entry.filename} in the upload is packed in a way that is not read.")
        if entry.file_size > _LIMITS[entry.filename]:
            raise RunError(f"{entry.filename} in the upload is too large.")
    if len(set(names)) < len(names) or sum(entry.file_size for entry in entries) > most_bytes:
        raise RunError("The upload holds a file twice, or is too large.")
    for name in (RUN_FILE, MODEL_FILE):
        if name not in names:
            raise RunError(f"The upload has no {name}.")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """A file's bytes; reading ends at the size that it claims, which was looked at."""
    content = bytearray()
    with archive.open(entry) as opened:
        while chunk := opened.read(_CHUNK):
            content += chunk
            if len(content) > entry.file_size:
                raise RunError(f"{entry.filename} in the upload is larger than it says.")
    return bytes(content)
