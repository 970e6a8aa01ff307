"""The form of a message to a component: a JSON header, then numbers as they are."""

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np


def pack_message(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """uint32 header length, UTF-8 JSON header, zeros to a multiple of 4, float32 arrays; all little endian.

    The header's ``arrays`` give name, shape and offset (counted in float32 values from the first array) in the
    order of the body. A dataclass in the header becomes an object of its fields.

    Raises:
        ValueError: when the header holds a number that JSON cannot write.
    """
    layout: list[dict[str, Any]] = []
    offset = 0
    for name, array in arrays.items():
        layout.append({"name": name, "shape": list(array.shape), "offset": offset})
        offset += array.size
    whole = {**header, "arrays": layout}
    text = json.dumps(whole, separators=(",", ":"), allow_nan=False, default=vars).encode()
    body = b"".join(np.ascontiguousarray(array, dtype="<f4").tobytes() for array in arrays.values())
    return struct.pack("<I", len(text)) + text + b"\0" * (-len(text) % 4) + body
