"""Sweeps of interventions beside a loop over the same changes, one forward pass for each.

The shipped English-French model, as a visitor has it; the loop records nothing and does what a sweep has to.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import torch

from benchmarks.compare import Row, ratio, speed
from core.activations.record import edit
from core.data.batching import Batch, collate, encode_pairs
from core.data.dataset import task_dataset
from core.data.tasks import get_task
from core.interventions.changes import bind
from core.interventions.effect import intervention_effect
from core.interventions.intervention import Patch
from core.interventions.patching import patched_sites, patching_map
from core.interventions.sweep import head_ablations, sweep
from core.run import Run, load_run

RUN = Path(__file__).parents[1] / "checkpoints" / "en-fr"
N_SENTENCES = 200
SENTENCE, DONOR = "the small cat does not sleep", "the small cats do not sleep"


def held_out_batch(run: Run, n: int) -> Batch:
    """The first held-out pairs of a run's task, as one padded batch."""
    pairs = task_dataset(get_task(run.task), run.train_config).splits.test[:n]
    return collate(encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer))


def every_head(run: Run, batch: Batch) -> None:
    """All heads off, one at a time, in passes of many rows."""
    sweep(run.model, batch.src, batch.tgt_in, batch.tgt_out, head_ablations(run.model))


def every_head_in_a_loop(run: Run, batch: Batch) -> None:
    """The same with a pass of the batch for each."""
    for each in head_ablations(run.model):
        edits = bind(run.model, [each]).edits
        intervention_effect(run.model, batch.src, batch.tgt_in, batch.tgt_out, edits)


def every_patch(run: Run) -> None:
    """A patching map."""
    patching_map(run, SENTENCE, DONOR, 4)


@torch.no_grad()
def every_patch_in_a_loop(run: Run) -> None:
    """The same with a pass of the sentence for each value."""
    own, donor = run.trace(SENTENCE), run.trace(DONOR)
    for site in patched_sites(run.model.sites()):
        for position in range(len(own.src if site.rows_side == "source" else own.tgt_out)):
            patch = Patch(site.name, DONOR, positions=(position,))
            with edit(run.model, bind(run.model, [patch], lambda text, sites: donor).edits):
                run.model(own.src[None], own.tgt_in[None])


def plain(run: Run, batch: Batch) -> None:
    """A forward pass that nobody changes."""
    with torch.no_grad():
        run.model(batch.src, batch.tgt_in)


def measure(rounds: int, n_sentences: int = N_SENTENCES) -> list[Row]:
    """Times as fast as the loop, and how many plain forward passes a sweep over all heads costs."""
    run = load_run(RUN)
    batch = held_out_batch(run, n_sentences)
    ours, theirs = partial(every_head, run, batch), partial(every_head_in_a_loop, run, batch)
    one_map, its_loop = partial(every_patch, run), partial(every_patch_in_a_loop, run)
    size, passes = f"en-fr, {n_sentences} sentences", partial(plain, run, batch)
    return [
        Row(size, "all heads off, one at a time", speed(ours, theirs, rounds, 1), at_least=1.0),
        Row(size, "cost of that in forward passes, 24 heads", ratio(ours, passes, rounds, 1)),
        Row("en-fr, 7 tokens", "patching map, 84 values", speed(one_map, its_loop, rounds, 1), at_least=1.5),
    ]
