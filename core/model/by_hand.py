"""Attention by hand: one head of the model's own attention over vectors and matrices that somebody writes down."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.activations.activations import Activations
from core.activations.derived import MOST_PLAIN
from core.activations.record import record
from core.activations.sites import KEYS, MODEL, PAIRS, QUERIES, Site
from core.activations.tap import Tap
from core.config import TransformerConfig
from core.errors import InputError
from core.model.attention import SelfAttention

Matrix = Sequence[Sequence[float]]
Q, K, V = "by_hand.q", "by_hand.k", "by_hand.v"
SCORES, MASK, MASKED, WEIGHTS = "by_hand.scores", "by_hand.mask", "by_hand.masked_scores", "by_hand.weights"
SITES = (
    Site("by_hand.x", MODEL, "The vectors of the tokens, as they were written down.", "given", ()),
    Site(Q, QUERIES, "Queries: what each token asks for.", "project_to_heads", ("by_hand.x",)),
    Site(K, KEYS, "Keys: what each token offers to be found by.", "project_to_heads", ("by_hand.x",)),
    Site(V, KEYS, "Values: what each token hands over when attended to.", "project_to_heads", ("by_hand.x",)),
    Site("by_hand.products", PAIRS, "q·k of every query with every key, unscaled.", "dot_product", (Q, K)),
    Site(SCORES, PAIRS, "The scores, before the mask.", "scaled_dot_product", (Q, K)),
    Site(MASK, ("batch", "query", "key"), "True where a query may look.", "mask", ()),
    Site(MASKED, PAIRS, "The scores with -inf where a query may not look.", "apply_mask", (SCORES, MASK)),
    Site(
        "by_hand.exps",
        PAIRS,
        f"e to the power of each score; if a row's largest is above {MOST_PLAIN:g}, that is subtracted first.",
        "exponential",
        (SCORES, MASK),
    ),
    Site("by_hand.total", QUERIES[:3], "What a query's weights are divided by.", "total", (SCORES, MASK)),
    Site(WEIGHTS, PAIRS, "Softmax of the scores over the keys.", "softmax", (MASKED,)),
    Site("by_hand.context", QUERIES, "The weighted sum of the values.", "weighted_sum", (WEIGHTS, V)),
)
"""The catalogue, in the order of the computation."""


@dataclass(frozen=True, kw_only=True)
class OneHead(TransformerConfig):
    """A configuration whose one head is as wide as somebody likes."""

    src_vocab_size: int = 4
    tgt_vocab_size: int = 4
    n_heads: int = 1
    positional: str = "none"  # type: ignore[assignment]
    attention_bias: bool = False
    attention_backend: str = "eager"  # type: ignore[assignment]
    dtype: str = "float64"  # type: ignore[assignment]
    d_k: int = 2
    """Size of queries, keys and values."""

    @property
    def d_head(self) -> int:
        """Size of the one head, whatever d_model is."""
        return self.d_k


class AttentionByHand(nn.Module):
    """The model's self-attention with one head, without W_O and with matrices of whole numbers.

    Attributes:
        config: Its sizes, and whether it is causal and scales its scores.
        taps: By their names.
        blocks: Every other module, itself first.
    """

    def __init__(self, w_q: Matrix, w_k: Matrix, w_v: Matrix, *, causal: bool, scaled: bool) -> None:
        super().__init__()
        d_model, d_k = len(w_q), len(w_q[0])
        if any(_shape(each) != (d_model, d_k) for each in (w_q, w_k, w_v)):
            raise InputError(f"W_Q, W_K and W_V must all have {d_model} rows and {d_k} columns")
        self.config = OneHead(d_model=d_model, d_k=d_k, causal=causal, scale_scores=scaled)
        self.x = Tap("batch", "position", "d_model")
        self.by_hand = SelfAttention(self.config)
        # What comes out is the head's own result: there are no other heads to mix it with.
        self.by_hand.out_proj = nn.Identity()  # type: ignore[assignment]
        self.double().eval().requires_grad_(False)
        # Written down as X W has them, a row for each input; kept as torch does, a row for each output.
        matrices = [torch.tensor(each, dtype=torch.float64).T for each in (w_q, w_k, w_v)]
        self.by_hand.in_proj.weight.copy_(torch.cat(matrices))
        inside = ((f"by_hand.{name}", module) for name, module in self.by_hand.named_children())
        taps = {name: module for name, module in inside if isinstance(module, Tap)}
        self.taps = {"by_hand.x": self.x, **taps}
        for name, tap in self.taps.items():
            tap.name = name
        self.blocks = [module for module in self.modules() if not isinstance(module, Tap)]

    def sites(self) -> tuple[Site, ...]:
        """Every value that can be recorded, in the order of the computation."""
        return SITES

    def forward(self, x: Tensor) -> Tensor:
        """From vectors [batch, position, d_model] to the weighted values [batch, position, d_k]."""
        return self.by_hand(self.x(x), causal=self.config.causal)


@dataclass(frozen=True, eq=False)
class ByHandTrace:
    """One computation by hand: the attention and every value of it, with a batch of one."""

    attention: AttentionByHand
    activations: Activations


def attend_by_hand(
    x: Matrix, w_q: Matrix, w_k: Matrix, w_v: Matrix, *, causal: bool = False, scaled: bool = True
) -> ByHandTrace:
    """softmax(QKᵀ/√d_k)·V of vectors and matrices that somebody writes down, every stage recorded.

    Args:
        x: A row of d_model numbers for each token.
        w_q: d_model rows of d_k numbers, likewise the others: Q = X W_Q.
        w_k: For the keys.
        w_v: For the values.
        causal: Whether each token looks only at itself and what stands before it.
        scaled: Whether scores are divided by √d_k.

    Raises:
        InputError: when the sizes do not fit each other.
    """
    attention = AttentionByHand(w_q, w_k, w_v, causal=causal, scaled=scaled)
    if not x or any(len(row) != attention.config.d_model for row in x):
        raise InputError(f"each row of X must have {attention.config.d_model} numbers, as W_Q has rows")
    with record(attention) as activations:
        attention(torch.tensor(x, dtype=torch.float64)[None])
    return ByHandTrace(attention, activations)


def _shape(matrix: Matrix) -> tuple[int, int]:
    return (len(matrix), len(matrix[0])) if len({len(row) for row in matrix}) == 1 else (0, 0)
