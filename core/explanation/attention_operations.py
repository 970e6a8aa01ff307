"""How the values of an attention come about, in the order of equation 1: q, k, v, scores, mask, weights, context."""

import math
from collections.abc import Iterator

from core.explanation.cell import Cell
from core.explanation.derivation import Derivation, derive
from core.explanation.formula import Cases, Compare, Equation, Number, Product, Root, Sum, Symbol
from core.explanation.letters import D_HEAD, OTHER_J, D, E, H, I, J, P, T, U
from core.explanation.linear import linear_map
from core.explanation.operand import Operand
from core.explanation.softmax import derive_softmax

Q, K, V, A, CONTEXT, SCORE, PRODUCT = (Symbol(letter, upper=(H,)) for letter in "qkvacsr")
QUERY_KEY = Sum(E, Q[I, E] * K[J, E])
ALLOWED, MASKED = Symbol("m")[I, J], Symbol("s", accent="tilde")
PAD = Symbol("pad")


def project_to_heads(cell: Cell) -> Derivation:
    """Q = X·W_Q, likewise K and V: one head takes d_head rows of the matrix (section 3.2.2)."""
    batch, h, p, e = cell.index
    letter, size = cell.site.value, cell.config.d_head
    row = H * D_HEAD + E
    return linear_map(
        cell,
        Symbol(letter, upper=(H,))[P, E],
        Symbol("x")[P, D] * Symbol("W", mark=letter.upper())[row, D],
        Symbol("b", mark=letter.upper())[row],
        inputs=[(batch, p, d) for d in range(cell.config.d_model)],
        row=h * size + e,
        names=(f"w_{letter}", f"b_{letter}"),
        places={H: h, P: p, E: e, D_HEAD: size},
    )


def dot_product(cell: Cell) -> Derivation:
    """q·k of one head (equation 1, before the division)."""
    places = dict(zip((H, I, J), cell.index[1:], strict=True))
    return derive(Equation(PRODUCT[I, J], QUERY_KEY), *_query_and_key(cell), places=places)


def scaled_dot_product(cell: Cell) -> Derivation:
    """q·k/√d_head (equation 1)."""
    return derive(
        Equation(SCORE[I, J], QUERY_KEY / Root(D_HEAD) if cell.config.scale_scores else QUERY_KEY),
        *_query_and_key(cell),
        Operand(D_HEAD, cell.config.d_head),
        places=dict(zip((H, I, J), cell.index[1:], strict=True)),
    )


def _query_and_key(cell: Cell) -> Iterator[list[Operand]]:
    """The numbers of one query and one key of a head."""
    batch, h, i, j = cell.index
    q_site, k_site = cell.site.inputs
    size = cell.config.d_head
    yield cell.all_recorded(Q[I, E], q_site, [(batch, h, i, e) for e in range(size)])
    yield cell.all_recorded(K[J, E], k_site, [(batch, h, j, e) for e in range(size)])


def mask(cell: Cell) -> Derivation:
    """Whether a query may look at a key: no padding, and in the decoder's self-attention no future."""
    batch, i, j = cell.index
    where = cell.site.location
    key = cell.recorded(T[J], "src" if where.key_side == "source" else "tgt_in", batch, j)
    rules = [Compare(T[J], "≠", PAD)]
    if where.causal and cell.config.causal:
        rules.append(Compare(J, "≤", I))
    return derive(
        Equation(ALLOWED, rules[0] if len(rules) == 1 else Product(tuple(rules), dot=True)),
        key,
        Operand(PAD, cell.config.pad_id),
        Operand(I, i),
        Operand(J, j),
        places={I: i, J: j},
        rows=rules,
        labels=("the key is no padding", "the key is not later"),
        magnitude=1.0,
    )


def apply_mask(cell: Cell) -> Derivation:
    """The score where the query may look, -inf where it may not (section 3.2.3)."""
    batch, h, i, j = cell.index
    scores, mask_site = cell.site.inputs
    score = cell.recorded(Symbol("s")[I, J], scores, *cell.index)
    seen = cell.recorded(ALLOWED, mask_site, batch, i, j)
    right = Cases(score.symbol, Compare(ALLOWED, "=", Number(1)), Number(-math.inf))
    return derive(
        Equation(MASKED[I, J], right),
        score,
        seen,
        places={H: h, I: i, J: j},
        rows=(score.symbol, ALLOWED),
        labels=("score", "may look"),
        kind="look-up" if seen.value == 1.0 else "masked",
        magnitude=abs(score.value),
    )


def softmax(cell: Cell) -> Derivation:
    """The softmax of the masked scores of a query."""
    batch, h, i, j = cell.index
    (masked,) = cell.site.inputs
    keys = range(cell.values(masked).shape[3])
    return derive_softmax(
        Symbol("a")[I, J],
        cell.recorded(MASKED[I, J], masked, *cell.index),
        cell.all_recorded(MASKED[I, OTHER_J], masked, [(batch, h, i, key) for key in keys]),
        OTHER_J,
        {H: h, I: i, J: j},
    )


def weighted_sum(cell: Cell) -> Derivation:
    """The values of all keys, each times its weight (equation 1)."""
    batch, h, i, e = cell.index
    weights, values = cell.site.inputs
    keys = range(cell.values(weights).shape[3])
    return derive(
        Equation(CONTEXT[I, E], Sum(J, A[I, J] * V[J, E])),
        cell.all_recorded(A[I, J], weights, [(batch, h, i, j) for j in keys]),
        cell.all_recorded(V[J, E], values, [(batch, h, j, e) for j in keys]),
        places={H: h, I: i, E: e},
    )


def join_heads(cell: Cell) -> Derivation:
    """All heads' contexts side by side, times W_O (section 3.2.2)."""
    batch, i, d = cell.index
    heads, size = cell.config.n_heads, cell.config.d_head
    return linear_map(
        cell,
        Symbol("o")[I, D],
        Symbol("c")[I, U] * Symbol("W", mark="O")[D, U],
        Symbol("b", mark="O")[D],
        inputs=[(batch, h, i, e) for h in range(heads) for e in range(size)],
        row=d,
        names=("out_proj.weight", "out_proj.bias"),
        places={I: i, D: d},
        where=(Equation(U, H * D_HEAD + E),),
    )
