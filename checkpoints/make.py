"""Train the shipped models from scratch: ``make checkpoints``, or ``python -m checkpoints.make [NAME …]``.

``python -m checkpoints.make --only-figures [NAME …]`` measures stored models again without training them.

Each model is trained with its task's preset, most with more updates. The weights with the best validation figures are
rounded to float16, written, read back and only then evaluated on the test pairs, so that the stored figures are those
of the stored file. Intermediate weights come from the training that produced the model.
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
from core.data.targets import TargetTexts
from core.data.tasks import Pair, get_task
from core.evaluation.answers import evaluate
from core.evaluation.figures import Evaluation
from core.evaluation.nearness import count_near
from core.evaluation.pairs import held_out
from core.files import prepare_folder, write_whole
from core.interventions.findings import SHIPPED_RUN, write_findings
from core.model.parameters import count_parameters
from core.presets import preset
from core.run import Run, load_run, save_run
from core.training.console import shown
from core.training.history import discard_history_after, history, history_path, load_run_at, moments_of
from core.training.new_run import begin_run
from core.training.plan import plan_task
from core.training.replay import first_batches
from core.training.run_store import RunStore
from core.training.session import train_run
from explorer.histories.moments import make_moment, make_probe, probe_sources
from explorer.histories.recording import write_recording
from explorer.models.held_out import pairs_of, splits_of
from explorer.models.known import RECORDED
from explorer.models.shipped_figures import write_held_out
from explorer.views.update.shipped import write_first_batches
from explorer.views.worth.cached import Measurement, choices, plan_of
from explorer.views.worth.shipped import write_measured

HERE = Path(__file__).parent
LEAST_EXACT_MATCH = 0.99
"""Lowest share of exact matches on validation pairs with which a model is shipped."""


@dataclass(frozen=True)
class Recipe:
    """Settings for making one shipped model.

    Attributes:
        task: Name of the task.
        training: Training settings that differ from the task's preset.
        moments: Numbers of updates after which intermediate weights are shipped as well.
        is_recorded: Whether to ship the training's figures and its outputs for a few sources at every moment, so that
            the app can replay the training.
    """

    task: str
    training: Mapping[str, Any] = field(default_factory=dict)
    moments: tuple[int, ...] = ()
    is_recorded: bool = False


RECIPES = {
    "copy": Recipe("copy", {"steps": 900}),
    # Attention changes most in the first third of the training: first random, then blurred, then anti-diagonal.
    "reverse": Recipe("reverse", {"steps": 1200}, moments=(0, 10, 25, 50, 100, 150, 200, 325)),
    # The app's default settings, so that the replay looks like a training that the user starts.
    RECORDED: Recipe("reverse", {"validate_every": 25}, moments=(0, 100), is_recorded=True),
    "sort": Recipe("sort", {"steps": 1500}),
    "en-de-numbers": Recipe("en_de_numbers", {"steps": 1200}),
    "dates": Recipe("dates", {"steps": 2000}),
    # Withholds some pairs of adjective and noun, so that the app can show how the model generalises to them.
    "en-fr": Recipe("en_fr", {"steps": 3000, "n_train": 40_000, "unseen_pairs": True}),
}


def make_model(name: str, recipe: Recipe, folder: Path) -> Run:
    """Train one model, write it into its folder and return it.

    Raises:
        SystemExit: when its exact match on validation pairs is below LEAST_EXACT_MATCH.
    """
    known = preset(recipe.task)
    training = replace(known.training, **{"n_test": 2000, **recipe.training})
    description, dataset = plan_task(get_task(recipe.task), training, known.model, name=name)
    with tempfile.TemporaryDirectory() as rounded, tempfile.TemporaryDirectory() as trained:
        begin_run(Path(trained), description, dataset)
        recorded = moments_of(description.config, training) if recipe.is_recorded else ()
        moments = {*recipe.moments, *recorded}
        for _ in shown(train_run(Path(trained), description, dataset, moments=moments), description):
            pass
        save_run(load_run(trained), rounded, dtype=torch.float16)
        run = load_run(rounded)
        kept = {updates: history_path(Path(trained), updates).read_bytes() for updates in recipe.moments}
        if recipe.is_recorded:
            prepare_folder(folder / name)
            write_training(Path(trained), folder / name, recorded)
    validated = evaluate_on(run, dataset.splits.validation)
    if validated.exact_match < LEAST_EXACT_MATCH:
        sys.exit(
            f"{name}: only {validated.exact_match:.2%} of the validation sources are exactly right; not written, since "
            f"at least {LEAST_EXACT_MATCH:.0%} are needed"
        )
    figures = evaluate_on(run, dataset.splits.test).to_dict()
    tested, trained_on = (
        dataset.encode(pairs).sources for pairs in (dataset.splits.test, dataset.splits.train)
    )
    figures["n_near"] = count_near(tested, trained_on)
    if dataset.splits.unseen:
        unseen = evaluate_on(run, dataset.splits.unseen)
        figures |= {"n_unseen": unseen.n_pairs, "unseen_exact_match": unseen.exact_match}
    run = replace(run, evaluation=figures)
    save_run(run, folder / name, dtype=torch.float16)
    discard_history_after(folder / name, -1)
    for updates, weights in kept.items():
        path = history_path(folder / name, updates)
        prepare_folder(path.parent)
        write_whole(path, weights)
    return run


def make_figures(name: str, folder: Path) -> None:
    """Write what three pages need of a stored model, so that no server has to compute it.

    *Mistakes* and *What parts are worth* show it; *One update* makes the first updates again from their batches.
    """
    run, place = load_run(folder / name), folder / name
    for split, _ in splits_of(run):
        write_held_out(place, held_out(run, pairs_of(name, split), split=split))
    for parts in choices(run):
        measurement = Measurement(run, plan_of(name, None, run, parts))
        for _ in measurement.passes():
            pass
        write_measured(place, run, parts, measurement.measured())
    write_first_batches(place, run.fingerprint, first_batches(place, run))


def write_training(trained: Path, folder: Path, moments: Sequence[int]) -> None:
    """Write the figures of a training, and the outputs for its fixed sources at the given moments."""
    run = load_run(trained)
    probes = [probe for source in probe_sources(run) if (probe := make_probe(folder.name, run, source))]
    write_recording(
        folder, probes, [make_moment(load_run_at(trained, updates), updates, probes) for updates in moments]
    )
    store = RunStore.read(trained)
    store.copy_figures(folder)
    store.close()


def evaluate_on(run: Run, pairs: Sequence[Pair]) -> Evaluation:
    """Evaluate a run on pairs of its task."""
    encoded = encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer)
    texts = TargetTexts.of(pairs, run.tgt_tokenizer, is_text=get_task(run.task).is_text)
    return evaluate(run.model, encoded, max_length=run.output_limit, texts=texts)


def report(folder: Path) -> str:
    """Describe every shipped model in two Markdown tables."""
    figures, training = [], []
    for path in sorted(folder.glob("*/run.json")):
        run = load_run(path.parent)
        figures.append(_figures_row(path.parent, run))
        training.append(_training_row(path.parent, run))
    return "\n".join((*_HEAD, *figures, *_BETWEEN, *training, *_FOOT)) + "\n"


_HEAD = (
    "# Shipped models",
    "",
    "Small encoder-decoder models, one or two per task, trained from scratch by `make checkpoints`, which also writes",
    "this page. Figures are those of the stored float16 weights, decoded greedily on test sources that are in neither",
    "training nor validation.",
    "",
    "| model | task | parameters | files | test pairs | exactly right | tokens right | chrF | BLEU "
    "| one token from training | unseen combinations right |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
)
_BETWEEN = (
    "",
    "- **One token from training**: test sources that differ from some training source in a single token. Test sources",
    "  follow the same small grammar or rule as the training sources, so the figures show that the task was learned,",
    "  not how far it generalises.",
    "- **Unseen combinations right**: sources with an adjective and a noun that never occur together in training.",
    "",
    "## How they were made",
    "",
    "| model | layers, encoder + decoder | heads | d_model | training pairs | updates "
    "| best weights after | intermediate weights after |",
    "|---|---|---|---|---|---|---|---|",
)
_FOOT = (
    "",
    "- The best weights are those with the best figures on validation pairs.",
    "- Figures that the app shows at once are in the model's folder `figures/`, and hold for exactly these files;",
    "  `python -m checkpoints.make --only-figures` measures them again.",
    "- Intermediate weights are in the model's folder `history/`; the app steps back through them.",
    "- Other settings are those of the task's preset in `core/presets.py`, unless `RECIPES` in `make.py` differs.",
    "- On another kind of processor, rounding differs in the last digits, and the weights diverge during training.",
)


def _figures_row(folder: Path, run: Run) -> str:
    figures = run.evaluation
    size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
    chrf, bleu = (f"{figures[name]:.1f}" if name in figures else "" for name in ("chrf", "bleu"))
    unseen = f"{figures['unseen_exact_match']:.2%}" if "unseen_exact_match" in figures else ""
    return (
        f"| `{folder.name}` | {get_task(run.task).title} | {count_parameters(run.model):,} | {size / 1000:,.0f} kB "
        f"| {figures['n_pairs']:,} | {figures['exact_match']:.2%} | {figures['token_accuracy']:.2%} "
        f"| {chrf} | {bleu} | {figures['n_near']:,} | {unseen} |"
    )


def _training_row(folder: Path, run: Run) -> str:
    config, moments = run.model.config, history(folder)
    size = sum(history_path(folder, updates).stat().st_size for updates in moments)
    kept = f"{', '.join(map(str, moments))} updates ({size / 1000:,.0f} kB)" if moments else ""
    return (
        f"| `{folder.name}` | {config.n_encoder_layers} + {config.n_decoder_layers} | {config.n_heads} "
        f"| {config.d_model} | {run.train_config.n_train:,} | {run.updates:,} | {run.best_after:,} | {kept} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the named models, or all, and rewrite README.md."""
    parser = argparse.ArgumentParser(
        prog="python -m checkpoints.make",
        description="Train the shipped models from scratch and write checkpoints/README.md.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="models to make (default: all)")
    parser.add_argument(
        "--only-figures",
        action="store_true",
        help="train nothing; measure the stored models and write the figures that the app shows of them",
    )
    torch.set_num_threads(1)
    options = parser.parse_args(arguments)
    names = options.names or list(RECIPES)
    unknown = [name for name in names if name not in RECIPES]
    if unknown:
        parser.error(f"there is no model {unknown[0]!r}; choose from {', '.join(RECIPES)}")
    for name in names:
        if not options.only_figures:
            found = make_model(name, RECIPES[name], HERE).evaluation
            print(f"{name}: {found['exact_match']:.2%} of {found['n_pairs']:,} test sources exactly right")
        make_figures(name, HERE)
        print(f"{name}: figures written")
    if options.only_figures:
        return
    if SHIPPED_RUN.name in names:
        write_findings(load_run(HERE / SHIPPED_RUN.name))
    (HERE / "README.md").write_text(report(HERE), encoding="utf-8")


if __name__ == "__main__":
    main()
