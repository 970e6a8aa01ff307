"""Train a model from the command line: ``python -m core.train --task en_fr --out runs/my-model``."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Literal

import torch
from tqdm import tqdm

from core.config import TrainConfig, TransformerConfig
from core.data.batching import batches, encode_pairs
from core.data.splits import split_pairs
from core.data.tasks import TASKS, Task, get_task
from core.device import resolve_device
from core.errors import ConfigError, ExplorerError
from core.model.transformer import Transformer, count_parameters
from core.run import Run, prepare_folder, save_run
from core.run_description import RUN_FILE, check_special_ids
from core.training.evaluation import Evaluation, evaluate
from core.training.trainer import TrainStep, train

HISTORY_POINTS = 100
"""About how many updates are kept in the run's file, evenly spread, the first and the last among them."""

Watch = Callable[[Iterable[TrainStep]], Iterable[TrainStep]]
"""Passes the updates on and shows them on the way, such as a progress bar."""


def model_config(task: Task, **changes: object) -> TransformerConfig:
    """A small model with the task's vocabularies: 2 + 2 layers of width 64, 4 heads."""
    src, tgt = task.tokenizers()
    return TransformerConfig.from_dict(
        {
            "src_vocab_size": len(src.vocabulary),
            "tgt_vocab_size": len(tgt.vocabulary),
            "tie_embeddings": src is tgt,
            "d_model": 64,
            "n_heads": 4,
            "n_encoder_layers": 2,
            "n_decoder_layers": 2,
            "d_ff": 256,
            "max_len": 64,
            **changes,
        }
    )


def train_run(
    task: Task,
    config: TransformerConfig,
    training: TrainConfig,
    *,
    name: str,
    device: str = "cpu",
    watch: Watch = iter,
) -> Run:
    """Draw the task's splits, train a model, evaluate it on the held-out test split.

    A KeyboardInterrupt ends the training early; what was learned until then is evaluated and returned.

    Args:
        task: What to learn.
        config: Of the model.
        training: Of the training.
        name: Of the run.
        device: "cpu", "cuda" or "mps".
        watch: Sees every update.
    """
    check_special_ids(config)
    torch.manual_seed(training.seed)
    src, tgt = task.tokenizers()
    splits = split_pairs(task, training.seed, training.n_train, training.n_validation, training.n_test)
    model = Transformer(config, resolve_device(device))
    stream = batches(encode_pairs(splits.train, src, tgt), training.batch_size, seed=training.seed)
    steps: list[TrainStep] = []
    try:
        for step in watch(train(model, (batch.to(device) for batch in stream), training)):
            steps.append(step)
    except KeyboardInterrupt:
        print(f"stopped after {len(steps)} of {training.steps} updates", file=sys.stderr)
    run = Run(
        name=name,
        task=task.name,
        config=config,
        model=model.eval(),
        src_tokenizer=src,
        tgt_tokenizer=tgt,
        train_config=training,
        history=tuple(asdict(step) for step in _thinned(steps)),
        max_source_tokens=task.max_source_tokens,
    )
    return replace(run, evaluation=held_out(run, task, "test").to_dict())


def held_out(run: Run, task: Task, split: Literal["validation", "test"]) -> Evaluation:
    """How the run does on a split that training never saw.

    Choose by the validation split whatever is chosen, and report the test split.
    """
    training = run.train_config
    splits = split_pairs(task, training.seed, training.n_train, training.n_validation, training.n_test)
    pairs = encode_pairs(getattr(splits, split), run.src_tokenizer, run.tgt_tokenizer)
    return evaluate(run.model, pairs)


def progress_bar(total: int) -> Watch:
    """A watch that draws a progress bar with the loss on stderr."""

    def watch(steps: Iterable[TrainStep]) -> Iterable[TrainStep]:
        with tqdm(total=total, unit="step", dynamic_ncols=True) as bar:
            for step in steps:
                bar.update()
                bar.set_postfix(
                    loss=f"{step.loss:.3f}",
                    lr=f"{step.learning_rate:.1e}",
                    tokens_per_s=f"{step.tokens_per_second:.0f}",
                    refresh=False,
                )
                yield step

    return watch


def _thinned(steps: Sequence[TrainStep]) -> Sequence[TrainStep]:
    every = max(1, -(-len(steps) // HISTORY_POINTS))
    return [step for step in steps if step.index % every == 0 or step is steps[-1]]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core.train", description="Train a Transformer on a task."
    )
    parser.add_argument("--task", required=True, choices=sorted(TASKS), help="what to learn")
    parser.add_argument("--out", required=True, type=Path, help="folder that the run is written to")
    parser.add_argument("--overwrite", action="store_true", help="replace a run that is there already")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    # A second thread brings a third at best, and costs ten times that where other work shares the cores.
    parser.add_argument("--threads", type=int, default=1, help="CPU threads")
    parser.add_argument("--layers", type=int, default=2, help="encoder and decoder layers")
    for name, default in (("d_model", 64), ("n_heads", 4), ("d_ff", 256)):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    parser.add_argument("--dropout", type=float, default=0.1)
    for setting in fields(TrainConfig):
        flag = f"--{setting.name.replace('_', '-')}"
        parser.add_argument(flag, type=type(setting.default), default=setting.default)
    return parser


def _check_folder(folder: Path, overwrite: bool) -> None:
    if not folder.name:
        raise ConfigError("--out must name a folder for the run, such as runs/my-model")
    if (folder / RUN_FILE).exists() and not overwrite:
        raise ConfigError(f"{folder} holds a run already; choose another folder or add --overwrite")
    prepare_folder(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry of the command; 0 when a run was written, 2 when the arguments are impossible."""
    options = _parser().parse_args(arguments)
    try:
        _check_folder(options.out, options.overwrite)
        torch.set_num_threads(max(1, options.threads))
        task = get_task(options.task)
        config = model_config(
            task,
            d_model=options.d_model,
            n_heads=options.n_heads,
            d_ff=options.d_ff,
            n_encoder_layers=options.layers,
            n_decoder_layers=options.layers,
            dropout=options.dropout,
        )
        training = TrainConfig(
            **{setting.name: getattr(options, setting.name) for setting in fields(TrainConfig)}
        )
        run = train_run(
            task,
            config,
            training,
            name=options.out.name,
            device=options.device,
            watch=progress_bar(training.steps),
        )
        save_run(run, options.out)
    except ExplorerError as error:
        print(error, file=sys.stderr)
        return 2
    print(
        f"{options.out}: {count_parameters(run.model):,} parameters, "
        f"{run.evaluation['exact_match']:.1%} of {run.evaluation['n_pairs']:,} held-out sources exactly right"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
