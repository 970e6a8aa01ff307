"""Cross-attention as it forms: what the last decoder layer reads of a source, at each kept moment of a training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.run_description import RunDescription
from explorer.look.token_text import visible
from explorer.models.task_facts import can_read

MOST_TOKENS = 24
"""Rows and columns of a picture; longer texts are cut."""


@dataclass(frozen=True)
class FilmFrame:
    """One moment of a training: what the weights of then make of a sentence.

    Attributes:
        updates: After how many.
        source: Tokens that are read, with the end.
        output: Tokens that are written, with the end.
        weights: Mean over the heads [output token, source token], float32 and read-only, the first of each.
        entropy: In bits, mean over all output tokens: 0 for one source token each.
        strongest: The largest weight, mean over all output tokens.
    """

    updates: int
    source: tuple[str, ...]
    output: tuple[str, ...]
    weights: np.ndarray
    entropy: float
    strongest: float

    @property
    def n_bytes(self) -> int:
        """Bytes held."""
        return self.weights.nbytes + 100 * (len(self.source) + len(self.output))


def film_sources(run: RunDescription | None) -> list[str]:
    """The fixed sources of a run that its model can read: those that a film can be made of."""
    return [text for text in run.probes if can_read(run, text)] if run else []


def first_source(sources: Sequence[str]) -> str:
    """The one that is shown at first: the longest shows the most.

    Raises:
        ValueError: when there is none.
    """
    return max(sources, key=len)


def make_frame(folder: Path, updates: int, source: str, answer: str | None) -> FilmFrame:
    """Run the weights of a moment over a source.

    Args:
        folder: Of the run.
        updates: The moment.
        source: That every token is known of.
        answer: What the decoder is led by, as in training; None for the output that these weights choose.

    Raises:
        RunError: when the moment is not kept (any more), or damaged.
        InputError: when the model cannot read the source.
    """
    import torch

    from core.activations.trace import trace
    from core.analysis.attention_statistics import attention_entropy
    from core.config import DecodeConfig
    from core.decoding.autoregressive import decode_steps
    from core.decoding.step import last_step
    from core.training.history import load_run_at
    from explorer.models.outputs import MAX_OUTPUT_TOKENS

    run = load_run_at(folder, updates)
    src, config = run.encode_source(source), run.config
    if answer is None:
        steps = decode_steps(run.model, src[None], DecodeConfig(max_length=MAX_OUTPUT_TOKENS))
        written = last_step(steps).hypotheses[0]
    else:
        written = torch.tensor([*run.tgt_tokenizer.encode(answer), config.eos_id])
    site = f"decoder.layers.{config.n_decoder_layers - 1}.cross_attn.weights"
    weights = trace(run.model, src, written, site).activations[site][0].mean(dim=0)
    shown = weights[:MOST_TOKENS, :MOST_TOKENS].float().numpy().copy()
    shown.setflags(write=False)
    return FilmFrame(
        updates,
        tuple(run.src_tokenizer.vocabulary.token(each) for each in src.tolist()),
        tuple(run.tgt_tokenizer.vocabulary.token(each) for each in written.tolist()),
        shown,
        float(attention_entropy(weights).mean()),
        float(weights.max(dim=-1).values.mean()),
    )


def film_columns(frames: Sequence[FilmFrame]) -> Mapping[str, list[str]]:
    """The table of the frames, the newest first."""
    newest = sorted(frames, key=lambda frame: -frame.updates)
    return {
        "after updates": [f"{frame.updates:,}" for frame in newest],
        "strongest weight": [f"{frame.strongest:.3f}" for frame in newest],
        "entropy, bits": [f"{frame.entropy:.2f}" for frame in newest],
    }


def axes_sentence(frame: FilmFrame, *, led: bool) -> str:
    """What the rows and the columns of a frame's picture are, and which of them are cut.

    Args:
        frame: Of one moment; where `led`, all moments have the same tokens.
        led: Whether the decoder was led by the right answer.
    """
    rows, columns = frame.weights.shape
    rows_are = f"the right answer {_tokens(frame.output, rows)}" if led else "the output of these weights"
    rows_cut = ", cut" if len(frame.output) > rows else ""
    columns_cut = ", cut" if len(frame.source) > columns else ""
    return (
        f"Rows, from above: {rows_are}{rows_cut}. "
        f"Columns, from the left: the source {_tokens(frame.source, columns)}{columns_cut}."
    )


def _tokens(tokens: Sequence[str], count: int) -> str:
    return " ".join(map(visible, tokens[:count]))
