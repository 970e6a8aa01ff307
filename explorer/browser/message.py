"""The form of a message to a component: a JSON header, then numbers as they are; or JSON alone."""

import json
import struct
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

import numpy as np

_PLAIN = frozenset((str, int, float, bool, type(None), list, tuple))


def pack_message(message: Mapping[str, Any]) -> bytes:
    """uint32 header length, UTF-8 JSON header, zeros to a multiple of 4, then the arrays; all little endian.

    The header is the message without its arrays, wherever in it they stand: in an object, in a dataclass, in a list of
    those. They lie behind it without a gap between them: first those of float32, which are all but those of uint8,
    whose bytes come last. The header's ``arrays`` give path and shape of each of float32, such as ``tensors.q.values``
    or ``arms.0.loss``; its ``codes`` do so for uint8, where there are any.

    Raises:
        ValueError: when the header holds what JSON cannot write, or two parts of the message have one path.
    """
    found: dict[str, np.ndarray] = {}
    plain = _without_arrays(message, "", found)
    arrays = {path: array for path, array in found.items() if array.dtype != np.uint8}
    codes = {path: array for path, array in found.items() if array.dtype == np.uint8}
    if taken := {"arrays", "codes"} & plain.keys():
        raise ValueError(
            f"a message keeps its layout under {', '.join(sorted(taken))}; name that part otherwise"
        )
    text = pack_json({**plain, "arrays": _layout(arrays), **({"codes": _layout(codes)} if codes else {})})
    body = b"".join(np.ascontiguousarray(array, dtype="<f4").tobytes() for array in arrays.values())
    behind = b"".join(np.ascontiguousarray(array).tobytes() for array in codes.values())
    return struct.pack("<I", len(text)) + text + b"\0" * (-len(text) % 4) + body + behind


def pack_json(message: object) -> bytes:
    """A message that is JSON alone; in it a dataclass is an object of its fields.

    What UTF-8 cannot write is escaped: a token may hold half of a surrogate pair.

    Raises:
        ValueError: when it holds a number or an object that JSON cannot write.
    """
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=_fields).encode()


def _fields(value: object) -> dict[str, Any]:
    if not is_dataclass(value):
        raise ValueError(
            f"no message holds {type(value).__name__} here; an array stands in an object, under a name"
        )
    return vars(value)


def _layout(arrays: Mapping[str, np.ndarray]) -> list[tuple[str, list[int]]]:
    """Path and shape of each array."""
    return [(path, list(array.shape)) for path, array in arrays.items()]


def _without_arrays(value: Any, path: str, found: dict[str, np.ndarray]) -> Any:
    """A part of a message without its arrays, which are put among those that were found, by their paths."""
    if isinstance(value, list | tuple) and _has_parts(
        next((each for each in value if each is not None), None)
    ):
        return [_without_arrays(each, f"{path}{place}.", found) for place, each in enumerate(value)]
    if not _has_parts(value):
        return value
    plain = {}
    for name, part in (value if isinstance(value, Mapping) else vars(value)).items():
        if not isinstance(part, np.ndarray):
            plain[name] = _without_arrays(part, f"{path}{name}.", found)
        elif (full := f"{path}{name}") in found:
            raise ValueError(f"two arrays of a message would lie at {full}")
        else:
            found[full] = part
    return plain


def _has_parts(value: object) -> bool:
    """Whether a value is an object or a dataclass."""
    kind = type(value)
    # Asking whether something is a mapping takes far longer than this, and most parts of a message are plain.
    return (
        kind is dict
        or hasattr(kind, "__dataclass_fields__")
        or (kind not in _PLAIN and isinstance(value, Mapping))
    )
