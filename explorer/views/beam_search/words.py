r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable

from core.config import TransformerConfig
from core.decoding import beam
from core.decoding.beam import length_penalty
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_log_prob
from explorer.models.decodings import beam_of

IDEA = (
    "Beam search keeps several unfinished outputs side by side and extends all of them, because the most "
    "probable next token does not always lead to the most probable whole output. Every further token "
    "makes an output less probable, so scores are divided by a length penalty before they are compared."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """Score of the best output, and of greedy's."""
    run, state = scene.recorded.run, scene.state
    tree = beam_of(run, state.sentence, state.beam.width, state.beam.length_penalty)
    best, greedy = tree.nodes[tree.n_best[0]], tree.nodes[tree.greedy[-1]]
    length = best.step + 1
    shown = format_log_prob(best.score, total=True)
    config = (
        f"BeamConfig(width={tree.width}, length_penalty={tree.length_penalty!r}, max_length=run.output_limit)"
    )
    return Numbers(
        (
            Piece(f"The best output of {length} tokens has log P "),
            number(format_log_prob(best.log_prob, total=True)),
            Piece("; divided by its length penalty "),
            number(f"{length_penalty(length, tree.length_penalty):.3f}"),
            Piece(" it scores "),
            number(shown),
            Piece(". Greedy’s output of "),
            Piece(f"{greedy.step + 1} tokens scores "),
            number(format_log_prob(greedy.score, total=True)),
            Piece("."),
        ),
        Shown(
            shown,
            (f"best = beam_search(run.model, src[None], {config})[0]", 'print(f"{best.score:.3f}")'),
            ("BeamConfig", "beam_search"),
            needs_trace=False,
        ),
    )


def formula(sizes: Sizes) -> Formula:
    """The score that hypotheses are compared by."""
    body = r"s(y) = \frac{\log P(y \mid x)}{\left((5 + |y|)/6\right)^{%s}}"
    return Formula(
        "Section 6.1, with equation 14 of Wu et al. 2016",
        (body % r"\alpha",),
        (body % f"{sizes.state.beam.length_penalty:g}", rf"\text{{width }} {sizes.state.beam.width}"),
        (
            ("y", "an output, finished or still growing"),
            ("|y|", "its tokens, EOS included"),
            (r"\alpha", "length penalty; 0 compares by the probability alone"),
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    return (
        beam._BeamSearch.advance,
        beam._BeamSearch.expand,
        beam._SourceSearch.prune,
        beam.length_penalty,
    )
