r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.config import TransformerConfig
from core.decoding import autoregressive
from core.explanation.explain import explain
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.printing import (
    printed_probability,
)
from explorer.explaining.scene import Numbers, Scene
from explorer.explaining.written import which_token, written_token
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_log_prob, format_probability

IDEA = (
    "Each step reads the source and everything written so far, and gives a probability to every next "
    "token; greedy decoding takes the most probable one. Whatever is taken becomes part of what the next "
    "step reads, which is why one forced token can change all that follows."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """The step's probability, and the log-probability so far and of the whole output."""
    recorded, step = scene.recorded, scene.step
    token_id, probability = written_token(scene)
    log_probs = recorded.values("generator.log_probs")
    so_far = math.fsum(
        float(log_probs[t, i]) for t, i in enumerate(recorded.trace.tgt_out[: step + 1].tolist())
    )
    total = explain(recorded.run, recorded.trace, "hypothesis.log_prob").recorded
    return Numbers(
        (
            *scene.writing(),
            Piece(f"{which_token(scene)} has the probability "),
            number(format_probability(probability)),
            Piece(". Log P so far is "),
            number(format_log_prob(so_far, total=True)),
            *(
                (
                    Piece(f", and of all {len(recorded.outputs)} tokens "),
                    number(format_log_prob(total, total=True)),
                )
                if len(recorded.outputs) > 1
                else ()
            ),
            Piece("."),
        ),
        printed_probability(step, token_id, probability),
    )


def formula(sizes: Sizes) -> Formula:
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


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a decoding runs, step by step."""
    decoding = autoregressive._Decoding
    return (autoregressive.decode_steps, decoding.advance, decoding._choose)
