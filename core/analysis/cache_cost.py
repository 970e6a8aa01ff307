"""What the key/value cache saves and keeps: multiply-adds and bytes of each decoding step, with it and without.

Counted are the multiply-adds of matrix products, half of what a FLOP counter reports: one source, the decoder and
the generator. Sums, norms, softmax and biases are left out; the encoder runs once either way and is counted apart.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import comb

import torch
from torch import Tensor

from core.config import DecodeConfig, TransformerConfig
from core.decoding.autoregressive import decode_steps
from core.device import DTYPES
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import Brief

ANEW_AT_ONCE = 16
"""Steps that are decoded without a cache in one batch."""


@dataclass(frozen=True)
class MultiplyAdds:
    """Multiply-adds of one decoding step, all layers together.

    Attributes:
        input_projections: x W_Q, x W_K and x W_V, the memory's keys and values included.
        scores: q·k.
        weighted_sums: weights·v.
        output_projections: The joined heads times W_O.
        feed_forward: Both of its linear maps.
        generator: The logits of the next token alone.
    """

    input_projections: int
    scores: int
    weighted_sums: int
    output_projections: int
    feed_forward: int
    generator: int

    @property
    def total(self) -> int:
        """Multiply-adds of all parts together."""
        return sum(astuple(self))


@dataclass(frozen=True, repr=False)
class CacheComparison(Brief):
    """What came of decoding the same output twice, with the cache and without.

    Attributes:
        same_tokens: Whether both ways hold the same token for the most probable one, at each step.
        largest_difference: Of any token's log-probability at any step.
    """

    same_tokens: bool
    largest_difference: float


def multiply_adds(
    config: TransformerConfig, source_length: int, step: int, *, use_cache: bool
) -> MultiplyAdds:
    """What one decoding step takes.

    With the cache one row goes through the decoder, and the memory is projected in step 0 alone. Without, all
    rows so far do, and the memory is projected anew; either way only the newest row meets the generator. Masked
    scores count: they are computed, then hidden. Without a causal mask no cache is valid, and none is used.

    Args:
        config: The model's.
        source_length: Source tokens, EOS included.
        step: Counted from 0.
        use_cache: As in DecodeConfig.

    Raises:
        InputError: when there is no source token, or the step is negative.
    """
    _check(source_length, step)
    cached = use_cache and config.causal
    keys = step + 1
    rows = 1 if cached else keys
    projected_memory = 0 if cached and step > 0 else source_length
    d, layers = config.d_model, config.n_decoder_layers
    # Every head has its share of d_model, so that all heads together multiply d_model numbers a pair.
    pairs = rows * keys + rows * source_length
    return MultiplyAdds(
        input_projections=layers * d * d * (3 * rows + rows + 2 * projected_memory),
        scores=layers * pairs * d,
        weighted_sums=layers * pairs * d,
        output_projections=layers * 2 * rows * d * d,
        feed_forward=layers * 2 * rows * d * config.d_ff,
        generator=config.tgt_vocab_size * d,
    )


def encoder_multiply_adds(config: TransformerConfig, source_length: int) -> int:
    """What the encoder takes, once for a source.

    Raises:
        InputError: when there is no source token.
    """
    return sum(encoder_parts(config, source_length))


def encoder_parts(config: TransformerConfig, source_length: int) -> tuple[int, int]:
    """The encoder's multiply-adds in linear maps, which grow with n tokens, and in q·k and weights·v, with n².

    Raises:
        InputError: when there is no source token.
    """
    _check(source_length, step=0)
    d, rows, layers = config.d_model, source_length, config.n_encoder_layers
    return layers * rows * (4 * d * d + 2 * d * config.d_ff), layers * 2 * rows * rows * d


def even_length(config: TransformerConfig) -> int:
    """Tokens at which attention’s n² takes the encoder as many multiply-adds as its linear maps: 2 d_model + d_ff."""
    return 2 * config.d_model + config.d_ff


def decoding_multiply_adds(
    config: TransformerConfig, source_length: int, n_steps: int, *, use_cache: bool
) -> int:
    """What all steps of a decoding take together: with the cache it grows with their square, without with their cube.

    Args:
        config: The model's.
        source_length: Source tokens, EOS included.
        n_steps: Tokens that are written, EOS included.
        use_cache: As in DecodeConfig.

    Raises:
        InputError: when there is no source token or no step.
    """
    if n_steps < 1:
        raise InputError(f"a decoding has at least one step, not {n_steps}")
    first, *later = (
        multiply_adds(config, source_length, step, use_cache=use_cache).total for step in range(4)
    )
    # From step 1 on a step's work is a polynomial of degree 2, so that three of them give the sum of all (Newton).
    rise = later[1] - later[0]
    bend = later[2] - 2 * later[1] + later[0]
    n = n_steps - 1
    return first + n * later[0] + comb(n, 2) * rise + comb(n, 3) * bend


def row_bytes(config: TransformerConfig) -> int:
    """Bytes of one cached row: the keys of one token in all heads of one attention block; its values are as many."""
    return config.d_model * DTYPES[config.dtype].itemsize


def cache_bytes(config: TransformerConfig, source_length: int, step: int) -> int:
    """Bytes of all keys and values that are kept after a step, for one source.

    Raises:
        InputError: when there is no source token, or the step is negative.
    """
    _check(source_length, step)
    rows = step + 1 + source_length
    return config.n_decoder_layers * 2 * rows * row_bytes(config)


def compare_caching(model: Transformer, src: Tensor, output: Sequence[int]) -> CacheComparison:
    """Decode an output again, with the cache and without, and compare what the model says at each step.

    With the cache one token follows the other. Without it every step decodes all tokens before it anew, so that no
    step needs another one's result: many steps run at once, each in a row of its own.

    Args:
        model: In evaluation mode.
        src: Source ids [source position], with eos.
        output: The produced ids, without bos; both ways are made to produce them.

    Raises:
        InputError: when the output is empty, or could not have been produced.
    """
    if not output:
        raise InputError("comparing decoding with and without the cache needs at least one produced token")
    ended = output[-1] == model.config.eos_id
    # EOS cannot be forced, and need not be: the last step's distribution is there before its choice.
    prefix = output[:-1] if ended else output
    steps = decode_steps(model, src[None], DecodeConfig(max_length=len(output)), prefix=prefix)
    cached = torch.cat([step.log_probs for step in steps])  # [T, V]
    anew = _decoded_anew(model, src, output).to(cached.dtype).log_softmax(dim=-1)
    never = torch.tensor([model.config.pad_id, model.config.bos_id], device=src.device)
    first, second = (each.index_fill(1, never, -torch.inf).argmax(dim=1) for each in (cached, anew))
    return CacheComparison(bool((first == second).all()), (cached - anew).abs().max().item())


@torch.no_grad()
def _decoded_anew(model: Transformer, src: Tensor, output: Sequence[int]) -> Tensor:
    """The logits that each token of an output was chosen by [T, V], all tokens before it decoded for it alone."""
    config = model.config
    memory, mask = model.encode(src[None])
    tgt_in = torch.tensor([config.bos_id, *output[:-1]], device=src.device)
    logits = []
    for first in range(0, len(output), ANEW_AT_ONCE):
        # Rows of neighbouring steps, so that few of them are padding.
        lengths = torch.arange(first, min(first + ANEW_AT_ONCE, len(output)), device=src.device) + 1  # [row]
        longest = int(lengths[-1])
        beyond = torch.arange(longest, device=src.device) >= lengths[:, None]
        rows = tgt_in[:longest].expand(len(lengths), -1).masked_fill(beyond, config.pad_id)
        memories = memory.expand(len(lengths), -1, -1)
        masks = None if mask is None else mask.expand(len(lengths), *mask.shape[1:])
        decoded = model.decode(rows, memories, masks)  # [row, longest, d_model]
        logits.append(model.generator(decoded[torch.arange(len(lengths)), lengths - 1]))
    return torch.cat(logits)


def _check(source_length: int, step: int) -> None:
    if source_length < 1:
        raise InputError(f"a source has at least one token, not {source_length}")
    if step < 0:
        raise InputError(f"steps are counted from 0, so there is no step {step}")
