"""Where in the model a value, a parameter or a module stands: the only place where its name is taken apart."""

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

Stack = Literal["encoder", "decoder"]
Side = Literal["source", "target"]
Sublayer = Literal["self_attn", "cross_attn", "feed_forward"]
Kind = Literal[
    "ids",
    "embedding",
    "attention",
    "feed_forward",
    "add",
    "norm",
    "add_norm",
    "final_norm",
    "layer",
    "stack",
    "generator",
    "hypothesis",
    "update",
    "by_hand",
    "unknown",
]
"""What a module is. ``norm`` stands before its sub-layer, ``add`` and ``add_norm`` after it (pre- and post-norm)."""

LAYER = "{layer}"
"""Stands for the number of a layer in the name of the same thing in all layers."""

EMBEDDINGS: dict[Stack, str] = {"encoder": "src_embed", "decoder": "tgt_embed"}
"""What each stack reads."""

LEARNED = frozenset(
    {"weight", "bias", "positional.weight", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v"}
    | {f"{linear}.{part}" for linear in ("out_proj", "linear1", "linear2") for part in ("weight", "bias")}
)
"""What the parameters of modules are called, as the formulas have them: W_Q, W_K and W_V apart."""

_TITLES: dict[Kind, str] = {
    "feed_forward": "Feed-forward",
    "add": "Add",
    "norm": "Norm",
    "add_norm": "Add & norm",
    "final_norm": "Final norm",
}
_SUBLAYER_TITLES: dict[Sublayer, str] = {
    "self_attn": "Self-attention",
    "cross_attn": "Cross-attention",
    "feed_forward": "Feed-forward",
}
_SUBLAYERS: dict[str, Sublayer] = {name: name for name in get_args(Sublayer)}
_BESIDE: dict[Kind, str] = {"norm": "_norm", "add": "_add", "add_norm": "_add_norm"}
_AROUND: dict[str, Kind] = {ending: kind for kind, ending in _BESIDE.items()}
_SUBLAYER = re.compile(
    r"(?P<stack>encoder|decoder)(?P<layers>\.layers\.(?P<layer>\d+|\{layer\}))?"
    r"\.(?P<sublayer>self_attn|cross_attn|feed_forward)(?P<around>_add_norm|_norm|_add)?(?:\.(?P<value>.+))?"
)
_OUTSIDE = re.compile(
    r"(?P<path>(?P<stack>encoder|decoder)(?:(?P<final>\.final_norm)|(?=\.output|$))|(?P<side>src|tgt)_embed"
    r"|generator|hypothesis)(?:\.(?P<value>.+))?"
)
_UPDATE = re.compile(r"update\.(?P<value>[^.]+)(?:\.(?P<parameter>.+))?")
_BY_HAND = re.compile(r"by_hand(?:\.(?P<value>.+))?")
_LAYER = re.compile(r"(?P<stack>encoder|decoder)\.layers\.(?P<layer>\d+)")
_WHOLE: dict[str, Kind] = {
    "encoder": "stack",
    "decoder": "stack",
    "generator": "generator",
    "hypothesis": "hypothesis",
}


@dataclass(frozen=True)
class Location:
    """A place in the model.

    Attributes:
        kind: What the module is; ``unknown`` for a name that no model has.
        stack: The half of the model that it belongs to. The source's embedding is the encoder's; the target's
            embedding, the generator and the whole hypothesis are the decoder's.
        path: Module path: ``decoder.layers.1.cross_attn``; empty for ids.
        value: Which value or parameter of the module: ``weights``, ``out_proj.weight``; empty for the module itself.
        layer: Its layer, from 0; None outside of the layers, and where the name stands for all of them.
        sublayer: The sub-layer that it is, or that the sum or norm stands beside; empty outside of the layers.
        parameter: Of a number of an update (``update.gradient.generator.weight``) the parameter that it is of.
    """

    kind: Kind
    stack: Stack
    path: str
    value: str = ""
    layer: int | None = None
    sublayer: Sublayer | Literal[""] = ""
    parameter: str = ""

    @property
    def name(self) -> str:
        """The name that this is the place of, as `locate` read it."""
        return ".".join(filter(None, (self.path, self.value, self.parameter)))

    @property
    def side(self) -> Side:
        """The side whose tokens its positions are."""
        return "source" if self.stack == "encoder" else "target"

    @property
    def learned(self) -> bool:
        """Whether it is a learned parameter rather than a value of a run."""
        return self.value in LEARNED

    @property
    def crosses(self) -> bool:
        """Whether it is an attention whose keys and values come from the other side."""
        return self.kind == "attention" and self.sublayer == "cross_attn"

    @property
    def causal(self) -> bool:
        """Whether it is an attention that must not see later positions, unless the model is made otherwise."""
        is_decoders = self.kind == "attention" and self.stack == "decoder" and not self.crosses
        return is_decoders or self.kind == "by_hand"

    @property
    def key_side(self) -> Side:
        """The side whose tokens an attention's keys and values stand for."""
        return "source" if self.crosses else self.side

    @property
    def normalizes(self) -> bool:
        """Whether it holds a layer normalisation."""
        return self.kind in ("norm", "add_norm", "final_norm")

    @property
    def joins(self) -> bool:
        """Whether it adds what a sub-layer has made to what went into the sub-layer."""
        return self.kind in ("add", "add_norm")

    @property
    def title(self) -> str:
        """What people call it, as in the paper's figure; empty for what is no block of a layer and no final norm."""
        if self.kind == "attention":
            return "Masked self-attention" if self.causal else self.sublayer_title
        return _TITLES.get(self.kind, "")

    @property
    def sublayer_title(self) -> str:
        """What people call the sub-layer that it is or stands beside, masked or not; empty outside of the layers."""
        return _SUBLAYER_TITLES[self.sublayer] if self.sublayer else ""

    @cached_property
    def module(self) -> "Location":
        """The module that a value belongs to."""
        return replace(self, value="", parameter="")

    @property
    def sublayer_path(self) -> str:
        """Module path of the sub-layer that it is or stands beside; empty outside of the layers."""
        return self.path.removesuffix(_BESIDE.get(self.kind, "")) if self.sublayer else ""

    def beside(self, value: str) -> str:
        """The name of another value of the same module."""
        return f"{self.path}.{value}"

    @property
    def part(self) -> str:
        """Which part of its stack it belongs to, whichever layer: a sub-layer, or ``final_norm``; empty for neither."""
        return self.sublayer or ("final_norm" if self.kind == "final_norm" else "")

    def in_layer(self, layer: int | str) -> str:
        """The name of the same thing in this layer of its stack, or in `LAYER`; its own name outside of the layers."""
        if not self.sublayer:
            return self.name
        path = f"{self.stack}.layers.{layer}.{self.sublayer}{_BESIDE.get(self.kind, '')}"
        return f"{path}.{self.value}" if self.value else path


@lru_cache(maxsize=4096)
def locate(name: str) -> Location:
    """The place that a name stands for, whether a value's, a parameter's, a module's or an id's.

    The number of a layer may be left out (``decoder.feed_forward``) or be ``{layer}``: the same part of any layer.
    What the name's model really has is said by its catalogue (`core.activations.sites.sites`), not here.
    """
    if name in ("src", "tgt_in"):
        return Location("ids", "encoder" if name == "src" else "decoder", "", name)
    if found := _SUBLAYER.fullmatch(name):
        sublayer, around = _SUBLAYERS[found["sublayer"]], found["around"] or ""
        kind = _AROUND.get(around) or ("feed_forward" if sublayer == "feed_forward" else "attention")
        path = f"{found['stack']}{found['layers'] or ''}.{sublayer}{around}"
        number = found["layer"]
        layer = int(number) if number and number != LAYER else None
        return Location(kind, _stack(found["stack"]), path, found["value"] or "", layer, sublayer)
    if found := _LAYER.fullmatch(name):
        return Location("layer", _stack(found["stack"]), name, layer=int(found["layer"]))
    if found := _UPDATE.fullmatch(name):
        return Location("update", "decoder", "update", found["value"], parameter=found["parameter"] or "")
    if found := _BY_HAND.fullmatch(name):
        return Location("by_hand", "encoder", "by_hand", found["value"] or "")
    if found := _OUTSIDE.fullmatch(name):
        kind = "embedding" if found["side"] else "final_norm" if found["final"] else _WHOLE[found["path"]]
        stack = _stack(found["stack"] or found["side"] or "")
        return Location(kind, stack, found["path"], found["value"] or "")
    path, _, value = name.rpartition(".")
    return Location("unknown", "decoder", path, value)


def _stack(written: str) -> Stack:
    return "encoder" if written in ("encoder", "src") else "decoder"
