"""Updates and CPU seconds until a preset has learned its task, for several seeds.

    python -m benchmarks.learning [TASK …] [--seeds 3] [--unseen]

One torch thread. From three fifths of the planned updates on, the model translates 1,000 held-out sources
every 25 updates; a task counts as learned at the first look that finds 99 % of them exactly right. The seconds
are those of the whole training, without the looks. With --unseen, the task's combinations of words that can
be kept out of training are kept out, and tested by themselves at the end.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from core.data.batching import batches, encode_pairs
from core.data.splits import split_pairs
from core.data.tasks import Compositional, get_task
from core.evaluation.answers import evaluate
from core.model.transformer import Transformer
from core.presets import PRESETS, preset
from core.training.plan import model_config
from core.training.trainer import train

GOAL = 0.99
GOAL_UPDATES = {"copy": 300, "reverse": 400, "sort": 600, "en_de_numbers": 600, "en_fr": 1250}
HELD_OUT = 1000
LOOK_EVERY = 25
FIRST_LOOK = 0.6


@dataclass(frozen=True)
class Learning:
    """One training: the update at which the goal was met, if it was, and how it ended."""

    learnt_at: int | None
    exact_match: float
    unseen_match: float | None
    cpu_seconds: float


def learn(task_name: str, seed: int, *, keep_unseen: bool = False) -> Learning:
    """Train the task's preset with a seed and look at held-out sources on the way."""
    task, plan = get_task(task_name), preset(task_name)
    config = replace(plan.training, seed=seed, n_test=HELD_OUT)
    counts = (config.n_train, config.n_validation, config.n_test)
    splits = split_pairs(task, seed, *counts, unseen_pairs=keep_unseen)
    src, tgt = task.tokenizers()
    held_out, unseen = (encode_pairs(pairs, src, tgt) for pairs in (splits.test, splits.unseen))
    stream = batches(encode_pairs(splits.train, src, tgt), config.batch_size, seed=seed)
    torch.manual_seed(seed)
    model = Transformer(model_config(src, tgt, **plan.model))
    learnt_at, exact_match, seconds, start = None, 0.0, 0.0, time.process_time()
    for step in train(model, stream, config):
        update = step.index + 1
        if update == config.steps or (update % LOOK_EVERY == 0 and update >= FIRST_LOOK * config.steps):
            seconds += time.process_time() - start
            exact_match = evaluate(model.eval(), held_out).exact_match
            if learnt_at is None and exact_match >= GOAL:
                learnt_at = update
            start = time.process_time()
    unseen_match = evaluate(model.eval(), unseen).exact_match if len(unseen) else None
    return Learning(learnt_at, exact_match, unseen_match, seconds)


def row(task_name: str, runs: Sequence[Learning]) -> str:
    """One row of the table: each seed's figures, and the medians."""
    planned = preset(task_name).training.steps
    # A run that never got there counts as later than all that did.
    middle = statistics.median_high(planned + 1 if run.learnt_at is None else run.learnt_at for run in runs)
    cells = [
        task_name,
        planned,
        ", ".join("never" if run.learnt_at is None else str(run.learnt_at) for run in runs),
        middle if middle <= planned else "never",
        f"≤ {GOAL_UPDATES[task_name]}" if task_name in GOAL_UPDATES else "",
        ", ".join(f"{run.exact_match:.1%}" for run in runs),
        ", ".join(f"{run.unseen_match:.1%}" for run in runs if run.unseen_match is not None),
        f"{statistics.median(run.cpu_seconds for run in runs):.0f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print one table as Markdown, a row as soon as its seeds are done."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning", description="Updates until a preset has learned its task."
    )
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="which ones; without any, all")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--unseen", action="store_true", help="keep combinations of words out of training")
    options = parser.parse_args()
    able = [name for name in PRESETS if not options.unseen or isinstance(get_task(name), Compositional)]
    wrong = [name for name in options.tasks if name not in able]
    if wrong:
        parser.error(f"choose among {', '.join(able)}, not {wrong[0]!r}")
    torch.set_num_threads(1)
    print("| task | planned | learned at | median | goal | held out, exact | unseen, exact | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.tasks or able:
        runs = [learn(name, seed, keep_unseen=options.unseen) for seed in range(options.seeds)]
        print(row(name, runs), flush=True)


if __name__ == "__main__":
    main()
