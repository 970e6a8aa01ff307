"""The logit lens of a trace, as the decoding view shows it."""

import numpy as np
import torch

from core.activations.location import locate
from core.activations.trace import Trace
from core.analysis.logit_lens import deciding_points, logit_lens
from core.config import TransformerConfig
from core.run import Run
from explorer.models.arrays import array_of, read_only
from explorer.views.decoding.component.internals import LensData

SHOWN_TOKENS = 3

_WORDS = {
    "self_attn": ("self-attention", "self-attn"),
    "cross_attn": ("cross-attention", "cross-attn"),
    "feed_forward": ("feed-forward network", "feed-fwd"),
}


def lens_data(run: Run, recorded: Trace) -> LensData:
    """What every point of the residual stream says at every step.

    Args:
        run: The model.
        recorded: A trace of it that holds `core.analysis.logit_lens.lens_sites`.

    Raises:
        UnknownSite: when one of them was not recorded.
    """
    points = logit_lens(run.model, recorded.activations)
    sites = tuple(point.site for point in points)
    log_probs = torch.stack([point.log_probs for point in points], dim=1)  # [T, P, V]
    top = log_probs.topk(min(SHOWN_TOKENS, log_probs.shape[-1]))
    produced = recorded.tgt_out[:, None, None].expand(-1, len(points), 1)
    ids, places = np.unique(top.indices.numpy(), return_inverse=True)
    named = [point_name(run.config, site) for site in sites]
    return LensData(
        sites=sites,
        names=tuple(name for name, _ in named),
        labels=tuple(label for _, label in named),
        final_norm=run.config.has_final_norm,
        tokens=run.tgt_tokenizer.vocabulary.tokens_of(ids.tolist()),
        top=read_only(places.reshape(top.indices.shape)),
        top_probs=array_of(top.values.exp()),
        probs=array_of(log_probs.gather(2, produced)[:, :, 0].exp()),
        ranks=read_only(torch.stack([point.rank(recorded.tgt_out) for point in points], dim=1).numpy()),
        decided=deciding_points(points, recorded.tgt_out),
    )


def point_name(config: TransformerConfig, site: str) -> tuple[str, tuple[str, str]]:
    """What was just computed at a point of the residual stream: in words, and in two short lines."""
    where = locate(site)
    if where.sublayer:
        name, short = _WORDS[where.sublayer]
        return f"{name}, layer {where.layer}", (short, f"layer {where.layer}")
    if config.positional == "none":
        return "embedding", ("embedding", "")
    return "embedding and position", ("embedding", "+ position")
