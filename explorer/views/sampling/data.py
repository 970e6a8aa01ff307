"""What the sampling lab shows: one output with the logits of each step, and how often whole outputs are drawn."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.config import DecodeConfig, TransformerConfig
from core.decoding.autoregressive import decode_steps, last_step
from core.decoding.sampling import SamplingPipeline, sampling_pipeline
from core.model.transformer import Transformer
from core.run import Run
from explorer.models.arrays import array_of
from explorer.models.translation import Translation
from explorer.views.sampling.component import MAX_SEED, OutputRow, SamplesData, SamplingViewData
from explorer.visitor.state import ExplorerState
from explorer.visitor.step import shown_step

N_SAMPLES = 200
DRAWN_AT_ONCE = 50
SCORED_AT_ONCE = 25
"""Outputs in one teacher-forced pass; each step of each needs several columns as wide as the vocabulary."""
SHOWN_OUTPUTS = 10
COMPARED_FROM = 5
"""Expected draws from which on the frequency of an output says something about its probability."""


@dataclass(frozen=True, eq=False)
class SampledOutput:
    """One output with what each of its T tokens was drawn from; V tokens in the vocabulary.

    Attributes:
        key: Names model, sentence and forced tokens, but not the settings.
        token_ids: The tokens, EOS included if it was produced.
        tokens: Their texts.
        text: The whole output as a reader sees it.
        logits: float32 [T, V], read-only.
        uniform: The number that drew each token, T of [0, 1).
        log_probs: log P of each token under the model, float32 [T], read-only.
        n_forced: How many of the tokens were forced rather than drawn.
        ended: Whether the model ended the output itself, before the length limit.
    """

    key: str
    token_ids: tuple[int, ...]
    tokens: tuple[str, ...]
    text: str
    logits: np.ndarray
    uniform: tuple[float, ...]
    log_probs: np.ndarray
    n_forced: int
    ended: bool

    @property
    def last_step(self) -> int:
        """The step at which it ends."""
        return len(self.tokens) - 1

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays."""
        return self.logits.nbytes + self.log_probs.nbytes


@dataclass(frozen=True)
class DrawnOutput:
    """A whole output, how often it was drawn, and how probable it is.

    Attributes:
        token_ids: Its tokens, EOS included if it was produced.
        text: As a reader sees it.
        count: How often it was drawn.
        probability: Of drawing it: the product of its steps' probabilities after temperature, top-k and top-p.
        log_prob: log P of all its tokens under the model, without any of these.
        ended: Whether its last token is EOS.
    """

    token_ids: tuple[int, ...]
    text: str
    count: int
    probability: float
    log_prob: float
    ended: bool


@dataclass(frozen=True)
class Samples:
    """Whole outputs, all drawn alike.

    Attributes:
        n_drawn: How many were drawn.
        outputs: The distinct ones, most often drawn first, of equally frequent ones the more probable.
    """

    n_drawn: int
    outputs: tuple[DrawnOutput, ...]

    @property
    def n_bytes(self) -> int:
        """Bytes of texts and ids, roughly."""
        return sum(64 + 4 * len(output.text) + 8 * len(output.token_ids) for output in self.outputs)


def sampling_config(run: Run, state: ExplorerState) -> DecodeConfig:
    """Return the visitor's settings with the run's limit, as the decoder takes them."""
    if not state.sampling.temperature:
        # The other settings keep their values for the next temperature above 0.
        return DecodeConfig(max_length=run.output_limit)
    return DecodeConfig(
        max_length=run.output_limit,
        temperature=state.sampling.temperature,
        top_k=state.sampling.top_k,
        top_p=state.sampling.top_p,
        seed=state.sampling.seed,
    )


def sampling_key(run: Run, text: str, prefix: Sequence[int]) -> str:
    """Names model, sentence and forced tokens; what a report of the view must be about."""
    return hashlib.sha256(f"{run.fingerprint}\n{tuple(prefix)}\n{text}".encode()).hexdigest()[:16]


def sample_output(run: Run, text: str, config: DecodeConfig, prefix: Sequence[int] = ()) -> SampledOutput:
    """Draw one output and keep what every step drew from.

    Args:
        run: The model.
        text: As somebody types it.
        config: The settings; temperature 0 is greedy.
        prefix: Target ids with which the output begins, whatever the model says.

    Raises:
        InputError: when the model cannot read the text, or begin with the prefix.
    """
    src = run.encode_source(text)
    with run.changing(len(src)):
        steps = list(decode_steps(run.model, src[None], _drawing(config), prefix=prefix))
    columns = [step.sampling for step in steps if step.sampling is not None]
    ids = steps[-1].hypotheses[0].tolist()
    return SampledOutput(
        key=sampling_key(run, text, prefix),
        token_ids=tuple(ids),
        tokens=run.tgt_tokenizer.vocabulary.tokens_of(ids),
        text=run.tgt_tokenizer.decode(ids),
        logits=array_of(torch.cat([column.logits for column in columns])),
        uniform=tuple(float(column.uniform[0]) for column in columns),
        log_probs=array_of(torch.cat([step.log_prob for step in steps])),
        n_forced=sum(step.forced for step in steps),
        ended=bool(steps[-1].finished[0]),
    )


def _drawing(config: DecodeConfig) -> DecodeConfig:
    # Greedy decoding draws from the most probable token alone: the same tokens, and every step keeps its columns.
    return config if config.temperature else replace(config, temperature=1.0, top_k=1, top_p=1.0)


def columns_of(run: Run, output: SampledOutput, config: DecodeConfig, step: int) -> SamplingPipeline:
    """What one step of an output was drawn from with these settings, column by column [vocab]."""
    logits = torch.from_numpy(output.logits[step : step + 1].copy())
    uniform = torch.tensor([output.uniform[step]], dtype=torch.float64)
    never = (run.config.pad_id, run.config.bos_id)
    return sampling_pipeline(logits, _drawing(config), uniform, never=never).row(0)


def draw_outputs(
    run: Run, text: str, config: DecodeConfig, prefix: Sequence[int] = (), *, n: int = N_SAMPLES
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Draw n whole outputs, and yield the ids of each batch; the first of all is what `sample_output` draws.

    Raises:
        InputError: as sample_output.
    """
    src = run.encode_source(text)[None]
    for start in range(0, n, DRAWN_AT_ONCE):
        # A step beyond every seed that can be chosen: no batch repeats what another seed draws.
        seeded = replace(config, seed=config.seed + (MAX_SEED + 1) * (start // DRAWN_AT_ONCE))
        rows = src.expand(min(DRAWN_AT_ONCE, n - start), -1)
        with run.changing(src.shape[1]):
            hypotheses = last_step(decode_steps(run.model, rows, seeded, prefix=prefix)).hypotheses
        yield tuple(_until_end(ids, run.config.eos_id) for ids in hypotheses.tolist())


def draw_samples(
    run: Run,
    text: str,
    config: DecodeConfig,
    prefix: Sequence[int] = (),
    *,
    n: int = N_SAMPLES,
    on_progress: Callable[[float], object] = lambda share: None,
) -> Samples:
    """Draw n whole outputs, count the distinct ones, and work out how probable each of them is.

    Args:
        run: The model.
        text: As somebody types it.
        config: The settings; temperature above 0.
        prefix: Target ids with which every output begins.
        n: How many to draw.
        on_progress: Hears which share of the work is done.

    Raises:
        InputError: as sample_output.
        ConfigError: when the temperature is 0, where nothing is drawn.
    """
    counts: Counter[tuple[int, ...]] = Counter()
    for batch in draw_outputs(run, text, config, prefix, n=n):
        counts.update(batch)
        on_progress(0.8 * counts.total() / n)
    distinct = tuple(counts)
    scores: list[tuple[float, float]] = []
    src = run.encode_source(text)
    for start in range(0, len(distinct), SCORED_AT_ONCE):
        chunk = distinct[start : start + SCORED_AT_ONCE]
        with run.changing(len(src)):
            scores += output_probabilities(run.model, src, chunk, config, n_forced=len(prefix))
        on_progress(0.8 + 0.2 * len(scores) / len(distinct))
    outputs = (
        DrawnOutput(
            token_ids=ids,
            text=run.tgt_tokenizer.decode(ids),
            count=counts[ids],
            probability=probability,
            log_prob=log_prob,
            ended=ids[-1] == run.config.eos_id,
        )
        for ids, (probability, log_prob) in zip(distinct, scores, strict=True)
    )
    return Samples(n, tuple(sorted(outputs, key=lambda output: (-output.count, -output.probability))))


@torch.no_grad()
def output_probabilities(
    model: Transformer,
    src: Tensor,
    outputs: Sequence[Sequence[int]],
    config: DecodeConfig,
    *,
    n_forced: int = 0,
) -> list[tuple[float, float]]:
    """The exact probability of drawing each output, and its log P under the model, by teacher forcing.

    Args:
        model: In evaluation mode.
        src: Source ids [source position], with eos.
        outputs: Produced ids of each, without bos.
        config: The settings; temperature above 0.
        n_forced: How many first tokens are given: to draw them has the probability 1.

    Raises:
        ConfigError: when the temperature is 0, where nothing is drawn.
    """
    ids, drawn = _padded(outputs, model.config, src.device)  # [B, T], bool [B, T]
    bos = torch.full_like(ids[:, :1], model.config.bos_id)
    # Padding stands behind the tokens, where the causal mask hides it from them.
    logits = model(src.expand(len(ids), -1), torch.cat((bos, ids[:, :-1]), dim=1)).double()  # [B, T, V]
    never = (model.config.pad_id, model.config.bos_id)
    flat = logits.flatten(0, 1)
    columns = sampling_pipeline(flat, config, flat.new_zeros(len(flat)), never=never)
    probs = columns.probs.view_as(logits).gather(2, ids[:, :, None])[:, :, 0]
    log_probs = logits.log_softmax(dim=-1).gather(2, ids[:, :, None])[:, :, 0]
    log_prob = log_probs.masked_fill(~drawn, 0.0).sum(dim=1)
    drawn[:, :n_forced] = False
    probability = probs.masked_fill(~drawn, 1.0).prod(dim=1)
    return list(zip(probability.tolist(), log_prob.tolist(), strict=True))


def sampling_data(
    run: Run, output: SampledOutput, greedy: Translation, state: ExplorerState
) -> SamplingViewData:
    """What the sampling view is fed, for one visitor's choices.

    Args:
        run: The model.
        output: What it drew with them.
        greedy: What it writes when nothing is drawn.
        state: The visitor's choices.
    """
    return SamplingViewData(
        key=output.key,
        vocabulary=tuple(map(run.tgt_tokenizer.vocabulary.token, range(run.config.tgt_vocab_size))),
        never=(run.config.pad_id, run.config.bos_id),
        token_ids=output.token_ids,
        n_forced=output.n_forced,
        ended=output.ended,
        logits=output.logits,
        uniform=output.uniform,
        text=output.text,
        greedy_text=run.tgt_tokenizer.decode(greedy.output_ids),
        step=shown_step(state, greedy, output.last_step),
        temperature=state.sampling.temperature,
        top_k=state.sampling.top_k,
        top_p=state.sampling.top_p,
        seed=state.sampling.seed,
        unit=run.target_unit,
    )


def samples_data(samples: Samples) -> SamplesData:
    """The most frequent outputs one by one, the others together; and how far drawn and exact lie apart."""
    shown, others = samples.outputs[:SHOWN_OUTPUTS], samples.outputs[SHOWN_OUTPUTS:]
    rows = tuple(
        OutputRow(output.text, output.count, output.probability, output.log_prob, output.ended)
        for output in shown
    )
    n = samples.n_drawn
    # Compared are outputs that are bound to come up: one that is listed because it came up looks too frequent.
    expected = [output for output in samples.outputs if n * output.probability >= COMPARED_FROM]
    groups = [(output.count / n, output.probability) for output in expected]
    groups.append((1 - math.fsum(drawn for drawn, _ in groups), _rest(expected)))
    return SamplesData(
        n_drawn=n,
        n_distinct=len(samples.outputs),
        rows=rows,
        others_count=sum(output.count for output in others),
        others_probability=_rest(shown),
        n_compared=len(expected),
        compared_from=COMPARED_FROM,
        distance=0.5 * math.fsum(abs(drawn - exact) for drawn, exact in groups),
        # The mean of |X| is √(2/π) standard deviations of a normal X, which a count over n nearly is.
        chance=0.5 * math.fsum(math.sqrt(2 / math.pi * p * max(0.0, 1 - p) / n) for _, p in groups),
    )


def _rest(outputs: Sequence[DrawnOutput]) -> float:
    """The probability of all outputs but these."""
    return max(0.0, 1.0 - math.fsum(output.probability for output in outputs))


def _padded(
    outputs: Sequence[Sequence[int]], config: TransformerConfig, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Ids [batch, longest], and where they are more than padding."""
    longest = max(map(len, outputs))
    rows = [[*ids, *[config.pad_id] * (longest - len(ids))] for ids in outputs]
    lengths = torch.tensor([len(ids) for ids in outputs], device=device)
    return torch.tensor(rows, device=device), torch.arange(longest, device=device) < lengths[:, None]


def _until_end(ids: Sequence[int], eos_id: int) -> tuple[int, ...]:
    """An output of a batch without the padding behind its end."""
    return tuple(ids[: ids.index(eos_id) + 1] if eos_id in ids else ids)
