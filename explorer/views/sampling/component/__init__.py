"""The sampling lab's two views: one step from logits to the drawn token, and many whole outputs counted.

The first is fed once per output with the logits of all its steps; while a slider moves, the browser works out
every column anew (``pipeline.ts``, the same arithmetic as ``core.decoding.sampling``), and Python hears of the
settings when they rest. The second only shows what it is given.
"""

from dataclasses import dataclass

import numpy as np

from core.numbers import is_whole
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_json, pack_message
from explorer.visitor.forms import MAX_INDEX, MAX_TEMPERATURE, MIN_TOP_P
from explorer.visitor.reports import Event, Payload

MAX_SEED = MAX_INDEX - 1
MAX_STEP = 1000


@dataclass(frozen=True, eq=False)
class SamplingViewData:
    """One output and the settings it was drawn with. Axes: T produced tokens, V tokens in the vocabulary."""

    key: str
    """Names model, sentence and forced tokens; a new key resets the view."""
    vocabulary: tuple[str, ...]
    """The vocabulary's V tokens, as texts."""
    never: tuple[int, ...]
    """Ids that are never produced: padding and bos."""
    token_ids: tuple[int, ...]
    """Ids of the T tokens that were drawn or taken."""
    n_forced: int
    """How many of them were forced."""
    ended: bool
    """Whether the last of them is EOS, rather than the one at which a limit stopped it."""
    logits: np.ndarray
    """Logits of every step, float32 [T, V]."""
    uniform: tuple[float, ...]
    """The number that drew each token."""
    text: str
    """The whole output as a reader sees it."""
    greedy_text: str
    """What the model writes when nothing is drawn."""
    step: int
    temperature: float
    top_k: int | None
    top_p: float
    seed: int
    unit: str = "word"
    """What an output token is, as the sentences say it."""
    report: int = 0
    """Number of the last report that this message knows of."""


@dataclass(frozen=True)
class SamplingChoice:
    """What a visitor has set: the part of the view that belongs into a link."""

    step: int
    temperature: float
    top_k: int | None
    top_p: float
    seed: int


@dataclass(frozen=True)
class OutputRow:
    """One distinct output: how often it was drawn, how probable that was, and log P under the model."""

    text: str
    count: int
    probability: float
    log_prob: float
    ended: bool


@dataclass(frozen=True)
class SamplesData:
    """Many whole outputs: the most frequent one by one, the others together."""

    n_drawn: int
    n_distinct: int
    rows: tuple[OutputRow, ...]
    others_count: int
    others_probability: float
    n_compared: int
    """Outputs of which ``compared_from`` or more are expected."""
    compared_from: int
    distance: float
    """Total variation between drawn and exact, over the compared outputs and all others as one."""
    chance: float
    """What it is on average for this many draws by chance alone."""


def pack(data: SamplingViewData) -> bytes:
    """The message: all plain fields as header, then the logits.

    Raises:
        ValueError: a shape or an index does not fit the others; the sentence says which.
    """
    _check(data)
    return pack_message({**vars(data), "max_seed": MAX_SEED})


def _read_choice(payload: Payload, data: SamplingViewData) -> SamplingChoice:
    top_k = payload["top_k"]
    return SamplingChoice(
        step=payload["step"].whole(0, MAX_STEP),
        # Hundredths, as a link writes them.
        temperature=round(payload["temperature"].number(0.0, MAX_TEMPERATURE), 2),
        top_k=None if top_k.value is None else top_k.whole(1, len(data.vocabulary)),
        top_p=round(payload["top_p"].number(MIN_TOP_P, 1.0), 2),
        seed=payload["seed"].whole(0, MAX_SEED),
    )


CHOICE: Event[SamplingChoice, SamplingViewData] = Event("choice", _read_choice, owner="trace")
"""The visitor rests on other settings."""


def _check(data: SamplingViewData) -> None:
    steps, size, logits = len(data.token_ids), len(data.vocabulary), data.logits
    if not steps or logits.shape != (steps, size):
        raise ValueError(f"logits must be [{steps}, {size}] with at least one step, got {list(logits.shape)}")
    if not np.isfinite(logits).all():
        raise ValueError("logits must be finite numbers")
    if len(data.uniform) != steps or not all(0 <= number < 1 for number in data.uniform):
        raise ValueError(f"uniform must hold {steps} numbers from 0 up to but not including 1")
    if not all(is_whole(token_id, 0, size - 1) for token_id in (*data.token_ids, *data.never)):
        raise ValueError(f"a token id is outside the vocabulary of {size} tokens")
    if not is_whole(data.step, 0, steps - 1):
        raise ValueError(f"step {data.step} is not one of the {steps} steps counted from 0")
    if not is_whole(data.n_forced, 0, steps):
        raise ValueError(f"n_forced {data.n_forced} must be at most the {steps} steps")


sampling_view = KeptView(__file__, "sampling_view", pack)
"""Shows one output, the settings, and how the token of one step is drawn.

The browser keeps its own settings while the key of the data stays the same, and follows those of the data only where
they differ from what it has reported itself, as the number of the last report tells.
"""
samples_view: KeptView[SamplesData] = KeptView(
    __file__,
    "samples_view",
    pack_json,
    source="samples",
    html='<div class="sampling-view samples-view" data-look="light"></div>',
)
"""Shows how often each whole output was drawn, beside how probable it is."""
