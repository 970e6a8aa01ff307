"""Numbers in sentences, and the Python that prints them with the digits that the screen has."""

from __future__ import annotations

import numpy as np

from explorer.explaining.scene import Scene, Shown
from explorer.look.pieces import Piece
from explorer.look.theme import format_probability

WEIGHT_DECIMALS = 4


def at_source(scene: Scene) -> tuple[Piece, ...]:
    """The beginning of a sentence about a source token itself."""
    return (Piece(f"At source position {scene.source_position}, "), scene.token("encoder"))


def printed(shown: str, site: str, index: tuple[int, ...], value: float) -> Shown:
    """How Python prints a recorded number with the digits that the screen has."""
    return Shown(
        shown,
        (
            f'values = recorded.activations["{site}"]',
            f'print(f"{{values[{", ".join(map(str, index))}].item():{signed_form(value)}}}")',
        ),
    )


def length_of(vector: np.ndarray) -> float:
    """The length of a vector [number], in float64."""
    return float(np.linalg.norm(vector.astype(np.float64)))


def plural(count: int, one: str, several: str) -> str:
    """A count with the noun, or noun and verb, that fits it."""
    return f"{count} {one if count == 1 else several}"


def printed_probability(step: int, token_id: int, probability: float) -> Shown:
    """How Python prints the probability of a token at a step."""
    return Shown(
        format_probability(probability),
        (
            f'log_prob = recorded.activations["generator.log_probs"][0, {step}, {token_id}]',
            f'print(f"{{log_prob.exp().item():{probability_form(probability)}}}")',
        ),
    )


def signed_form(value: float) -> str:
    """How Python writes a signed value with the screen's digits."""
    return ".3f" if value == 0 or 0.001 <= abs(value) <= 9999 else ".3e"


def probability_form(probability: float) -> str:
    """How Python writes a probability: with the screen's digits, and in full where the screen says ``<0.0001``."""
    if 0 < probability < 0.0001:
        return ".1e"
    return ".3f" if probability >= 0.1 else ".4f"
