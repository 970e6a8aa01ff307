r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.activations.trace import trace
from core.config import TransformerConfig
from core.decoding import autoregressive
from core.explanation.explain import explain
from core.model.decoder import Decoder
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.printing import (
    WEIGHT_DECIMALS,
    printed_probability,
)
from explorer.explaining.scene import Numbers, Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_log_prob, format_probability

HOME_IDEA = (
    "The encoder reads the whole source once; the decoder then writes the output one token at a time, "
    "reading the source and its own output so far. Each new token is only a score for every token of the "
    "vocabulary until one is taken, so what you see here is the whole way from scores to text."
)
"""What it does and why it is there, in two sentences."""


STEPS_IDEA = (
    "Each step reads the source and everything written so far, and gives a probability to every next "
    "token; greedy decoding takes the most probable one. Whatever is taken becomes part of what the next "
    "step reads, which is why one forced token can change all that follows."
)
"""What it does and why it is there, in two sentences."""


def home(scene: Scene) -> Numbers:
    """The chosen token, and what the last decoder layer's heads read for it on average."""
    recorded, step = scene.recorded, scene.step
    layer = scene.layer("decoder")
    weights = recorded.values(f"decoder.layers.{layer}.cross_attn.weights")
    row = weights[:, step].mean(axis=0) if scene.state.look.head is None else weights[scene.head, step]
    key = int(row.argmax())
    mean = scene.state.look.head is None
    readers = (
        f"On average the {len(weights)} heads of decoder layer {layer} give"
        if mean
        else (f"Head {scene.head} of decoder layer {layer} gives")
    )
    token_id, probability = _produced(scene)
    shown = printed_probability(step, token_id, probability)
    return Numbers(
        (
            *scene.where("decoder"),
            Piece(f"{_which_token(scene)} has the probability "),
            number(shown.text),
            Piece(f". {readers} "),
            Piece(recorded.source[key], "source"),
            Piece(" the largest weight, "),
            number(f"{row[key]:.{WEIGHT_DECIMALS}f}"),
            Piece("."),
        ),
        shown,
    )


def step_by_step(scene: Scene) -> Numbers:
    """The step's probability, and the log-probability so far and of the whole output."""
    recorded, step = scene.recorded, scene.step
    token_id, probability = _produced(scene)
    log_probs = recorded.values("generator.log_probs")
    so_far = math.fsum(
        float(log_probs[t, i]) for t, i in enumerate(recorded.trace.tgt_out[: step + 1].tolist())
    )
    total = explain(recorded.run, recorded.trace, "hypothesis.log_prob").recorded
    return Numbers(
        (
            *scene.where("decoder"),
            Piece(f"{_which_token(scene)} has the probability "),
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


def _which_token(scene: Scene) -> str:
    """What the produced token is called: of those in the prefix some are what the model would have taken anyway."""
    recorded, step = scene.recorded, scene.step
    if step >= len(scene.state.decoding.prefix):
        return "that token"
    log_probs = recorded.values("generator.log_probs")[step].copy()
    log_probs[[recorded.run.config.pad_id, recorded.run.config.bos_id]] = -math.inf
    return "that token" if log_probs.argmax() == recorded.trace.tgt_out[step] else "this forced token"


def _produced(scene: Scene) -> tuple[int, float]:
    """Id and probability of the token of the step."""
    token_id = int(scene.recorded.trace.tgt_out[scene.step])
    log_prob = scene.recorded.values("generator.log_probs")[scene.step, token_id]
    return token_id, math.exp(float(log_prob))


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


def step_functions(config: TransformerConfig) -> tuple[Callable, ...]:
    """What a decoding runs, step by step."""
    decoding = autoregressive._Decoding
    return (autoregressive.decode_steps, decoding.advance, decoding._choose)


def home_functions(config: TransformerConfig) -> tuple[Callable, ...]:
    """What happens for one token, and how it was recorded."""
    decoding = autoregressive._Decoding
    return (decoding.advance, decoding._choose, trace, Decoder.forward)
