"""The decoding view: sentence and player, cross-attention and next-token table, which move together.

Everything that must step together lives in one browser component, fed once per trace by one binary message, so
that stepping costs no round trip. Python hears of the visitor's choice when stepping rests. The browser side is
plain JavaScript in the ``.js`` files beside this one, joined in the order of :data:`SCRIPTS`.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
import streamlit as st

from explorer.components.assets import script, style

SCRIPTS = (
    "payload.js",
    "look.js",
    "sentence.js",
    "heads.js",
    "matrix.js",
    "attention.js",
    "candidates.js",
    "view.js",
)
"""The browser side, in reading order: each file uses only what stands before it."""

_HERE = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class DecodeViewData:
    """One finished decode, as the view needs it. Axes: L layers, H heads, T output tokens, S source tokens."""

    key: str
    """Identifies the trace; a new key resets the view."""
    source_name: str
    target_name: str
    source_tokens: tuple[str, ...]
    """S tokens, with the end token."""
    output_tokens: tuple[str, ...]
    """T tokens; row t is the token produced at step t, with the end token if it was produced."""
    weights: np.ndarray
    """Recorded cross-attention weights, float32 [L, H, T, S]."""
    site: str
    """Name of the recorded site with ``{layer}`` in it, as ``decoder.layers.{layer}.cross_attn.weights``."""
    dtype: str
    """Label of the dtype the model computed in."""
    candidate_tokens: tuple[tuple[str, ...], ...]
    """T × k, most probable first, the chosen one always among them."""
    candidate_probs: np.ndarray
    """float32 [T, k]."""
    chosen: tuple[int, ...]
    """Index of the chosen token among the k, per step."""
    log_probs: np.ndarray
    """log P of the chosen token, float32 [T]."""
    entropy_bits: np.ndarray
    """Entropy of the whole distribution, float32 [T]."""
    vocabulary_size: int
    gold: tuple[tuple[int, ...], ...] | None
    """T rows of source positions, or None when no gold alignment is known."""
    gold_note: str
    """Sentence shown when ``gold`` is None, or beside it."""
    step: int
    layer: int
    head: int | None
    """None is the mean over heads."""
    overlay: bool
    autoplay: bool
    unit: str = "word"
    """What a token is, as the sentences say it: word or letter."""
    ended: bool = True
    """Whether the last output token is the end token, rather than the one at which a limit stopped it."""
    report: int = 0
    """Number of the last report that this message knows of."""


@dataclass(frozen=True)
class ViewState:
    """What a visitor looks at: the part of the view that belongs into a link."""

    step: int
    layer: int
    head: int | None
    overlay: bool
    report: int
    """Number of the report that said so; each is higher than the one before."""


def pack(data: DecodeViewData) -> bytes:
    """One message: uint32 header length, UTF-8 JSON header, zeros to a multiple of 4, float32 arrays.

    All little endian. The header's ``arrays`` give name, shape and offset (counted in float32 values from the
    first array) in the order of the body. The mean over heads is computed here, in float32.

    Raises:
        ValueError: a shape, an index or a choice does not fit the others; the sentence says which.
    """
    names = ("weights", "candidate_probs", "log_probs", "entropy_bits")
    arrays = {name: np.ascontiguousarray(getattr(data, name), dtype=np.float32) for name in names}
    _check(data, arrays)
    arrays["mean"] = arrays["weights"].mean(axis=1, dtype=np.float32)  # [L, T, S]
    header = {name: value for name, value in _plain_fields(data).items() if name not in arrays}
    header["arrays"] = _layout(arrays)
    text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    padding = b"\0" * (-len(text) % 4)
    body = b"".join(array.astype("<f4").tobytes() for array in arrays.values())
    return struct.pack("<I", len(text)) + text + padding + body


def parse_view(raw: object, data: DecodeViewData) -> ViewState | None:
    """The reported choice, or None unless it belongs to this trace and each part is in range."""
    if not isinstance(raw, Mapping) or raw.get("trace") != data.key:
        return None
    step, layer, head, overlay, report = (
        raw.get(name) for name in ("step", "layer", "head", "overlay", "report")
    )
    layers, heads, steps, _ = np.shape(data.weights)
    if not (_is_index(step, steps) and _is_index(layer, layers) and isinstance(overlay, bool)):
        return None
    if not _is_index(report, 2**53) or (head is not None and not _is_index(head, heads)):
        return None
    return ViewState(step, layer, head, overlay and data.gold is not None, report)


def reported_view(data: DecodeViewData, *, key: str) -> ViewState | None:
    """What the visitor last rested on in this trace, None before that.

    It is there before the view is drawn: read it first, so that ``data`` says what the visitor sees. It stays
    the same until the next report; act on a report number once.
    """
    return parse_view(st.session_state.get(key, {}).get("view"), data)


def decode_view(data: DecodeViewData, *, key: str) -> None:
    """Show the view.

    The browser keeps its own step, layer and head while ``data.key`` stays the same, and follows those of
    ``data`` only where they differ from what it has reported itself, as ``data.report`` tells.
    """
    _component(data=pack(data), key=key, on_view_change=lambda: None)


def _check(data: DecodeViewData, arrays: Mapping[str, np.ndarray]) -> None:
    weights = arrays["weights"]
    steps, positions = len(data.output_tokens), len(data.source_tokens)
    if not steps or not positions:
        raise ValueError("the view needs at least one source token and one output token")
    if weights.ndim != 4 or weights.shape[2:] != (steps, positions) or 0 in weights.shape:
        raise ValueError(f"weights must be [layers, heads, {steps}, {positions}], got {list(weights.shape)}")
    layers, heads = weights.shape[:2]
    width = len(data.candidate_tokens[0]) if data.candidate_tokens else 0
    _expect_shape("candidate_probs", arrays, (steps, width))
    _expect_shape("log_probs", arrays, (steps,))
    _expect_shape("entropy_bits", arrays, (steps,))
    if len(data.candidate_tokens) != steps or any(len(row) != width for row in data.candidate_tokens):
        raise ValueError(f"candidate_tokens must have {steps} rows of the same length")
    if len(data.chosen) != steps or not all(_is_index(int(i), width) for i in data.chosen):
        raise ValueError(f"chosen must hold {steps} indices below {width}, the number of candidates")
    if data.vocabulary_size < width:
        raise ValueError(f"vocabulary_size {data.vocabulary_size} is less than the {width} candidates shown")
    if data.gold is not None:
        _check_gold(data.gold, steps, positions)
    if not _is_index(data.step, steps):
        raise ValueError(f"step {data.step} is not one of the {steps} steps counted from 0")
    if not _is_index(data.layer, layers):
        raise ValueError(f"layer {data.layer} is not one of the {layers} layers counted from 0")
    if data.head is not None and not _is_index(data.head, heads):
        raise ValueError(f"head {data.head} is not one of the {heads} heads counted from 0")


def _check_gold(gold: Sequence[Sequence[int]], steps: int, positions: int) -> None:
    if len(gold) != steps:
        raise ValueError(f"gold must have {steps} rows, one per output token, got {len(gold)}")
    if not all(_is_index(int(j), positions) for row in gold for j in row):
        raise ValueError(f"gold holds a position outside the {positions} source tokens")


def _expect_shape(name: str, arrays: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> None:
    if arrays[name].shape != shape:
        raise ValueError(f"{name} must be {list(shape)}, got {list(arrays[name].shape)}")


def _is_index(value: object, length: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length


def _plain_fields(data: DecodeViewData) -> dict[str, Any]:
    fields = {name: getattr(data, name) for name in data.__dataclass_fields__}
    fields["chosen"] = [int(i) for i in data.chosen]
    fields["gold"] = None if data.gold is None else [[int(j) for j in row] for row in data.gold]
    return fields


def _layout(arrays: Mapping[str, np.ndarray]) -> list[dict[str, Any]]:
    layout: list[dict[str, Any]] = []
    offset = 0
    for name, array in arrays.items():
        layout.append({"name": name, "shape": list(array.shape), "offset": offset})
        offset += array.size
    return layout


_component = st.components.v2.component(
    "decode_view",
    html='<div class="decode-view" data-look="light"></div>',
    css=style(_HERE / "view.css"),
    js=script(*(_HERE / name for name in SCRIPTS)),
)
