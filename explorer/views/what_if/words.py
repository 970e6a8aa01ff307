r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

import math
from collections.abc import Callable

from torch import Tensor

from core.analysis.attribution import attribute_logit
from core.config import TransformerConfig
from core.interventions.changes import bind
from explorer.explaining.formula import Formula, Sizes
from explorer.explaining.printing import printed_probability
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_probability, format_signed
from explorer.look.token_text import twin_place
from explorer.models.patching_maps import map_of
from explorer.views.what_if.borrowing import row_name
from explorer.views.what_if.data import Scenery, scenery

IDEA = (
    "What attention reads need not be what the answer depends on: change one vector, one head or one weight while the "
    "model runs, and see what it writes then. A part matters to an answer when the answer is another without it."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """What the changed model writes at the step; where nothing is changed, which vector carries the difference."""
    seen = scenery(scene.recorded.run, scene.state)
    if seen.changed is not seen.trained:
        return _changed(seen)
    if seen.deciding is not None:
        return _borrowed(seen, seen.deciding)
    return _written(seen)


def _changed(seen: Scenery) -> Numbers:
    step = min(seen.step, seen.changed.last_step)
    token_id = int(seen.changed.trace.tgt_out[step])
    now = _prob(seen.changed.trace.logits[step], token_id)
    shown = format_probability(now)
    same = int(seen.trained.trace.tgt_out[step]) == token_id
    own = Piece(seen.trained.outputs[step], "target")
    was = format_probability(_prob(seen.trained.trace.logits[step], int(seen.trained.trace.tgt_out[step])))
    return Numbers(
        (
            Piece(f"At step {step} the changed model writes "),
            Piece(seen.changed.outputs[step], "target"),
            Piece(" with P "),
            number(shown),
            Piece("; as it was trained it writes " if not same else "; as it was trained, too, it writes "),
            own,
            Piece(" with P "),
            number(was),
            Piece("."),
        ),
        printed_probability(step, token_id, now),
    )


def _borrowed(seen: Scenery, step: int) -> Numbers:
    found = map_of(seen.trained.run, seen.trained.sentence, seen.donor, step)
    site, shares = found.sites[0], found.shares[0].tolist()
    position = max(range(len(shares)), key=lambda place: shares[place])
    shown = f"{shares[position]:.3f}".replace("-", "\N{MINUS SIGN}")
    return Numbers(
        (
            Piece("Of the difference between "),
            Piece(found.own, "target"),
            Piece(" and "),
            Piece(found.donor, "target"),
            Piece(f" the {row_name(site)} of "),
            Piece(found.source_tokens[position], "source"),
            Piece(f"{twin_place(found.source_tokens, position)}, taken from the second sentence, brings "),
            number(shown),
            Piece(" along."),
        ),
        Shown(
            shown,
            (
                f"seen = patching_map(run, {seen.trained.sentence!r}, {seen.donor!r}, step={step})",
                f'print(f"{{seen.share({site!r}, {position}):.3f}}")',
            ),
            ("patching_map",),
            needs_trace=False,
        ),
    )


def _written(seen: Scenery) -> Numbers:
    found = attribute_logit(seen.trained.run.model, seen.trained.trace, seen.step)
    shown = format_signed(found.value)
    return Numbers(
        (
            Piece(f"At step {seen.step} the logit of "),
            Piece(seen.trained.outputs[seen.step], "target"),
            Piece(f" is the sum of {len(found.parts)} parts, "),
            number(shown),
            Piece("."),
        ),
        Shown(
            shown,
            (
                f"wrote = attribute_logit(run.model, recorded, step={seen.step})",
                'print(f"{wrote.value:.3f}")',
            ),
            ("attribute_logit",),
        ),
    )


def _prob(logits: Tensor, token_id: int) -> float:
    return math.exp(float(logits.double().log_softmax(dim=-1)[token_id]))


def formula(sizes: Sizes) -> Formula:
    """The share of a difference that a borrowed vector brings along."""
    return Formula(
        "Not in the paper; activation patching",
        (r"d = z_b - z_a", r"s = \frac{d_h - d}{d' - d}"),
        (
            r"d = z_b - z_a",
            rf"s = \frac{{d_h - d}}{{d' - d}}, \quad h \in \mathbb{{R}}^{{{sizes.config.d_model}}}",
        ),
        (
            ("z_a, z_b", "logits of the two answers"),
            ("d", "their difference in the sentence"),
            ("d'", "their difference in the second sentence"),
            ("d_h", "their difference in the sentence with one vector h of the second"),
            ("s", "share of the difference that h brings along"),
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    return (bind, attribute_logit)
