"""Files of tensors, read without trust: how long the header says it is comes first, and no code in it is ever run."""

import json
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from core.errors import RunError, excerpt

MAX_HEADER_BYTES = 2**20


def read_tensors(stored: bytes, name: str) -> dict[str, Tensor]:
    """The tensors in the bytes of a file.

    Args:
        stored: The bytes, of which there are not too many.
        name: What an error calls the file.

    Raises:
        RunError: when they are no such file, or their header is longer than any that is written here.
    """
    try:
        if _header_bytes(stored) > MAX_HEADER_BYTES:
            raise ValueError(f"its list of weights is longer than {MAX_HEADER_BYTES:,} bytes")
        return load(stored)
    except (SafetensorError, KeyError, ValueError) as error:
        reason = excerpt(str(error), 200)
        raise RunError(f"{name} is damaged, or of a kind that is not read: {reason}") from error


def read_metadata(stored: bytes) -> dict[str, Any]:
    """The texts that stand beside the tensors in a file that `read_tensors` has read."""
    header = json.loads(stored[8 : 8 + _header_bytes(stored)])
    found: dict[str, Any] = header.get("__metadata__") or {}
    return found


def _header_bytes(stored: bytes) -> int:
    return int.from_bytes(stored[:8], "little")
