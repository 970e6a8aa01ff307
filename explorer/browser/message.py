"""The form of a message to a component: a JSON header, then numbers as they are; or JSON alone."""

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np


def pack_message(fields: Mapping[str, Any]) -> bytes:
    """uint32 header length, UTF-8 JSON header, zeros to a multiple of 4, then the arrays; all little endian.

    The arrays among the fields stand behind the header in their order, without a gap between them: first those of
    float32, which are all but those of uint8, whose bytes come last. The header has the other fields, name and shape
    of each array of float32 as ``arrays`` and, where there are any, of uint8 as ``codes``.

    Raises:
        ValueError: when the header holds a number that JSON cannot write.
    """
    plain = {name: value for name, value in fields.items() if not isinstance(value, np.ndarray)}
    found = {name: value for name, value in fields.items() if isinstance(value, np.ndarray)}
    arrays = {name: value for name, value in found.items() if value.dtype != np.uint8}
    codes = {name: value for name, value in found.items() if value.dtype == np.uint8}
    text = pack_json({**plain, "arrays": _layout(arrays), **({"codes": _layout(codes)} if codes else {})})
    body = b"".join(np.ascontiguousarray(array, dtype="<f4").tobytes() for array in arrays.values())
    behind = b"".join(np.ascontiguousarray(array).tobytes() for array in codes.values())
    return struct.pack("<I", len(text)) + text + b"\0" * (-len(text) % 4) + body + behind


def pack_json(message: object) -> bytes:
    """A message that is JSON alone; in it a dataclass is an object of its fields.

    What UTF-8 cannot write is escaped: a token may hold half of a surrogate pair.

    Raises:
        ValueError: when it holds a number that JSON cannot write.
    """
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=vars).encode()


def _layout(arrays: Mapping[str, np.ndarray]) -> list[tuple[str, list[int]]]:
    """Name and shape of each array."""
    return [(name, list(array.shape)) for name, array in arrays.items()]
