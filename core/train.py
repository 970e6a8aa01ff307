"""Train a model from the command line: ``python -m core.train --task en_fr --out runs/my-model``."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from core.command_line import add_machine, part, percent, say, whole_number
from core.config import MOST_LAYERS, TrainConfig, TransformerConfig
from core.data.tasks import TASKS
from core.data.tokenizers.files import MAX_TOKENS
from core.errors import ConfigError, ExplorerError
from core.presets import OWN_TRAINING, own_pairs_preset, preset

if TYPE_CHECKING:
    # Imported where it is used: --help and a wrong setting need not wait for torch.
    from core.data.dataset import Dataset
    from core.run_description import RunDescription
    from core.training.session import Event

Notify = Callable[[str], None]

EXAMPLES = """examples:
  python -m core.train --task reverse --out runs/reverse
  python -m core.train --task en_fr --out runs/pre-norm --norm-position pre --final-norm --seed 1
  python -m core.train --pairs sentences.tsv --out runs/mine --tokenizer bpe --steps 3000
  python -m core.train --resume runs/mine
  torchrun --nproc-per-node 2 -m core.train --task en_fr --out runs/two-processes

Ctrl-C or SIGTERM ends a training at a checkpoint, from which --resume goes on as if nothing had happened;
so it does after a crash, from the last checkpoint."""

MODEL_HELP = {
    "d_model": "width of the residual stream",
    "n_heads": "attention heads; d_model must be a multiple",
    "n_encoder_layers": "layers of the encoder",
    "n_decoder_layers": "layers of the decoder",
    "d_ff": "inner width of the feed-forward network",
    "dropout": "on every sub-layer's output and on the embedding sums",
    "attention_dropout": "on the attention weights",
    "ffn_dropout": "on the hidden units of the feed-forward network",
    "max_len": "longest sequence with learned positions",
    "norm_position": "LayerNorm after or before each sub-layer",
    "final_norm": "a LayerNorm after each stack; pre-norm needs it",
    "positional": "how positions are told",
    "activation": "of the feed-forward network",
    "tie_embeddings": "one matrix for source, target and output, where the vocabulary is one",
    "attention_bias": "biases in the projections of attention",
    "scale_scores": "divide q·k by √d_head; off only to see what happens",
    "causal": "hide later target tokens; off only to see what happens",
    "norm_eps": "ε of every LayerNorm",
}
TRAINING_HELP = {
    "steps": "updates in all; at most so many with --patience",
    "batch_size": "pairs in one update, over all processes",
    "bucket_batches": f"batches sorted by length together; 1 for none ({OWN_TRAINING['bucket_batches']} for --pairs)",
    "schedule": "what follows the warm-up of the learning rate",
    "peak_learning_rate": "at the end of the warm-up; not used by the paper's schedule",
    "warmup_steps": "updates over which the learning rate rises",
    "label_smoothing": "α of the smoothed labels",
    "clip_norm": "largest norm of the whole gradient",
    "adam_beta1": "of the mean of gradients",
    "adam_beta2": "of the mean of squared gradients",
    "adam_eps": "in Adam's denominator",
    "dtype": "bfloat16 multiplies in half the bits and keeps weights in full; for GPUs",
    "seed": "of the pairs, the first weights, the order and the dropout",
    "n_train": "training pairs",
    "n_validation": "pairs by which the best weights are chosen",
    "n_test": "pairs on which these are measured in the end",
    "unseen_pairs": "keep some combinations of words out of training, and test them by themselves (en_fr)",
    "validate_every": "updates between two validations",
    "patience": "validations in a row without a lower loss or more exact answers that end it; 0: none do",
    "checkpoint_every": "updates between two checkpoints",
}
MAX_SECONDS = 10**9 - 1
_REACHED_WHEN_RESUMING = {"resume", "device", "threads", "quiet", "most_seconds"}


def main(arguments: Sequence[str] | None = None, *, prepared: Sequence[tuple[str, Dataset]] = ()) -> int:
    """Entry of the command.

    Args:
        arguments: As somebody types them.
        prepared: Pairs of tasks that were made before they were needed, by `core.training.plan.pairs_key`.

    Returns:
        0 when the run is complete, 2 when it cannot be, 128 + signal when it ended at a checkpoint.
    """
    with _stop_signals() as received:
        try:
            options = vars(_parser().parse_args(arguments))
            _check_folder(options)
            complete = _train(options, received, prepared)
        except ExplorerError as error:
            say(error)
            return 2
        except (MemoryError, RuntimeError) as error:
            # torch has an error of its own for a GPU's memory, and none for the machine's.
            if not isinstance(error, MemoryError) and not re.search("(out of|allocate) memory", str(error)):
                raise
            print("the memory is full; make --batch-size or the model smaller", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("ended at once; the last checkpoint is still there", file=sys.stderr)
            return 128 + signal.SIGINT
    return 0 if complete or not received else 128 + received[0]


def _train(
    options: Mapping[str, Any], received: Sequence[int], prepared: Sequence[tuple[str, Dataset]]
) -> bool:
    """Train as the options say; whether the run is complete."""
    import torch

    from core.device import resolve_device
    from core.training.new_run import begin_run, check_possible
    from core.training.processes import joined
    from core.training.session import train_run

    torch.set_num_threads(options["threads"])
    with joined(options["device"]) as (processes, device):
        target = resolve_device(device)  # It should be wrong before anything is written, not after.
        notify = say if processes.is_first else _ignore
        folder: Path = options["resume"] or options["out"]
        with processes.together(target):
            if options["resume"]:
                description, dataset = _begun(folder, prepared)
            else:
                description, dataset = _planned(options, notify)
                check_possible(description, dataset, target)
                if processes.is_first:
                    begin_run(folder, description, dataset, overwrite=options["overwrite"])
        if description.evaluation:
            notify("this run is complete: there is nothing to go on with")
            if processes.is_first:
                _report(folder, description)
            return True
        events = train_run(
            folder,
            description,
            dataset,
            device=device,
            processes=processes,
            should_stop=lambda: bool(received),
            warn=notify,
            most_seconds=options["most_seconds"],
        )
        show = processes.is_first and not options["quiet"]
        for _ in progress_bar(events, description) if show else events:
            pass
        return _ended(folder) if processes.is_first else True


def _planned(options: Mapping[str, Any], notify: Notify) -> tuple[RunDescription, Dataset]:
    """The run that the options describe, and its pairs."""
    from core.data.pairs import read_pairs
    from core.data.pairs.tokenizing import BPE_SIZE
    from core.data.tasks import get_task
    from core.training.plan import plan_pairs, plan_task

    name, task = options["out"].name, options["task"]
    known = preset(task) if task else own_pairs_preset(options["steps"])
    training = replace(known.training, **_given(options, TRAINING_HELP))
    model = {**known.model, **_given(options, MODEL_HELP)}
    if task:
        return plan_task(get_task(task), training, model, name=name)
    found = read_pairs(options["pairs"])
    notify(str(found.report))
    if options["n_train"] is None:
        training = replace(training, n_train=len(found.pairs))
    kind, size = options["tokenizer"] or "auto", options["bpe_size"] or BPE_SIZE
    description, dataset, drops = plan_pairs(
        found.pairs, training, model, name=name, tokenizer=kind, bpe_size=size
    )
    for drop in drops:
        notify(f"Cut into tokens, {drop}.")
    tokens, counts = description.src_tokenizer, description.train_config
    notify(
        f"{len(tokens.vocabulary):,} tokens, by {tokens.kind}; {counts.n_train:,} pairs to train with, "
        f"{counts.n_validation:,} to choose by, {counts.n_test:,} to test with."
    )
    return description, dataset


def _begun(folder: Path, prepared: Sequence[tuple[str, Dataset]]) -> tuple[RunDescription, Dataset]:
    from core.run_description import read_description
    from core.training.plan import dataset_of, pairs_key

    description = read_description(folder)
    key = pairs_key(description.task, description.train_config)
    known = [dataset for made_for, dataset in prepared if made_for == key]
    return description, known[0] if known else dataset_of(folder, description)


def _ended(folder: Path) -> bool:
    """Say how it ended; whether the run is complete."""
    from core.run_description import read_description

    description = read_description(folder)
    if description.evaluation:
        _report(folder, description)
        return True
    print(
        f"stopped at a checkpoint after {description.updates:,} of {description.train_config.steps:,} updates; "
        f"go on with: python -m core.train --resume {folder}",
        file=sys.stderr,
    )
    return False


def _report(folder: Path, description: RunDescription) -> None:
    from core.model.shapes import expected_parameters
    from core.training.outcome import outcome

    figures = description.evaluation
    text = "".join(
        f", {name} {figures[key]:.1f}" for key, name in (("chrf", "chrF"), ("bleu", "BLEU")) if key in figures
    )
    if "unseen_exact_match" in figures:
        text += f", {part(figures['unseen_exact_match'], figures['n_unseen'])} with unseen combinations"
    print(
        f"{folder}: {expected_parameters(description.config):,} parameters, best after "
        f"{description.best_after:,} of {description.updates:,} updates; "
        f"{part(figures['exact_match'], figures['n_pairs'])} held-out sources exactly right{text}"
    )
    if remark := outcome(description):
        print(remark)


def progress_bar(events: Iterable[Event], description: RunDescription) -> Iterator[Event]:
    """Pass the events on, with a bar of the updates and a line for each validation on stderr."""
    from tqdm import tqdm

    from core.training.records import TrainStep

    with tqdm(total=description.train_config.steps, unit="step", dynamic_ncols=True) as bar:
        for event in events:
            if isinstance(event, TrainStep):
                # A resumed training begins where it was.
                bar.update(event.index + 1 - bar.n)
                bar.set_postfix(
                    loss=f"{event.loss:.3f}",
                    lr=f"{event.learning_rate:.1e}",
                    tokens_per_s=f"{event.tokens_per_second:.0f}",
                    refresh=False,
                )
            else:
                figures = event.figures
                text = f", chrF {figures.chrf:.1f}" if figures.chrf is not None else ""
                bar.write(
                    f"after {event.updates:,} updates: {part(figures.exact_match, figures.n_pairs)} exact, "
                    f"{percent(figures.token_accuracy)} of the tokens{text}, loss {figures.loss:.3f}",
                    file=sys.stderr,
                )
            yield event


def _ignore(sentence: str) -> None:
    pass


def _given(options: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: options[name] for name in names if options[name] is not None}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core.train",
        description="Train a Transformer on a task, or on pairs of your own.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--task", choices=sorted(TASKS), help="what to learn")
    what.add_argument("--pairs", type=Path, metavar="FILE", help="learn source<TAB>target lines, or a .csv")
    what.add_argument(
        "--resume", type=Path, metavar="FOLDER", help="go on with a run from its last checkpoint"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="folder that the run is written to")
    parser.add_argument("--overwrite", action="store_true", help="replace a run that is there already")
    add_machine(parser)
    parser.add_argument(
        "--most-seconds",
        type=whole_number(MAX_SECONDS),
        metavar="N",
        help="end at a checkpoint after so long, pauses included",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--tokenizer",
        choices=("auto", "word", "character", "bpe"),
        help="of --pairs; auto is by word, and bpe where there are many (default: auto)",
    )
    parser.add_argument("--bpe-size", type=whole_number(MAX_TOKENS), help="tokens of bpe (default: 2000)")
    parser.add_argument(
        "--layers", type=whole_number(MOST_LAYERS), help="layers of the encoder and of the decoder"
    )
    _add_settings(
        parser.add_argument_group("model, by default as the task needs it"), TransformerConfig, MODEL_HELP
    )
    _add_settings(parser.add_argument_group("training, likewise"), TrainConfig, TRAINING_HELP)
    return parser


def _add_settings(group: argparse._ArgumentGroup, config: type, helps: Mapping[str, str]) -> None:
    """A flag for each setting; one that is not given is None."""
    hints = get_type_hints(config)
    for setting in (setting for setting in fields(config) if setting.name in helps):
        flag, hint = f"--{setting.name.replace('_', '-')}", hints[setting.name]
        if bool in (hint, *get_args(hint)):
            group.add_argument(flag, action=argparse.BooleanOptionalAction, help=helps[setting.name])
        elif get_args(hint):
            group.add_argument(flag, choices=get_args(hint), help=helps[setting.name])
        else:
            group.add_argument(flag, type=hint, metavar=hint.__name__.upper(), help=helps[setting.name])


def _check_folder(options: dict[str, Any]) -> None:
    """What argparse cannot say: flags that need or exclude each other."""
    if options["resume"]:
        given = [
            name
            for name, value in options.items()
            if name not in _REACHED_WHEN_RESUMING and value is not None and not _is_off(name, value)
        ]
        if given:
            raise ConfigError(
                f"--resume goes on with the run's own settings; leave out --{given[0].replace('_', '-')}"
            )
        return
    if not options["out"] or options["out"].name in ("", ".."):
        raise ConfigError("--out must name a folder for the run, such as runs/my-model")
    needless = ("tokenizer", "bpe_size") if options["task"] else ("unseen_pairs",)
    for name in needless:
        if options[name] is not None:
            raise ConfigError(f"--{name.replace('_', '-')} means nothing here; leave it out")
    if options["pairs"] and _is_own_copy(options["pairs"], options["out"]):
        raise ConfigError(
            f"{options['pairs']} would be overwritten by the run's own copy; choose another --out"
        )
    if layers := options.pop("layers"):
        for name in ("n_encoder_layers", "n_decoder_layers"):
            options[name] = options[name] or layers


def _is_off(name: str, value: object) -> bool:
    """Whether a plain switch was not given; for the others False is a wish as well."""
    return name == "overwrite" and value is False


def _is_own_copy(pairs: Path, out: Path) -> bool:
    from core.training.own_pairs import PAIRS_FILE

    try:
        return pairs.resolve() == (out / PAIRS_FILE).resolve()
    except (OSError, RuntimeError):
        return False


@contextmanager
def _stop_signals() -> Iterator[list[int]]:
    """Signals that asked for the end of the training; a second one ends it at once."""
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)
        for each, handler in before.items():
            signal.signal(each, handler)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
