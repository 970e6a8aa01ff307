"""The residual stream by layer: how long each position's vector is, and how much each sub-layer adds to it.

Xiong et al., "On Layer Normalization in the Transformer Architecture" (2020), compare the two places of the norm.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.location import EMBEDDINGS, Stack
from core.activations.record import record
from core.activations.sites import sublayers
from core.config import NormPosition, TransformerConfig
from core.errors import InputError
from core.model.random_numbers import DrawnFrom
from core.model.transformer import Transformer
from core.notebook import Brief

NORM_POSITIONS: tuple[NormPosition, ...] = ("post", "pre")


@dataclass(frozen=True, repr=False)
class StreamPoint(Brief):
    """The residual stream after one of its parts.

    Attributes:
        site: Where it stands, such as ``encoder.layers.0.self_attn_add_norm.output``.
        part: What has just changed it: the sub-layer's path, a final norm's, or ``src_embed``, ``tgt_embed``.
        size: ‖x‖ of each position [position].
        added: ‖sublayer(x)‖ of each position [position]; None where nothing is added.
        summed: ‖x + sublayer(x)‖ before any norm [position]; None where nothing is added.
    """

    site: str
    part: str
    size: Tensor
    added: Tensor | None = None
    summed: Tensor | None = None


def stream_sites(config: TransformerConfig, stack: Stack) -> tuple[str, ...]:
    """What has to be recorded for `residual_stream`."""
    names = [f"{EMBEDDINGS[stack]}.output"]
    for path in sublayers(config, stack):
        names += [f"{path}.output", *sum_and_stream(config, path)]
    if config.has_final_norm:
        names.append(f"{stack}.final_norm.output")
    return tuple(dict.fromkeys(names))


def residual_stream(
    config: TransformerConfig, activations: Activations, stack: Stack, *, batch: int = 0
) -> tuple[StreamPoint, ...]:
    """The stream's length after the embedding, after each sub-layer, and after a final norm if there is one.

    Args:
        config: Of the model that was recorded.
        activations: With the sites of `stream_sites`.
        stack: Which side.
        batch: Which row of the batch to measure.

    Raises:
        UnknownSite: when a site was not recorded.
        CaptureError: when there is no such row.
    """

    def size(site: str) -> Tensor:
        # Measured in float64: a length is a sum of many squares.
        sizes: Tensor = activations.select(site, batch=batch).double().norm(dim=-1)
        return sizes

    embedded = f"{EMBEDDINGS[stack]}.output"
    points = [StreamPoint(embedded, EMBEDDINGS[stack], size(embedded))]
    for path in sublayers(config, stack):
        summed, stream = sum_and_stream(config, path)
        points.append(StreamPoint(stream, path, size(stream), size(f"{path}.output"), size(summed)))
    if config.has_final_norm:
        final = f"{stack}.final_norm.output"
        points.append(StreamPoint(final, f"{stack}.final_norm", size(final)))
    return tuple(points)


def untrained_model(config: TransformerConfig, seed: int = 0) -> Transformer:
    """A model as it is before any training: the same as after ``torch.manual_seed(seed)``.

    The weights come from a generator of their own, so that threads that draw numbers meanwhile change nothing.
    """
    with torch.no_grad(), DrawnFrom(torch.Generator().manual_seed(seed)):
        return Transformer(config).eval()


def untrained_pair(config: TransformerConfig, seed: int = 0) -> Mapping[NormPosition, Transformer]:
    """Two untrained models that differ in the place of the norm alone.

    They have the same first weights: a norm draws none. Each has a final norm where its place needs one.

    Args:
        config: Of the model that is compared; the place of its norm does not matter.
        seed: Of the weights.
    """
    return {
        position: untrained_model(replace(config, norm_position=position, final_norm=None), seed)
        for position in NORM_POSITIONS
    }


@torch.no_grad()
def untrained_streams(
    pair: Mapping[NormPosition, Transformer], src: Tensor, tgt_in: Tensor, stack: Stack
) -> Mapping[NormPosition, tuple[StreamPoint, ...]]:
    """The stream of both untrained models over the same tokens.

    Args:
        pair: As of `untrained_pair`.
        src: Source ids [source position].
        tgt_in: Shifted target ids [target position].
        stack: Which side.

    Raises:
        InputError: when ids are outside of the vocabulary, or there are none.
    """
    if not src.numel() or not tgt_in.numel():
        raise InputError("the residual stream needs at least one source and one target token")
    streams: dict[NormPosition, tuple[StreamPoint, ...]] = {}
    for position, model in pair.items():
        with record(model, *stream_sites(model.config, stack)) as activations:
            model(src[None], tgt_in[None])
        streams[position] = residual_stream(model.config, activations, stack)
    return streams


def sum_and_stream(config: TransformerConfig, path: str) -> tuple[str, str]:
    """The sites of a sub-layer's sum, and of the stream after it; with pre-norm they are one."""
    if config.norm_position == "pre":
        return f"{path}_add.output", f"{path}_add.output"
    return f"{path}_add_norm.sum", f"{path}_add_norm.output"
