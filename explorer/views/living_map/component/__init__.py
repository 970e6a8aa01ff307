"""The living map: the whole network with a lane for every token, through which a step of the decoding runs.

It is fed once for a run by one binary message. What stands at which moment is worked out in the browser from the
recorded values alone, so that playing, scrubbing and stepping cost no round trip. Python hears of the moment when it
rests, and at once of a token that is forced, of a number that is asked about, and of a block that is to be opened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, get_args

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.tensors import CellPlace
from explorer.views.living_map.component.data import Block, LivingMapData, Tensor
from explorer.visitor.reports import Event, Explain, Payload, Refused
from explorer.visitor.state import ENCODER_MS, STEP_MS, Compared


@dataclass(frozen=True)
class Rested:
    """What a visitor looks at: the end of a step, or a moment of the run in ms."""

    step: int
    moment: int | None


@dataclass(frozen=True)
class Forced:
    """Go on from another token than the one that was written at a step."""

    step: int
    token_id: int


@dataclass(frozen=True)
class Released:
    """Back to what the model writes when nothing is forced."""


@dataclass(frozen=True)
class Opened:
    """Open the page that shows a block, by its module path."""

    block: str


@dataclass(frozen=True)
class Inspected:
    """Show all numbers of a recorded value or a parameter, by its name."""

    name: str


@dataclass(frozen=True)
class WhatIfRequest:
    """Open the page that changes the running model, which asks why."""


@dataclass(frozen=True)
class Beside:
    """At this moment, the values of a changed model, those that it has as it was trained, or their difference."""

    compared: Compared
    at: Rested


Act = Forced | Released | Explain | Opened | Inspected | WhatIfRequest | Beside


def pack(data: LivingMapData) -> bytes:
    """The message: everything that is text, then weights, logits and probabilities, then every tile as bytes."""
    own = {name: value for name, value in vars(data).items() if name not in ("weights", "codes")}
    message = {
        **own,
        **data.weights,
        **data.codes,
        **_described(data.blocks),
    }
    return pack_message(message)


@lru_cache(maxsize=64)
def _described(blocks: tuple[Block, ...]) -> dict[str, Any]:
    """The blocks by their ids, and what is said of each: layers are alike, so that is told once for all of them."""
    kinds: dict[Block, int] = {}
    places = [(block.id, kinds.setdefault(_kind(block), len(kinds))) for block in blocks]
    told = [
        vars(kind) | {"tensors": [(each.name, each.shape, each.learned) for each in kind.tensors]}
        for kind in kinds
    ]
    return {"blocks": places, "kinds": told}


def _kind(block: Block) -> Block:
    """A block without its place in the model."""
    tensors = tuple(replace(each, name=_short(block, each)) for each in block.tensors)
    return replace(block, id="", tensors=tensors)


def _short(block: Block, tensor: Tensor) -> str:
    """A tensor's name beside its block's, as the browser knows it."""
    return tensor.name.removeprefix(f"{block.id}.")


def _read_rest(payload: Payload, data: LivingMapData) -> Rested:
    n_steps = len(data.outputs)
    last = ENCODER_MS + STEP_MS * n_steps
    return Rested(payload["step"].index(n_steps), payload["moment"].index_or_none(last + 1))


def _read_act(payload: Payload, data: LivingMapData) -> Act:
    match payload["kind"].text():
        case "release":
            return Released()
        case "open":
            return Opened(_block(payload, data).id)
        case "inspect":
            block = _block(payload, data)
            names = {_short(block, tensor): tensor.name for tensor in block.tensors}
            return Inspected(names[payload["name"].one_of(names)])
        case "weight":
            return _weight(payload, data)
        case "what-if":
            return WhatIfRequest()
        case "compare" if data.trained:
            return Beside(payload["compared"].one_of(get_args(Compared)), _read_rest(payload, data))
        case "probability":
            sizes = (len(data.outputs), data.n_vocabulary)
            return Explain(CellPlace("hypothesis.prob", payload.place(("step", "token_id"), sizes)))
        case "force":
            step = payload["step"].index(len(data.outputs))
            return Forced(step, payload["token_id"].whole(data.first_id, data.n_vocabulary - 1))
    raise Refused


def _block(payload: Payload, data: LivingMapData) -> Block:
    blocks = {block.id: block for block in data.blocks}
    return blocks[payload["block"].one_of(blocks)]


def _weight(payload: Payload, data: LivingMapData) -> Explain:
    """A weight of one head that is asked about."""
    if data.compared != "changed":  # Explained is the model that runs, and no difference.
        raise Refused
    site = payload["site"].one_of(data.weights)
    place = payload.place(("head", "row", "column"), data.weights[site].shape)
    return Explain(CellPlace(site, (0, *place)))


REST: Event[Rested, LivingMapData] = Event("view", _read_rest)
"""The visitor rests on a moment."""
ACT: Event[Act, LivingMapData] = Event("act", _read_act)
"""The visitor does something beyond looking."""
EVENTS: tuple[Event[Rested | Act, LivingMapData], ...] = (REST, ACT)

living_map = KeptView(__file__, "living_map", pack)
"""Shows the map. The browser keeps its own moment while the key of the data stays the same."""
