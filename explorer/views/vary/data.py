"""One token of the source varied: which one, against which rivals, and what is drawn of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

import numpy as np

from core.analysis.substitution import Alternatives, Variation, alternatives, vary_token
from core.data.tokenizers import Tokenizer
from core.data.vocabulary import Vocabulary
from core.run import Run
from explorer.models.sources import LearnedSources
from explorer.models.translation import Translation
from explorer.views.vary.component import Output, Part, Rivals, VaryData
from explorer.visitor.state import REFERENCE, ExplorerState

_NEVER = (Vocabulary.pad_id, Vocabulary.bos_id)
"""Tokens that are never written."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """One position of one sentence, varied.

    Attributes:
        source_ids: Of the sentence, without eos.
        position: The varied one.
        possible: The tokens that can stand there.
        found: What the model makes of each.
        own_pairs: Whether the sources that were looked through are somebody's own.
    """

    source_ids: tuple[int, ...]
    position: int
    possible: Alternatives
    found: Variation
    own_pairs: bool

    def with_value(self, value: int) -> list[int]:
        """Ids of the sentence with a value at the varied position."""
        return [*self.source_ids[: self.position], value, *self.source_ids[self.position + 1 :]]

    @property
    def n_bytes(self) -> int:
        """Bytes of the tensors."""
        found = self.found
        tensors = (
            found.outputs,
            found.log_prob,
            found.ended,
            found.rival_probs,
            found.best_ids,
            found.best_probs,
        )
        return sum(tensor.nbytes for tensor in tensors)


@dataclass(frozen=True)
class Branch:
    """Another decoding of the sentence, and what it is called."""

    name: str
    output_ids: tuple[int, ...]


def varied_position(state: ExplorerState, shown: Translation, step: int) -> int:
    """The token that is varied: the one that was chosen, or that of the source which the step reads most.

    Args:
        state: The visitor's choices.
        shown: The decoding that is looked at.
        step: Of it.
    """
    n_tokens = len(shown.source_tokens) - 1
    chosen = state.decoding.varied
    if chosen is not None and chosen < n_tokens:
        return chosen
    read = np.nan_to_num(shown.weights[-1]).mean(axis=0)[step, :n_tokens]
    return int(read.argmax())


def rivals_of(shown: Translation, branches: Sequence[Branch]) -> tuple[Rivals, ...]:
    """Two tokens for each step: what is written there, and what a branch that leaves here writes instead.

    Where no branch does, it is the most probable other token. Of several branches the reference comes first, then
    those that have a name.
    """
    ranked = sorted(branches, key=lambda each: (each.name != REFERENCE, not each.name))
    return tuple(_rivals_at(shown, ranked, step) for step in range(len(shown.output_ids)))


def _rivals_at(shown: Translation, branches: Sequence[Branch], step: int) -> Rivals:
    own, before = shown.output_ids[step], shown.output_ids[:step]
    for branch in branches:
        other = branch.output_ids[step : step + 1]
        if branch.output_ids[:step] == before and other and other[0] != own:
            return Rivals(own, other[0], branch.name or "a branch")
    candidates = zip(shown.candidate_probs[step].tolist(), shown.candidate_ids[step].tolist(), strict=True)
    others = [(prob, token) for prob, token in candidates if token != own and token not in _NEVER]
    return Rivals(own, max(others, default=(0.0, Vocabulary.eos_id))[1], "")


def compute_sweep(
    run: Run,
    text: str,
    shown: Translation,
    position: int,
    rivals: Sequence[Rivals],
    sources: Callable[[], LearnedSources],
) -> Sweep:
    """Vary one token of a sentence.

    Args:
        run: The model.
        text: The sentence.
        shown: The decoding of it that is looked at.
        position: The varied one.
        rivals: Two tokens for each step of the decoding.
        sources: What the run has learned from, asked for where a digit's or a letter's kind does not say enough.

    Raises:
        InputError: when the model cannot read the sentence, or its weights are damaged.
    """
    src = run.encode_source(text)
    source_ids = tuple(src.tolist()[:-1])

    possible = alternatives(run.src_tokenizer, source_ids, position, lambda: sources().contexts)
    pairs = [(each.own, each.other) for each in rivals]
    with run.changing(len(src)):
        found = vary_token(
            run.model,
            src,
            position,
            possible.values,
            shown.output_ids,
            pairs,
            prefix=shown.prefix,
            max_length=run.output_limit,
        )
    own_pairs = possible.kind == "neighbours" and sources().own
    return Sweep(source_ids, position, possible, found, own_pairs)


def vary_data(run: Run, shown: Translation, sweep: Sweep, rivals: Sequence[Rivals], *, step: int) -> VaryData:
    """What the picture of a sweep is fed.

    Args:
        run: The model.
        shown: The decoding that is looked at.
        sweep: Of one position of its source.
        rivals: Of each step.
        step: That is looked at.
    """
    source, target = run.src_tokenizer, run.tgt_tokenizer
    possible, found = sweep.possible, sweep.found
    asked = {token for each in rivals for token in (each.own, each.other)}
    ids = sorted(asked | set(found.best_ids.flatten().tolist()))
    return VaryData(
        key=shown.key,
        source_tokens=shown.source_tokens[:-1],
        position=sweep.position,
        values=source.vocabulary.tokens_of(possible.values),
        own=possible.values.index(sweep.source_ids[sweep.position]),
        sentences=tuple(source.decode(sweep.with_value(value)) for value in possible.values),
        kind=possible.kind,
        n_between=possible.n_between,
        n_sources=possible.n_sources,
        own_pairs=sweep.own_pairs,
        unit=run.source_unit,
        outputs=tuple(_outputs(target, found, shown.output_ids)),
        log_prob=found.log_prob.numpy(),
        rivals=tuple(rivals),
        written=shown.written,
        tokens=dict(zip(ids, target.vocabulary.tokens_of(ids), strict=True)),
        rival_probs=found.rival_probs.numpy(),
        best_ids=found.best_ids.numpy(),
        best_probs=found.best_probs.numpy(),
        n_forced=len(shown.prefix),
        step=step,
    )


def _outputs(tokenizer: Tokenizer, found: Variation, shown: tuple[int, ...]) -> Iterator[Output]:
    """Each output with what differs from the one that is shown."""
    hidden = (Vocabulary.pad_id, Vocabulary.eos_id)
    before = [token for token in shown if token not in hidden]
    for row, ended in zip(found.outputs.tolist(), found.ended.tolist(), strict=True):
        ids = [token for token in row if token not in hidden]
        yield Output(tuple(_parts(tokenizer, before, ids)), ended)


def _parts(tokenizer: Tokenizer, before: list[int], ids: list[int]) -> Iterator[Part]:
    """An output in parts that are as in another, that differ from it, or that the other has and it has not."""
    for same, old, new in _compared(before, ids):
        text = _text_between(tokenizer, ids, *new)
        if text:
            yield Part(text, "same" if same else "other")
        elif not same:
            yield Part(_text_between(tokenizer, before, *old), "missing")


def _compared(before: list[int], ids: list[int]) -> Iterator[tuple[bool, tuple[int, int], tuple[int, int]]]:
    """Stretches of two outputs with whether they are the same: place by place, where both are equally long."""
    if len(before) == len(ids):
        places = range(len(ids))
        for same, run in groupby(places, key=lambda place: before[place] == ids[place]):
            stretch = list(run)
            yield same, (stretch[0], stretch[-1] + 1), (stretch[0], stretch[-1] + 1)
        return
    matcher = SequenceMatcher(None, before, ids, autojunk=False)
    for tag, old_start, old_end, start, end in matcher.get_opcodes():
        yield tag == "equal", (old_start, old_end), (start, end)


def _text_between(tokenizer: Tokenizer, ids: list[int], start: int, end: int) -> str:
    """What some tokens of an output add to its text."""
    before, text = tokenizer.decode(ids[:start]), tokenizer.decode(ids[:end])
    return text[len(before) :] if text.startswith(before) else text
