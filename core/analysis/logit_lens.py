"""The logit lens: what the generator would predict from every point of the decoder's residual stream.

After nostalgebraist, "interpreting GPT: the logit lens" (2020).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from core.activations.activations import Activations
from core.activations.sites import sublayers
from core.analysis.residual_stream import sum_and_stream
from core.config import TransformerConfig
from core.decoding.step import Candidate
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import Brief


@dataclass(frozen=True, repr=False)
class LensPoint(Brief):
    """One point of the residual stream, read as if the decoder ended there.

    Attributes:
        site: Where the stream was read, such as ``decoder.layers.1.cross_attn_add_norm.output``.
        log_probs: Log-probability (natural) of every token as the next one [position, vocab], in float64.
    """

    site: str
    log_probs: Tensor

    def rank(self, tokens: int | Tensor) -> Tensor:
        """Places in the order of probability, 1 for the most probable; equally probable ones share a place.

        Args:
            tokens: One id for all positions, or the id to look for at each [position].

        Returns:
            Whole numbers [position].

        Raises:
            InputError: when the ids are not one or one a position, or one is outside of the vocabulary.
        """
        n_positions, vocab_size = self.log_probs.shape
        ids = torch.as_tensor(tokens).to("cpu", torch.int64)
        if ids.shape not in ((), (n_positions,)):
            raise InputError(
                f"rank needs one id, or one for each of {n_positions} positions, not {ids.numel()}"
            )
        if ids.min() < 0 or ids.max() >= vocab_size:
            wrong = int(ids.min() if ids.min() < 0 else ids.max())
            raise InputError(f"id {wrong} is outside the vocabulary of {vocab_size} tokens")
        own = self.log_probs.gather(1, ids.expand(n_positions)[:, None])  # [position, 1]
        return (self.log_probs > own).sum(dim=1) + 1

    def top(self, position: int, k: int = 5) -> tuple[Candidate, ...]:
        """The k most probable next tokens of one position, most probable first.

        Raises:
            InputError: when there is no such position, or k is below 1.
        """
        n_positions, vocab_size = self.log_probs.shape
        if not 0 <= position < n_positions:
            raise InputError(f"position {position} is outside of {self.site!r}, which has {n_positions}")
        if k < 1:
            raise InputError(f"ask for 1 candidate or more, not {k}")
        top = self.log_probs[position].topk(min(k, vocab_size))
        return tuple(map(Candidate, top.indices.tolist(), top.values.tolist()))


def lens_sites(config: TransformerConfig) -> tuple[str, ...]:
    """The decoder's residual stream in the order of the computation: embedding, then after each sub-layer.

    These are what ``record(model, *lens_sites(model.config))`` has to record for the lens.
    """
    streams = (sum_and_stream(config, path)[1] for path in sublayers(config, "decoder"))
    return ("tgt_embed.output", *streams)


@torch.no_grad()
def logit_lens(model: Transformer, activations: Activations, *, batch: int = 0) -> tuple[LensPoint, ...]:
    """Read every point of the decoder's residual stream through the decoder's final norm and the generator.

    The last point is the model's own answer. A model without a final norm (post-norm, as in the paper)
    has normalised its stream after each sub-layer, and the embedding is read as it is.

    Args:
        model: The one that the values were recorded from; its weights are read, it is not run.
        activations: With the sites of `lens_sites`.
        batch: Which row of the batch to read.

    Returns:
        1 + 3·n_decoder_layers points, on the CPU.

    Raises:
        UnknownSite: when a point was not recorded.
        CaptureError: when there is no such row.
    """
    return tuple(
        LensPoint(site, _next_token_log_probs(model, activations.select(site, batch=batch)))
        for site in lens_sites(model.config)
    )


def deciding_points(points: Sequence[LensPoint], tokens: int | Tensor) -> tuple[int | None, ...]:
    """For each position, from which point on its token is the most probable one, without a break to the end.

    Args:
        points: What `logit_lens` returned.
        tokens: One id for all positions, or the id to look for at each [position].

    Returns:
        Indices of points [position]; None where the token is not the most probable one at the last point.

    Raises:
        InputError: when the ids are not one or one a position, or one is outside of the vocabulary.
    """
    first = torch.stack([point.rank(tokens) == 1 for point in points])  # [point, position]
    unbroken = first.flip(0).int().cumprod(dim=0).sum(dim=0)  # points at the end at which it stays first
    return tuple(len(points) - n if n else None for n in unbroken.tolist())


def _next_token_log_probs(model: Transformer, stream: Tensor) -> Tensor:
    """From [position, d_model] to [position, vocab]."""
    # The functions and not the modules: somebody may record or edit this model, and the lens's own
    # passes are none of theirs.
    norm, x = model.decoder.final_norm, stream.to(model.device)
    if norm is not None:
        x = F.layer_norm(x, norm.weight.shape, norm.weight, norm.bias, norm.eps)
    # In float64, so that the ranks of close tokens are those of their logits.
    return F.linear(x, model.generator.weight).cpu().double().log_softmax(dim=-1)
