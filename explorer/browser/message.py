"""The form of a message to a component: a JSON header, then numbers as they are."""

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np


def pack_message(
    header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], codes: Mapping[str, np.ndarray] | None = None
) -> bytes:
    """uint32 header length, UTF-8 JSON header, zeros to a multiple of 4, float32 arrays, bytes; all little endian.

    The header's ``arrays`` give name and shape of each in the order of the body, without a gap between them; its
    ``codes`` do so for the arrays of uint8, which stand behind. A dataclass in the header becomes an object of its
    fields.

    Raises:
        ValueError: when the header holds a number that JSON cannot write.
    """
    whole = {**header, "arrays": _layout(arrays), **({"codes": _layout(codes)} if codes else {})}
    text = json.dumps(whole, separators=(",", ":"), allow_nan=False, default=vars).encode()
    body = b"".join(np.ascontiguousarray(array, dtype="<f4").tobytes() for array in arrays.values())
    behind = b"".join(
        np.ascontiguousarray(array, dtype=np.uint8).tobytes() for array in (codes or {}).values()
    )
    return struct.pack("<I", len(text)) + text + b"\0" * (-len(text) % 4) + body + behind


def _layout(arrays: Mapping[str, np.ndarray]) -> list[tuple[str, list[int]]]:
    """Name and shape of each array."""
    return [(name, list(array.shape)) for name, array in arrays.items()]
