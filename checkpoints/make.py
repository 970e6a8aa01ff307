"""Trains the shipped models from nothing: ``python -m checkpoints.make`` (or ``make checkpoints``).

Each model is trained with its task's preset or something slower and surer, chosen by its validation pairs,
rounded to half precision, written, read back, and only then measured on its test pairs, so that the figures
beside a model are those of the very file. Weights on the way to a model are of the very training that made it.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from core.data.batching import encode_pairs
from core.data.tasks import Pair, get_task
from core.evaluation.answers import evaluate
from core.evaluation.figures import Evaluation
from core.evaluation.nearness import count_near
from core.files import prepare_folder, write_whole
from core.interventions.findings import SHIPPED_RUN, write_findings
from core.model.parameters import count_parameters
from core.presets import preset
from core.run import Run, load_run, save_run
from core.training.console import shown
from core.training.history import discard_history_after, history, history_path, load_run_at, moments_of
from core.training.new_run import begin_run
from core.training.plan import plan_task
from core.training.run_store import RunStore
from core.training.session import train_run
from explorer.histories.moments import make_moment, make_probe, probe_sources
from explorer.histories.recording import write_recording
from explorer.models.known import RECORDED

HERE = Path(__file__).parent
LEAST_EXACT_MATCH = 0.99
"""Below this share of validation sources exactly right, a model is not shipped."""


@dataclass(frozen=True)
class Recipe:
    """How one shipped model is made.

    Attributes:
        task: What it learns.
        training: Settings that differ from the task's preset.
        moments: After how many updates its weights are shipped as well, to travel back to.
        is_watched: Whether its figures and what all moments of its training make of a few sources are shipped as well,
            so that the whole training can be played.
    """

    task: str
    training: Mapping[str, Any] = field(default_factory=dict)
    moments: tuple[int, ...] = ()
    is_watched: bool = False


RECIPES = {
    "copy": Recipe("copy", {"steps": 900}),
    # Its attention changes most in the first third: random, blurred, then turned round.
    "reverse": Recipe("reverse", {"steps": 1200}, moments=(0, 10, 25, 50, 100, 150, 200, 325)),
    # As anybody would begin it in the app: what plays there is what one's own training will look like.
    RECORDED: Recipe("reverse", {"validate_every": 25}, moments=(0, 100), is_watched=True),
    "sort": Recipe("sort", {"steps": 1500}),
    "en-de-numbers": Recipe("en_de_numbers", {"steps": 1200}),
    "dates": Recipe("dates", {"steps": 2000}),
    # Some adjectives never meet some nouns in its training: so the app can show what it makes of them.
    "en-fr": Recipe("en_fr", {"steps": 3000, "n_train": 40_000, "unseen_pairs": True}),
}


def make(name: str, recipe: Recipe, folder: Path) -> Run:
    """Train one model and write it.

    Raises:
        SystemExit: when it is not good enough to be shipped.
    """
    known = preset(recipe.task)
    training = replace(known.training, **{"n_test": 2000, **recipe.training})
    description, dataset = plan_task(get_task(recipe.task), training, known.model, name=name)
    with tempfile.TemporaryDirectory() as rounded, tempfile.TemporaryDirectory() as trained:
        begin_run(Path(trained), description, dataset)
        played = moments_of(description.config, training) if recipe.is_watched else ()
        moments = {*recipe.moments, *played}
        for _ in shown(train_run(Path(trained), description, dataset, moments=moments), description):
            pass
        save_run(load_run(trained), rounded, dtype=torch.float16)
        run = load_run(rounded)
        kept = {updates: history_path(Path(trained), updates).read_bytes() for updates in recipe.moments}
        if recipe.is_watched:
            prepare_folder(folder / name)
            write_training(Path(trained), folder / name, played)
    validated = measure(run, dataset.splits.validation)
    if validated.exact_match < LEAST_EXACT_MATCH:
        sys.exit(f"{name}: only {validated.exact_match:.2%} of the validation sources exact; not shipped")
    figures = measure(run, dataset.splits.test).to_dict()
    tested, trained_on = (
        dataset.encode(pairs).sources for pairs in (dataset.splits.test, dataset.splits.train)
    )
    figures["n_near"] = count_near(tested, trained_on)
    if dataset.splits.unseen:
        unseen = measure(run, dataset.splits.unseen)
        figures |= {"n_unseen": unseen.n_pairs, "unseen_exact_match": unseen.exact_match}
    run = replace(run, evaluation=figures)
    save_run(run, folder / name, dtype=torch.float16)
    discard_history_after(folder / name, -1)
    for updates, weights in kept.items():
        path = history_path(folder / name, updates)
        prepare_folder(path.parent)
        write_whole(path, weights)
    return run


def write_training(trained: Path, folder: Path, moments: Sequence[int]) -> None:
    """Keep the figures of a training, and what some of its moments make of its fixed sources."""
    run = load_run(trained)
    probes = [probe for source in probe_sources(run) if (probe := make_probe(folder.name, run, source))]
    write_recording(
        folder, probes, [make_moment(load_run_at(trained, each), each, probes) for each in moments]
    )
    store = RunStore.read(trained)
    store.copy_figures(folder)
    store.close()


def measure(run: Run, pairs: Sequence[Pair]) -> Evaluation:
    """How a run does on pairs of its task."""
    encoded = encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer)
    return evaluate(run.model, encoded, texts_of=run.tgt_tokenizer if get_task(run.task).is_text else None)


def report(folder: Path) -> str:
    """A table of every shipped model, as Markdown."""
    rows = [
        "# Shipped models",
        "",
        "Made by `make checkpoints`. The figures are of the files beside this one, decoded greedily on",
        "sources that occur in neither training nor validation, but are of the same small grammar or the same rule.",
        "How many of them differ from some training source by a single token stands beside them: the figures",
        "say that a task was learned, not that it can be stretched. The last column is of sources with an adjective",
        "and a noun that never stood together in training.",
        "",
        "| model | task | layers, heads, d_model | parameters | KB | updates, best after | held out "
        "| one token from training | exactly right | tokens right | chrF | BLEU | unseen pairs right |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for path in sorted(folder.glob("*/run.json")):
        run = load_run(path.parent)
        config, figures = run.model.config, run.evaluation
        size = sum(file.stat().st_size for file in path.parent.iterdir() if file.is_file())
        text = [f"{figures[name]:.1f}" if name in figures else "" for name in ("chrf", "bleu")]
        unseen = f"{figures['unseen_exact_match']:.2%}" if "unseen_exact_match" in figures else ""
        rows.append(
            f"| `{path.parent.name}` | {get_task(run.task).title} "
            f"| {config.n_encoder_layers} + {config.n_decoder_layers}, {config.n_heads}, {config.d_model} "
            f"| {count_parameters(run.model):,} | {size / 1000:,.0f} | {run.updates:,}, {run.best_after:,} "
            f"| {figures['n_pairs']:,} | {figures['n_near']:,} "
            f"| {figures['exact_match']:.2%} | {figures['token_accuracy']:.2%} | {text[0]} | {text[1]} | {unseen} |"
        )
    return "\n".join((*rows, *_moments_told(folder))) + "\n"


def _moments_told(folder: Path) -> list[str]:
    """A line for each model that has weights of moments on the way to it."""
    lines = []
    for path in sorted(folder.glob("*/run.json")):
        if moments := history(path.parent):
            size = sum(history_path(path.parent, updates).stat().st_size for updates in moments)
            lines += [
                "",
                f"`{path.parent.name}/history/` has the weights after {', '.join(map(str, moments))} updates of the",
                f"training that made the model, {size / 1000:,.0f} KB together: the app goes back through them.",
                "On another kind of processor the last digits of a training differ, and with them, later, its weights.",
            ]
    return lines


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
    if SHIPPED_RUN.name in names:
        write_findings(load_run(HERE / SHIPPED_RUN.name))
    (HERE / "README.md").write_text(report(HERE), encoding="utf-8")


if __name__ == "__main__":
    main()
