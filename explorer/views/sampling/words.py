r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.config import DecodeConfig, TransformerConfig
from core.decoding.sampling import _softmax, sampling_pipeline
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.printing import WEIGHT_DECIMALS, probability_form
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_probability
from explorer.views.sampling.cached import sampled_output_of
from explorer.views.sampling.data import SampledOutput, columns_of, sampling_config
from explorer.visitor.step import shown_step

IDEA = (
    "Instead of always taking the most probable token, one random number picks a token, each as often as "
    "it is probable. Temperature, top-k and top-p change these probabilities first, so that outputs vary "
    "without tokens that the model gives almost no probability."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """What the settings leave of the distribution at a step, and which number drew the token."""
    run, state = scene.recorded.run, scene.state
    config = sampling_config(run, state)
    drawn = sampled_output_of(run, state.sentence, config, state.decoding.prefix)
    step = shown_step(state, scene.recorded, drawn.last_step)
    token, token_id = Piece(drawn.tokens[step], "target"), drawn.token_ids[step]
    if not config.temperature:
        return _taken(config, drawn, step, token, state.decoding.prefix)
    columns = columns_of(run, drawn, config, step)
    probability, kept = float(columns.probs[token_id]), int(columns.kept_by_top_p.sum())
    forced = step < drawn.n_forced
    shown = format_probability(probability)
    return Numbers(
        (
            Piece(f"At step {step} the settings keep "),
            number(str(kept)),
            Piece(f" of {len(columns.logits)} tokens, and "),
            token,
            Piece(" has the probability "),
            number(shown),
            Piece(" among them. "),
            *(
                (Piece("It was forced, not drawn."),)
                if forced
                else (
                    Piece("The drawn number "),
                    number(f"{drawn.uniform[step]:.{WEIGHT_DECIMALS}f}"),
                    Piece(" falls into its part of the line from 0 to 1."),
                )
            ),
        ),
        _sampled(
            shown,
            (*_steps(config, state.decoding.prefix), f"probs = steps[{step}].sampling.probs"),
            f"probs[0, {token_id}]",
            probability,
        ),
    )


def _taken(
    config: DecodeConfig, drawn: SampledOutput, step: int, token: Piece, prefix: tuple[int, ...]
) -> Numbers:
    """The probability of the token that is taken at temperature 0."""
    probability = math.exp(float(drawn.log_probs[step]))
    shown = format_probability(probability)
    return Numbers(
        (
            Piece(f"At temperature 0 nothing is drawn. At step {step} the model gives "),
            token,
            Piece(" the probability "),
            number(shown),
            Piece(", and it was forced." if step < drawn.n_forced else ", the largest of all."),
        ),
        _sampled(shown, _steps(config, prefix), f"steps[{step}].log_prob[0].exp()", probability),
    )


def _steps(config: DecodeConfig, prefix: tuple[int, ...]) -> tuple[str, ...]:
    settings = "max_length=run.output_limit"
    if config.temperature:
        settings += (
            f", temperature={config.temperature!r}, top_k={config.top_k!r}, "
            f"top_p={config.top_p!r}, seed={config.seed!r}"
        )
    return (
        f"config = DecodeConfig({settings})",
        f"steps = list(decode_steps(run.model, src[None], config, prefix={list(prefix)!r}))",
    )


def _sampled(shown: str, lines: tuple[str, ...], value: str, probability: float) -> Shown:
    return Shown(
        shown,
        (*lines, f'print(f"{{{value}.item():{probability_form(probability)}}}")'),
        ("DecodeConfig", "decode_steps"),
        needs_trace=False,
    )


def formula(sizes: Sizes) -> Formula:
    """Softmax at a temperature over the kept tokens."""
    symbols = (
        ("z_v", "logit of token v"),
        ("T", "temperature"),
        ("N", "tokens that top-k and top-p keep"),
        ("u", "random number from 0 to 1"),
        ("y", "first token whose running sum exceeds it"),
    )
    share = r"p_v = \frac{e^{z_v / %s}}{\sum_{v' \in N} e^{z_{v'} / %s}} \text{ for } v \in N"
    draw = r"y = \min \Big\{ v : \sum_{v' \le v} p_{v'} > u \Big\}"
    v = sizes.config.tgt_vocab_size
    here: tuple[str, ...] = (r"T \to 0: \quad y = \arg\max_v z_v",)
    if sizes.state.sampling.temperature:
        k = v if sizes.state.sampling.top_k is None else min(sizes.state.sampling.top_k, v)
        temperature = f"{sizes.state.sampling.temperature:g}"
        here = (
            share % (temperature, temperature),
            draw,
            rf"|N| \le {k}, \quad \text{{top-p }} {sizes.state.sampling.top_p:g}",
        )
    return Formula(
        "Not in the paper, which searches with a beam",
        (share % ("T", "T"), draw),
        (*here, rf"v = 0, \dots, {v - 1}"),
        symbols,
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    return (sampling_pipeline, _softmax)
