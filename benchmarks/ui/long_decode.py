"""The decoding view with 64 × 64 tokens, 8 heads and 2 layers of random weights, for measuring how fast it draws."""

from pathlib import Path

import numpy as np
import streamlit as st

from explorer.browser.assets import bundle_routes
from explorer.views.decoding.component import DecodeViewData, decode_view

LENGTH, HEADS, LAYERS, CANDIDATES = 64, 8, 2, 8

random = np.random.default_rng(0)


def draw_weights() -> np.ndarray:
    """Draw random rows that sum to 1 [layer, head, 64, 64]."""
    return random.dirichlet(np.full(LENGTH, 0.1), (LAYERS, HEADS, LENGTH)).astype(np.float32)


def draw() -> None:
    """Draw the view."""
    probs = -np.sort(-random.dirichlet(np.ones(20), LENGTH)[:, :CANDIDATES]).astype(np.float32)
    tokens = tuple(f"t{place}" for place in range(LENGTH))
    decode_view(
        DecodeViewData(
            key="long",
            prefix=(),
            written=("",) * LENGTH,
            forced=(False,) * LENGTH,
            ended=True,
            source_tokens=tokens,
            output_tokens=tokens,
            output_ids=tuple(range(LENGTH)),
            weights=draw_weights(),
            self_weights=draw_weights(),
            encoder_weights=draw_weights(),
            bos="<s>",
            causal=False,
            dtype="float32",
            candidate_tokens=(tokens[:CANDIDATES],) * LENGTH,
            candidate_ids=np.tile(np.arange(CANDIDATES), (LENGTH, 1)),
            candidate_probs=probs,
            chosen=(0,) * LENGTH,
            log_probs=np.log(probs[:, 0]),
            entropy_bits=np.ones(LENGTH, np.float32),
            vocabulary_size=LENGTH,
            gold=None,
            gold_note="",
            step=LENGTH // 2,
            attention="cross",
            layer=1,
            head=None,
            overlay=False,
        ),
        key="long",
    )


if __name__ == Path(__file__).stem:
    app = st.App(__file__, routes=bundle_routes())
else:
    draw()
