"""A folder in which nothing can be written, also for a test that runs as the superuser."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_VERSION_3 = 0x20080522
_DAC_OVERRIDE = 1 << 1
"""The capability by which the superuser writes where the permissions forbid it."""


@contextmanager
def unwritable(root: Path) -> Iterator[None]:
    """For the block, nobody may write in a folder or in those below it."""
    if os.name == "nt":
        pytest.skip("Windows has no folders of this kind")
    places = [root, *root.rglob("*")]
    modes = [place.stat().st_mode for place in places]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        with _as_anybody():
            with pytest.raises(PermissionError):
                (root / "new").mkdir()
            yield
    finally:
        for place, mode in zip(places, modes, strict=True):
            place.chmod(mode)


@contextmanager
def _as_anybody() -> Iterator[None]:
    """For the block, this thread and those that it starts heed permissions."""
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("the superuser writes everywhere here")
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    # Effective, permitted and inheritable ones, of two words each.
    held = (ctypes.c_uint32 * 6)()
    assert libc.capget(header, held) == 0
    without = (ctypes.c_uint32 * 6)(*held)
    without[0] &= ~_DAC_OVERRIDE
    assert libc.capset(header, without) == 0
    try:
        yield
    finally:
        assert libc.capset(header, held) == 0
