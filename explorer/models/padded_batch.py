"""The visitor's sentence and some examples, padded to one batch and run with all masks and without one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.masking import MaskingEffect, masking_effect
from core.data.batching import Batch, EncodedPairs, collate
from core.errors import InputError
from core.interventions.intervention import Mask
from core.run import Run
from core.run_description import RunDescription
from explorer.models.recorded import Recorded
from explorer.models.task_facts import examples_of

OWN = "Yours"
"""Name of the visitor's sentence."""
MAX_OTHERS = 5
"""Sentences beside it."""


@dataclass(frozen=True)
class Row:
    """One sentence of the batch, padded.

    Attributes:
        name: What it is called: yours, or the title of an example.
        source: Its tokens, with EOS and padding.
        inputs: What the decoder reads.
        outputs: What each position is to produce.
        alone: What the model computes for it without a batch.
    """

    name: str
    source: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    alone: Recorded

    @property
    def n_source(self) -> int:
        """Source tokens that are no padding."""
        return len(self.alone.source)

    @property
    def n_target(self) -> int:
        """Target positions that are no padding, as far as the sentence has them without a batch, too."""
        return len(self.alone.outputs)


@dataclass(frozen=True, eq=False)
class MaskedBatch:
    """Sentences padded to one length, run with all masks and without one.

    Attributes:
        key: Names the sentences, whatever mask is off: who looks at a part of it goes on doing so.
        run: The model.
        rows: The sentences; the visitor's own is the first.
        batch: Their ids.
        effect: What the model computed.
    """

    key: str
    run: Run
    rows: tuple[Row, ...]
    batch: Batch
    effect: MaskingEffect


def other_examples(run: RunDescription, sentence: str) -> dict[str, str]:
    """The task's examples but for the visitor's sentence, by their titles, as far as the model can read them."""
    found = {}
    for example in examples_of(run.task):
        try:
            run.source_ids(example.source)
        except InputError:
            continue
        if example.source != sentence:
            found[example.title] = example.source
    return found


def default_titles(run: RunDescription, sentence: str) -> tuple[str, ...]:
    """Titles of the shortest and the longest of the other examples: so there is padding to be seen."""
    lengths = {title: len(run.source_ids(text)) for title, text in other_examples(run, sentence).items()}
    ordered = sorted(lengths, key=lambda title: lengths[title])
    return tuple(dict.fromkeys((*ordered[:1], *ordered[-1:])))


def masked_batch(run: Run, sentences: Sequence[tuple[str, Recorded]], off: Mask | None) -> MaskedBatch:
    """Pad sentences, each with what the model makes of it, to one batch, and run it.

    Args:
        run: The model.
        sentences: Each with its name; the visitor's own first.
        off: The mask that is switched off.

    Raises:
        InputError: when there is no sentence.
        CaptureError: when there is no such mask to switch off.
    """
    eos = run.config.eos_id
    sources = tuple(tuple(recorded.trace.src.tolist()[:-1]) for _, recorded in sentences)
    outputs = (tuple(recorded.trace.tgt_out.tolist()) for _, recorded in sentences)
    # The batch puts an end of its own after each; an output that ran into the length limit has none.
    targets = tuple(ids[:-1] if ids[-1] == eos else ids for ids in outputs)
    batch = collate(EncodedPairs(sources, targets))
    source, target = run.src_tokenizer.vocabulary, run.tgt_tokenizer.vocabulary
    rows = tuple(
        Row(
            name,
            source.tokens_of(batch.src[i].tolist()),
            target.tokens_of(batch.tgt_in[i].tolist()),
            target.tokens_of(batch.tgt_out[i].tolist()),
            recorded,
        )
        for i, (name, recorded) in enumerate(sentences)
    )
    named = "\n".join(recorded.key for _, recorded in sentences)
    key = hashlib.sha256(named.encode()).hexdigest()[:16]
    with run.changing():
        return MaskedBatch(key, run, rows, batch, masking_effect(run.model, batch, off))
