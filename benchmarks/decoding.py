"""Speed of decoding beside Hugging Face's `generate`, both with a cache: greedily and by beam search.

    python -m benchmarks.decoding [--rounds 7]

The peer is a MarianMTModel of the same size with random weights and fused attention. Both turn the same sources of
16 tokens into exactly 32: neither can end early, since a constant makes eos all but impossible, for the peer a bias
of its logits and for ours a choice of the weights (`without_end`), so that neither runs a line of code for it.
"""

import argparse
import os
from collections.abc import Callable
from dataclasses import replace

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from torch import Tensor
from transformers import MarianConfig, MarianMTModel
from transformers.utils import logging

from benchmarks.compare import Row, speed
from benchmarks.sizes import BASE, TOY, Size
from core.config import BeamConfig, DecodeConfig
from core.decoding.decode import decode
from core.decoding.step import last_step
from core.model.transformer import Transformer

NEW_TOKENS = 32
SOURCE_TOKENS = 16
Decoded = Callable[[], Tensor]
"""Work that returns the tokens it has written [batch, produced tokens]."""
GREEDY = DecodeConfig(max_length=NEW_TOKENS)
BEAM = BeamConfig(width=4, n_best=1, max_length=NEW_TOKENS)
# Size, sources, method, calls a round, the least and the desired speed.
CASES: tuple[tuple[Size, int, DecodeConfig | BeamConfig, int, float, float], ...] = (
    (TOY, 1, GREEDY, 4, 2.5, 3.5),
    (TOY, 32, GREEDY, 2, 1.7, 2.2),
    (BASE, 1, GREEDY, 1, 1.3, 1.5),
    (TOY, 1, BEAM, 2, 2.2, 3.0),
    (TOY, 32, BEAM, 1, 1.5, 2.0),
)


def our_model(size: Size) -> Transformer:
    """A random model that never ends."""
    return without_end(Transformer(size.config()).eval())


@torch.no_grad()
def without_end(model: Transformer) -> Transformer:
    """The model with logits of pad and eos that are always -d_model.

    Before γ and β a normalised row sums to 0, so with γ = 1 and β = 1 it sums to d_model, whatever it is.
    """
    config = model.config
    model.get_parameter(f"decoder.layers.{config.n_decoder_layers - 1}.feed_forward_add_norm.bias").fill_(1.0)
    model.generator.weight[[config.pad_id, config.eos_id]] = -1.0
    return model


@torch.no_grad()
def peer_model(size: Size) -> MarianMTModel:
    """Hugging Face's model of the same size, that never ends either."""
    ours = size.config()
    config = MarianConfig(
        vocab_size=size.vocab,
        d_model=size.d_model,
        encoder_layers=size.n_layers,
        decoder_layers=size.n_layers,
        encoder_attention_heads=size.n_heads,
        decoder_attention_heads=size.n_heads,
        encoder_ffn_dim=size.d_ff,
        decoder_ffn_dim=size.d_ff,
        activation_function="relu",
        scale_embedding=True,
        pad_token_id=ours.pad_id,
        bos_token_id=ours.bos_id,
        eos_token_id=ours.eos_id,
        decoder_start_token_id=ours.bos_id,
        forced_eos_token_id=None,
        attn_implementation="sdpa",
    )
    model = MarianMTModel(config).eval()
    model.final_logits_bias[0, [ours.pad_id, ours.eos_id]] = -1e4
    return model


def ours(model: Transformer, src: Tensor, config: DecodeConfig | BeamConfig) -> Decoded:
    """Our best targets [batch, produced tokens]."""
    return lambda: last_step(decode(model, src, config)).hypotheses


def peers(model: MarianMTModel, src: Tensor, config: DecodeConfig | BeamConfig) -> Decoded:
    """The peer's."""
    mask = torch.ones_like(src)
    beams = config.width if isinstance(config, BeamConfig) else 1

    def work() -> Tensor:
        found: Tensor = model.generate(
            src, attention_mask=mask, max_new_tokens=NEW_TOKENS, num_beams=beams, do_sample=False
        )
        return found[:, 1:]  # without bos

    return work


def measure(rounds: int) -> list[Row]:
    """How many times as fast as the peer: a row for each case.

    Raises:
        RuntimeError: when one of the two does not produce the tokens that are counted on.
    """
    logging.set_verbosity_error()
    rows = []
    for size, batch, config, repeats, at_least, aim in CASES:
        torch.manual_seed(0)
        src = replace(size, batch=batch, length=SOURCE_TOKENS).ids()
        mine, other = ours(our_model(size), src, config), peers(peer_model(size), src, config)
        for work in (mine, other):
            shape = tuple(work().shape)
            if shape != (batch, NEW_TOKENS):
                raise RuntimeError(f"{(batch, NEW_TOKENS)} tokens were to be produced, not {shape}")
        method = f"beam search of {config.width}" if isinstance(config, BeamConfig) else "greedy decoding"
        times = speed(mine, other, rounds, repeats)
        rows.append(Row(size.with_batch(batch).name, method, times, at_least=at_least, aim=aim))
    return rows


def main() -> None:
    """Print a table of medians as Markdown."""
    from benchmarks.__main__ import table

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.decoding", description="Decoding beside a peer."
    )
    parser.add_argument(
        "--rounds", type=int, default=7, help="ratios of which the median is taken (default: 7)"
    )
    torch.set_num_threads(1)
    print(table(measure(parser.parse_args().rounds)))


if __name__ == "__main__":
    main()
