"""Speed of greedy decoding and beam search compared with Hugging Face's `generate`, both with a key-value cache.

    python -m benchmarks.decoding [--rounds 7]

The peer is a MarianMTModel of the same size with random weights and fused attention. Both decode the same sources of
16 tokens into exactly 32 tokens. To keep either from finishing early, EOS is made practically impossible: by a bias on
the peer's logits and by the choice of our weights (`suppress_end`), so neither runs extra code for it.
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

from benchmarks.compare import Row, measure_speedup
from benchmarks.sizes import BASE, TOY, Size
from core.config import BeamConfig, DecodeConfig
from core.decoding.decode import decode
from core.decoding.step import last_step
from core.model.transformer import Transformer

NEW_TOKENS = 32
SOURCE_TOKENS = 16
DecodeWork = Callable[[], Tensor]
"""Function that returns the tokens it has produced [batch, produced tokens]."""
GREEDY = DecodeConfig(max_length=NEW_TOKENS)
BEAM = BeamConfig(width=4, n_best=1, max_length=NEW_TOKENS)
# Size, number of sources, method, calls per round, lowest acceptable speed, desired speed.
CASES: tuple[tuple[Size, int, DecodeConfig | BeamConfig, int, float, float], ...] = (
    (TOY, 1, GREEDY, 4, 2.5, 3.5),
    (TOY, 32, GREEDY, 2, 1.7, 2.2),
    (BASE, 1, GREEDY, 1, 1.3, 1.5),
    (TOY, 1, BEAM, 2, 2.2, 3.0),
    (TOY, 32, BEAM, 1, 1.5, 2.0),
)


def make_model(size: Size) -> Transformer:
    """Build our model with random weights that never produce EOS."""
    return suppress_end(Transformer(size.make_config()).eval())


@torch.no_grad()
def suppress_end(model: Transformer) -> Transformer:
    """Set weights so that the logits of PAD and EOS are always -d_model; return the model.

    A normalised row sums to 0 before γ and β are applied, so with γ = 1 and β = 1 it always sums to d_model.
    """
    config = model.config
    model.get_parameter(f"decoder.layers.{config.n_decoder_layers - 1}.feed_forward_add_norm.bias").fill_(1.0)
    model.generator.weight[[config.pad_id, config.eos_id]] = -1.0
    return model


@torch.no_grad()
def make_peer(size: Size) -> MarianMTModel:
    """Build Hugging Face's model of the same size, with a bias that suppresses PAD and EOS."""
    ours = size.make_config()
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


def make_decode_work(model: Transformer, src: Tensor, config: DecodeConfig | BeamConfig) -> DecodeWork:
    """Return a function that decodes with our model."""
    return lambda: last_step(decode(model, src, config)).hypotheses


def make_peer_work(model: MarianMTModel, src: Tensor, config: DecodeConfig | BeamConfig) -> DecodeWork:
    """Return a function that decodes with the peer."""
    mask = torch.ones_like(src)
    beams = config.width if isinstance(config, BeamConfig) else 1

    def work() -> Tensor:
        found: Tensor = model.generate(
            src, attention_mask=mask, max_new_tokens=NEW_TOKENS, num_beams=beams, do_sample=False
        )
        return found[:, 1:]  # without BOS

    return work


def measure(rounds: int) -> list[Row]:
    """Measure our decoding speed as a multiple of the peer's, one row per case.

    Raises:
        RuntimeError: when one of the two produces a different number of tokens than expected.
    """
    logging.set_verbosity_error()
    rows = []
    for size, batch, config, repeats, at_least, aim in CASES:
        torch.manual_seed(0)
        src = replace(size, batch=batch, length=SOURCE_TOKENS).draw_sources()
        ours = make_decode_work(make_model(size), src, config)
        peer = make_peer_work(make_peer(size), src, config)
        for work in (ours, peer):
            shape = tuple(work().shape)
            if shape != (batch, NEW_TOKENS):
                raise RuntimeError(f"expected tokens of shape {(batch, NEW_TOKENS)}, got {shape}")
        method = f"beam search, width {config.width}" if isinstance(config, BeamConfig) else "greedy decoding"
        speedup = measure_speedup(ours, peer, rounds, repeats)
        rows.append(Row(size.with_batch(batch).name, method, speedup, at_least=at_least, aim=aim))
    return rows


def main() -> None:
    """Print the table as Markdown."""
    from benchmarks.__main__ import format_table

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.decoding",
        description="Compare the speed of decoding with Hugging Face's generate().",
    )
    parser.add_argument(
        "--rounds", type=int, default=7, metavar="N", help="ratios whose median is reported (default: 7)"
    )
    torch.set_num_threads(1)
    print(format_table(measure(parser.parse_args().rounds)))


if __name__ == "__main__":
    main()
