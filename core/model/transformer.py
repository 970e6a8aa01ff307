"""The Transformer of "Attention Is All You Need": encoder, decoder, generator (figure 1)."""

from collections.abc import Callable, Mapping
from typing import Any, Self

import torch
from torch import Tensor, nn

from core.activations.sites import Site, sites
from core.activations.tap import Tap
from core.config import TransformerConfig
from core.device import DTYPES
from core.errors import ConfigError, InputError
from core.model.cache import KeyValueCache
from core.model.decoder import Decoder
from core.model.embedding import Embedding
from core.model.encoder import Encoder
from core.model.generator import Generator
from core.model.masks import padding_mask


class Transformer(nn.Module):
    """From source ids and shifted target ids to the logits of each next target token.

    Attributes:
        config: What the model was built from.
        taps: Every place where a value can be seen or edited, by name.
        blocks: Every other module, itself first.
    """

    __call__: Callable[..., Tensor]  # torch declares Any.

    def __init__(self, config: TransformerConfig, device: torch.device | str | None = None) -> None:
        super().__init__()
        self.config = config
        with torch.device(device or "cpu"):
            self.src_embed = Embedding(config, config.src_vocab_size)
            self.encoder = Encoder(config)
            self.tgt_embed = Embedding(config, config.tgt_vocab_size)
            self.decoder = Decoder(config)
            self.generator = Generator(config)
        self.to(device=device, dtype=DTYPES[config.dtype])
        self._tie()
        self.register_load_state_dict_pre_hook(_require_equal_tied)  # type: ignore[no-untyped-call]
        self.register_load_state_dict_post_hook(_tie_after_load)  # type: ignore[no-untyped-call]
        self.taps = {name: module for name, module in self.named_modules() if isinstance(module, Tap)}
        for name, tap in self.taps.items():
            tap.name = name
        # A plain list, so that asking every block something costs no walk through the tree.
        self.blocks = [module for module in self.modules() if not isinstance(module, Tap)]

    def _tie(self) -> None:
        """Share one matrix between both embeddings and the generator, where the configuration says so."""
        if self.config.tie_embeddings:
            self.tgt_embed.weight = self.src_embed.weight
            self.generator.weight = self.src_embed.weight

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Move or convert the model as torch does; matrices that torch separates on the way are shared again."""
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._tie()
        return self

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self.generator.weight.device

    def sites(self) -> tuple[Site, ...]:
        """Every value of this model that can be recorded, in the order of the computation."""
        return sites(self.config)

    def forward(self, src: Tensor, tgt_in: Tensor) -> Tensor:
        """Logits [batch, target position, vocab] under teacher forcing.

        Args:
            src: Source ids [batch, source position], right-padded with pad_id.
            tgt_in: Target ids shifted right [batch, target position]: bos first, right-padded.

        Raises:
            InputError: when ids are not of this form, or a source is padding alone.
        """
        memory, memory_mask = self.encode(src)
        return self.generator(self.decode(tgt_in, memory, memory_mask, from_start=True))

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor | None]:
        """The memory [batch, source position, d_model] and which of it may be seen (None: all of it)."""
        mask = self.source_mask(src)
        return self.encoder(self.src_embed(src), mask), mask

    def source_mask(self, src: Tensor) -> Tensor | None:
        """Return which source positions may be seen [batch, source position]; None: all of them.

        Raises:
            InputError: when ids are not of the form that `forward` describes.
        """
        return self._checked_mask(src, self.config.src_vocab_size, "source")

    def decode(
        self,
        tgt_in: Tensor,
        memory: Tensor,
        memory_mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        *,
        from_start: bool = False,
    ) -> Tensor:
        """The decoder's output [batch, target position, d_model], before the generator.

        Args:
            tgt_in: Target ids; with a cache its newest positions only.
            memory: What encode returned.
            memory_mask: The mask that encode returned.
            cache: Keys and values of earlier steps; filled by this call.
            from_start: Whether each row must begin with bos.

        Raises:
            InputError: when ids are not of the form that `forward` describes.
        """
        first_position = cache.length if cache else 0
        mask = self._checked_mask(tgt_in, self.config.tgt_vocab_size, "target", first_position, from_start)
        if len(tgt_in) != len(memory):
            raise InputError(
                f"give as many rows of target ids as of source ids: {len(tgt_in)} for {len(memory)}"
            )
        return self.decoder(self.tgt_embed(tgt_in, first_position), memory, mask, memory_mask, cache)

    def generate(self, src: Tensor, max_length: int | None = None, **settings: Any) -> Tensor:
        """Return target ids [batch, produced tokens]: ``model.generate(src, max_length=50, temperature=0.7)``.

        Args:
            src: Source ids [batch, source position], each row ending in eos, right-padded.
            max_length: Most tokens produced, 50 by default.
            settings: Those of `core.generate`: temperature, top_k, top_p, seed, prefix and use_cache.
        """
        # Decoding drives the model, so a module of the model cannot import it.
        from core import generate

        return generate(self, src, max_length, **settings)

    def _checked_mask(
        self, ids: Tensor, vocab_size: int, side: str, first_position: int = 0, from_start: bool = False
    ) -> Tensor | None:
        """Return where ids are not padding; None where nothing is hidden, which is cheaper to attend with.

        Raises:
            InputError: when the ids have not the form that `forward` describes.
        """
        self._check_kind(ids, side)
        mask = padding_mask(ids, self.config.pad_id)
        is_token = mask.flatten(1)
        begins = ids[:, 0] == self.config.bos_id if from_start else is_token[:, 0]
        # One tensor, which is read once: each reading waits for the device.
        facts = torch.stack([*ids.aminmax(), is_token.all(), begins.all()])
        low, high, is_unpadded, begins_well = facts.tolist()
        if low < 0 or high >= vocab_size:
            wrong = low if low < 0 else high
            raise InputError(f"{side} id {wrong} is outside the vocabulary of {vocab_size} tokens")
        if not begins_well and from_start:
            raise InputError(f"begin each row of target ids with the id {self.config.bos_id} of <s>")
        # The mask of the newest ids alone would not fit beside earlier keys. Padding follows finished hypotheses
        # alone, whose later outputs are never read.
        if first_position:
            return None
        if not is_unpadded and (is_token[:, 1:] & ~is_token[:, :-1]).any():
            raise InputError(
                f"pad the {side} ids on the right: a token follows padding (id {self.config.pad_id})"
            )
        if not begins_well and side == "source":
            raise InputError("a source of padding alone has nothing to attend to; give it at least one token")
        return None if is_unpadded else mask

    def _check_kind(self, ids: Tensor, side: str) -> None:
        """Refuse what would end in a silent broadcast or in a device assertion."""
        if ids.dim() != 2 or ids.numel() == 0:
            raise InputError(
                f"{side} ids must have shape [batch, position] with at least one of each, not {list(ids.shape)}"
            )
        if ids.dtype not in (torch.int64, torch.int32):
            raise InputError(f"{side} ids must be whole numbers (int64 or int32), not {ids.dtype}")
        if ids.device != self.device:
            raise InputError(
                f"{side} ids are on {ids.device}, but the model is on {self.device}; move one of them"
            )


def _require_equal_tied(model: nn.Module, state: Mapping[str, Any], prefix: str, *others: Any) -> None:
    """Raise an error if a state dict holds different matrices for one that the model shares."""
    if not (isinstance(model, Transformer) and model.config.tie_embeddings):
        return
    names = [f"{prefix}{part}.weight" for part in ("src_embed", "tgt_embed", "generator")]
    found = [state[name].cpu() for name in names if name in state and not state[name].is_meta]
    if any(not _is_same(found[0], matrix) for matrix in found[1:]):
        raise ConfigError(
            "tie_embeddings is on, but the state dict holds different matrices for the embeddings and the generator; "
            "build the model with tie_embeddings=False"
        )


def _is_same(one: Tensor, other: Tensor) -> bool:
    """Return True if two matrices hold the same numbers; a broken one may hold NaN, which equals itself here."""
    return one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)


def _tie_after_load(model: Transformer, keys: object) -> None:
    """Share the tied matrices again, which loading may have separated."""
    model._tie()
