r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from core.config import TransformerConfig
from core.model.generator import Generator
from explorer.explaining.formula import Formula, Sizes, space
from explorer.explaining.printing import (
    printed_probability,
)
from explorer.explaining.scene import Numbers, Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_count, format_probability, format_signed

IDEA = (
    "At each step the decoder’s output vector is multiplied by one row for each token of the "
    "vocabulary, which gives that token’s logit, and the softmax turns the logits into probabilities. "
    "Training needs a probability for every possible next token, and decoding needs them to choose one."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """Logit, probability and rank of the written token, and the entropy of the distribution."""
    step = scene.step
    written = int(scene.recorded.trace.tgt_out[step])
    # The largest logit in size may be that of an impossible token: unless somebody asks, it is the written one’s.
    asked = scene.marked.numbers.get("vocab") if scene.marked is not None and scene.marked.explained else None
    token_id = written if asked is None else asked
    token = Piece(scene.recorded.run.tgt_tokenizer.vocabulary.token(token_id), "target")
    whose = (
        (Piece("its logit is "),) if token_id == written else (Piece("the logit of "), token, Piece(" is "))
    )
    logits = scene.recorded.values("generator.logits")[step]
    log_probs = scene.recorded.values("generator.log_probs")[step].astype(np.float64)
    rank = 1 + int((logits > logits[token_id]).sum())
    entropy = -float((np.exp(log_probs) * log_probs).sum()) / math.log(2)
    probability = math.exp(log_probs[token_id])
    shown = format_probability(probability)
    return Numbers(
        (
            *scene.writing(),
            *whose,
            number(format_signed(float(logits[token_id]))),
            Piece(f", rank {rank} of {format_count(len(logits))} tokens. The softmax makes it "),
            number(shown),
            Piece(", and the whole distribution has an entropy of "),
            number(f"{max(entropy, 0.0):.2f}"),
            Piece(" bits."),
        ),
        printed_probability(step, token_id, probability),
    )


def formula(sizes: Sizes) -> Formula:
    """Logits and their softmax."""
    config = sizes.config
    matrix = "E" if config.tie_embeddings else "W"
    v = config.tgt_vocab_size
    logits, softmax = r"z = x\, %s^{\top}", r"p_v = \frac{e^{z_v}}{\sum_{v'=0}^{%s} e^{z_{v'}}}"
    return Formula(
        "Section 3.4",
        (logits % matrix, softmax % "V-1"),
        (logits % matrix, softmax % (v - 1), rf"{matrix} \in {space(v, config.d_model)}"),
        (
            ("x", "the decoder’s output at the position"),
            (
                matrix,
                "the table of the embeddings, used once more"
                if config.tie_embeddings
                else "a learned matrix of its own",
            ),
            ("z_v", "logit of token v"),
            ("p_v", "its probability"),
            ("V", "tokens of the vocabulary"),
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    return (Generator.forward,)
