r"""One function for each operation of the catalogue: the terms of a cell and what is made of them.

Letters: p position, i query, j key, h head, e place in a head, d place in d_model, u hidden unit, v token.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch

from core.activations.sites import Operation
from core.explanation.cell import Cell, product
from core.explanation.explanation import Kind, Operand, Term
from core.model.feed_forward import ACTIVATIONS


@dataclass(frozen=True)
class Derivation:
    """What an operation says of a cell; the rest of an explanation is the same for all operations."""

    kind: Kind
    formula: str
    formula_with_sizes: str
    terms: tuple[Term, ...]
    result: float
    magnitude: float
    factor: Operand | None = None
    selected_by: Operand | None = None


def summed(
    formula: str, with_sizes: str, terms: tuple[Term, ...], factor: Operand | None = None
) -> Derivation:
    """A cell that is a sum, perhaps times a factor."""
    scale = 1.0 if factor is None else factor.value
    return Derivation(
        kind="sum",
        formula=formula,
        formula_with_sizes=with_sizes,
        terms=terms,
        result=scale * math.fsum(term.value for term in terms),
        magnitude=abs(scale) * math.fsum(abs(term.value) for term in terms),
        factor=factor,
    )


def embed(cell: Cell) -> Derivation:
    """A row of the table, picked by the token's id, times √d_model (section 3.4)."""
    batch, p, d = cell.index
    ids, size = cell.site.inputs[0], cell.config.d_model
    token = cell.recorded("t_p", ids, batch, p)
    row = int(token.value)
    weight = cell.learned("E_{t,d}", f"{cell.site.path}.weight", row, d)
    scale = Operand(r"\sqrt{d_{model}}", math.sqrt(size))
    term = product("row times scale", weight, scale)
    return Derivation(
        kind="product",
        formula=r"x_{p,d} = \sqrt{d_{model}}\; E_{t_p,d}",
        formula_with_sizes=rf"x_{{{p},{d}}} = \sqrt{{{size}}}\; E_{{{row},{d}}}",
        terms=(term,),
        result=term.value,
        magnitude=abs(term.value),
        selected_by=token,
    )


def position(cell: Cell) -> Derivation:
    """A sine or cosine of the position (section 3.5), or a learned vector."""
    _, p, d = cell.index
    learned = f"{cell.site.path}.positional.weight"
    if cell.has(learned):
        return _same(cell.learned("P_{p,d}", learned, p, d), rf"P_{{{p},{d}}}", r"P_{p,d}")
    size, pair = cell.config.d_model, d // 2
    divisor = 10000 ** (2 * pair / size)
    name, function = ("sin", math.sin) if d % 2 == 0 else ("cos", math.cos)
    operands = (Operand("p", p), Operand(r"10000^{2i/d_{model}}", divisor))
    return Derivation(
        kind="function",
        formula=rf"PE_{{p,{'2i' if d % 2 == 0 else '2i+1'}}} = \{name}\left(p / 10000^{{2i/d_{{model}}}}\right)",
        formula_with_sizes=rf"PE_{{{p},{d}}} = \{name}\left({p} / 10000^{{{2 * pair}/{size}}}\right)",
        terms=(Term("angle", operands, p / divisor),),
        result=function(p / divisor),
        magnitude=1.0,
    )


def add(cell: Cell) -> Derivation:
    """Two vectors added, place by place."""
    _, p, d = cell.index
    letters = "xy"
    terms = tuple(
        product(name, cell.recorded(f"{letter}_{{p,d}}", name, *cell.index))
        for letter, name in zip(letters, cell.site.inputs, strict=False)
    )
    both = len(terms) == 2
    return summed(
        rf"s_{{p,d}} = x_{{p,d}}{' + y_{p,d}' if both else ''}",
        rf"s_{{{p},{d}}} = x_{{{p},{d}}}{f' + y_{{{p},{d}}}' if both else ''}",
        terms,
    )


def _inner_product(
    cell: Cell, xs: Sequence[tuple[int, ...]], weight: str, bias: str, row: int, letters: tuple[str, str, str]
) -> tuple[Term, ...]:
    """The terms Σ x·W[row], and b[row] where there is a bias, with x at the given places of the cell's input."""
    x_symbol, w_symbol, column = letters
    (source,) = cell.site.inputs
    terms = [
        product(
            f"{column} = {place}",
            cell.recorded(x_symbol, source, *x),
            cell.learned(w_symbol, weight, row, place),
        )
        for place, x in enumerate(xs)
    ]
    if cell.has(bias):
        terms.append(product("bias", cell.learned("b", bias, row)))
    return tuple(terms)


def _shift(cell: Cell, bias: str, letter: str, *places: object) -> tuple[str, ...]:
    """What the formulas add for a bias, at each of these places; nothing where the model has none."""
    return tuple(rf" + {letter}_{{{place}}}" if cell.has(bias) else "" for place in places)


def project_to_heads(cell: Cell) -> Derivation:
    """Q = X·W_Q, likewise K and V: one head takes d_head rows of the matrix (section 3.2.2)."""
    batch, h, p, e = cell.index
    letter = cell.site.value
    upper, row = letter.upper(), h * cell.config.d_head + e
    size = cell.config.d_model
    xs = [(batch, p, d) for d in range(size)]
    weight, bias = f"{cell.site.path}.w_{letter}", f"{cell.site.path}.b_{letter}"
    terms = _inner_product(cell, xs, weight, bias, row, ("x_d", f"W^{upper}_{{e,d}}", "d"))
    shift, shift_here = _shift(cell, bias, f"b^{upper}", "h d_{head}+e", row)
    return summed(
        rf"{letter}^h_{{p,e}} = \sum_d x_{{p,d}}\, W^{upper}_{{h d_{{head}}+e,\,d}}{shift}",
        rf"{letter}^{{{h}}}_{{{p},{e}}} = \sum_{{d=0}}^{{{size - 1}}} x_{{{p},d}}\, W^{upper}_{{{row},d}}{shift_here}",
        terms,
    )


def scaled_dot_product(cell: Cell) -> Derivation:
    """q·k/√d_head (equation 1)."""
    batch, h, i, j = cell.index
    q_site, k_site = cell.site.inputs
    size = cell.config.d_head
    terms = tuple(
        product(
            f"e = {e}",
            cell.recorded("q_e", q_site, batch, h, i, e),
            cell.recorded("k_e", k_site, batch, h, j, e),
        )
        for e in range(size)
    )
    scaled = cell.config.scale_scores
    factor = Operand(r"1/\sqrt{d_{head}}", cell.config.score_scale) if scaled else None
    start, end = (r"\frac{1}{\sqrt{d_{head}}}", rf"\frac{{1}}{{\sqrt{{{size}}}}}") if scaled else ("", "")
    return summed(
        rf"s^h_{{i,j}} = {start}\sum_e q^h_{{i,e}}\, k^h_{{j,e}}",
        rf"s^{{{h}}}_{{{i},{j}}} = {end}\sum_{{e=0}}^{{{size - 1}}} q_{{{i},e}}\, k_{{{j},e}}",
        terms,
        factor,
    )


def mask(cell: Cell) -> Derivation:
    """Whether a query may look at a key: no padding, and in the decoder's self-attention no future."""
    batch, i, j = cell.index
    where = cell.site.location
    key = cell.recorded("t_j", "src" if where.key_side == "source" else "tgt_in", batch, j)
    causal = where.causal and cell.config.causal
    words = float(key.value != cell.config.pad_id)
    terms = [Term("the key is no padding", (key, Operand("pad", cell.config.pad_id)), words)]
    if causal:
        terms.append(Term("the key is not later", (Operand("i", i), Operand("j", j)), float(j <= i)))
    rule, sizes = r"t_j \neq pad", rf"t_{{{j}}} \neq {cell.config.pad_id}"
    return Derivation(
        kind="function",
        formula=f"m_{{i,j}} = [{rule}]" + (r"\cdot[j \le i]" if causal else ""),
        formula_with_sizes=f"m_{{{i},{j}}} = [{sizes}]" + (rf"\cdot[{j} \le {i}]" if causal else ""),
        terms=tuple(terms),
        result=math.prod(term.value for term in terms),
        magnitude=1.0,
    )


def apply_mask(cell: Cell) -> Derivation:
    """The score where the query may look, -inf where it may not (section 3.2.3)."""
    batch, _, i, j = cell.index
    scores, mask_site = cell.site.inputs
    score = cell.recorded("s_{i,j}", scores, *cell.index)
    seen = cell.recorded("m_{i,j}", mask_site, batch, i, j)
    visible = seen.value == 1.0
    return Derivation(
        kind="look-up" if visible else "masked",
        formula=r"\tilde s_{i,j} = s_{i,j} \text{ if } m_{i,j} = 1 \text{ else } -\infty",
        formula_with_sizes=rf"\tilde s_{{{i},{j}}} = " + (f"s_{{{i},{j}}}" if visible else r"-\infty"),
        terms=(
            Term("score", (score,), score.value),
            Term("may look", (seen,), seen.value),
        ),
        result=score.value if visible else -math.inf,
        magnitude=abs(score.value),
    )


def softmax(cell: Cell) -> Derivation:
    """exp(s_j)/Σ exp(s_j'), with the largest score taken off first, which changes nothing but the rounding."""
    batch, h, i, j = cell.index
    (masked,) = cell.site.inputs
    row = cell.values(masked)[batch, h, i].tolist()
    largest = max(row)
    if largest == -math.inf:
        terms = tuple(
            Term(f"j = {key}", (cell.recorded("s_j", masked, batch, h, i, key),), 0.0)
            for key in range(len(row))
        )
        result = magnitude = 0.0
    else:
        terms = tuple(
            Term(f"j = {key}", (cell.recorded("s_j", masked, batch, h, i, key),), math.exp(score - largest))
            for key, score in enumerate(row)
        )
        result = terms[j].value / math.fsum(term.value for term in terms)
        # A rounding of the score moves its exponential by as much, relatively.
        spread = max(abs(score - largest) for score in row if score != -math.inf)
        magnitude = result * (1 + spread)
    return Derivation(
        kind="ratio",
        formula=r"a_{i,j} = \frac{e^{\tilde s_{i,j}}}{\sum_{j'} e^{\tilde s_{i,j'}}}",
        formula_with_sizes=rf"a_{{{i},{j}}} = \frac{{e^{{\tilde s_{{{i},{j}}}}}}}"
        rf"{{\sum_{{j'=0}}^{{{len(row) - 1}}} e^{{\tilde s_{{{i},j'}}}}}}",
        terms=terms,
        result=result,
        magnitude=magnitude,
    )


def weighted_sum(cell: Cell) -> Derivation:
    """The values of all keys, each times its weight (equation 1)."""
    batch, h, i, e = cell.index
    weights, values = cell.site.inputs
    n_keys = cell.values(weights).shape[3]
    terms = tuple(
        product(
            f"j = {j}",
            cell.recorded("a_j", weights, batch, h, i, j),
            cell.recorded("v_j", values, batch, h, j, e),
        )
        for j in range(n_keys)
    )
    return summed(
        r"c^h_{i,e} = \sum_j a^h_{i,j}\, v^h_{j,e}",
        rf"c^{{{h}}}_{{{i},{e}}} = \sum_{{j=0}}^{{{n_keys - 1}}} a_{{{i},j}}\, v_{{j,{e}}}",
        terms,
    )


def join_heads(cell: Cell) -> Derivation:
    """All heads' contexts side by side, times W_O (section 3.2.2)."""
    batch, i, d = cell.index
    heads, size = cell.config.n_heads, cell.config.d_head
    xs = [(batch, h, i, e) for h in range(heads) for e in range(size)]
    weight, bias = f"{cell.site.path}.out_proj.weight", f"{cell.site.path}.out_proj.bias"
    terms = _inner_product(cell, xs, weight, bias, d, ("c_u", "W^O_{d,u}", "u"))
    shift, shift_here = _shift(cell, bias, "b^O", "d", d)
    return summed(
        rf"o_{{i,d}} = \sum_{{u}} c_{{i,u}}\, W^O_{{d,u}}{shift}, \qquad u = h\, d_{{head}} + e",
        rf"o_{{{i},{d}}} = \sum_{{u=0}}^{{{len(xs) - 1}}} c_{{{i},u}}\, W^O_{{{d},u}}{shift_here}",
        terms,
    )


def linear(cell: Cell) -> Derivation:
    """x·W + b with one row of W for each output: both feed-forward maps, and the generator without bias."""
    batch, p, row = cell.index
    module, letter, matrix = {
        "pre_activation": (".linear1", "f", "W^1"),
        "output": (".linear2", "o", "W^2"),
        "logits": ("", "l", "E" if cell.config.tie_embeddings else "W"),
    }[cell.site.value]
    weight, bias = (f"{cell.site.path}{module}.{name}" for name in ("weight", "bias"))
    xs = [(batch, p, place) for place in range(cell.values(cell.site.inputs[0]).shape[2])]
    terms = _inner_product(cell, xs, weight, bias, row, ("x_d", f"{matrix}_{{u,d}}", "d"))
    shift, shift_here = _shift(cell, bias, "b", "u", row)
    return summed(
        rf"{letter}_{{p,u}} = \sum_d x_{{p,d}}\, {matrix}_{{u,d}}{shift}",
        rf"{letter}_{{{p},{row}}} = \sum_{{d=0}}^{{{len(xs) - 1}}} x_{{{p},d}}\, {matrix}_{{{row},d}}{shift_here}",
        terms,
    )


def mean(cell: Cell) -> Derivation:
    """μ over d_model."""
    batch, p = cell.index
    (x,) = cell.site.inputs
    size = cell.config.d_model
    terms = tuple(product(f"d = {d}", cell.recorded("x_d", x, batch, p, d)) for d in range(size))
    return summed(
        r"\mu_p = \frac{1}{d_{model}} \sum_d x_{p,d}",
        rf"\mu_{{{p}}} = \frac{{1}}{{{size}}} \sum_{{d=0}}^{{{size - 1}}} x_{{{p},d}}",
        terms,
        Operand("1/d_{model}", 1 / size),
    )


def variance(cell: Cell) -> Derivation:
    """σ² over d_model, biased: divided by d_model and not by one less."""
    batch, p = cell.index
    (x,) = cell.site.inputs
    size = cell.config.d_model
    centre = cell.recorded(r"\mu", f"{cell.site.path}.mean", batch, p)
    # From the exact mean: the recorded one is rounded, and squaring would carry that along.
    exact = cell.values(x)[batch, p].double().mean().item()
    terms = tuple(
        Term(f"d = {d}", (value, centre), (value.value - exact) ** 2)
        for d in range(size)
        for value in (cell.recorded("x_d", x, batch, p, d),)
    )
    return summed(
        r"\sigma^2_p = \frac{1}{d_{model}} \sum_d (x_{p,d} - \mu_p)^2",
        rf"\sigma^2_{{{p}}} = \frac{{1}}{{{size}}} \sum_{{d=0}}^{{{size - 1}}} (x_{{{p},d}} - \mu_{{{p}}})^2",
        terms,
        Operand("1/d_{model}", 1 / size),
    )


def normalize(cell: Cell) -> Derivation:
    """(x - μ)/√(σ² + ε)."""
    batch, p, d = cell.index
    (x_site,) = cell.site.inputs
    x = cell.recorded("x_d", x_site, batch, p, d)
    mu = cell.recorded(r"\mu", f"{cell.site.path}.mean", batch, p)
    sigma2 = cell.recorded(r"\sigma^2", f"{cell.site.path}.variance", batch, p)
    eps = Operand(r"\varepsilon", cell.config.norm_eps)
    spread = math.sqrt(sigma2.value + eps.value)
    return Derivation(
        kind="ratio",
        formula=r"n_{p,d} = \frac{x_{p,d} - \mu_p}{\sqrt{\sigma^2_p + \varepsilon}}",
        formula_with_sizes=rf"n_{{{p},{d}}} = \frac{{x_{{{p},{d}}} - \mu_{{{p}}}}}"
        rf"{{\sqrt{{\sigma^2_{{{p}}} + {eps.value:g}}}}}",
        terms=(Term("above", (x, mu), x.value - mu.value), Term("below", (sigma2, eps), spread)),
        result=(x.value - mu.value) / spread,
        magnitude=(abs(x.value) + abs(mu.value)) / spread,
    )


def scale_and_shift(cell: Cell) -> Derivation:
    """γ·n + β."""
    _, p, d = cell.index
    (normalized,) = cell.site.inputs
    gamma = cell.learned(r"\gamma_d", f"{cell.site.path}.weight", d)
    beta = cell.learned(r"\beta_d", f"{cell.site.path}.bias", d)
    n = cell.recorded("n_{p,d}", normalized, *cell.index)
    derivation = summed(
        r"y_{p,d} = \gamma_d\, n_{p,d} + \beta_d",
        rf"y_{{{p},{d}}} = \gamma_{{{d}}}\, n_{{{p},{d}}} + \beta_{{{d}}}",
        (product("scaled", gamma, n), product("shift", beta)),
    )
    # n is itself a difference, x - μ, and carries the rounding of both.
    behind = normalize(replace(cell, site=cell.trace.activations.site(normalized)))
    return replace(derivation, magnitude=derivation.magnitude + abs(gamma.value) * behind.magnitude)


def activation(cell: Cell) -> Derivation:
    """ReLU, GELU (with the exact error function) or SiLU of one number."""
    _, p, u = cell.index
    name = cell.config.activation
    x = cell.recorded("f_{p,u}", cell.site.inputs[0], *cell.index)
    body = {"relu": r"\max(0, {x})", "gelu": r"{x}\,\Phi({x})", "silu": r"{x}/(1 + e^{-{x}})"}[name]
    result = ACTIVATIONS[name](torch.tensor(x.value, dtype=torch.float64)).item()
    return Derivation(
        kind="function",
        formula="g_{p,u} = " + body.replace("{x}", "f_{p,u}"),
        formula_with_sizes=f"g_{{{p},{u}}} = " + body.replace("{x}", f"f_{{{p},{u}}}"),
        terms=(Term("argument", (x,), x.value),),
        result=result,
        magnitude=abs(x.value),
    )


def copy(cell: Cell) -> Derivation:
    """The same number under the name that the next part reads it by."""
    _, p, d = cell.index
    return _same(cell.recorded("x_{p,d}", cell.site.inputs[0], *cell.index), rf"x_{{{p},{d}}}", r"x_{p,d}")


def log_softmax(cell: Cell) -> Derivation:
    """l - log Σ exp(l): the logit, less what makes all probabilities sum to 1."""
    batch, p, token = cell.index
    (logits,) = cell.site.inputs
    row = cell.values(logits)[batch, p].tolist()
    largest = max(row)
    terms = tuple(
        Term(f"v = {v}", (cell.recorded("l_v", logits, batch, p, v),), math.exp(logit - largest))
        for v, logit in enumerate(row)
    )
    log_total = largest + math.log(math.fsum(term.value for term in terms))
    return Derivation(
        kind="function",
        formula=r"\log P_p(v) = l_{p,v} - \log \sum_{v'} e^{l_{p,v'}}",
        formula_with_sizes=rf"\log P_{{{p}}}({token}) = l_{{{p},{token}}} - "
        rf"\log \sum_{{v'=0}}^{{{len(row) - 1}}} e^{{l_{{{p},v'}}}}",
        terms=terms,
        result=row[token] - log_total,
        magnitude=abs(row[token]) + abs(log_total) + 1,
    )


def _same(operand: Operand, here: str, formula: str) -> Derivation:
    return Derivation(
        kind="look-up",
        formula=rf"y = {formula}",
        formula_with_sizes=rf"y = {here}",
        terms=(product("the same number", operand),),
        result=operand.value,
        magnitude=abs(operand.value),
    )


OPERATIONS: dict[Operation, Callable[[Cell], Derivation]] = {
    "embed": embed,
    "position": position,
    "add": add,
    "project_to_heads": project_to_heads,
    "scaled_dot_product": scaled_dot_product,
    "mask": mask,
    "apply_mask": apply_mask,
    "softmax": softmax,
    "weighted_sum": weighted_sum,
    "join_heads": join_heads,
    "mean": mean,
    "variance": variance,
    "normalize": normalize,
    "scale_and_shift": scale_and_shift,
    "linear": linear,
    "activation": activation,
    "copy": copy,
    "log_softmax": log_softmax,
}
