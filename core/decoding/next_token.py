"""What the model says about the next token of each hypothesis: one call a step, whatever the decoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.record import Edits, edit, match_sites, needs_whole, record, require_transformer
from core.config import USUAL_OUTPUT_TOKENS, TransformerConfig
from core.decoding.lean_step import LeanStep
from core.errors import InputError
from core.model.cache import KeyValueCache
from core.model.transformer import Transformer
from core.numbers import is_whole


class NextToken:
    """The model beside the rows of hypotheses that it continues: their tokens, their memory, its mask, the cache.

    Attributes:
        never: What is added to log-probabilities [vocab]: -inf for padding and bos, which are no words.
    """

    def __init__(
        self,
        model: Transformer,
        src: Tensor,
        *,
        use_cache: bool,
        record_sites: Sequence[str] = (),
        edits: Edits = (),
        prefix: Sequence[int] = (),
        memory: Tensor | None = None,
    ) -> None:
        """Begin with a row for each source.

        Args:
            model: In evaluation mode.
            src: Source ids [source, source position].
            use_cache: Whether to keep keys and values between steps.
            record_sites: Patterns of sites to record in each step.
            edits: What is changed on the way in each step.
            prefix: Ids with which every row will go on, whatever the model says: they are read in one pass.
            memory: What the encoder makes of the sources, where that is known [source, source position, d_model].

        Raises:
            InputError: when the model is in training mode, a source does not end in eos, or the memory has other
                rows or positions than the sources.
            UnknownSite: when a pattern of record_sites or of edits matches no site.
            CaptureError: when a site of edits is derived.
        """
        if model.training:
            raise InputError("decoding needs the model in evaluation mode: call model.eval() first")
        _check_ends(src, model.config)
        if record_sites:
            match_sites(model, *record_sites)
        self._model, self._src, self._sites = model, src, tuple(record_sites)
        self._edits = tuple(edits.items() if isinstance(edits, Mapping) else edits)
        with self._edited():
            # Its functions must see earlier positions as well, and these may depend on later ones.
            self._whole = needs_whole(model)
        # Without a causal mask every earlier value changes with each new token: no cache is valid.
        cached = use_cache and model.config.causal and not self._whole
        self._cache = KeyValueCache.empty(model.config.n_decoder_layers) if cached else None
        self._lean = LeanStep(model)
        if memory is not None and memory.shape[:2] != src.shape:
            raise InputError(
                f"give the memory of these sources {list(src.shape)}, not of others {list(memory.shape[:2])}"
            )
        self._memory = memory
        self._memory_mask = None if memory is None else model.source_mask(src)
        # A site that is recorded or edited must occur once per step.
        reads_ahead = cached and not (record_sites or self._edits) and self._lean.is_possible()
        read = (model.config.bos_id, *(prefix[:-1] if reads_ahead else ()))
        # bos and what has been produced; with a cache, its newest positions.
        self._tgt_in = torch.tensor(read, device=src.device).expand(len(src), -1)
        # What the decoder made of the positions that were read ahead [row, 1, d_model], each with its place.
        self._ahead: list[tuple[Tensor, int]] = []
        weight = model.generator.weight
        # bfloat16 has too few digits to rank close candidates by their log-probability.
        self._dtype = torch.promote_types(weight.dtype, torch.float32)
        self.never = torch.zeros(len(weight), dtype=self._dtype, device=weight.device)
        self.never[[model.config.pad_id, model.config.bos_id]] = -torch.inf

    def logits(self) -> tuple[Tensor, Activations | None]:
        """Logits [row, vocab] of the next token, and what was recorded on the way.

        Raises:
            InputError: when the model cannot take the source.
        """
        if self._ahead:
            decoded, first = self._ahead.pop(0)
            return self._model.generator(decoded, first)[:, -1].to(self._dtype), None
        looked_at = self._sites or self._edits
        if self._cache is not None and self._cache.length and not looked_at and self._lean.is_possible():
            return self._lean(self._tgt_in[:, 0], self._cache, self._memory_mask).to(self._dtype), None
        # The block opens and closes inside one step: a generator that yielded inside of it would
        # leave its caller recorded.
        block = record(self._model, *self._sites, may_be_empty=True) if self._sites else nullcontext()
        with self._edited(), block as activations:
            if self._memory is None:
                self._memory, self._memory_mask = self._model.encode(self._src)
            decoded, first = self._decode(*self._memory_of_rows(self._memory, self._memory_mask))
            if self._cache is not None:
                # Not their logits, of which a large vocabulary has very many.
                (decoded, _), *self._ahead = [
                    (each, first + at) for at, each in enumerate(decoded.split(1, 1))
                ]
            logits = self._model.generator(decoded, first)[:, -1].to(self._dtype)
        return logits, activations

    def _edited(self) -> AbstractContextManager[None]:
        return edit(self._model, self._edits) if self._edits else nullcontext()

    def _memory_of_rows(self, memory: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """The memory and its mask for each row, of which every source may have several."""
        each = len(self._tgt_in) // len(memory)
        if each == 1:
            return memory, mask
        return memory.repeat_interleave(each, 0), None if mask is None else mask.repeat_interleave(each, 0)

    def _decode(self, memory: Tensor, mask: Tensor | None) -> tuple[Tensor, int]:
        """The decoder's output [row, position, d_model], of the last position at least, and the first of them."""
        if self._cache is None:
            decoded = self._model.decode(self._tgt_in, memory, mask)
            first = 0 if self._whole else decoded.shape[1] - 1
            return decoded[:, first:], first
        # The ids were chosen among the model's own, so they need no check; and nobody reads what
        # follows a finished hypothesis, so they need no mask.
        first = self._cache.length
        newest = self._model.tgt_embed(self._tgt_in, first)
        return self._model.decoder(newest, memory, None, mask, self._cache), first

    def reorder(self, rows: Tensor, sources: Tensor | None = None) -> None:
        """Let row i continue what row rows[i] was.

        Args:
            rows: [new row]; they may repeat or leave out old ones. Each source has as many, side by side.
            sources: Which sources stay [new source]; None: all of them.
        """
        self._ahead = [(decoded.index_select(0, rows), first) for decoded, first in self._ahead]
        if self._cache is not None:
            self._cache.reorder_targets(rows)
        else:
            self._tgt_in = self._tgt_in.index_select(0, rows)
        if sources is None:
            return
        if self._cache is not None:
            self._cache.reorder_sources(sources)
        if self._memory is not None:
            self._memory = self._memory.index_select(0, sources)
        if self._memory_mask is not None:
            self._memory_mask = self._memory_mask.index_select(0, sources)

    def append(self, token_ids: Tensor) -> None:
        """Let every row go on with its token [row]."""
        newest = token_ids[:, None]
        self._tgt_in = newest if self._cache is not None else torch.cat((self._tgt_in, newest), dim=1)


def _check_ends(src: Tensor, config: TransformerConfig) -> None:
    """Raise an InputError if a source does not end in eos, without which the model was never trained."""
    if src.dim() != 2 or not src.numel():
        return  # The model rejects ids of any other shape.
    lengths = (src != config.pad_id).sum(dim=1, keepdim=True)
    last = src.gather(1, (lengths - 1).clamp(min=0))
    if (last != config.eos_id).any():
        raise InputError(f"end each source with the id {config.eos_id} of </s>, before any padding")


def longest_output(model: Transformer, max_length: int | None) -> int:
    """Tokens that can be produced: max_length, or fewer where the model has no position for more."""
    most = USUAL_OUTPUT_TOKENS if max_length is None else max_length
    return min(most, model.config.max_len) if model.config.positional == "learned" else most


def check_prefix(
    model: Transformer, prefix: Sequence[int], max_length: int | None, *, may_end: bool = False
) -> tuple[int, ...]:
    """The token ids with which every hypothesis must begin, as they can be forced.

    Args:
        model: That must know them.
        prefix: The ids.
        max_length: Tokens that are produced at most.
        may_end: Whether the last of them may be eos, so that the hypothesis ends there.

    Raises:
        InputError: when there are more than can be produced, or one of them is no word of the target vocabulary.
    """
    require_transformer(model)
    config = model.config
    longest = longest_output(model, max_length)
    if len(prefix) > longest:
        raise InputError(
            f"the forced prefix has {len(prefix)} tokens, but {longest} at most are produced; "
            "shorten it or raise max_length"
        )
    names = {config.pad_id: "padding", config.bos_id: "bos", config.eos_id: "eos"}
    ends = may_end and len(prefix) > 0 and prefix[-1] == config.eos_id
    for token_id in prefix[:-1] if ends else prefix:
        if not is_whole(token_id):
            raise InputError(f"a forced prefix is made of token ids, whole numbers, not {token_id!r}")
        if token_id in names:
            raise InputError(
                f"the forced prefix must be words, but {token_id} is {names[token_id]}; leave it out"
            )
        if not 0 <= token_id < config.tgt_vocab_size:
            raise InputError(
                f"the forced prefix has token {token_id}, outside the vocabulary of "
                f"{config.tgt_vocab_size} tokens"
            )
    return tuple(prefix)
