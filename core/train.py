"""Train a model from the command line: ``python -m core.train --task en_fr --out runs/my-model``."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from core.command_line import part, reading_options, say
from core.data.pairs import PIECE_NAMES, Cutting
from core.errors import ConfigError, DivergenceError, ExplorerError, excerpt
from core.numbers import counted
from core.presets import own_pairs_preset, preset
from core.training.arguments import (
    CUTTING_FLAGS,
    LIMIT_FLAGS,
    MODEL_HELP,
    TRAINING_HELP,
    again_with,
    given,
    has_pairs,
    options_of,
)
from core.training.console import shown

if TYPE_CHECKING:
    from torch import device

    # Imported where it is used: --help and a wrong setting need not wait for torch.
    from core.config import TrainConfig
    from core.data.dataset import Dataset
    from core.data.tasks import Pair
    from core.run import Run
    from core.run_description import RunDescription
    from core.training.session import Event

Notify = Callable[[str], None]


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
            options = options_of(arguments)
            typed = sys.argv[1:] if arguments is None else arguments
            complete = _train(options, typed, received, prepared)
        except ExplorerError as error:
            say(error)
            return 2
        except (MemoryError, RuntimeError) as error:
            # torch has an error of its own for a GPU's memory, and none for the machine's.
            if not isinstance(error, MemoryError) and not re.search("(out of|allocate) memory", str(error)):
                raise
            print("not enough memory; reduce --batch-size or the size of the model", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("interrupted; the last checkpoint is kept", file=sys.stderr)
            return 128 + signal.SIGINT
    return 0 if complete or not received else 128 + received[0]


def _train(
    options: Mapping[str, Any],
    typed: Sequence[str],
    received: Sequence[int],
    prepared: Sequence[tuple[str, Dataset]],
) -> bool:
    """Train as the options say, which were typed so; return True if the run is complete."""
    import torch

    from core.device import resolve_device
    from core.training.kept import thin
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
                    begin_run(
                        folder,
                        description,
                        dataset,
                        overwrite=options["overwrite"],
                        parent=options["init_from"],
                    )
        if description.is_complete:
            if options["history"] is not None and processes.is_first:
                notify(f"{thin(folder, options['history']) / 1e6:,.1f} MB were freed")
                return True
            notify("this run is complete; there is nothing to resume")
            if processes.is_first:
                _report(folder, description, typed, as_json=options["json"])
            return True
        if options["resume"] and options["history"] is not None:
            raise ConfigError(
                "--history applies to a finished run; let this one finish, or leave out --history"
            )
        _warn_of_precision(description, target, notify)
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
        told = shown(events, description, quiet=options["quiet"]) if processes.is_first else events
        _pull(told, typed, description)
        return _ended(folder, typed, as_json=options["json"]) if processes.is_first else True


def _warn_of_precision(description: RunDescription, target: device, notify: Notify) -> None:
    """Tell if the data type of the matrix products makes the training slower."""
    from core.training.precision import precision_warning

    if warning := precision_warning(description, target):
        notify(warning)


def _pull(events: Iterable[Event], typed: Sequence[str], description: RunDescription) -> None:
    """Make all updates of a training; an error about its loss says how to begin again."""
    try:
        for _ in events:
            pass
    except DivergenceError as error:
        raise DivergenceError(f"{error}; {_way_out(typed, description)}") from error


def _planned(options: Mapping[str, Any], notify: Notify) -> tuple[RunDescription, Dataset]:
    """The run that the options describe, and its pairs."""
    from core.data.tasks import get_task
    from core.run import load_run
    from core.training.plan import dataset_of, describe_on, plan_task

    task, folder, name = options["task"], options["init_from"], options["out"].name
    known = preset(task) if task else own_pairs_preset(options["steps"])
    training, parent = known.training, load_run(folder) if folder else None
    if parent:
        notify(f"Starting from the weights of {parent.name} ({parent.fingerprint}).")
        training = replace(training, dtype=parent.train_config.dtype)
    training = replace(training, **given(options, TRAINING_HELP))
    model = {**known.model, **given(options, MODEL_HELP)}
    if has_pairs(options):
        return _planned_pairs(options, training, model, parent, notify)
    if parent:
        return describe_on(parent, training, name=name), dataset_of(folder, parent)
    return plan_task(get_task(task), training, model, name=name)


def _planned_pairs(
    options: Mapping[str, Any],
    training: TrainConfig,
    model: dict[str, object],
    parent: Run | None,
    notify: Notify,
) -> tuple[RunDescription, Dataset]:
    """The run that learns somebody's own pairs, from random weights or from those of another run."""
    from core.training.plan import HeldOutPairs, plan_pairs, plan_pairs_on

    keep_spaces = parent.src_tokenizer.exact_spaces if parent else bool(options["keep_spaces"])
    pairs, held_out = _pairs(options, keep_spaces, notify)
    if options["n_train"] is None:
        training = replace(training, n_train=len(pairs))
    cutting = Cutting(**given(options, (*CUTTING_FLAGS, "keep_spaces")))
    how: dict[str, Any] = {
        "name": options["out"].name,
        "cutting": cutting,
        "held_out": HeldOutPairs(*held_out),
    }
    if parent:
        description, dataset, remarks = plan_pairs_on(parent, pairs, training, **how)
    else:
        description, dataset, remarks = plan_pairs(pairs, training, model, **how)
    _tell_pairs(description, remarks, notify)
    return description, dataset


def _pairs(
    options: Mapping[str, Any], keep_spaces: bool, notify: Notify
) -> tuple[tuple[Pair, ...], list[tuple[Pair, ...]]]:
    """Return the pairs to learn, and those of the files to validate and to test with."""
    from core.data.pairs import make_limits, read_aligned, read_pairs

    limits = make_limits(**given(options, (*LIMIT_FLAGS, "max_tokens")))
    reading = reading_options(options, keep_spaces=keep_spaces)
    if options["source_file"]:
        files = [read_aligned(options["source_file"], options["target_file"], limits, reading)]
    else:
        files = [read_pairs(options["pairs"], limits, reading)]
    # A part of the pairs has the columns of the whole, even where its few rows suggest others.
    reading = replace(reading, like=files[0].report.columns)
    held_out = [
        read_pairs(options[name], limits, reading) if options[name] else None for name in ("valid", "test")
    ]
    for read in (*files, *held_out):
        if read:
            notify(str(read.report))
    # A header under unfamiliar names is read as a pair, and only a reader can tell.
    first = files[0].pairs[0]
    notify(f"The first pair is “{excerpt(first.source)}” → “{excerpt(first.target)}”.")
    return files[0].pairs, [read.pairs if read else () for read in held_out]


def _tell_pairs(description: RunDescription, remarks: Sequence[str], notify: Notify) -> None:
    for remark in remarks:
        notify(remark)
    src, tgt, counts = description.src_tokenizer, description.tgt_tokenizer, description.train_config
    tokens = f"{len(src.vocabulary):,} tokens ({PIECE_NAMES[src.kind]})"
    if tgt is not src:
        tokens += f" for the sources and {len(tgt.vocabulary):,} ({PIECE_NAMES[tgt.kind]}) for the targets"
    notify(
        f"{tokens}; {counted(counts.n_train, 'training pair')}, {counted(counts.n_validation, 'validation pair')}, "
        f"{counted(counts.n_test, 'test pair')}."
    )


def _begun(folder: Path, prepared: Sequence[tuple[str, Dataset]]) -> tuple[RunDescription, Dataset]:
    from core.run_description import read_description
    from core.training.plan import add_longest_target, dataset_of, pairs_key

    description = read_description(folder)
    key = pairs_key(description.task, description.train_config)
    known = [dataset for made_for, dataset in prepared if made_for == key]
    dataset = known[0] if known else dataset_of(folder, description)
    return add_longest_target(description, dataset), dataset


def _ended(folder: Path, typed: Sequence[str], *, as_json: bool) -> bool:
    """Print how it ended; return True if the run is complete."""
    from core.run_description import read_description

    description = read_description(folder)
    if description.is_complete:
        _report(folder, description, typed, as_json=as_json)
        return True
    if as_json:
        print(json.dumps(_facts(folder, description), ensure_ascii=False))
    elif description.evaluation:
        print(_result(folder, description))
    print(
        f"stopped at a checkpoint after {description.updates:,} of {description.train_config.steps:,} updates; "
        f"continue with: python -m core.train --resume {folder}",
        file=sys.stderr,
    )
    return False


def _report(folder: Path, description: RunDescription, typed: Sequence[str], *, as_json: bool) -> None:
    """Print what came out of a finished training and, where one helps, the next command."""
    from core.training.outcome import CAN_GO_ON, NEEDS_GENTLER, ending_of, outcome

    if as_json:
        print(json.dumps(_facts(folder, description), ensure_ascii=False))
        return
    print(_result(folder, description))
    if remark := outcome(description):
        print(remark)
    ending = ending_of(description)
    if ending in CAN_GO_ON:
        print(f"Continue with: python -m core.train --init-from {folder} --out {folder}-2")
    elif ending in NEEDS_GENTLER and (again := _gentler_command(typed, description)):
        print(f"Begin again with: {again}")


def _way_out(typed: Sequence[str], description: RunDescription) -> str:
    """Return what to do after a training whose loss was no longer finite."""
    if again := _gentler_command(typed, description):
        return f"begin again with: {again}"
    return "a resumed run keeps its learning rate, so begin again with --overwrite"


def _gentler_command(typed: Sequence[str], description: RunDescription) -> str:
    """Return the typed command with a lower learning rate, which replaces the run; empty where none was typed."""
    from core.training.outcome import gentler_settings

    if any(argument.startswith("--r") for argument in typed):
        return ""
    return again_with(typed, gentler_settings(description))


def _result(folder: Path, description: RunDescription) -> str:
    """Return the size of a run and its figures in one line."""
    from core.evaluation.exactness import describe_bleu, describe_exact
    from core.model.shapes import expected_parameters

    figures = description.evaluation
    text = f", chrF {figures['chrf']:.1f}" if "chrf" in figures else ""
    if "bleu" in figures:
        text += f", BLEU {describe_bleu(figures['bleu'], description.bleu_tokenizer)}"
    if "unseen_exact_match" in figures:
        text += f", {part(figures['unseen_exact_match'], figures['n_unseen'])} with unseen combinations"
    return (
        f"{folder}: {expected_parameters(description.config):,} parameters, best after "
        f"{description.best_after:,} of {description.updates:,} updates; "
        f"{describe_exact(description, figures, 'held-out sources')}{text}"
    )


def _facts(folder: Path, description: RunDescription) -> dict[str, Any]:
    """What came out, as plain JSON values."""
    from core.model.shapes import expected_parameters
    from core.training.outcome import ending_of, outcome

    return {
        "folder": str(folder),
        "complete": description.is_complete,
        "parameters": expected_parameters(description.config),
        "updates": description.updates,
        "best_after": description.best_after,
        "evaluation": dict(description.evaluation),
        **({"bleu_tokenizer": description.bleu_tokenizer} if "bleu" in description.evaluation else {}),
        "ending": ending_of(description) if description.evaluation else "",
        "outcome": outcome(description) if description.evaluation else "",
    }


def _ignore(sentence: str) -> None:
    pass


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
