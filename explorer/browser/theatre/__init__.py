"""The browser's parts of a training as one watches it: attention that forms, words that correct themselves, the curve.

Two pages draw with them: Train, which shows one run, and Experiments, where each arm is half a theatre. A page's own
script imports the modules: `stage.ts` (a `Stage`: attention with its heads, and the words; with `compact` set it is
the smaller form of an arm), `curve.ts` (a `Curve`: lines over the updates, which is the slider of the moments),
`playback.ts` (a `Playback`: from moment to moment, in the browser alone) and `data.ts`, which reads what `pack_moments`
packs. A page puts the moments into its message, each run's under a name of its own:

    pack_message({"with": pack_moments(probes, moments, layer=0), ...})

Its view imports `stage.css` and reads the moments in the browser by
`readMoments(payload.header, payload.header.with, payload.arrays, payload.codes, "with")`, where `probes_header` is part
of the header. The moments themselves are `moments_of` and `probes_of` of `explorer/histories/cached.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from core.run_description import RunDescription
from explorer.histories.moments import TrainingMoment, TrainingProbe
from explorer.histories.picked import PickedTensor
from explorer.visitor.reports import Event

MOST_WRITTEN = 16
"""Tokens of an output that are sent beyond those of the right answer; how many there are is said."""
MOST_BYTES = 256 * 2**10
"""Most bytes of the moments of one message; what is left comes with the next."""


class OfDecoder(Protocol):
    """What shows weights of one decoder layer at a time."""

    @property
    def n_layers(self) -> int:
        """How many there are to choose from."""


@dataclass(frozen=True)
class Layer:
    """The layer of the decoder that somebody wants to see."""

    layer: int


LAYER: Event[Layer, OfDecoder] = Event(
    "layer", lambda payload, data: Layer(payload["layer"].index(data.n_layers))
)
"""Somebody looks at another layer."""


def probes_header(probes: Sequence[TrainingProbe], run: RunDescription) -> dict[str, Any]:
    """What the browser is told of the probes, once and for all moments of a run."""
    return {
        "unit": run.target_unit,
        "n_layers": run.config.n_decoder_layers,
        "n_heads": run.config.n_heads,
        "probes": [
            {
                "text": probe.text,
                "source": probe.source,
                "right": probe.right,
                "n_right": len(probe.answer) - 1,
                "gold": probe.gold,
                "is_reference": probe.is_reference,
            }
            for probe in probes
        ],
    }


def pack_moments(
    probes: Sequence[TrainingProbe], moments: Sequence[TrainingMoment], *, layer: int
) -> dict[str, Any]:
    """Moments of a run as a part of a message, the first one first: outputs, P, weights of one decoder layer.

    Args:
        probes: Of the run; their shapes are those of every moment.
        moments: Each with an output for each probe.
        layer: Of the decoder.

    Returns:
        What is written; of each right token P as ``p``, and the weights as ``w``, whole numbers of two bytes.
    """
    probabilities = [np.concatenate(each.probabilities) for each in moments if probes]
    weights = [
        np.concatenate([grid.ravel() for grid in each.weights[layer]]).astype("<u2")
        for each in moments
        if probes
    ]
    n_rows = sum(len(probe.right) for probe in probes)
    coded = np.stack(weights) if weights else np.zeros((0, 0), "<u2")
    return {
        "layer": layer,
        "moments": [
            {
                "updates": each.updates,
                "kept": each.is_kept,
                "words": [
                    {
                        "tokens": output.tokens[: len(probe.answer) - 1 + MOST_WRITTEN],
                        "n": len(output.tokens),
                        "stopped": output.stopped,
                    }
                    for output, probe in zip(each.outputs, probes, strict=True)
                ],
            }
            for each in moments
        ],
        "p": np.stack(probabilities) if probabilities else np.zeros((0, n_rows), np.float32),
        "w": coded.view(np.uint8).reshape(len(coded), 2 * coded.shape[1]),
    }


def pack_picked(name: str, tensors: Sequence[PickedTensor]) -> dict[str, Any]:
    """A tensor at some moments, the first one first: its numbers between its lowest and its highest of each moment."""
    first = tensors[0].numbers if tensors else np.zeros((0, 0, 0), "<u2")
    limits = np.array([(each.lowest, each.highest) for each in tensors], np.float32).reshape(-1, 2)
    coded = np.array([each.numbers.ravel() for each in tensors], "<u2").reshape(len(tensors), first.size)
    return {
        "name": name,
        "whole": list(tensors[0].shape) if tensors else [],
        "planes": list(first.shape),
        "updates": [each.updates for each in tensors],
        "limits": limits,
        "numbers": coded.view(np.uint8).reshape(len(coded), 2 * first.size),
    }


def first_moments(
    probes: Sequence[TrainingProbe], updates: Sequence[int], n_heads: int, most_bytes: int = MOST_BYTES
) -> Sequence[int]:
    """As many of some moments as a message has room for, at least one, the first ones first."""
    cells = sum(len(probe.right) * len(probe.source) for probe in probes)
    words = sum(len(probe.answer) + MOST_WRITTEN for probe in probes)
    each = 2 * n_heads * cells + 16 * words + 200
    return updates[: max(1, most_bytes // each)]
