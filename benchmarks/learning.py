"""Updates and CPU seconds until each preset has learned its task, for several seeds.

    python -m benchmarks.learning [TASK …] [--seeds 3] [--unseen]

Runs on one torch thread. After 60 % of the planned updates the model is evaluated every 25 updates on 1,000 held-out
sources; a task counts as learned at the first evaluation with at least 99 % exact matches. The reported seconds cover
the whole training without the evaluations. With --unseen, tasks that support it withhold some combinations of words
from training and evaluate them separately at the end.
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
EVALUATE_EVERY = 25
FIRST_EVALUATION = 0.6
"""Share of the planned updates before the first evaluation."""


@dataclass(frozen=True)
class LearningResult:
    """Outcome of one training.

    Attributes:
        learned_at: Update at which the goal was reached; None if it never was.
        exact_match: Share of held-out sources translated exactly at the end.
        unseen_match: The same share for withheld combinations; None if there are none.
        cpu_seconds: CPU seconds of the training without the evaluations.
    """

    learned_at: int | None
    exact_match: float
    unseen_match: float | None
    cpu_seconds: float


def train_preset(task_name: str, seed: int, *, keep_unseen: bool = False) -> LearningResult:
    """Train the task's preset with a seed, evaluating it along the way."""
    task, plan = get_task(task_name), preset(task_name)
    config = replace(plan.training, seed=seed, n_test=HELD_OUT)
    counts = (config.n_train, config.n_validation, config.n_test)
    splits = split_pairs(task, seed, *counts, unseen_pairs=keep_unseen)
    src, tgt = task.tokenizers()
    held_out, unseen = (encode_pairs(pairs, src, tgt) for pairs in (splits.test, splits.unseen))
    stream = batches(encode_pairs(splits.train, src, tgt), config.batch_size, seed=seed)
    torch.manual_seed(seed)
    model = Transformer(model_config(src, tgt, **plan.model))
    learned_at, exact_match, seconds, start = None, 0.0, 0.0, time.process_time()
    for step in train(model, stream, config):
        update = step.index + 1
        is_due = update % EVALUATE_EVERY == 0 and update >= FIRST_EVALUATION * config.steps
        if is_due or update == config.steps:
            seconds += time.process_time() - start
            exact_match = evaluate(model.eval(), held_out).exact_match
            if learned_at is None and exact_match >= GOAL:
                learned_at = update
            start = time.process_time()
    unseen_match = evaluate(model.eval(), unseen).exact_match if len(unseen) else None
    return LearningResult(learned_at, exact_match, unseen_match, seconds)


def format_row(task_name: str, results: Sequence[LearningResult]) -> str:
    """Format one table row: the figures of each seed, and the medians."""
    planned = preset(task_name).training.steps
    # A seed that never reached the goal counts as later than all that did.
    median = statistics.median_high(
        planned + 1 if result.learned_at is None else result.learned_at for result in results
    )
    cells = [
        task_name,
        planned,
        ", ".join("never" if result.learned_at is None else str(result.learned_at) for result in results),
        median if median <= planned else "never",
        f"≤ {GOAL_UPDATES[task_name]}" if task_name in GOAL_UPDATES else "",
        ", ".join(f"{result.exact_match:.1%}" for result in results),
        ", ".join(f"{result.unseen_match:.1%}" for result in results if result.unseen_match is not None),
        f"{statistics.median(result.cpu_seconds for result in results):.0f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print a Markdown table, each row as soon as its seeds are done."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning",
        description="Count the updates that each preset takes to learn its task.",
    )
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="tasks to train (default: all)")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="seeds per task (default: 3)")
    parser.add_argument(
        "--unseen",
        action="store_true",
        help="withhold some combinations of words from training and evaluate them separately",
    )
    options = parser.parse_args()
    choices = [name for name in PRESETS if not options.unseen or isinstance(get_task(name), Compositional)]
    unknown = [name for name in options.tasks if name not in choices]
    if unknown:
        parser.error(f"{unknown[0]!r} is not a task that can be measured; choose from {', '.join(choices)}")
    torch.set_num_threads(1)
    print(
        "| task | planned updates | learned at, per seed | median | goal | exact, held out | exact, unseen | CPU s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in options.tasks or choices:
        results = [train_preset(name, seed, keep_unseen=options.unseen) for seed in range(options.seeds)]
        print(format_row(name, results), flush=True)


if __name__ == "__main__":
    main()
