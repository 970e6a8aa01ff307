"""Speed of intervention sweeps compared with a loop that runs one forward pass per change.

The model is the shipped English-French one. The loop records nothing and does only what a sweep has to do.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import torch

from benchmarks.compare import Row, measure_ratio, measure_speedup
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


def load_held_out(run: Run, n: int) -> Batch:
    """Return the first `n` held-out pairs of the run's task as one padded batch."""
    pairs = task_dataset(get_task(run.task), run.train_config).splits.test[:n]
    return collate(encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer))


def ablate_heads(run: Run, batch: Batch) -> None:
    """Ablate every head in turn, many changes per forward pass."""
    sweep(run.model, batch.src, batch.tgt_in, batch.tgt_out, head_ablations(run.model))


def ablate_heads_in_loop(run: Run, batch: Batch) -> None:
    """Ablate every head in turn, with one forward pass of the batch per head."""
    for ablation in head_ablations(run.model):
        edits = bind(run.model, [ablation]).edits
        intervention_effect(run.model, batch.src, batch.tgt_in, batch.tgt_out, edits)


def compute_patching_map(run: Run) -> None:
    """Compute a patching map, many patches per forward pass."""
    patching_map(run, SENTENCE, DONOR, 4)


@torch.no_grad()
def compute_patching_map_in_loop(run: Run) -> None:
    """Compute the same values with one forward pass of the sentence per patch."""
    own, donor = run.trace(SENTENCE), run.trace(DONOR)
    for site in patched_sites(run.model.sites()):
        for position in range(len(own.src if site.rows_side == "source" else own.tgt_out)):
            patch = Patch(site.name, DONOR, positions=(position,))
            with edit(run.model, bind(run.model, [patch], lambda text, sites: donor).edits):
                run.model(own.src[None], own.tgt_in[None])


def run_forward(run: Run, batch: Batch) -> None:
    """Run one forward pass without interventions."""
    with torch.no_grad():
        run.model(batch.src, batch.tgt_in)


def measure(rounds: int, n_sentences: int = N_SENTENCES) -> list[Row]:
    """Measure the speed of sweeps as a multiple of the loops', and the cost of one in plain forward passes."""
    run = load_run(RUN)
    batch = load_held_out(run, n_sentences)
    swept, looped = partial(ablate_heads, run, batch), partial(ablate_heads_in_loop, run, batch)
    mapped, looped_map = partial(compute_patching_map, run), partial(compute_patching_map_in_loop, run)
    size, forward = f"en-fr, {n_sentences} sentences", partial(run_forward, run, batch)
    return [
        Row(size, "sweep that ablates each head", measure_speedup(swept, looped, rounds, 1), at_least=1.0),
        Row(size, "cost of that sweep in forward passes, 24 heads", measure_ratio(swept, forward, rounds, 1)),
        Row(
            "en-fr, 7 tokens",
            "patching map, 84 values",
            measure_speedup(mapped, looped_map, rounds, 1),
            at_least=1.5,
        ),
    ]
