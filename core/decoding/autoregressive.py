"""Autoregressive decoding: P(y) = ∏ P(y_t | y_<t, x), one token after the other."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext

import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.record import match_sites, record
from core.config import DecodeConfig
from core.decoding.step import DecodeStep
from core.errors import InputError
from core.model.cache import KeyValueCache
from core.model.transformer import Transformer

Choose = Callable[[Tensor], Tensor]
"""From allowed log-probabilities [batch, vocab] to token ids [batch]."""


def decode_steps(
    model: Transformer,
    src: Tensor,
    config: DecodeConfig | None = None,
    *,
    record_sites: Sequence[str] = (),
) -> Iterator[DecodeStep]:
    """Decode a batch of sources and yield every step; stop pulling to stop decoding.

    It ends when every hypothesis has produced eos, after config.max_length tokens, or where learned positions
    end. Padding and bos
    are never chosen, though their probability is reported as the model gives it.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position], each row ending in eos, right-padded.
        config: Length, temperature, cache.
        record_sites: Patterns of sites to record in each step. The encoder's sites, and with a cache the
            memory's keys and values, come up in the first step only.

    Raises:
        InputError: when the model is in training mode, or cannot take the source.
        UnknownSite: when a pattern matches no site.
    """
    config = config or DecodeConfig()
    if model.training:
        raise InputError("decoding needs the model in evaluation mode: call model.eval() first")
    if record_sites:
        match_sites(model, *record_sites)
    decoding = _Decoding(model, src, config, tuple(record_sites))
    for index in range(longest_output(model, config.max_length)):
        step = decoding.advance(index)
        yield step
        if bool(step.finished.all()):
            return


def last_step(steps: Iterable[DecodeStep]) -> DecodeStep:
    """Decode to the end and keep the last step alone: each step holds a whole distribution."""
    return deque(steps, maxlen=1).pop()


def longest_output(model: Transformer, max_length: int) -> int:
    """Tokens that can be produced: max_length, or fewer where the model has no position for more."""
    learned = model.config.positional == "learned"
    return min(max_length, model.config.max_len) if learned else max_length


def choose_most_probable(log_probs: Tensor) -> Tensor:
    """Greedy: the most probable token of each row."""
    return log_probs.argmax(dim=-1)


def choose_by_sampling(temperature: float, seed: int, device: torch.device) -> Choose:
    """Draw from softmax(logits / temperature), with a generator of its own."""
    generator = torch.Generator(device).manual_seed(seed)

    def choose(log_probs: Tensor) -> Tensor:
        probs = (log_probs / temperature).softmax(dim=-1)
        return torch.multinomial(probs, 1, generator=generator)[:, 0]

    return choose


class _Decoding:
    """The state of one decoding: hypotheses, cache, memory. Each `advance` adds a token to each row."""

    def __init__(self, model: Transformer, src: Tensor, config: DecodeConfig, sites: tuple[str, ...]) -> None:
        self.model, self.src, self.sites = model, src, sites
        self.choose: Choose = (
            choose_by_sampling(config.temperature, config.seed, src.device)
            if config.temperature > 0
            else choose_most_probable
        )
        # Without a causal mask every earlier value changes with each new token: no cache is valid.
        cached = config.use_cache and model.config.causal
        self.cache = KeyValueCache.empty(model.config.n_decoder_layers) if cached else None
        self.memory: Tensor | None = None
        self.memory_mask: Tensor | None = None
        self.tgt_in = src.new_full((len(src), 1), model.config.bos_id)  # bos and the hypotheses
        self.finished = torch.zeros(len(src), dtype=torch.bool, device=src.device)

    @torch.no_grad()
    def advance(self, index: int) -> DecodeStep:
        """Run the model on the newest token, choose the next."""
        logits, activations = self._logits()
        if not logits.isfinite().all():
            raise InputError("the model's logits are not finite numbers; its weights are damaged")
        # bfloat16 has too few digits to rank close candidates by their log-probability.
        log_probs = logits.to(torch.promote_types(logits.dtype, torch.float32)).log_softmax(dim=-1)  # [B, V]
        chosen = self.choose(self._allowed(log_probs))
        chosen = chosen.masked_fill(self.finished, self.model.config.pad_id)
        log_prob = log_probs.gather(1, chosen[:, None])[:, 0].masked_fill(self.finished, 0.0)
        self.finished = self.finished | (chosen == self.model.config.eos_id)
        self.tgt_in = torch.cat((self.tgt_in, chosen[:, None]), dim=1)
        return DecodeStep(
            index=index,
            chosen=chosen,
            log_prob=log_prob,
            log_probs=log_probs,
            hypotheses=self.tgt_in[:, 1:],
            finished=self.finished,
            activations=activations,
        )

    def _logits(self) -> tuple[Tensor, Activations | None]:
        """Logits [B, V] of the next token, and what was recorded on the way."""
        # The block opens and closes inside one step: a generator that yielded inside of it would
        # leave its caller recorded.
        block = record(self.model, *self.sites, may_be_empty=True) if self.sites else nullcontext()
        with block as activations:
            if self.memory is None:
                self.memory, self.memory_mask = self.model.encode(self.src)
            tgt_in = self.tgt_in[:, -1:] if self.cache else self.tgt_in
            decoded = self.model.decode(tgt_in, self.memory, self.memory_mask, self.cache)
            logits = self.model.generator(decoded[:, -1:])[:, 0]
        return logits, activations

    def _allowed(self, log_probs: Tensor) -> Tensor:
        """Padding and bos are no words: they cannot be chosen."""
        config = self.model.config
        allowed = log_probs.clone()
        allowed[:, [config.pad_id, config.bos_id]] = -torch.inf
        return allowed
