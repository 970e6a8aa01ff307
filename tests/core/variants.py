"""The variants of the model on which the laws of the core are tested. Add a line for a new variant."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.config import TransformerConfig
from tests.core.conftest import TINY

VARIANTS: dict[str, TransformerConfig] = {
    "post": TINY,
    "pre": replace(TINY, norm_position="pre"),
    "learned": replace(TINY, positional="learned"),
    "none-gelu": replace(TINY, positional="none", activation="gelu"),
    "silu-no-bias": replace(TINY, activation="silu", attention_bias=False),
    "final-norm": replace(TINY, final_norm=True),
    "untied": replace(TINY, tie_embeddings=False),
    "unscaled-not-causal": replace(TINY, scale_scores=False, causal=False),
    "float32": replace(TINY, dtype="float32"),
    "float32-pre": replace(TINY, dtype="float32", norm_position="pre"),
    "bfloat16": replace(TINY, dtype="bfloat16"),
}
EXACT = {name: config for name, config in VARIANTS.items() if config.dtype == "float64"} | {
    f"{norm}-{positional}": replace(TINY, norm_position=norm, positional=positional)
    for norm in ("post", "pre")
    for positional in ("sinusoidal", "learned", "none")
}
"""Those in which a law holds to 1e-12, with every kind of position before and after the norms."""
REPRESENTATIVE = {"post", "pre", "silu-no-bias", "bfloat16", "post-learned", "pre-none"}
"""Variants in which `make test` tries each law; `make proofs` tries the others."""


def by_variant(variants: Mapping[str, TransformerConfig]) -> list[Any]:
    """Return the values of a parametrized test, with the variants that are left to the proofs marked."""
    return [
        pytest.param(config, id=name, marks=() if name in REPRESENTATIVE else pytest.mark.proof)
        for name, config in variants.items()
    ]
