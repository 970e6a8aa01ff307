r"""The formula of each block in the paper's letters, and the same with the sizes of the current run put in.

What goes into the LaTeX is written here, or is a number of the configuration or of the run: no token, no text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.config import TransformerConfig


@dataclass(frozen=True)
class Sizes:
    """The numbers that replace letters: those of the model, and the lengths of source and output."""

    config: TransformerConfig
    n_source: int
    n_outputs: int


@dataclass(frozen=True)
class Formula:
    """A formula.

    Attributes:
        reference: Where the paper has it.
        letters: LaTeX, line by line; short ones, so that a phone has room for each.
        sizes: The same with the current sizes.
        symbols: Each symbol, as LaTeX, with what it is.
    """

    reference: str
    letters: tuple[str, ...]
    sizes: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]


def latex(lines: tuple[str, ...]) -> str:
    """The lines of a formula as one piece of LaTeX."""
    return (
        lines[0] if len(lines) == 1 else r"\begin{gathered} " + r" \\[6pt] ".join(lines) + r" \end{gathered}"
    )


def _space(rows: object, columns: object) -> str:
    return rf"\mathbb{{R}}^{{{rows} \times {columns}}}"


def tokens(sizes: Sizes) -> Formula:
    """The look-up, times √d_model."""
    config = sizes.config
    shared = "shared by source, target and output" if config.tie_embeddings else "of the source alone"
    return Formula(
        "Section 3.4",
        (r"x_p = \sqrt{d_{\text{model}}}\; E_{t_p}",),
        (
            rf"x_p = \sqrt{{{config.d_model}}}\; E_{{t_p}}, \quad p = 0, \dots, {sizes.n_source - 1}",
            rf"E \in {_space(config.src_vocab_size, config.d_model)}",
        ),
        (
            ("t_p", "id of the token at position p"),
            ("E", f"learned table with a row for each token, {shared}"),
            (r"d_{\text{model}}", "numbers in a vector"),
            ("x_p", "vector of the token, before its position is added"),
        ),
    )


def positions(sizes: Sizes) -> Formula:
    """Sines and cosines, a learned table, or nothing."""
    config = sizes.config
    added = ("P", "what the positions add, one row for each")
    if config.positional == "none":
        return Formula(
            "Not in the paper: a model without positions",
            ("x_p = e_p",),
            (rf"x_p = e_p, \quad x_p \in \mathbb{{R}}^{{{config.d_model}}}",),
            (
                ("x_p", "what the first layer reads at position p"),
                ("e_p", "vector of the token, times the square root of its size"),
            ),
        )
    if config.positional == "learned":
        return Formula(
            "Section 3.5, the learned alternative",
            ("x_p = e_p + P_p",),
            ("x_p = e_p + P_p", rf"P \in {_space(config.max_len, config.d_model)}"),
            (("e_p", "vector of the token at position p"), added, ("x_p", "what the first layer reads")),
        )

    def waves(size: object) -> tuple[str, ...]:
        return (
            rf"PE_{{p,\,2i}} = \sin\!\left(p / 10000^{{2i/{size}}}\right)",
            rf"PE_{{p,\,2i+1}} = \cos\!\left(p / 10000^{{2i/{size}}}\right)",
        )

    last = (config.d_model - 1) // 2
    return Formula(
        "Section 3.5",
        waves(r"d_{\text{model}}"),
        (*waves(config.d_model), rf"i = 0, \dots, {last}, \quad p = 0, \dots, {sizes.n_source - 1}"),
        (
            ("p", "position, from 0"),
            ("i", "number of the pair of places: one sine, one cosine"),
            (r"d_{\text{model}}", "numbers in a vector"),
            ("PE", "what is added to the vectors of the tokens"),
        ),
    )


def attention(stack: str, kind: str) -> Callable[[Sizes], Formula]:
    """Scaled dot-product attention in several heads."""

    def of(sizes: Sizes) -> Formula:
        config = sizes.config
        masked = stack == "decoder" and kind == "self" and config.causal
        queries = sizes.n_source if stack == "encoder" else sizes.n_outputs
        keys = sizes.n_outputs if stack == "decoder" and kind == "self" else sizes.n_source
        mask = " + M" if masked else ""
        head = r"\text{head}_h = \text{softmax}\!\left(%s\right) V_h"
        joined = r"\text{MultiHead} = \left[\text{head}_0 \cdots \text{head}_{%s}\right] W^O"
        scores = r"\frac{Q_h K_h^{\top}}{\sqrt{%s}}" if config.scale_scores else r"Q_h K_h^{\top}%.0s"
        source = "X" if kind == "self" else "Z"
        bias = config.attention_bias
        project = tuple(
            f"{letter} = {x} W^{letter}" + (f" + b^{letter}" if bias else "")
            for letter, x in (("Q", "X"), ("K", source), ("V", source))
        )
        d, e, h = config.d_model, config.d_head, config.n_heads
        letter = r"d_{\text{head}}"
        symbols = [
            ("Q, K, V", "queries, keys and values; each head has its own slice of them"),
            ("X", "what the sub-layer reads, a row for each token"),
            ("h", "number of the head, from 0"),
            (r"W^Q, W^K, W^V, W^O", "learned matrices"),
        ]
        if bias:
            symbols.append(("b^Q, b^K, b^V", "learned biases; a fourth is added after the last matrix"))
        if kind == "cross":
            symbols.insert(2, ("Z", "the encoder’s output, a row for each source token"))
        if config.scale_scores:
            symbols.append((r"d_{\text{head}}", "numbers of a head’s query, key or value"))
        if masked:
            symbols.append(("M", "0 where the query may look, minus infinity where it may not"))
        return Formula(
            "Equation 1 and section 3.2.2"
            + ("" if config.scale_scores else "; this model leaves out the division by the root"),
            (*project, head % (scores % letter + mask), joined % "H-1"),
            (
                rf"X \in {_space(queries, d)}"
                + (rf", \quad Z \in {_space(keys, d)}" if kind == "cross" else ""),
                rf"Q_h \in {_space(queries, e)}, \quad K_h, V_h \in {_space(keys, e)}",
                rf"Q_h K_h^{{\top}} \in {_space(queries, keys)}",
                head % (scores % e + mask),
                joined % (h - 1),
                rf"W^O \in {_space(d, d)}",
            ),
            (*symbols, ("H", "number of heads")),
        )

    return of


def masks(sizes: Sizes) -> Formula:
    """Minus infinity where a query may not look."""
    causal = sizes.config.causal
    rule = r"t_j \ne \text{pad}" + (r" \text{ and } j \le i" if causal else "")
    size = sizes.n_outputs
    symbols: tuple[tuple[str, str], ...] = (
        ("i", "position of the query, here in the decoder’s self-attention"),
        ("j", "position of the key"),
        ("t_j", "token at the key’s position"),
        (r"\tilde s_{i,j}", "score after the mask, which goes into the softmax"),
    )
    body = r"\tilde s_{i,j} = \begin{cases} s_{i,j} & %s \\ -\infty & \text{otherwise} \end{cases}"
    return Formula(
        "Sections 3.1 and 3.2.3" + ("" if causal else "; this model may look ahead"),
        (body % rule,),
        (body % rule.replace("pad", str(sizes.config.pad_id)), rf"i, j = 0, \dots, {size - 1}"),
        (*symbols, (r"s_{i,j}", "score of query i with key j")),
    )


def add_norm(sizes: Sizes) -> Formula:
    """The residual sum and the layer norm, in the order of the model."""
    config = sizes.config
    post = config.norm_position == "post"
    line = (
        r"y = \text{LayerNorm}\left(x + \text{sublayer}(x)\right)"
        if post
        else r"y = x + \text{sublayer}\left(\text{LayerNorm}(x)\right)"
    )
    norm = r"\text{LayerNorm}(s) = \gamma \odot \frac{s - \mu}{\sqrt{\sigma^2 + %s}} + \beta"
    mu, sigma = r"\mu = \frac{1}{%s} \sum_d s_d", r"\sigma^2 = \frac{1}{%s} \sum_d (s_d - \mu)^2"
    d, eps = config.d_model, _power(config.norm_eps)
    letters, epsilon = r"d_{\text{model}}", r"\varepsilon"
    return Formula(
        "Section 3.1" if post else "Pre-norm, a later variant of section 3.1",
        (line, norm % epsilon, mu % letters, sigma % letters),
        (line, norm % eps, mu % d, sigma % d),
        (
            ("x", "what the sub-layer reads, one vector for each position"),
            ("s", "the vector that is normalised"),
            (r"\mu, \sigma^2", "mean and variance over the numbers of one vector"),
            (r"\gamma, \beta", "learned scale and shift, a number for each place"),
            (r"\varepsilon", "a small number against division by zero"),
        ),
    )


def feed_forward(sizes: Sizes) -> Formula:
    """Two linear maps with a non-linearity between."""
    config = sizes.config
    inner = "x W_1 + b_1"
    hidden = {
        "relu": rf"\max(0,\; {inner})",
        "gelu": rf"\text{{GELU}}\left({inner}\right)",
        "silu": rf"\text{{SiLU}}\left({inner}\right)",
    }[config.activation]
    extra = {
        "relu": (),
        "gelu": (
            (r"\text{GELU}(z) = z\,\Phi(z)", "with the normal distribution’s Φ; the paper has max(0, z)"),
        ),
        "silu": ((r"\text{SiLU}(z) = z / (1 + e^{-z})", "the paper has max(0, z)"),),
    }[config.activation]
    formula = rf"\text{{FFN}}(x) = {hidden}\, W_2 + b_2"
    d, inner_size = config.d_model, config.d_ff
    return Formula(
        "Equation 2" if config.activation == "relu" else "Equation 2, with another non-linearity",
        (formula,),
        (formula, rf"W_1 \in {_space(d, inner_size)}, \quad W_2 \in {_space(inner_size, d)}"),
        (
            ("x", "one position’s vector"),
            ("W_1, W_2", "learned matrices, the same at every position"),
            ("b_1, b_2", "learned biases"),
            *extra,
        ),
    )


def output(sizes: Sizes) -> Formula:
    """Logits and their softmax."""
    config = sizes.config
    matrix = "E" if config.tie_embeddings else "W"
    v = config.tgt_vocab_size
    logits, softmax = r"\ell = x\, %s^{\top}", r"P(v) = \frac{e^{\ell_v}}{\sum_{v'=0}^{%s} e^{\ell_{v'}}}"
    return Formula(
        "Section 3.4",
        (logits % matrix, softmax % "V-1"),
        (logits % matrix, softmax % (v - 1), rf"{matrix} \in {_space(v, config.d_model)}"),
        (
            ("x", "the decoder’s output at the position"),
            (
                matrix,
                "the table of the embeddings, used once more"
                if config.tie_embeddings
                else "a learned matrix of its own",
            ),
            (r"\ell_v", "logit of token v"),
            ("V", "tokens of the vocabulary"),
        ),
    )


def _power(value: float) -> str:
    """A small number as LaTeX: 1e-05 is 10^{-5}."""
    mantissa, exponent = f"{value:e}".split("e")
    digits = mantissa.rstrip("0").rstrip(".")
    return (rf"{digits} \cdot " if digits != "1" else "") + f"10^{{{int(exponent)}}}"


BLOCK_FORMULAS: Mapping[str, Callable[[Sizes], Formula]] = {
    "tokens": tokens,
    "positions": positions,
    "self-attention": attention("encoder", "self"),
    "masked-self-attention": attention("decoder", "self"),
    "cross-attention": attention("decoder", "cross"),
    "masks": masks,
    "add-norm": add_norm,
    "feed-forward": feed_forward,
    "output": output,
}
"""By the key of the block."""
