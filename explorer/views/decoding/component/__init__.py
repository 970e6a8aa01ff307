"""The decoding view: attention, next-token table and branches, which move together and are moved by the bar.

Everything that must step together lives in one browser component, fed once per trace by one binary message, so
that stepping costs no round trip. Python hears of the visitor's choice when stepping rests.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.models.outputs import Attention
from explorer.models.translation import SITES, Translation
from explorer.views.decoding.component.internals import CacheData, LensData
from explorer.visitor.reports import is_index


@dataclass(frozen=True)
class BranchRow:
    """One decoding among the branches.

    Attributes:
        prefix: Ids of the tokens that it begins with; empty for greedy decoding.
        name: As its maker calls it, or empty.
        label: What it is called here.
        tokens: What it produced.
        forced: Which of them the model would not have taken by itself.
        probs: P of each.
        log_prob: log P of all.
        differs: First step at which it differs from greedy decoding; None where it does not.
        ended: Whether it ended with EOS.
        shown: Whether the view shows it.
    """

    prefix: tuple[int, ...]
    name: str
    label: str
    tokens: tuple[str, ...]
    forced: tuple[bool, ...]
    probs: tuple[float, ...]
    log_prob: float
    differs: int | None
    ended: bool
    shown: bool


@dataclass(frozen=True)
class WhatIf:
    """What a view needs in which tokens can be forced.

    Attributes:
        first_id: Id of the first token that can be forced; the others follow without a gap.
        n_words: How many these are.
        branches: Greedy decoding and the branches kept beside it; the prefix () comes first.
        words: Their texts, any of which can be typed.
    """

    first_id: int
    n_words: int
    branches: tuple[BranchRow, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class DecodeViewData(Translation):
    """One finished decode, as the view needs it. A new key resets the view.

    Attributes:
        bos: What the decoder reads first.
        causal: Whether the decoder's self-attention hides later tokens.
        dtype: Label of the dtype the model computed in.
        candidate_tokens: Texts of the candidates, T × k, most probable first.
        vocabulary_size: How many tokens the model can produce.
        step: That is looked at.
        attention: The one that is drawn.
        layer: Of its stack.
        head: None is the mean over heads.
        overlay: Whether the gold alignment is drawn over it.
        what_if: What is needed to force tokens; None in a view that only looks.
        lens: None in a view without the logit lens.
        cache: None in a view without the key/value cache.
        report: Number of the last report that this message knows of.
    """

    bos: str
    causal: bool
    dtype: str
    candidate_tokens: tuple[tuple[str, ...], ...]
    vocabulary_size: int
    step: int
    attention: Attention
    layer: int
    head: int | None
    overlay: bool
    what_if: WhatIf | None = None
    lens: LensData | None = None
    cache: CacheData | None = None
    report: int = 0


def pack(data: DecodeViewData) -> bytes:
    """The message: all plain fields as header, then the arrays.

    Means over heads are left to the browser: they would be a fifth more.

    Raises:
        ValueError: a shape, an index or a choice does not fit the others; the sentence says which.
    """
    _check(data)
    own = {name: value for name, value in vars(data).items() if name not in ("prefix", "written")}
    return pack_message({**own, "sites": SITES, "candidate_ids": data.candidate_ids.tolist()})


def _check(data: DecodeViewData) -> None:
    steps, positions = len(data.output_tokens), len(data.source_tokens)
    if not steps or not positions:
        raise ValueError("the view needs at least one source token and one output token")
    if len(data.output_ids) != steps:
        raise ValueError(f"output_ids must hold {steps} ids, one for each output token")
    _check_weights("weights", data, steps, positions)
    _check_weights("self_weights", data, steps, steps)
    _check_weights("encoder_weights", data, positions, positions)
    width = len(data.candidate_tokens[0]) if data.candidate_tokens else 0
    _expect_shape("candidate_probs", data, (steps, width))
    _expect_shape("log_probs", data, (steps,))
    _expect_shape("entropy_bits", data, (steps,))
    for name in ("candidate_tokens", "candidate_ids"):
        if len(rows := getattr(data, name)) != steps or any(len(row) != width for row in rows):
            raise ValueError(f"{name} must have {steps} rows of the same length")
    if len(data.chosen) != steps or not all(is_index(int(i), width) for i in data.chosen):
        raise ValueError(f"chosen must hold {steps} indices below {width}, the number of candidates")
    if data.vocabulary_size < width:
        raise ValueError(f"vocabulary_size {data.vocabulary_size} is less than the {width} candidates shown")
    if data.gold is not None:
        _check_gold(data.gold, steps, positions)
    if len(data.forced) != steps:
        raise ValueError(f"forced must say yes or no for each of the {steps} output tokens")
    if data.what_if is not None:
        _check_what_if(data.what_if)
    for internals in (data.lens, data.cache):
        if internals is not None:
            internals.check(steps)
    _check_choice(data, steps, *data.attentions[data.attention].shape[:2])


def _check_what_if(what_if: WhatIf) -> None:
    if not what_if.branches or what_if.branches[0].prefix:
        raise ValueError("the branches must begin with greedy decoding, whose prefix is empty")
    if len(what_if.words) != what_if.n_words:
        raise ValueError(f"words must hold all {what_if.n_words} tokens that can be forced")


def _check_choice(data: DecodeViewData, steps: int, layers: int, heads: int) -> None:
    if not is_index(data.step, steps):
        raise ValueError(f"step {data.step} is not one of the {steps} steps counted from 0")
    if not is_index(data.layer, layers):
        raise ValueError(f"layer {data.layer} is not one of the {layers} layers counted from 0")
    if data.head is not None and not is_index(data.head, heads):
        raise ValueError(f"head {data.head} is not one of the {heads} heads counted from 0")


def _check_weights(name: str, data: DecodeViewData, rows: int, columns: int) -> None:
    shape = getattr(data, name).shape
    if len(shape) != 4 or shape[2:] != (rows, columns) or 0 in shape:
        raise ValueError(f"{name} must be [layers, heads, {rows}, {columns}], got {list(shape)}")


def _check_gold(gold: Sequence[Sequence[int]], steps: int, positions: int) -> None:
    if len(gold) != steps:
        raise ValueError(f"gold must have {steps} rows, one per output token, got {len(gold)}")
    if not all(is_index(int(j), positions) for row in gold for j in row):
        raise ValueError(f"gold holds a position outside the {positions} source tokens")


def _expect_shape(name: str, data: DecodeViewData, shape: tuple[int, ...]) -> None:
    if (found := getattr(data, name).shape) != shape:
        raise ValueError(f"{name} must be {list(shape)}, got {list(found)}")


decode_view = KeptView(__file__, "decode_view", pack)
"""Draws the decoding view in the browser.

The browser keeps its own step, layer and head while the key of the data stays the same, and follows those of the data
only where they differ from what it has reported itself, as the number of the last report tells.
"""
