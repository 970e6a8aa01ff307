"""The numbers of the pages that show a whole run: the map, the decoding, sampling, and beam search."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import torch

from core.config import DecodeConfig
from core.decoding.beam import length_penalty
from core.decoding.sampling import sampling_pipeline
from core.explanation.explain import explain
from core.model.parameters import count_parameters
from explorer.explanations.numbers import BLOCK_NUMBERS
from explorer.explanations.printing import (
    WEIGHT_DECIMALS,
    plural,
    printed_probability,
    probability_form,
)
from explorer.explanations.scene import Numbers, Piece, Scene, Shown, number
from explorer.model_store.decodings import beam_of, sampled_output_of
from explorer.sampling import SampledOutput, most_open_step, sampling_config
from explorer.state import MAX_OUTPUT_TOKENS
from explorer.theme import format_log_prob, format_probability


def the_map(scene: Scene) -> Numbers:
    """Sizes of the model and of the recording."""
    recorded, config = scene.recorded, scene.recorded.run.config
    shown = f"{count_parameters(recorded.run.model):,}"
    return Numbers(
        (
            number(shown),
            Piece(" learned numbers are the same for every source; what this one made of them fills "),
            number(f"{recorded.n_bytes / 1024:,.1f} KiB"),
            Piece(
                f". Between any two blocks each of {plural(len(recorded.source), 'source token', 'source tokens')}"
            ),
            Piece(
                f" and {plural(len(recorded.outputs), 'output position', 'output positions')} is a vector of "
            ),
            Piece(f"{config.d_model} numbers."),
        ),
        Shown(
            shown,
            ('print(f"{count_parameters(run.model):,}")',),
            ("count_parameters",),
            needs_trace=False,
        ),
    )


def home(scene: Scene) -> Numbers:
    """The chosen token, and what the last decoder layer's heads read for it on average."""
    recorded, step = scene.recorded, scene.step
    layer = scene.layer("decoder")
    weights = recorded.values(f"decoder.layers.{layer}.cross_attn.weights")
    row = weights[:, step].mean(axis=0) if scene.state.head is None else weights[scene.head, step]
    key = int(row.argmax())
    mean = scene.state.head is None
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


def sampling(scene: Scene) -> Numbers:
    """What the settings leave of the distribution at a step, and which number drew the token."""
    run, state = scene.recorded.run, scene.state
    config = sampling_config(state)
    drawn = sampled_output_of(run, state.sentence, config, state.prefix)
    last = len(drawn.tokens) - 1
    step = most_open_step(drawn) if state.decode_step is None else min(state.decode_step, last)
    token, token_id = Piece(drawn.tokens[step], "target"), drawn.token_ids[step]
    if not config.temperature:
        return _taken(drawn, step, token, state.prefix)
    logits = torch.from_numpy(drawn.logits[step : step + 1].copy())
    uniform = torch.tensor([drawn.uniform[step]], dtype=torch.float64)
    columns = sampling_pipeline(logits, config, uniform, never=(run.config.pad_id, run.config.bos_id)).row(0)
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
            (*_steps(config, state.prefix), f"probs = steps[{step}].sampling.probs"),
            f"probs[0, {token_id}]",
            probability,
        ),
    )


def _taken(drawn: SampledOutput, step: int, token: Piece, prefix: tuple[int, ...]) -> Numbers:
    """At temperature 0: the probability of the token that is taken."""
    probability = math.exp(float(drawn.log_probs[step]))
    shown = format_probability(probability)
    config = DecodeConfig(max_length=MAX_OUTPUT_TOKENS)
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


def beams(scene: Scene) -> Numbers:
    """Score of the best output, and of greedy's."""
    run, state = scene.recorded.run, scene.state
    tree = beam_of(run, state.sentence, state.beam_width, state.length_penalty)
    best, greedy = tree.nodes[tree.n_best[0]], tree.nodes[tree.greedy[-1]]
    length = best.step + 1
    shown = format_log_prob(best.score, total=True)
    config = f"BeamConfig(width={tree.width}, length_penalty={tree.length_penalty!r}, max_length={MAX_OUTPUT_TOKENS})"
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


PAGE_NUMBERS: Mapping[str, Callable[[Scene], Numbers]] = {
    "home": home,
    "map": the_map,
    "step-by-step": step_by_step,
    "sampling-lab": sampling,
    "beams": beams,
}
"""By the key of the page."""


def _which_token(scene: Scene) -> str:
    """What the produced token is called: of those in the prefix some are what the model would have taken anyway."""
    recorded, step = scene.recorded, scene.step
    if step >= len(scene.state.prefix):
        return "that token"
    log_probs = recorded.values("generator.log_probs")[step].copy()
    log_probs[[recorded.run.config.pad_id, recorded.run.config.bos_id]] = -math.inf
    return "that token" if log_probs.argmax() == recorded.trace.tgt_out[step] else "this forced token"


def _produced(scene: Scene) -> tuple[int, float]:
    """Id and probability of the token of the step."""
    token_id = int(scene.recorded.trace.tgt_out[scene.step])
    log_prob = scene.recorded.values("generator.log_probs")[scene.step, token_id]
    return token_id, math.exp(float(log_prob))


def _steps(config: DecodeConfig, prefix: tuple[int, ...]) -> tuple[str, ...]:
    settings = f"max_length={config.max_length}"
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


def numbers_of(block: str, scene: Scene) -> Numbers:
    """The numbers of a block or a page.

    Raises:
        KeyError: when there is no such block or page.
        InputError: when sampling or beam search cannot begin with the forced tokens.
    """
    return {**BLOCK_NUMBERS, **PAGE_NUMBERS}[block](scene)
