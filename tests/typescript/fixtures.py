"""Fixtures that the browser's unit tests compare with; `python -m tests.typescript.fixtures` rewrites them.

The files hold the same bytes on every machine, because no value in them is the result of floating-point
arithmetic beyond IEEE's exact operations: NumPy's powers and normal deviates differ in the last digit
from one processor to another.
"""

import json
import math
from base64 import b64encode
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from explorer.browser.message import pack_message
from explorer.browser.tensors import pack
from explorer.look.theme import (
    RAMPS,
    format_count,
    format_log_prob,
    format_probability,
    format_share,
    format_signed,
    ramp_color,
)
from explorer.look.token_text import visible
from explorer.tensors import Axis, Panel, Stage, TensorData, TensorViewData

HERE = Path(__file__).parent
UNSEEN = [
    # Joiners, selectors, and one vowel sign that is never drawn.
    *("\u200d", "\u200c", "\ufe0f", "\u034f", "\u180b", "\U000e0100", "\u17b5", "\u200d\ufe0f"),
    # Blank letters and a blank symbol.
    *("\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\U0001d159"),
    # Format characters, tags, and an ignorable code point without a character.
    *("\u00ad", "\u2060", "\u061c", "\U000e0067", "\u2065"),
]
"""Tokens of which nothing is drawn."""


def numbers() -> dict[str, list[list[object]]]:
    """Return numbers with their formatted texts, including halfway cases between two decimals."""
    rng = np.random.default_rng(3)
    parts = [
        0,
        1,
        0.0625,
        0.1875,
        0.3125,
        0.5,
        0.1,
        0.09999,
        0.9995,
        0.0001,
        0.00009999,
        1e-30,
        2**-13,
        *rng.random(30),
    ]
    halves = [0.125, 0.375, 2.5, 0.0625, 0.1875, 1.0625, 7.8125, 0.0005, 0.005, 0.015, 1.005, 0.04999999]
    wide = [
        12345,
        12355,
        123450,
        10000.5,
        9999,
        9999.4,
        0.001,
        0.0009999,
        1e-38,
        3.4e38,
        2.4e-7,
        float("inf"),
        float("nan"),
    ]
    # Parsing a decimal is exact everywhere; multiplying by a power of ten is not.
    digits, exponents = rng.integers(1, 10**16, 40).tolist(), rng.integers(-22, -9, 40).tolist()
    mixed = [float(f"{digit}e{exponent}") for digit, exponent in zip(digits, exponents, strict=True)]
    signed = [sign * value for value in (*parts, *halves, *wide, *mixed) for sign in (1, -1)]
    # JavaScript's toFixed switches to an exponent from 1e21 on.
    plain = [value for value in signed if not 1e21 < abs(value) < np.inf]
    counts = [0, 1, 9, 10, 999, 1000, 1001, 65_536, 100_000, 999_999, *range(12, 200_000, 9_973)]
    return {
        "probabilities": _written(format_probability, parts),
        "shares": _written(format_share, [*parts, *(1 - part for part in parts if part < 0.01)]),
        "signed": _written(format_signed, signed),
        "two_decimals": _written(format_log_prob, plain),
        "three_decimals": _written(lambda value: format_log_prob(value, total=True), plain),
        "counts": _written(format_count, counts),
    }


def message() -> dict[str, object]:
    """Return a packed message with arrays of zero, one and three axes, and its contents."""
    rng = np.random.default_rng(4)
    arrays = {
        path: np.asarray(rng.integers(-(2**20), 2**20, shape) / 2**18, dtype=np.float32)
        for path, shape in (("a", ()), ("parts.1.b", (3,)), ("c", (2, 3, 4)))
    }
    header = {"key": "ключ", "words": ["le␣chat", "\u202e", "🙂"]}
    parts = [{}, {"b": arrays["parts.1.b"]}]
    values = {
        path: {"shape": list(each.shape), "values": each.ravel().tolist()} for path, each in arrays.items()
    }
    packed = pack_message({**header, "a": arrays["a"], "parts": parts, "c": arrays["c"]})
    return {**header, "arrays": values, "bytes": list(packed)}


def planes() -> list[dict[str, object]]:
    """Return messages of windows into tensors whose values are their own flat indices."""
    rng = np.random.default_rng(5)
    return [_plane(rng) for _ in range(30)]


def ramps() -> dict[str, dict[str, object]]:
    """Return the stops of each ramp of the dark theme with 256 colours between them."""
    return {
        name: {"stops": stops, "colours": [ramp_color(stops, i / 255) for i in range(256)]}
        for name, stops in RAMPS["dark"].items()
    }


def tokens() -> list[tuple[str, str]]:
    """Return odd tokens with the text that is shown for each."""
    odd = [
        "",
        "chat",
        "a b",
        " ",
        "\t",
        "\u202eabc",
        "\u200b",
        "a\u200db",
        "é",
        "<b>x</b>",
        "\x00",
        "\ue000",
        "x" * 200,
    ]
    odd += ["\u00a0", "\ufeff", "🙂", "\u2028", "\x1c", "\x85", *UNSEEN]
    odd += [
        "👩\u200d👧",
        "❤\ufe0f",
        "क\u094d\u200d",
        "\u093fक",
        "\u200d\u0301",
        "\u200da",
        "a\u2800b",
        "\ufffe",
    ]
    return [(token, visible(token)) for token in odd]


def texts() -> dict[str, str]:
    """Return the text of every fixture by file name."""
    return {f"{make.__name__}.json": json.dumps(make(), indent=None) + "\n" for make in MAKERS}


MAKERS: tuple[Callable[[], object], ...] = (numbers, message, planes, ramps, tokens)


def _plane(rng: np.random.Generator) -> dict[str, object]:
    """Return a message and the shape of its whole tensor, with axes merged and reordered at random."""
    sizes = rng.integers(1, 5, size=rng.integers(1, 5)).tolist()
    names = [f"a{i}" for i in range(len(sizes))]
    windows = [
        tuple(rng.permutation(n)[: rng.integers(1, n + 1)].tolist()) if rng.random() < 0.5 else None
        for n in sizes
    ]
    ends = sorted({*rng.integers(1, len(sizes) + 1, size=2).tolist(), len(sizes)})
    groups = [tuple(names[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
    index = tuple(groups[i] for i in rng.permutation(len(groups)))
    size = dict(zip(names, sizes, strict=True))
    whole = [math.prod(size[name] for name in group) for group in index]
    order = [name for group in index for name in group]
    places = np.arange(math.prod(sizes), dtype=np.float32).reshape([size[name] for name in order])
    apart = places.transpose([order.index(name) for name in names])
    shown = apart[np.ix_(*[w or range(n) for n, w in zip(sizes, windows, strict=True)])]
    axes = tuple(Axis(name, n, places=w) for name, n, w in zip(names, sizes, windows, strict=True))
    cut = int(rng.integers(0, len(names)))
    stage = Stage("s", "S", "one", (Panel("t", "T", tuple(names[:cut]), tuple(names[cut:])),))
    data = TensorViewData("k", {"t": TensorData("site", shown, axes, index, lead=())}, (stage,))
    return {"whole": whole, "message": b64encode(pack(data)).decode()}


def _written(form: Callable[..., str], values: Iterable[float]) -> list[list[object]]:
    # JSON cannot represent non-finite numbers; both languages read these words.
    names = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
    return [[names.get(str(value), float(value)), form(value)] for value in values]


if __name__ == "__main__":
    for name, text in texts().items():
        (HERE / name).write_text(text, encoding="utf-8")
