"""The stages of an attention block, from what it reads to what it hands on, as the tensor view shows them.

Every value is the recorded one, every matrix the learned one; nothing is computed here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from core.activations.location import locate
from explorer.explaining.scene import Scene
from explorer.models.recorded import Recorded
from explorer.tensors import Panel, Scaling, Stage, TensorViewData, numbered_chooser
from explorer.views.attention.tensors import attention_tensors
from explorer.visitor.extent import PATHS, AttentionKind, Extent, choose_extent
from explorer.visitor.state import ExplorerState
from explorer.visitor.sublayers import SIDES

DEFAULT_STAGE = "scores"
_NAMES = {"q": "queries", "k": "keys", "v": "values"}


def attention_view(recorded: Recorded, state: ExplorerState, kind: AttentionKind) -> TensorViewData:
    """What the tensor view is fed for one of the three attentions.

    Layers and heads that are not looked at come along as far as a message has room for them; the browser asks
    for the others.

    Args:
        recorded: The run.
        state: The visitor's choices.
        kind: Which attention.
    """
    block = _Block(recorded, kind, choose_extent(recorded, state, kind))
    stages = tuple(block.stages())
    extent = block.extent
    stack = locate(block.path).stack
    return TensorViewData(
        key=f"{recorded.key}/{kind}",
        tensors=attention_tensors(recorded, kind, extent),
        stages=stages,
        choosers=(
            numbered_chooser("layer", recorded.n_layers(block.path), extent.layer, local=extent.all_layers),
            numbered_chooser("head", recorded.run.config.n_heads, extent.head, local=extent.all_heads),
        ),
        stage=state.look.stage if state.look.stage in {stage.key for stage in stages} else DEFAULT_STAGE,
        row=Scene(recorded, state).row(stack),
        row_side=SIDES[stack],
    )


_SCORES = Panel("scores", "Scores", ("query",), ("key",))
_MASKED_SCORES = Panel("masked_scores", "Masked scores", ("query",), ("key",))
_WEIGHTS = Panel("weights", "Weights", ("query",), ("key",))
_PRODUCTS = Stage(
    "products",
    "QKᵀ",
    "product",
    (
        Panel("q", "Q queries", ("query",), ("d_head",)),
        Panel("k", "Kᵀ keys", ("d_head",), ("key",)),
        Panel("products", "QKᵀ", ("query",), ("key",)),
    ),
    "QKᵀ",
    "The dot product of each query with each key, before it is scaled; the transpose has the keys as columns.",
)
_SOFTMAX = Stage(
    "softmax",
    "Softmax",
    "map",
    (_MASKED_SCORES, _WEIGHTS),
    "aᵢⱼ = exp(sᵢⱼ) / Σ exp(sᵢⱼ′) over j′",
    "Each row becomes weights that sum to 1. What is masked gets exactly 0.",
    ("softmax of each row",),
)
_CONTEXT = Stage(
    "context",
    "Context",
    "product",
    (
        _WEIGHTS,
        Panel("v", "V values", ("key",), ("d_head",)),
        Panel("context", "Context", ("query",), ("d_head",)),
    ),
    "Cₕ = A·V",
    "Each row is an average of the values, weighted by that row of A.",
)


@dataclass(frozen=True)
class _Block:
    """One attention, in every layer of its stack."""

    recorded: Recorded
    kind: AttentionKind
    extent: Extent

    @property
    def path(self) -> str:
        """Module path of the attention, with ``{layer}`` for its layer."""
        return PATHS[self.kind]

    @property
    def memory(self) -> str:
        """Which tensor keys and values are computed from."""
        return "memory" if self.kind == "cross-attention" else "x"

    def stages(self) -> Iterator[Stage]:
        """The stages of the attention, in the order of the computation."""
        yield self._input_stage()
        yield self._projection_stage("q", "x")
        yield self._projection_stage("k", self.memory)
        yield self._projection_stage("v", self.memory)
        if self.recorded.run.config.scale_scores:
            yield _PRODUCTS
        yield self._scores_stage()
        yield self._masked_stage()
        yield _SOFTMAX
        yield _CONTEXT
        yield from self._joined_stages()

    def _input_stage(self) -> Stage:
        width, pre = self.recorded.run.config.d_model, self.recorded.run.config.norm_position == "pre"
        if self.kind == "cross-attention":
            return Stage(
                "input",
                "Input",
                "one",
                (_rows("x", "Decoder stream"), _rows("memory", "Memory")),
                note="Queries are projections of the decoder's rows, keys and values of the memory's: the encoder's "
                "output. "
                f"Each row is one token's vector of {width} numbers."
                + (" The decoder's have just been normalised." if pre else ""),
            )
        return Stage(
            "input",
            "Input",
            "one",
            (_rows(self.memory, "X"),),
            note=f"One vector of {width} numbers for each token that is read; queries, keys and values are "
            "three projections of it."
            + (" It has just been normalised, as this model does before each block." if pre else ""),
        )

    def _projection_stage(self, letter: str, source: str) -> Stage:
        upper, name = letter.upper(), _NAMES[letter]
        biased = self.recorded.run.config.attention_bias
        matrix = "memory" if source == "memory" else "X"
        row = "query" if letter == "q" else "key"
        panels = [
            _rows(source, "Memory" if matrix == "memory" else "X"),
            Panel(f"w_{letter}", f"W_{upper}", ("d_model",), ("d_head",)),
            Panel(letter, f"{upper} {name}", (row,), ("d_head",)),
        ]
        if biased:
            panels.append(Panel(f"b_{letter}", f"b_{upper}", (), ("d_head",)))
        return Stage(
            name,
            name.capitalize(),
            "product",
            tuple(panels),
            f"{upper} = {matrix} W_{upper}" + (f" + b_{upper}" if biased else ""),
            self._projection_note(letter),
        )

    def _projection_note(self, letter: str) -> str:
        config = self.recorded.run.config
        if letter == "q" and self.kind != "self-attention":
            return (
                "What each position of the decoder asks for. Its row has the name of the token that it reads."
            )
        if letter == "q":
            return f"What each token asks for. Each head has {config.d_head} columns of the matrix to itself."
        if letter == "k":
            return "What each token offers to be found by."
        return "What each token hands over where it is attended to."

    def _scores_stage(self) -> Stage:
        config = self.recorded.run.config
        scaled = config.scale_scores
        return Stage(
            "scores",
            "Scores",
            "product",
            (
                Panel("q", "Q queries", ("query",), ("d_head",)),
                Panel("k", "Kᵀ keys", ("d_head",), ("key",)),
                _SCORES,
            ),
            "S = Q Kᵀ" + (f" / √{config.d_head}" if scaled else ""),
            "Each query meets every key. Their dot product, the score, is high where both have large numbers of "
            "the same sign in the same places.",
            scaling=Scaling(f"÷ √{config.d_head}", 1 / math.sqrt(config.d_head)) if scaled else None,
        )

    def _masked_stage(self) -> Stage:
        return Stage(
            "masked",
            "Masked",
            "map",
            (_SCORES, Panel("mask", "May look", ("query",), ("key",)), _MASKED_SCORES),
            "sᵢⱼ stays where i may look at j, else −∞",
            self._mask_note(),
            ("where may it look?", "−∞ elsewhere"),
        )

    def _mask_note(self) -> str:
        if self.kind == "masked-self-attention":
            if self.recorded.run.config.causal:
                return "A position reads itself and what stands before it. The rest is not written yet."
            return "This model has no causal mask: each position reads what comes after it, too."
        return (
            "A single sentence has no padding, so every token may look at every one. See Masks for a batch."
        )

    def _joined_stages(self) -> Iterator[Stage]:
        config = self.recorded.run.config
        joined = "context" if self.extent.all_heads else "joined"
        heads = Panel(joined, "Joined heads", ("query",), ("head", "d_head"))
        yield Stage(
            "joined",
            "Joined heads",
            "one",
            (heads,),
            f"C = C₀ | … | C{str(config.n_heads - 1).translate(_SUBSCRIPTS)}"
            if config.n_heads > 1
            else "C = C₀",
            f"The contexts of all heads side by side: {config.n_heads} × {config.d_head} = {config.d_model} "
            "numbers for each token.",
        )
        panels = [
            heads,
            Panel("w_o", "W_O", ("head", "d_head"), ("d_model",)),
            Panel("output", "Output", ("query",), ("d_model",)),
        ]
        if config.attention_bias:
            panels.append(Panel("b_o", "b_O", (), ("d_model",)))
        yield Stage(
            "output",
            "Output",
            "product",
            tuple(panels),
            "O = C W_O" + (" + b_O" if config.attention_bias else ""),
            "The matrix mixes what the heads have found. The output is then added to the stream that the block reads.",
        )


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _rows(tensor: str, title: str) -> Panel:
    """A row for each position."""
    return Panel(tensor, title, ("position",), ("d_model",))
