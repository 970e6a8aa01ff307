"""How the values of an attention come about, in the order of equation 1: q, k, v, scores, mask, weights, context."""

import math
from dataclasses import replace

from core.activations.derived import MOST_PLAIN
from core.explanation.cell import Cell
from core.explanation.derivation import Derivation, derive, given
from core.explanation.formula import Cases, Compare, Equation, Number, Product, Root, Sum, Symbol, exp
from core.explanation.letters import D_K, HEAD, LARGEST, OTHER_J, D, E, I, J, P, T, U
from core.explanation.linear import linear_map
from core.explanation.operand import Operand
from core.explanation.softmax import derive_softmax

ALLOWED, MASKED = Symbol("m")[I, J], Symbol("s", accent="tilde")
PAD, EXPONENTIAL, TOTAL = Symbol("pad"), Symbol("x"), Symbol("Z")


def project_to_heads(cell: Cell) -> Derivation:
    """Q = X W_Q, likewise K and V: one head takes d_k columns of the matrix (section 3.2.2)."""
    batch, h, p, e = cell.index
    letter, size = cell.site.value, cell.config.d_head
    if cell.site.location.kind == "by_hand":
        return _project_by_hand(cell, letter, p, e)
    row = HEAD * D_K + E
    return linear_map(
        cell,
        Symbol(letter, upper=(HEAD,))[P, E],
        Symbol("x")[P, D] * Symbol("W", mark=letter.upper())[D, row],
        Symbol("b", mark=letter.upper())[row],
        inputs=[(batch, p, d) for d in range(cell.config.d_model)],
        row=h * size + e,
        names=(f"w_{letter}", f"b_{letter}"),
        places={HEAD: h, P: p, E: e, D_K: size},
    )


def _project_by_hand(cell: Cell, letter: str, p: int, e: int) -> Derivation:
    """The same of the one head that somebody writes down, in the order of X W."""
    x, w = Symbol("x")[P, D], Symbol("W", mark=letter.upper())[D, E]
    widths = range(cell.config.d_model)
    return derive(
        Equation(Symbol(letter)[P, E], Sum(D, x * w)),
        cell.all_recorded(x, cell.site.inputs[0], [(0, p, d) for d in widths]),
        cell.all_learned(w, cell.site.location.beside(f"w_{letter}"), [(e, d) for d in widths]),
        places={P: p, E: e},
    )


def dot_product(cell: Cell) -> Derivation:
    """q·k of one head (equation 1, before the division)."""
    places = dict(zip((HEAD, I, J), cell.index[1:], strict=True))
    query, key = _query_and_key(cell)
    total = Sum(E, query[0].symbol * key[0].symbol)
    return derive(Equation(_of_head(cell, "r")[I, J], total), query, key, places=places)


def scaled_dot_product(cell: Cell) -> Derivation:
    """q·k/√d_k (equation 1)."""
    query, key = _query_and_key(cell)
    total = Sum(E, query[0].symbol * key[0].symbol)
    return derive(
        Equation(_of_head(cell, "s")[I, J], total / Root(D_K) if cell.config.scale_scores else total),
        query,
        key,
        Operand(D_K, cell.config.d_head),
        places=dict(zip((HEAD, I, J), cell.index[1:], strict=True)),
    )


def _query_and_key(cell: Cell) -> tuple[list[Operand], list[Operand]]:
    """The numbers of one query and one key of a head."""
    batch, h, i, j = cell.index
    q_site, k_site = cell.site.inputs
    places = range(cell.config.d_head)
    return (
        cell.all_recorded(_of_head(cell, "q")[I, E], q_site, [(batch, h, i, e) for e in places]),
        cell.all_recorded(_of_head(cell, "k")[J, E], k_site, [(batch, h, j, e) for e in places]),
    )


def _of_head(cell: Cell, letter: str) -> Symbol:
    """A letter with its head; where there is one head alone it needs none."""
    return Symbol(letter, upper=() if cell.site.location.kind == "by_hand" else (HEAD,))


def mask(cell: Cell) -> Derivation:
    """Whether a query may look at a key: no padding, and in the decoder's self-attention no future."""
    batch, i, j = cell.index
    where = cell.site.location
    if where.kind == "by_hand":
        return _not_later(cell, i, j)
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
        labels=("the key is not padding", "the key is not later"),
        magnitude=1.0,
    )


def _not_later(cell: Cell, i: int, j: int) -> Derivation:
    """Whether a query may look at a key where none is padding."""
    rule = Compare(J, "≤", I)
    if not cell.config.causal:
        return given(1.0)
    return derive(
        Equation(ALLOWED, rule),
        Operand(I, i),
        Operand(J, j),
        places={I: i, J: j},
        rows=(rule,),
        labels=("the key is not later",),
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
        places={HEAD: h, I: i, J: j},
        rows=(score.symbol, ALLOWED),
        labels=("score", "may look"),
        kind="look-up" if seen.value == 1.0 else "masked",
        magnitude=abs(score.value),
    )


def exponential(cell: Cell) -> Derivation:
    """e to the power of a score, with the largest of the row taken off first where it is beyond all reading."""
    _, h, i, j = cell.index
    own, largest = cell.recorded(MASKED[I, J], _masked_site(cell), *cell.index), _taken_off(cell)
    derivation = derive(
        Equation(EXPONENTIAL[I, J], exp(own.symbol - LARGEST if largest else own.symbol)),
        own,
        *([Operand(LARGEST, largest)] if largest else []),
        places={HEAD: h, I: i, J: j},
        rows=(own.symbol,),
        labels=("exponent",),
    )
    spread = 0.0 if own.value == -math.inf else abs(own.value - largest)
    return replace(derivation, magnitude=derivation.result * (1 + spread))


def total(cell: Cell) -> Derivation:
    """The sum of the exponentials of a query, by which its softmax divides."""
    batch, h, i = cell.index
    keys = range(cell.values(cell.site.inputs[0]).shape[3])
    exps = cell.all_recorded(
        EXPONENTIAL[I, J], cell.site.location.beside("exps"), [(batch, h, i, j) for j in keys]
    )
    return derive(Equation(TOTAL[I], Sum(J, EXPONENTIAL[I, J])), exps, places={HEAD: h, I: i})


def _masked_site(cell: Cell) -> str:
    return cell.site.location.beside("masked_scores")


def _taken_off(cell: Cell) -> float:
    """What is taken off the scores of a row before their exponentials: nothing, or the largest."""
    batch, h, i, _ = cell.index
    largest = float(cell.values(_masked_site(cell))[batch, h, i].max())
    return largest if largest > MOST_PLAIN else 0.0


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
        {HEAD: h, I: i, J: j},
    )


def weighted_sum(cell: Cell) -> Derivation:
    """The values of all keys, each times its weight (equation 1)."""
    batch, h, i, e = cell.index
    weights, values = cell.site.inputs
    keys = range(cell.values(weights).shape[3])
    a, v = _of_head(cell, "a")[I, J], _of_head(cell, "v")[J, E]
    return derive(
        Equation(_of_head(cell, "c")[I, E], Sum(J, a * v)),
        cell.all_recorded(a, weights, [(batch, h, i, j) for j in keys]),
        cell.all_recorded(v, values, [(batch, h, j, e) for j in keys]),
        places={HEAD: h, I: i, E: e},
    )


def join_heads(cell: Cell) -> Derivation:
    """All heads' contexts side by side, times W_O (section 3.2.2)."""
    batch, i, d = cell.index
    heads, size = cell.config.n_heads, cell.config.d_head
    return linear_map(
        cell,
        Symbol("o")[I, D],
        Symbol("c")[I, U] * Symbol("W", mark="O")[U, D],
        Symbol("b", mark="O")[D],
        inputs=[(batch, h, i, e) for h in range(heads) for e in range(size)],
        row=d,
        names=("out_proj.weight", "out_proj.bias"),
        places={I: i, D: d},
        where=(Equation(U, HEAD * D_K + E),),
    )
