r"""The formulas of the pages that show a whole run: the map, the decoding, sampling, and beam search."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from explorer.explanations.formulas import BLOCK_FORMULAS, Formula, Sizes
from explorer.state import ExplorerState


def the_map(sizes: Sizes, state: ExplorerState) -> Formula:
    """The whole model in three lines."""
    config = sizes.config
    d, v = config.d_model, config.tgt_vocab_size
    return Formula(
        "Figure 1",
        (
            r"Z = \text{encoder}(\text{embed}(x))",
            r"Y = \text{decoder}(\text{embed}(y_{<t}), Z)",
            r"P(y_t \mid y_{<t}, x) = \text{softmax}\left(Y_t\, W^{\top}\right)",
        ),
        (
            rf"Z \in \mathbb{{R}}^{{{sizes.n_source} \times {d}}} \text{{ after }} "
            rf"{config.n_encoder_layers} \text{{ layers}}",
            rf"Y \in \mathbb{{R}}^{{{sizes.n_outputs} \times {d}}} \text{{ after }} "
            rf"{config.n_decoder_layers} \text{{ layers}}",
            rf"W \in \mathbb{{R}}^{{{v} \times {d}}}, \quad t = 0, \dots, {sizes.n_outputs - 1}",
        ),
        (
            ("x", "source tokens"),
            ("y", "output tokens; before the first one stands the start mark"),
            ("Z", "the encoder’s output, which the decoder’s cross-attention reads"),
            ("Y", "the decoder’s output, a row for each step"),
            (
                "W",
                "output matrix, here the table of the embeddings"
                if config.tie_embeddings
                else "output matrix",
            ),
        ),
    )


def decoding(sizes: Sizes, state: ExplorerState) -> Formula:
    """The chain of conditional probabilities, and greedy's choice."""
    chain = r"P(y \mid x) = \prod_{t=0}^{%s} P(y_t \mid y_{<t}, x)"
    last, v = sizes.n_outputs - 1, sizes.config.tgt_vocab_size
    return Formula(
        "Section 3; the paper searches with a beam",
        (r"y_t = \arg\max_v P(v \mid y_{<t}, x)", chain % "T-1"),
        (rf"y_t = \arg\max_{{v = 0, \dots, {v - 1}}} P(v \mid y_{{<t}}, x)", chain % last),
        (
            ("x", f"the source, {sizes.n_source} tokens"),
            ("y_t", "token of step t; a forced one need not be the most probable"),
            ("y_{<t}", "all tokens before it"),
            ("T", "tokens of the output"),
        ),
    )


def sampling(sizes: Sizes, state: ExplorerState) -> Formula:
    """Softmax at a temperature over the kept tokens."""
    symbols = (
        ("z_v", "logit of token v"),
        (r"\tau", "temperature"),
        ("N", "tokens that top-k and top-p keep"),
        ("u", "random number from 0 to 1"),
        ("y", "first token whose running sum exceeds it"),
    )
    share = r"p_v = \frac{e^{z_v / %s}}{\sum_{v' \in N} e^{z_{v'} / %s}} \text{ for } v \in N"
    draw = r"y = \min \Big\{ v : \sum_{v' \le v} p_{v'} > u \Big\}"
    v = sizes.config.tgt_vocab_size
    here: tuple[str, ...] = (r"\tau \to 0: \quad y = \arg\max_v z_v",)
    if state.temperature:
        k = v if state.top_k is None else min(state.top_k, v)
        tau = f"{state.temperature:g}"
        here = (share % (tau, tau), draw, rf"|N| \le {k}, \quad \text{{top-p }} {state.top_p:g}")
    return Formula(
        "Not in the paper, which searches with a beam",
        (share % (r"\tau", r"\tau"), draw),
        (*here, rf"v = 0, \dots, {v - 1}"),
        symbols,
    )


def beams(sizes: Sizes, state: ExplorerState) -> Formula:
    """The score that hypotheses are compared by."""
    body = r"s(y) = \frac{\log P(y \mid x)}{\left((5 + |y|)/6\right)^{%s}}"
    return Formula(
        "Section 6.1, with equation 14 of Wu et al. 2016",
        (body % r"\alpha",),
        (body % f"{state.length_penalty:g}", rf"\text{{width }} {state.beam_width}"),
        (
            ("y", "an output, finished or still growing"),
            ("|y|", "its tokens, the end token included"),
            (r"\alpha", "length penalty; 0 compares by the probability alone"),
        ),
    )


PAGE_FORMULAS: Mapping[str, Callable[[Sizes, ExplorerState], Formula]] = {
    "home": decoding,
    "map": the_map,
    "step-by-step": decoding,
    "sampling-lab": sampling,
    "beams": beams,
}
"""By the key of the page."""


def formula_of(block: str, sizes: Sizes, state: ExplorerState) -> Formula:
    """The formula of a block or a page.

    Args:
        block: Its key.
        sizes: Of the run.
        state: For the settings of sampling and beam search.
    """
    if block in BLOCK_FORMULAS:
        return BLOCK_FORMULAS[block](sizes)
    return PAGE_FORMULAS[block](sizes, state)
