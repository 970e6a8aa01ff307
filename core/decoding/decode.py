"""Decoding by whichever method a configuration stands for."""

from collections.abc import Iterator, Sequence

from torch import Tensor

from core.activations.record import Edits
from core.config import BeamConfig, DecodeConfig
from core.decoding.autoregressive import decode_steps
from core.decoding.beam import beam_steps
from core.decoding.step import Step
from core.model.transformer import Transformer


def decode(
    model: Transformer,
    src: Tensor,
    config: DecodeConfig | BeamConfig | None = None,
    *,
    prefix: Sequence[int] = (),
    edits: Edits = (),
) -> Iterator[Step]:
    """Beam search for a BeamConfig, sampling or greedy decoding for a DecodeConfig, by default greedy.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position], each row ending in eos, right-padded.
        config: Method and settings.
        prefix: Token ids with which every hypothesis begins, whatever the model says.
        edits: What is changed on the way in each step, as for `decode_steps`.

    Raises:
        InputError: as decode_steps and beam_steps.
    """
    if isinstance(config, BeamConfig):
        return beam_steps(model, src, config, prefix=prefix, edits=edits)
    return decode_steps(model, src, config, prefix=prefix, edits=edits)
