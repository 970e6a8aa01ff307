"""One translation with everything that the decoding view shows of it, taken from the recorded trace."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.activations.trace import trace
from core.config import DecodeConfig
from core.data.tokenizers import Tokenizer
from core.decoding.autoregressive import decode_steps, last_step
from core.run import Run
from explorer.components.decode_view import DecodeViewData
from explorer.state import ExplorerState
from explorer.task_facts import reference, side_names, unit_of

CROSS_ATTENTION = "decoder.layers.{layer}.cross_attn.weights"
MAX_OUTPUT_TOKENS = 50
SHOWN_CANDIDATES = 8


@dataclass(frozen=True, eq=False)
class Translation:
    """A greedy translation; arrays are read-only, S source tokens, T output tokens, k candidates.

    Attributes:
        key: Names model and sentence; equal keys, equal translations.
        source_tokens: What the model read, with the end token.
        output_tokens: What it produced, with the end token unless it ran into the length limit.
        weights: Recorded cross-attention weights, float32 [layer, head, T, S].
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
    source_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...]
    weights: np.ndarray
    candidate_ids: np.ndarray
    candidate_probs: np.ndarray
    chosen: tuple[int, ...]
    log_probs: np.ndarray
    entropy_bits: np.ndarray
    gold: tuple[tuple[int, ...], ...] | None
    gold_note: str
    ended: bool

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays."""
        arrays = (self.weights, self.candidate_ids, self.candidate_probs, self.log_probs, self.entropy_bits)
        return sum(array.nbytes for array in arrays)


def translate(run: Run, text: str) -> Translation:
    """Decode a sentence greedily, then trace the result once.

    Raises:
        InputError: when the model cannot read the sentence.
    """
    src = run.encode_source(text)
    steps = decode_steps(run.model, src[None], DecodeConfig(max_length=MAX_OUTPUT_TOKENS))
    last = last_step(steps)
    hypothesis = last.hypotheses[0]
    recorded = trace(run.model, src, hypothesis, CROSS_ATTENTION.format(layer="*"))
    layers = range(run.config.n_decoder_layers)
    weights = [recorded.activations[CROSS_ATTENTION.format(layer=layer)][0] for layer in layers]
    log_probs = recorded.logits.double().log_softmax(dim=-1)  # [T, V]
    candidates = _candidates(log_probs, recorded.tgt_out)
    gold, note = _gold(run, text, recorded.tgt_out.tolist())
    return Translation(
        key=hashlib.sha256(f"{run.fingerprint}\n{text}".encode()).hexdigest()[:16],
        source_tokens=_token_texts(run.src_tokenizer, recorded.src.tolist()),
        output_tokens=_token_texts(run.tgt_tokenizer, recorded.tgt_out.tolist()),
        weights=_array(torch.stack(weights)),
        candidate_ids=_read_only(candidates.numpy()),
        candidate_probs=_array(log_probs.gather(1, candidates).exp()),
        chosen=tuple((candidates == recorded.tgt_out[:, None]).int().argmax(dim=1).tolist()),
        log_probs=_array(log_probs.gather(1, recorded.tgt_out[:, None])[:, 0]),
        entropy_bits=_array(-(log_probs.exp() * log_probs).sum(dim=-1) / np.log(2)),
        gold=gold,
        gold_note=note,
        ended=bool(last.finished[0]),
    )


def view_data(run: Run, translation: Translation, state: ExplorerState, report: int = 0) -> DecodeViewData:
    """What the decoding view is fed, for one visitor's choices.

    Args:
        run: The model.
        translation: What it did.
        state: The visitor's choices.
        report: Number of the view's last report that the state knows of.
    """
    source_name, target_name = side_names(run.task)
    last_step = len(translation.output_tokens) - 1
    n_layers, n_heads = translation.weights.shape[:2]
    return DecodeViewData(
        key=translation.key,
        source_name=source_name,
        target_name=target_name,
        source_tokens=translation.source_tokens,
        output_tokens=translation.output_tokens,
        weights=translation.weights,
        site=CROSS_ATTENTION,
        dtype=run.config.dtype,
        candidate_tokens=tuple(
            _token_texts(run.tgt_tokenizer, row) for row in translation.candidate_ids.tolist()
        ),
        candidate_probs=translation.candidate_probs,
        chosen=translation.chosen,
        log_probs=translation.log_probs,
        entropy_bits=translation.entropy_bits,
        vocabulary_size=run.config.tgt_vocab_size,
        gold=translation.gold,
        gold_note=translation.gold_note,
        step=last_step if state.decode_step is None else min(state.decode_step, last_step),
        layer=n_layers - 1 if state.layer is None else min(state.layer, n_layers - 1),
        head=None if state.head is None else min(state.head, n_heads - 1),
        overlay=state.gold and translation.gold is not None,
        autoplay=state.decode_step is None,
        unit=unit_of(run),
        ended=translation.ended,
        report=report,
    )


def _candidates(log_probs: Tensor, chosen: Tensor) -> Tensor:
    """Ids [T, k] of the most probable tokens; the chosen one replaces the last where it is not among them."""
    top = log_probs.topk(min(SHOWN_CANDIDATES, log_probs.shape[1])).indices
    missing = (top != chosen[:, None]).all(dim=1)
    top[missing, -1] = chosen[missing]
    return top


def _gold(run: Run, text: str, output: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...] | None, str]:
    """The gold alignment of the output, with a sentence; None where the output is not the task's answer."""
    pair = reference(run.task, text)
    if pair is None:
        return None, "No gold alignment: this is outside the language that the model learnt from."
    eos = run.config.eos_id
    if list(output) != [*run.tgt_tokenizer.encode(pair.target), eos]:
        return None, f"No gold alignment: the right answer would be “{pair.target}”."
    end = len(run.src_tokenizer.tokenize(text))
    return (
        *pair.alignment,
        (end,),
    ), "Rings mark where each output token comes from, by the rules."


def _token_texts(tokenizer: Tokenizer, ids: Sequence[int]) -> tuple[str, ...]:
    return tuple(tokenizer.vocabulary.token(token_id) for token_id in ids)


def _array(values: Tensor) -> np.ndarray:
    """A float32 array; bfloat16, which NumPy lacks, is widened, and float64 is shown as float32."""
    return _read_only(values.float().numpy())


def _read_only(array: np.ndarray) -> np.ndarray:
    """The cache hands the same array to every visitor."""
    array.setflags(write=False)
    return array
