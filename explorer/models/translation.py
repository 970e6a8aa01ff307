"""One translation with everything that the decoding view shows of it, taken from the recorded trace."""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.trace import Trace, trace
from core.config import DecodeConfig
from core.data.tasks import TASKS
from core.data.tokenizers import Tokenizer
from core.decoding.autoregressive import decode_steps
from core.decoding.step import DecodeStep
from core.run import Run
from explorer.models.arrays import array_of, read_only
from explorer.models.outputs import Attention
from explorer.models.task_facts import reference
from explorer.models.telling_step import telling_step

SITES: dict[Attention, str] = {
    "cross": "decoder.layers.{layer}.cross_attn.weights",
    "self": "decoder.layers.{layer}.self_attn.weights",
    "encoder": "encoder.layers.{layer}.self_attn.weights",
}
SHOWN_CANDIDATES = 8


@dataclass(frozen=True, eq=False)
class Translation:
    """A translation, greedy after the tokens that were forced; arrays are read-only.

    S source tokens, T output tokens, k candidates.

    Attributes:
        key: Names model, sentence and prefix; equal keys, equal translations.
        prefix: Ids of the tokens with which the output had to begin.
        source_tokens: What the model read, with EOS.
        output_tokens: What it produced, with EOS unless it ran into the length limit.
        output_ids: Their ids.
        forced: Which of them the model would not have taken by itself.
        written: The text of everything before each output token.
        weights: Recorded cross-attention weights, float32 [layer, head, T, S].
        self_weights: Those of the decoder's self-attention, float32 [layer, head, T, T].
        encoder_weights: Those of the encoder's self-attention, float32 [layer, head, S, S].
        candidate_ids: The most probable tokens of each step, int64 [T, k], the chosen one among them.
        candidate_probs: Their probabilities, float32 [T, k].
        chosen: Index of the chosen token among the k, per step.
        log_probs: log P of each chosen token, float32 [T].
        entropy_bits: Entropy of each step's whole distribution, float32 [T].
        gold: Source positions that explain each output token, or None.
        gold_note: One sentence on the gold alignment.
        ended: Whether the model ended the output itself, before the length limit.
    """

    key: str
    prefix: tuple[int, ...]
    source_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...]
    output_ids: tuple[int, ...]
    forced: tuple[bool, ...]
    written: tuple[str, ...]
    weights: np.ndarray
    self_weights: np.ndarray
    encoder_weights: np.ndarray
    candidate_ids: np.ndarray
    candidate_probs: np.ndarray
    chosen: tuple[int, ...]
    log_probs: np.ndarray
    entropy_bits: np.ndarray
    gold: tuple[tuple[int, ...], ...] | None
    gold_note: str
    ended: bool

    @property
    def attentions(self) -> dict[Attention, np.ndarray]:
        """The recorded weights of each attention, float32 [layer, head, query, key]."""
        return {"cross": self.weights, "self": self.self_weights, "encoder": self.encoder_weights}

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays."""
        steps = (self.candidate_ids, self.candidate_probs, self.log_probs, self.entropy_bits)
        return sum(array.nbytes for array in (*self.attentions.values(), *steps))

    @property
    def last_step(self) -> int:
        """The step at which the output ends."""
        return len(self.output_tokens) - 1

    @cached_property
    def telling_step(self) -> int:
        """The step on which the decoding rests until one is chosen."""
        return telling_step(self.weights[-1], ended=self.ended, gold=self.gold)

    @property
    def log_prob(self) -> float:
        """log P of the whole output: the sum of its steps."""
        return math.fsum(self.log_probs.tolist())

    @property
    def branch(self) -> tuple[int, ...]:
        """The shortest prefix with this output: up to the last token that the model would not have taken."""
        last = max((step for step, forced in enumerate(self.forced) if forced), default=-1)
        return self.output_ids[: last + 1]


def translate(run: Run, text: str, prefix: Sequence[int] = ()) -> Translation:
    """Decode a sentence greedily after a forced prefix, then trace the result once.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix is too long or has other tokens
            than words.
    """
    return traced_translation(run, text, prefix, lambda n_source, n_target: False)[0]


def traced_translation(
    run: Run,
    text: str,
    prefix: Sequence[int],
    records_all: Callable[[int, int], bool],
    encoded: Trace | None = None,
) -> tuple[Translation, Trace]:
    """Translate as `translate`; return the trace as well.

    Args:
        run: The run.
        text: The sentence.
        prefix: Ids of the tokens with which the output has to begin.
        records_all: Returns whether the trace has every site or only the attention weights, from the numbers of
            source and output tokens.
        encoded: Trace of the sentence with every site, with another prefix; None where there is none.

    Raises:
        InputError: as `translate`.
    """
    src = run.encode_source(text)
    with run.changing(len(src)):
        last, forced = _decode(run, src, prefix, encoded)
        hypothesis = last.hypotheses[0]
        weights = [site.format(layer="*") for site in SITES.values()]
        recorded = trace(
            run.model,
            src,
            hypothesis,
            *(() if records_all(len(src), len(hypothesis)) else weights),
            encoded=encoded,
        )
    return _translation_of(run, text, prefix, recorded, forced, ended=bool(last.finished[0])), recorded


def _translation_of(
    run: Run, text: str, prefix: Sequence[int], recorded: Trace, forced: tuple[bool, ...], *, ended: bool
) -> Translation:
    output = recorded.tgt_out.tolist()
    log_probs = recorded.logits.double().log_softmax(dim=-1)  # [T, V]
    candidates = _candidates(log_probs, recorded.tgt_out)
    gold, note = gold_alignment(run, text, output)
    config = run.config
    return Translation(
        key=_key(run, text, prefix),
        prefix=tuple(prefix),
        source_tokens=run.src_tokenizer.vocabulary.tokens_of(recorded.src.tolist()),
        output_tokens=run.tgt_tokenizer.vocabulary.tokens_of(output),
        output_ids=tuple(output),
        forced=forced,
        written=_prefixes(run.tgt_tokenizer, output),
        weights=_weights(recorded.activations, SITES["cross"], config.n_decoder_layers),
        self_weights=_weights(recorded.activations, SITES["self"], config.n_decoder_layers),
        encoder_weights=_weights(recorded.activations, SITES["encoder"], config.n_encoder_layers),
        candidate_ids=read_only(candidates.numpy()),
        candidate_probs=array_of(log_probs.gather(1, candidates).exp()),
        chosen=tuple((candidates == recorded.tgt_out[:, None]).int().argmax(dim=1).tolist()),
        log_probs=array_of(log_probs.gather(1, recorded.tgt_out[:, None])[:, 0]),
        entropy_bits=array_of(-(log_probs.exp() * log_probs).sum(dim=-1) / np.log(2)),
        gold=gold,
        gold_note=note,
        ended=ended,
    )


def _decode(
    run: Run, src: Tensor, prefix: Sequence[int], encoded: Trace | None
) -> tuple[DecodeStep, tuple[bool, ...]]:
    """The last step, and for each step whether its token is one that greedy decoding would not have taken."""
    forced, config = [], DecodeConfig(max_length=run.output_limit)
    memory = None if encoded is None else encoded.memory.to(src.device)
    for step in decode_steps(run.model, src[None], config, prefix=prefix, memory=memory, reads_ahead=True):
        forced.append(step.forced and int(step.chosen[0]) != _own_choice(run, step.log_probs[0]))
    return step, tuple(forced)


def _own_choice(run: Run, log_probs: Tensor) -> int:
    """The token that greedy decoding takes: the most probable one but for padding and bos, which are no words."""
    allowed = log_probs.clone()
    allowed[[run.config.pad_id, run.config.bos_id]] = -torch.inf
    return int(allowed.argmax())


def _key(run: Run, text: str, prefix: Sequence[int]) -> str:
    named = "\n".join((run.fingerprint, text, *map(str, prefix)))
    return hashlib.sha256(named.encode()).hexdigest()[:16]


def _weights(activations: Activations, site: str, n_layers: int) -> np.ndarray:
    return array_of(torch.stack([activations[site.format(layer=layer)][0] for layer in range(n_layers)]))


def _candidates(log_probs: Tensor, chosen: Tensor) -> Tensor:
    """Ids [T, k] of the most probable tokens; the chosen one replaces the last where it is not among them."""
    top = log_probs.topk(min(SHOWN_CANDIDATES, log_probs.shape[1])).indices
    missing = (top != chosen[:, None]).all(dim=1)
    top[missing, -1] = chosen[missing]
    return top


def gold_alignment(
    run: Run, text: str, output: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...] | None, str]:
    """The gold alignment of the output, with a sentence; None where the output is not the task's answer."""
    if run.task not in TASKS:
        return None, "No gold alignment: it is known for this program's own tasks alone."
    pair = reference(run.task, text)
    if pair is None:
        return None, "No gold alignment: this is outside the language that the model learned from."
    eos = run.config.eos_id
    if list(output) != [*run.tgt_tokenizer.encode(pair.target), eos]:
        return None, f"No gold alignment: the right answer would be “{pair.target}”."
    end = len(run.src_tokenizer.tokenize(text))
    return (
        *pair.alignment,
        (end,),
    ), "Rings mark where each output token comes from, by the rules."


def _prefixes(tokenizer: Tokenizer, ids: Sequence[int]) -> tuple[str, ...]:
    return tuple(tokenizer.decode(ids[:step]) for step in range(len(ids)))
