"""Autoregressive decoding: P(y) = ∏ P(y_t | y_<t, x), one token after the other, greedily or by sampling."""

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from core.activations.record import Edits
from core.config import DecodeConfig, TransformerConfig
from core.decoding.next_token import NextToken, check_prefix, longest_output
from core.decoding.sampling import SamplingPipeline, UniformDraws, sampling_pipeline
from core.decoding.step import DecodeStep
from core.decoding.step import last_step as last_step
from core.errors import InputError
from core.model.positional_encoding import warn_of_last_position
from core.model.transformer import Transformer


def decode_steps(
    model: Transformer,
    src: Tensor,
    config: DecodeConfig | None = None,
    *,
    prefix: Sequence[int] = (),
    record_sites: Sequence[str] = (),
    edits: Edits = (),
    places: Sequence[int] | None = None,
    memory: Tensor | None = None,
    reads_ahead: bool = False,
) -> Iterator[DecodeStep]:
    """Decode a batch of sources and yield every step; stop pulling to stop decoding.

    It ends when every hypothesis has produced eos, after config.max_length tokens, or where learned positions
    end. Padding and bos are never chosen, though their probability is reported as the model gives it. No
    source's result depends on the others: see UniformDraws for the numbers that sample.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position], each row ending in eos, right-padded.
        config: Length, temperature, what is sampled from, cache.
        prefix: Token ids with which every hypothesis begins, whatever the model says: a step for each, marked
            as forced, with the probabilities that the model gives. With eos as its last, decoding ends there.
        record_sites: Patterns of sites to record in each step. The encoder's sites, and with a cache the
            memory's keys and values, come up in the first step only.
        edits: What is changed on the way in each step, as for `edit`; what `Changes` has of interventions.
        places: Place of each source among all that are sampled, from which its draws follow; by default its row.
        memory: What the encoder makes of the sources [batch, source position, d_model]; None: it is computed.
        reads_ahead: Whether the prefix is read in one pass with the first step, where there is a cache and nothing is
            recorded or edited. It takes less time, and the last bits of the probabilities may differ.

    Raises:
        InputError: when the model is in training mode, cannot take the source, or its logits are not finite;
            when the prefix is too long or has other tokens than words before its end; or when there are not as
            many places as sources.
        UnknownSite: when a pattern matches no site.
        CaptureError: as `edit`.
    """
    config = config or DecodeConfig()
    forced = check_prefix(model, prefix, config.max_length, may_end=True)
    rows = range(len(src)) if places is None else places
    if len(rows) != len(src):
        raise InputError(f"give one place for each source, not {len(rows)} for {len(src)}")
    next_token = NextToken(
        model,
        src,
        use_cache=config.use_cache,
        record_sites=record_sites,
        edits=edits,
        prefix=forced if reads_ahead else (),
        memory=memory,
    )
    decoding = _Decoding(next_token, src, config, model.config, rows)
    for index in range(longest_output(model, config.max_length)):
        step = decoding.advance(index, forced[index] if index < len(forced) else None)
        yield step
        if decoding.n_finished == len(src):
            return


def generate(
    model: Transformer,
    src: Tensor,
    max_length: int | None = None,
    *,
    temperature: float = 0.0,
    top_k: int | None = None,
    top_p: float = 1.0,
    seed: int = 0,
    prefix: Sequence[int] = (),
    use_cache: bool = True,
) -> Tensor:
    """Return target ids [batch, produced tokens] without bos, up to and with eos, right-padded.

    Args:
        model: Model in evaluation mode.
        src: Source ids [batch, source position], each row ending in eos, right-padded.
        max_length: Most tokens produced, 50 by default. Where learned positions end before, so does a target; a
            warning says so if the number was given.
        temperature: 0 takes the most probable token; above 0 samples.
        top_k: Sample among this many most probable tokens only; None: among all.
        top_p: Sample among the fewest most probable tokens that have this share of the probability.
        seed: Seed of the draws; each row draws numbers of its own.
        prefix: Ids with which every target begins, whatever the model says.
        use_cache: Keep keys and values of earlier steps; the result is the same without.

    Raises:
        InputError: as for `decode_steps`.
    """
    config = DecodeConfig(
        max_length=max_length,
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        seed=seed,
        use_cache=use_cache,
    )
    last = last_step(decode_steps(model, src, config, prefix=prefix, reads_ahead=True))
    if not last.finished.all():
        warn_of_last_position(model.config, max_length)
    return last.hypotheses


class _Decoding:
    """The state of one decoding: hypotheses, and the model beside them. Each `advance` adds a token to each row."""

    def __init__(
        self,
        next_token: NextToken,
        src: Tensor,
        config: DecodeConfig,
        model_config: TransformerConfig,
        places: Sequence[int],
    ) -> None:
        self.next_token, self.config, self.model_config = next_token, config, model_config
        self.draws = UniformDraws(config.seed, places)
        self.hypotheses = torch.empty((len(src), 0), dtype=torch.int64, device=src.device)
        self.finished = torch.zeros(len(src), dtype=torch.bool, device=src.device)
        self.n_finished = 0

    @torch.no_grad()
    def advance(self, index: int, forced: int | None) -> DecodeStep:
        """Run the model on the newest token; the next one is the forced, the drawn or the most probable."""
        logits, activations = self.next_token.logits()
        log_probs = logits.log_softmax(dim=-1)  # [B, V]
        # The sum costs a quarter of looking at each number and shows one that is not finite, but may overflow itself.
        if not math.isfinite(log_probs.sum()) and not log_probs.isfinite().all():
            raise InputError("the model's logits are not finite numbers; a weight or an edit is too large")
        sampling = self._sample(logits) if self.config.temperature else None
        chosen, log_prob = self._choose(log_probs, sampling, forced)
        # Copies, so that a caller who changes a step in place does not change those after it.
        self._append(chosen.clone())
        return DecodeStep(
            index=index,
            chosen=chosen,
            log_prob=log_prob,
            log_probs=log_probs,
            hypotheses=self.hypotheses.clone(),
            finished=self.finished.clone(),
            activations=activations,
            forced=forced is not None,
            sampling=sampling,
        )

    def _sample(self, logits: Tensor) -> SamplingPipeline:
        never = (self.model_config.pad_id, self.model_config.bos_id)
        return sampling_pipeline(logits, self.config, self.draws.next(), never=never)

    def _choose(
        self, log_probs: Tensor, sampling: SamplingPipeline | None, forced: int | None
    ) -> tuple[Tensor, Tensor]:
        """Ids of the next tokens [batch] and their log-probabilities; padding and 0 where ended before."""
        if forced is not None:
            chosen = torch.full_like(self.finished, forced, dtype=torch.int64)
            log_prob = log_probs[:, forced]
        elif sampling is not None:
            chosen = sampling.token_ids.to(log_probs.device)
            log_prob = log_probs.gather(1, chosen[:, None])[:, 0]
        else:
            log_prob, chosen = (log_probs + self.next_token.never).max(dim=-1)
        if self.n_finished:
            chosen = chosen.masked_fill(self.finished, self.model_config.pad_id)
            log_prob = log_prob.masked_fill(self.finished, 0.0)
        return chosen, log_prob

    def _append(self, chosen: Tensor) -> None:
        self.hypotheses = torch.cat((self.hypotheses, chosen[:, None]), dim=1)
        self.next_token.append(chosen)
        self.finished = self.finished | (chosen == self.model_config.eos_id)
        self.n_finished = int(self.finished.sum())
