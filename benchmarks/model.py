"""Speed of the model beside its peers: forward, training step, decoding, recording; as ratios.

    python -m benchmarks.model

One torch thread, CPU seconds of the process, peers interleaved in one process with the order reversed every
other round, a ratio for each round, medians. Absolute times depend on the machine; ratios hardly do.
"""

import argparse
import copy
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from core.activations.record import record
from core.config import DecodeConfig, TransformerConfig
from core.decoding.autoregressive import decode_steps
from core.model.masks import causal_mask
from core.model.transformer import Transformer
from core.training.loss import label_smoothed_cross_entropy

Work = Callable[[], object]


@dataclass(frozen=True)
class Size:
    """A model and a batch that stand for a use of the program."""

    name: str
    d_model: int
    n_heads: int
    n_layers: int
    d_ff: int
    vocab: int
    batch: int
    length: int

    def config(self) -> TransformerConfig:
        """The model's configuration."""
        return TransformerConfig(
            src_vocab_size=self.vocab,
            tgt_vocab_size=self.vocab,
            d_model=self.d_model,
            n_heads=self.n_heads,
            n_encoder_layers=self.n_layers,
            n_decoder_layers=self.n_layers,
            d_ff=self.d_ff,
        )

    def ids(self) -> Tensor:
        """Random ids without padding [batch, length]."""
        return torch.randint(3, self.vocab, (self.batch, self.length))


TOY = Size("TOY", d_model=128, n_heads=4, n_layers=2, d_ff=512, vocab=64, batch=64, length=16)
TOY_ONE = Size("TOY, batch 1", d_model=128, n_heads=4, n_layers=2, d_ff=512, vocab=64, batch=1, length=16)
BASE = Size("BASE", d_model=512, n_heads=8, n_layers=6, d_ff=2048, vocab=8000, batch=8, length=64)


class TorchTransformer(nn.Module):
    """The peer: torch's own stacks with the same embeddings and output matrix."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.embedding = nn.Embedding(size.vocab, size.d_model)
        self.stacks = nn.Transformer(
            size.d_model, size.n_heads, size.n_layers, size.n_layers, size.d_ff, 0.1, batch_first=True
        )
        self.register_buffer("future", ~causal_mask(size.length))
        self.scale = size.d_model**0.5

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Logits [batch, position, vocab]."""
        x, y = self.embedding(src) * self.scale, self.embedding(tgt) * self.scale
        hidden = self.stacks(x, y, tgt_mask=self.future[: tgt.shape[1], : tgt.shape[1]], tgt_is_causal=True)
        return hidden @ self.embedding.weight.T


def without_taps(model: Transformer) -> Transformer:
    """A copy whose taps are the cheapest thing that can be called."""
    bare = copy.deepcopy(model)
    for name in list(bare.taps):
        path, _, leaf = name.rpartition(".")
        module = bare.get_submodule(path)
        # These four attention asks whether somebody looks; nobody does, and then they are not called.
        if leaf not in ("scores", "mask", "weights", "context"):
            delattr(module, leaf)
            setattr(module, leaf, lambda value: value)
    return bare


def ratio(ours: Work, peer: Work, rounds: int, repeats: int) -> float:
    """Median over the rounds of our CPU time over the peer's."""
    ratios = []
    for index in range(rounds + 1):
        order = (ours, peer) if index % 2 else (peer, ours)
        spent = {}
        for work in order:
            start = time.process_time()
            for _ in range(repeats):
                work()
            spent[work] = time.process_time() - start
        ratios.append(spent[ours] / spent[peer])
    return statistics.median(ratios[1:])


def recorded(model: Transformer, src: Tensor, tgt: Tensor, *patterns: str) -> Work:
    """A forward pass that is recorded."""

    def work() -> None:
        with record(model, *patterns):
            model(src, tgt)

    return work


def training_step(model: nn.Module, src: Tensor, tgt: Tensor) -> Work:
    """Forward, loss, backward, update."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=True)

    def work() -> None:
        loss = label_smoothed_cross_entropy(model(src, tgt), tgt, smoothing=0.1, pad_id=0)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    return work


def decoding(model: Transformer, src: Tensor, *, use_cache: bool) -> Work:
    """32 new tokens."""
    config = DecodeConfig(max_length=32, use_cache=use_cache)
    return lambda: list(decode_steps(model, src, config))


def measure(size: Size, rounds: int, repeats: int) -> list[tuple[str, float, str]]:
    """Rows of what, ratio and goal for one size."""
    torch.manual_seed(0)
    model = Transformer(size.config()).eval()
    peer = TorchTransformer(size).eval()
    src, tgt = size.ids(), size.ids()
    some = ("*.q", "*.k", "*.v", "*.weights", "*.context")
    one = size.batch == 1
    with torch.no_grad():
        plain = partial(model, src, tgt)
        bare = without_taps(model)
        rows = [
            ("forward, taps with nobody looking / without taps",
             ratio(plain, lambda: bare(src, tgt), rounds, repeats), "≤ 1.03"),
            ("forward / torch.nn.Transformer", ratio(plain, lambda: peer(src, tgt), rounds, repeats), ""),
            ("recording q, k, v, weights, context / not recording",
             ratio(recorded(model, src, tgt, *some), plain, rounds, repeats), "≤ 1.3" if one else ""),
            ("recording every site / not recording",
             ratio(recorded(model, src, tgt), plain, rounds, repeats),
             "≤ 2.0" if size is TOY else "≤ 1.5"),
        ]  # fmt: skip
        if one:
            cached, uncached = decoding(model, src, use_cache=True), decoding(model, src, use_cache=False)
            rows.append(("decoding 32 tokens, with cache / without", ratio(cached, uncached, rounds, 2), ""))
    if not one:
        ours, theirs = training_step(model.train(), src, tgt), training_step(peer.train(), src, tgt)
        rows.append(("training step / torch.nn.Transformer", ratio(ours, theirs, rounds, repeats), ""))
    return rows


def main() -> None:
    """Print a table of medians as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.model", description="Speed beside peers.")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print("| size | what | ratio | goal |\n|---|---|---|---|")
    for size, repeats in ((TOY_ONE, 30), (TOY, 4), (BASE, 1)):
        for what, value, goal in measure(size, options.rounds if size is not BASE else 5, repeats):
            print(f"| {size.name} | {what} | {value:.2f} | {goal} |", flush=True)


if __name__ == "__main__":
    main()
