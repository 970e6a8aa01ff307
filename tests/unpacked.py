"""A message to a component, read back as the browser reads it."""

import json
import struct
from itertools import accumulate, pairwise

import numpy as np

Arrays = dict[str, np.ndarray]


def unpacked(message: bytes) -> tuple[dict, Arrays, Arrays]:
    """Header, float32 arrays and arrays of bytes; nothing stands between them or behind the last."""
    (length,) = struct.unpack_from("<I", message)
    header = json.loads(message[4 : 4 + length])
    start = 4 + length + -length % 4
    assert message[4 + length : start] == b"\0" * (start - 4 - length)
    arrays, start = _read(message, header["arrays"], "<f4", start)
    codes, start = _read(message, header.get("codes", []), "u1", start)
    assert start == len(message)
    return header, arrays, codes


def assert_same_message(mine: bytes, theirs: bytes, **header: object) -> None:
    """Compare two messages number by number; `header` has what the first one says differently."""
    one, other = unpacked(mine), unpacked(theirs)
    assert one[0] == {**other[0], **header}
    for arrays, expected in zip(one[1:], other[1:], strict=True):
        assert arrays.keys() == expected.keys()
        assert all((arrays[name] == expected[name]).all() for name in arrays)


def _read(message: bytes, layout: list, dtype: str, start: int) -> tuple[Arrays, int]:
    """The arrays that begin at a byte, and the byte behind them."""
    sizes = [int(np.prod(shape)) * np.dtype(dtype).itemsize for _, shape in layout]
    places = list(accumulate(sizes, initial=start))
    found = {
        name: np.frombuffer(message[first:last], dtype).reshape(shape)
        for (name, shape), (first, last) in zip(layout, pairwise(places), strict=True)
    }
    return found, places[-1]
