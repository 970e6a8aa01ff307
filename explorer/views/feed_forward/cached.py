"""What the hidden units do in the examples of a task, computed once for all visitors."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.location import locate
from core.activations.trace import trace
from core.run import Run
from explorer.models.decodings import translation_of
from explorer.models.shared_cache import SharedCache
from explorer.models.task_facts import can_read, examples_of

_EXAMPLES: SharedCache[ExampleUnits] = SharedCache("feed forward: examples", 32 * 2**20)
MOST_EXAMPLES = 12


@dataclass(frozen=True, eq=False)
class ExampleUnits:
    """The hidden units of one feed-forward network in the examples of its task.

    Attributes:
        texts: Of each example the tokens that the network's rows read.
        hidden: Of each example the units of each row [position, d_ff]; read-only.
    """

    texts: tuple[tuple[str, ...], ...]
    hidden: tuple[Tensor, ...]

    @property
    def n_bytes(self) -> int:
        """What they take in memory."""
        return sum(each.nbytes for each in self.hidden)


def example_units(run: Run, path: str) -> ExampleUnits:
    """The hidden units of a network, as it was trained, in the first examples of its task; none where it has none.

    Args:
        run: The model.
        path: Of the network, such as ``decoder.layers.1.feed_forward``.

    Raises:
        InputError: when an example is too long for the model.
    """
    # What is changed at a place of one sentence says nothing about others.
    trained = run.trained or run
    return _EXAMPLES.get((trained.fingerprint, path), lambda: _computed(trained, path))


def _computed(run: Run, path: str) -> ExampleUnits:
    texts, hidden = [], []
    vocabulary = run.tgt_tokenizer.vocabulary
    for example in examples_of(run.task)[:MOST_EXAMPLES]:
        if not can_read(run, example.source):
            continue
        translation, src = translation_of(run, example.source), run.encode_source(example.source)
        site = f"{path}.hidden"
        traced = trace(run.model, src, torch.tensor(translation.output_ids, device=src.device), site)
        is_source = locate(path).stack == "encoder"
        reads = (
            translation.source_tokens if is_source else tuple(map(vocabulary.token, traced.tgt_in.tolist()))
        )
        texts.append(reads)
        hidden.append(traced.activations[site][0].float().cpu())
    return ExampleUnits(tuple(texts), tuple(hidden))
