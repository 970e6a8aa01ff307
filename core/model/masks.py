"""Masks of attention: True where a query may look (sections 3.1 and 3.2.3)."""

import torch
from torch import Tensor


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Hide padding: from ids [batch, key] to a mask [batch, 1, 1, key] for every head and query."""
    return (ids != pad_id)[:, None, None, :]


def causal_mask(n_queries: int, n_keys: int | None = None, *, device: torch.device | None = None) -> Tensor:
    """Hide the future: [query, key], True for a query's own position and all earlier ones.

    With fewer queries than keys the queries are the last positions, as in a cached decoding step.
    """
    n_keys = n_queries if n_keys is None else n_keys
    first_query = n_keys - n_queries
    query = torch.arange(first_query, n_keys, device=device)[:, None]
    key = torch.arange(n_keys, device=device)[None, :]
    return key <= query


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    """A query may look where every mask [..., query, key] allows it; None where there is nothing to hide."""
    combined: Tensor | None = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & mask
    return combined
