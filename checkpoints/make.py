"""Trains the shipped models from nothing: ``python -m checkpoints.make`` (or ``make checkpoints``).

Each model is rounded to half precision, written, read back, and only then evaluated on its held-out
sources, so that the figures beside a model are those of the very file.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from core.config import TrainConfig
from core.data.tasks import get_task
from core.model.transformer import count_parameters
from core.run import Run, load_run, save_run
from core.train import held_out, model_config, progress_bar, train_run

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Recipe:
    """How one shipped model is made.

    Attributes:
        task: What it learns.
        training: How.
        model: Settings that differ from the small default model.
        least_exact_match: Below this share of validation sources exactly right, the model is not shipped.
    """

    task: str
    training: TrainConfig
    model: Mapping[str, object] = field(default_factory=dict)
    least_exact_match: float = 0.98


RECIPES = {
    "copy": Recipe(
        task="copy",
        model={"n_encoder_layers": 1, "n_decoder_layers": 1, "dropout": 0.0},
        training=TrainConfig(steps=1500, warmup_steps=50, peak_learning_rate=4e-3, n_test=2000),
        least_exact_match=0.99,
    ),
    "en-fr": Recipe(
        task="en_fr",
        training=TrainConfig(steps=3000, warmup_steps=200, n_train=30_000, n_test=2000),
    ),
}


def make(name: str, recipe: Recipe, folder: Path) -> Run:
    """Train one model and write it.

    Raises:
        SystemExit: when it is not good enough to be shipped.
    """
    task = get_task(recipe.task)
    trained = train_run(
        task,
        model_config(task, **recipe.model),
        recipe.training,
        name=name,
        watch=progress_bar(recipe.training.steps),
    )
    with tempfile.TemporaryDirectory() as rounded:
        save_run(trained, rounded, dtype=torch.float16)
        run = load_run(rounded)
    validated = held_out(run, task, "validation")
    if validated.exact_match < recipe.least_exact_match:
        sys.exit(f"{name}: only {validated.exact_match:.2%} of the validation sources exact; not shipped")
    run = replace(run, evaluation=held_out(run, task, "test").to_dict())
    save_run(run, folder / name, dtype=torch.float16)
    return run


def report(folder: Path) -> str:
    """A table of every shipped model, as Markdown."""
    rows = [
        "# Shipped models",
        "",
        "Made by `make checkpoints`. The figures are of the files beside this one, decoded greedily on",
        "sources that occur in neither training nor validation. Many of them differ from some training source by",
        "a single word or letter: the figures say that a task was learnt, not that it can be stretched.",
        "",
        "| model | task | layers, heads, d_model | parameters | updates | held out | exactly right | tokens right |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for path in sorted(folder.glob("*/run.json")):
        run = load_run(path.parent)
        config, figures = run.model.config, run.evaluation
        rows.append(
            f"| `{path.parent.name}` | {get_task(run.task).title} "
            f"| {config.n_encoder_layers} + {config.n_decoder_layers}, {config.n_heads}, {config.d_model} "
            f"| {count_parameters(run.model):,} | {run.updates:,} | {figures['n_pairs']:,} "
            f"| {figures['exact_match']:.2%} | {figures['token_accuracy']:.2%} |"
        )
    return "\n".join(rows) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry of the command: every model, or those that are named."""
    parser = argparse.ArgumentParser(
        prog="python -m checkpoints.make", description="Make the shipped models."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which ones; without any, all")
    torch.set_num_threads(1)
    names = parser.parse_args(arguments).names or list(RECIPES)
    unknown = [name for name in names if name not in RECIPES]
    if unknown:
        parser.error(f"there is no recipe {unknown[0]!r}; choose among {', '.join(RECIPES)}")
    for name in names:
        run = make(name, RECIPES[name], HERE)
        print(f"{name}: {run.evaluation['exact_match']:.2%} of {run.evaluation['n_pairs']:,} exact")
    (HERE / "README.md").write_text(report(HERE), encoding="utf-8")


if __name__ == "__main__":
    main()
