"""What a model makes of a few fixed sources at each kept moment of its training.

Two things of each source: what the weights of the moment write by themselves, and where their cross-attention looks
while the decoder is led by the right answer, so that its rows and columns are the same at every moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from core.activations.trace import trace
from core.data.vocabulary import Vocabulary
from core.run import Run, load_run
from core.run_description import MODEL_FILE, RunDescription
from core.training.history import history, history_path, load_run_at
from explorer.models.references import reference_of
from explorer.models.task_facts import can_read

MOST_PROBES = 4
MOST_TOKENS = 24
"""Rows and columns of a picture; of longer texts the first are shown."""
ONE = 65_535
"""A weight of 1; a weight is sent as a whole number of two bytes."""
_LETTERS = ("tap", "level", "banana", "keyboard")
_WORDS = {"copy": _LETTERS, "reverse": _LETTERS, "sort": _LETTERS}
"""Sources of tasks on letters: eight different letters make a diagonal that can be read."""


@dataclass(frozen=True)
class TrainingProbe:
    """A fixed source, and what should be made of it.

    Attributes:
        text: The source as it is typed.
        source: Its tokens, with the end, as many as are shown.
        right: Tokens of the right answer, with the end, as many as are shown.
        answer: Ids of the whole right answer, with the end.
        gold: For each token of the right answer the places of the source tokens behind it; None where nobody knows.
        is_reference: Whether the answer is right; otherwise it is what the best weights of the run write.
    """

    text: str
    source: tuple[str, ...]
    right: tuple[str, ...]
    answer: tuple[int, ...]
    gold: tuple[tuple[int, ...], ...] | None = None
    is_reference: bool = True


@dataclass(frozen=True)
class ProbeOutput:
    """What the weights of a moment write for a source.

    Attributes:
        tokens: Without the end.
        stopped: Whether they end by themselves.
    """

    tokens: tuple[str, ...]
    stopped: bool


@dataclass(frozen=True, eq=False)
class TrainingMoment:
    """What the weights of one moment make of the probes.

    Attributes:
        updates: After how many.
        outputs: What they write, for each probe.
        probabilities: P of each token of the right answer, led by the tokens before it: float32 [row], for each probe.
        weights: Cross-attention of each decoder layer, for each probe: uint16 [head, row, column], `ONE` for 1.
        is_kept: Whether these weights can be opened.
    """

    updates: int
    outputs: tuple[ProbeOutput, ...]
    probabilities: tuple[np.ndarray, ...]
    weights: tuple[tuple[np.ndarray, ...], ...]
    is_kept: bool = True

    @property
    def n_bytes(self) -> int:
        """Bytes held."""
        arrays = [*self.probabilities, *(each for layer in self.weights for each in layer)]
        return sum(each.nbytes for each in arrays) + 100 * sum(len(each.tokens) for each in self.outputs)


def probe_sources(run: RunDescription) -> tuple[str, ...]:
    """The fixed sources of a run that its model can read, a few at most."""
    wanted = _WORDS.get(run.task, run.probes)
    return tuple(text for text in wanted if can_read(run, text))[:MOST_PROBES]


def make_probe(name: str, run: RunDescription, source: str) -> TrainingProbe | None:
    """A source with its right answer; None where nobody knows one that its model could write.

    Args:
        name: Of the run.
        run: What is known of it.
        source: One of `probe_sources`.
    """
    known = reference_of(name, run.task, source)
    if known is None:
        return None
    vocabulary, eos = run.tgt_tokenizer.vocabulary, run.config.eos_id
    answer = (*run.tgt_tokenizer.encode(known.target), eos)
    probe = TrainingProbe(source, (), (), answer, known.alignment or None)
    return replace(
        probe,
        source=_shown(run.src_tokenizer.vocabulary, run.source_ids(source)),
        right=_shown(vocabulary, answer),
    )


def written_probe(run: Run, source: str) -> TrainingProbe:
    """A source whose right answer nobody knows, led by what some weights write for it."""
    (ids,) = _outputs(run, [source])
    answer = ids if ids and ids[-1] == run.config.eos_id else (*ids, run.config.eos_id)
    return TrainingProbe(
        source,
        _shown(run.src_tokenizer.vocabulary, run.source_ids(source)),
        _shown(run.tgt_tokenizer.vocabulary, answer),
        answer,
        is_reference=False,
    )


def make_moment(run: Run, updates: int, probes: Sequence[TrainingProbe]) -> TrainingMoment:
    """Run the weights of a moment over the probes.

    Args:
        run: With these weights.
        updates: After how many.
        probes: Whose tokens the run knows.
    """
    eos, token = run.config.eos_id, run.tgt_tokenizer.vocabulary.token
    outputs = tuple(
        ProbeOutput(tuple(token(each) for each in ids if each != eos), eos in ids)
        for ids in _outputs(run, [probe.text for probe in probes])
    )
    led = [_led(run, probe) for probe in probes]
    rows = [probe.answer[: len(probe.right)] for probe in probes]
    probabilities = tuple(
        logits.softmax(dim=-1)[torch.arange(len(ids)), torch.tensor(ids)].numpy().astype(np.float32)
        for (logits, _), ids in zip(led, rows, strict=True)
    )
    layers = range(run.config.n_decoder_layers)
    weights = tuple(
        tuple(_coded(of_layers[layer], probe) for (_, of_layers), probe in zip(led, probes, strict=True))
        for layer in layers
    )
    return TrainingMoment(updates, outputs, probabilities, weights)


def run_of_moment(folder: Path, updates: int, best_after: int | None) -> Run:
    """A run with the weights of a moment: kept on the way, or the best ones, which are kept for themselves.

    Raises:
        RunError: when they are not kept (any more), or damaged.
    """
    is_best = updates == best_after and not history_path(folder, updates).exists()
    return load_run(folder) if is_best else load_run_at(folder, updates)


def moments_with_best(folder: Path, run: RunDescription) -> tuple[int, ...]:
    """After how many updates a run's weights can be looked at: those kept on the way, and the best."""
    kept = set(history(folder))
    if run.best_after is not None and (folder / MODEL_FILE).is_file():
        kept.add(run.best_after)
    return tuple(sorted(kept))


def _led(run: Run, probe: TrainingProbe) -> tuple[Tensor, list[Tensor]]:
    """Logits of the shown rows, and the weights of each decoder layer, of one pass led by the right answer."""
    sites = [f"decoder.layers.{layer}.cross_attn.weights" for layer in range(run.config.n_decoder_layers)]
    found = trace(run.model, run.encode_source(probe.text), torch.tensor(probe.answer), *sites)
    return found.logits[: len(probe.right)], [found.activations[site][0] for site in sites]


def _coded(weights: Tensor, probe: TrainingProbe) -> np.ndarray:
    shown = weights[:, : len(probe.right), : len(probe.source)].float().numpy()
    coded: np.ndarray = np.rint(np.clip(shown, 0, 1) * ONE).astype(np.uint16)
    coded.flags.writeable = False
    return coded


def _outputs(run: Run, sources: Sequence[str]) -> list[tuple[int, ...]]:
    """What a model writes for each source by itself, as ids; the end is the last where it ends."""
    return [best.ids for best, *_ in run.outputs(sources)]


def _shown(vocabulary: Vocabulary, ids: Sequence[int]) -> tuple[str, ...]:
    return vocabulary.tokens_of(ids[:MOST_TOKENS])
