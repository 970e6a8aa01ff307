"""The command line of a training: its flags, what each means, and which go together. It needs no torch."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

from core.command_line import add_machine, add_reading_arguments, whole_number
from core.config import MOST_LAYERS, TrainConfig, TransformerConfig
from core.data.pairs.report import PairLimits
from core.data.pairs.tokenizing import AUTOMATIC_CUTTING, TOKENIZER_CHOICES
from core.data.tasks import TASKS
from core.data.tokenizers.files import MAX_TOKENS
from core.errors import ConfigError
from core.numbers import decimal
from core.presets import PRESETS, SMALL_MODEL, own_pairs_preset
from core.training.own_pairs import PAIRS_FILE

EXAMPLES = """examples:
  python -m core.train --task reverse --out runs/reverse
  python -m core.train --task en_fr --out runs/pre-norm --norm-position pre --final-norm --seed 1
  python -m core.train --pairs sentences.tsv --out runs/mine --tokenizer bpe
  python -m core.train --pairs sentences.tsv --out runs/try --smoke
  python -m core.train --source-file corpus.en --target-file corpus.de --out runs/en-de
  python -m core.train --resume runs/mine
  python -m core.train --init-from runs/mine --pairs others.tsv --out runs/fine-tuned
  torchrun --nproc-per-node 2 -m core.train --task en_fr --out runs/two-processes

Ctrl-C or SIGTERM stops training at a checkpoint, and --resume continues from it to exactly the same result as an
uninterrupted run. After a crash, --resume continues from the last checkpoint. --resume with --history N or none, on a
finished run, deletes kept weights until N moments are left. --init-from starts a new run from the weights of another
one, on the same pairs or on others."""

MODEL_HELP = {
    "d_model": "width of the residual stream",
    "n_heads": "number of attention heads; must divide d_model",
    "n_encoder_layers": "number of encoder layers",
    "n_decoder_layers": "number of decoder layers",
    "d_ff": "inner width of the feed-forward network",
    "dropout": "dropout rate on sub-layer outputs and embedding sums",
    "attention_dropout": "dropout rate on attention weights",
    "ffn_dropout": "dropout rate on hidden units of the feed-forward network",
    "max_len": "longest sequence in tokens, with learned positions",
    "norm_position": "position of layer norm: after (post) or before (pre) each sub-layer",
    "final_norm": "final layer norm after each stack; required with pre-norm",
    "positional": "positional encoding",
    "activation": "activation function of the feed-forward network",
    "tie_embeddings": "share one matrix between source, target and output; needs a shared vocabulary",
    "attention_bias": "biases in the attention projections",
    "scale_scores": "division of the attention scores by √d_k; turn off only to see the effect",
    "causal": "causal mask over later target tokens; turn off only to see the effect",
    "norm_eps": "ε of every layer norm",
}
TRAINING_HELP = {
    "steps": "number of updates; an upper limit with --patience",
    "patience": "stop after this many validations in a row without a lower loss or more exact matches; 0 to disable",
    "perfect_validations": "with --patience, stop after this many validations in a row with every answer right; "
    "0 to disable",
    "batch_size": "pairs per update, summed over all processes",
    "bucket_batches": "number of batches sorted by length together; 1 to disable",
    "schedule": "learning-rate schedule after the warm-up",
    "peak_learning_rate": "learning rate at the end of the warm-up; not used by the paper schedule",
    "warmup_steps": "updates during which the learning rate rises",
    "label_smoothing": "label smoothing ε_ls",
    "clip_norm": "maximum norm of the gradient; larger gradients are clipped",
    "adam_beta1": "Adam's β₁, the decay rate of the mean gradient",
    "adam_beta2": "Adam's β₂, the decay rate of the mean squared gradient",
    "adam_eps": "Adam's ε, added to the denominator",
    "dtype": "data type of matrix products; bfloat16 is for GPUs and keeps the weights in float32",
    "seed": "random seed of the pairs, initial weights, order of batches and dropout",
    "n_train": "number of training pairs",
    "n_validation": "number of validation pairs, which select the best weights",
    "n_test": "number of test pairs, on which the best weights are evaluated at the end",
    "unseen_pairs": "withhold some combinations of words from training and test them separately (en_fr only)",
    "validate_every": "updates between validations",
    "checkpoint_every": "updates between checkpoints",
    "history": "number of moments during training whose weights are kept, 2 bytes per parameter each",
}
_ALL = "all remaining"
_SHOWN: Mapping[str, Mapping[str, str]] = {
    "n_train": {"pairs": _ALL},
    "n_validation": {"pairs": "a tenth, at most 500"},
    "n_test": {"pairs": "a tenth, at most 1000"},
    "max_len": {"all": "64, or as long as the pairs need"},
    "tie_embeddings": {"all": "if the vocabulary is shared"},
    "final_norm": {"all": "only with pre-norm"},
}
"""Defaults that are no plain value."""
CUTTING_FLAGS = (
    "tokenizer", "source_tokenizer", "target_tokenizer", "max_words", "bpe_size", "separate", "max_tokens",
)  # fmt: skip
"""The settings of `core.data.pairs.Cutting`."""
LIMIT_FLAGS = ("max_bytes", "max_pairs")
"""The settings of `PairLimits` that have a flag of their own."""
MAX_SECONDS = 10**9 - 1
MOST_BYTES, MOST_PAIRS, MOST_SIDE = 10**9 - 1, 10**6, 4096
"""Most bytes of a pairs file, most pairs in it, and most tokens of a side that can be asked for."""
SMOKE: Mapping[str, object] = {
    "steps": 20, "warmup_steps": 5, "validate_every": 10, "checkpoint_every": 10, "n_train": 200, "n_validation": 8,
    "n_test": 8, "batch_size": 16,
}  # fmt: skip
SMOKE_MODEL: Mapping[str, object] = {
    "d_model": 16, "n_heads": 2, "d_ff": 32, "n_encoder_layers": 1, "n_decoder_layers": 1,
}  # fmt: skip
"""What --smoke asks for where nothing else is said: seconds, and everything that a training does."""
_HOW = frozenset({"device", "threads", "quiet", "most_seconds", "json"})
"""Flags of how a training goes rather than of what it is."""
_RESUMING = _HOW | {"resume", "history"}
READING_FLAGS = ("columns", "has_header", "keep_spaces", "drop_unchanged")
"""The settings of `ReadingOptions`."""
_OF_PAIRS = (*CUTTING_FLAGS, *LIMIT_FLAGS, *READING_FLAGS, "target_file", "valid", "test")
_DRAWN = ("n_train", "n_validation", "n_test", "seed", "unseen_pairs")


def options_of(arguments: Sequence[str] | None) -> dict[str, Any]:
    """What somebody has typed, by the names of the flags; what was not given is None.

    Raises:
        ConfigError: when flags need or exclude each other.
        SystemExit: when it is no command, after how it is written, or when help was asked for.
    """
    parser = _parser()
    options = vars(parser.parse_args(arguments))
    if not any(options[each] for each in ("task", "pairs", "source_file", "resume", "init_from")):
        parser.error("one of the arguments --task --pairs --source-file --resume --init-from is required")
    _check(options)
    if options["smoke"]:
        chosen = {**SMOKE, **({} if options["init_from"] else SMOKE_MODEL)}
        if options["init_from"] and not has_pairs(options):
            chosen = {name: value for name, value in chosen.items() if name not in _DRAWN}
        options |= {name: value for name, value in chosen.items() if options[name] is None}
    return options


def has_pairs(options: Mapping[str, Any]) -> bool:
    """Return True if the options name pairs of the user's own, in one file or in two."""
    return bool(options["pairs"] or options["source_file"])


def given(options: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the options of these names that were given."""
    return {name: options[name] for name in names if options[name] is not None}


def again_with(typed: Sequence[str], settings: Mapping[str, float]) -> str:
    """Return the command of a training as it was typed, with other settings and leave to replace its run.

    Args:
        typed: Arguments that `options_of` has accepted.
        settings: Values by the names of the settings.
    """
    replaced = ("--overwrite", *map(_flag, settings))
    kept, is_value = [], False
    for argument in typed:
        # A flag may be shortened, and have its value behind "=".
        name, equals, _ = argument.partition("=")
        if len(name) > 2 and any(flag.startswith(name) for flag in replaced):
            is_value = not equals and not replaced[0].startswith(name)
        elif is_value:
            is_value = False
        else:
            kept.append(argument)
    new = [word for name, value in settings.items() for word in (_flag(name), decimal(value))]
    return shlex.join(["python", "-m", "core.train", *kept, "--overwrite", *new])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core.train",
        description="Train a Transformer on a task, or on pairs of your own.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--task", choices=sorted(TASKS), help="built-in task to learn")
    what.add_argument(
        "--pairs", type=Path, metavar="FILE",
        help="file of pairs to learn: source<TAB>target lines, .csv, JSON, TMX, PO or another known form",
    )  # fmt: skip
    what.add_argument(
        "--source-file", type=Path, metavar="FILE",
        help="file of sources, one a line, instead of --pairs; line n of --target-file answers line n",
    )  # fmt: skip
    what.add_argument(
        "--resume",
        type=Path,
        metavar="FOLDER",
        help="continue the run in this folder from its last checkpoint",
    )
    parser.add_argument(
        "--init-from", type=Path, metavar="FOLDER",
        help="start a new run from the weights, tokenizers and model of another, on its pairs or on --pairs",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="output folder of the run")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace an existing run in the output folder"
    )
    parser.add_argument(
        "--smoke",
        action="store_true",
        help="smoke test: a tiny run of a few seconds that goes through every stage",
    )
    add_machine(parser)
    parser.add_argument(
        "--most-seconds", type=whole_number(MAX_SECONDS), metavar="N",
        help="stop at a checkpoint after N seconds, including pauses (default: no limit)",
    )  # fmt: skip
    parser.add_argument(
        "--quiet", action="store_true", help="print one line per validation instead of a progress bar"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON at the end")
    _add_pairs(parser.add_argument_group("pairs of your own"))
    model = parser.add_argument_group("model")
    model.add_argument(
        "--layers",
        type=whole_number(MOST_LAYERS),
        metavar="N",
        help="number of encoder layers and of decoder layers",
    )
    _add_settings(model, TransformerConfig, MODEL_HELP)
    _add_settings(parser.add_argument_group("training"), TrainConfig, TRAINING_HELP)
    return parser


def _add_pairs(group: argparse._ArgumentGroup) -> None:
    usual = PairLimits()
    group.add_argument(
        "--target-file", type=Path, metavar="FILE", help="file of targets that answers --source-file line by line"
    )  # fmt: skip
    add_reading_arguments(group)
    group.add_argument(
        "--keep-spaces",
        action="store_true",
        default=None,
        help="keep all spaces, tabs and line ends within texts, as code needs them (default: single spaces)",
    )
    group.add_argument(
        "--valid",
        type=Path,
        metavar="FILE",
        help="file of validation pairs, which select the best weights (default: a part of --pairs)",
    )
    group.add_argument(
        "--test",
        type=Path,
        metavar="FILE",
        help="file of test pairs, evaluated at the end (default: a part of --pairs)",
    )
    group.add_argument(
        "--tokenizer", choices=TOKENIZER_CHOICES,
        help="kind of tokens; auto: for each side characters for single words, else words, or smaller pieces if there "
        "are many or if many held-out texts would have an unknown one (default: auto)",
    )  # fmt: skip
    for side in ("source", "target"):
        group.add_argument(
            f"--{side}-tokenizer", choices=TOKENIZER_CHOICES,
            help=f"kind of tokens of the {side}s (default: as --tokenizer)",
        )  # fmt: skip
    group.add_argument(
        "--separate-vocabularies", dest="separate", action="store_true", default=None,
        help="use one vocabulary per side, without a shared matrix (default: one for both sides if they are cut alike)",
    )  # fmt: skip
    for flag, name, most, default, what in (
        ("--bpe-size", "bpe_size", MAX_TOKENS, AUTOMATIC_CUTTING.bpe_size, "size of the bpe vocabulary in tokens"),
        ("--max-vocabulary", "max_words", MAX_TOKENS, AUTOMATIC_CUTTING.max_words,
         "largest number of distinct words for which auto uses word tokens; each costs 16 · d_model bytes, and "
         "12 bytes per position of a batch"),
        ("--max-tokens", "max_tokens", MOST_SIDE, AUTOMATIC_CUTTING.max_tokens,
         "maximum tokens per side; attention takes 4 · heads · tokens² bytes per row and block"),
        ("--max-pairs", "max_pairs", MOST_PAIRS, usual.max_pairs,
         "maximum number of pairs to read, at about 1 kB of memory each"),
        ("--max-bytes", "max_bytes", MOST_BYTES, usual.max_bytes,
         "maximum size of a file of pairs in bytes; reading takes about ten times as much memory"),
    ):  # fmt: skip
        text = f"{what} (default: {default})"
        group.add_argument(flag, dest=name, type=whole_number(most), metavar="N", help=text)


def _add_settings(group: argparse._ArgumentGroup, config: type, helps: Mapping[str, str]) -> None:
    """A flag for each setting; one that is not given is None."""
    hints = get_type_hints(config)
    for setting in (setting for setting in fields(config) if setting.name in helps):
        flag, hint = f"--{setting.name.replace('_', '-')}", hints[setting.name]
        text = f"{helps[setting.name]} (default: {_default(setting.name, setting.default)})"
        if setting.name == "history":
            group.add_argument(flag, type=_count_or_none, metavar="N|none", help=text)
        elif bool in (hint, *get_args(hint)):
            group.add_argument(flag, action=argparse.BooleanOptionalAction, help=text)
        elif get_args(hint):
            group.add_argument(flag, choices=get_args(hint), help=text)
        else:
            group.add_argument(flag, type=hint, metavar=hint.__name__.upper(), help=text)


def _default(name: str, usual: object) -> str:
    """What a setting stands at: a value, or those of tasks and of own pairs where they are not the same."""
    known = _SHOWN.get(name, {})
    if "all" in known:
        return known["all"]
    own = own_pairs_preset()

    def value(preset: Any) -> str:
        found = {**SMALL_MODEL, **preset.model}.get(name, getattr(preset.training, name, usual))
        return ("yes" if found else "no") if isinstance(found, bool) else str(found)

    tasks, of_pairs = {value(preset) for preset in PRESETS.values()}, known.get("pairs", value(own))
    if tasks == {of_pairs}:
        return of_pairs
    of_tasks = tasks.pop() if len(tasks) == 1 else "by task"
    return f"{of_tasks}; with --pairs {of_pairs}"


def _check(options: dict[str, Any]) -> None:
    """What argparse cannot say: flags that need or exclude each other."""
    if options["resume"]:
        given_ = [name for name in _typed(options) if name not in _RESUMING]
        if given_:
            raise ConfigError(f"--resume continues with the run's own settings; leave out {_flag(given_[0])}")
        return
    if not options["out"] or options["out"].name in ("", ".."):
        raise ConfigError("--out must name a folder for the run, such as runs/my-model")
    needless: tuple[str, ...] = ("unseen_pairs",) if has_pairs(options) else _OF_PAIRS
    if options["init_from"]:
        needless = (*needless, "task", *MODEL_HELP, "layers")
        if has_pairs(options):
            needless = (*needless, "keep_spaces", *(name for name in CUTTING_FLAGS if name != "max_tokens"))
        else:
            needless = (*needless, *_DRAWN)
    for name in needless:
        if options[name] is not None:
            raise ConfigError(f"{_flag(name)} has no effect here; leave it out")
    if bool(options["source_file"]) != bool(options["target_file"]):
        raise ConfigError("--source-file and --target-file need each other; name both")
    for name in ("pairs", "source_file", "target_file", "valid", "test"):
        if options[name] and _is_own_copy(options[name], options["out"]):
            raise ConfigError(
                f"{options[name]} would be overwritten by the run's own copy; choose another --out"
            )
    if options["init_from"] and _is_same(options["init_from"], options["out"]):
        raise ConfigError(
            f"{options['out']} would be overwritten while the new run starts from it; choose another --out"
        )
    if layers := options.pop("layers"):
        for name in ("n_encoder_layers", "n_decoder_layers"):
            options[name] = options[name] or layers


def _typed(options: Mapping[str, Any]) -> list[str]:
    """The options that were given; of a plain switch False is nothing, of the others it is a wish as well."""
    switches = ("overwrite", "smoke", "quiet", "json")
    return [
        name
        for name, value in options.items()
        if value is not None and not (name in switches and value is False)
    ]


def _flag(name: str) -> str:
    names = {"separate": "separate-vocabularies", "max_words": "max-vocabulary", "has_header": "header"}
    return f"--{names.get(name, name.replace('_', '-'))}"


def _is_own_copy(pairs: Path, out: Path) -> bool:
    return _is_same(pairs, out / PAIRS_FILE)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve()
    except (OSError, RuntimeError):
        return False


def _count_or_none(text: str) -> int:
    if text == "none":
        return 0
    if not text.isdecimal() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"must be a whole number, or none, not {text[:20]!r}")
    return int(text)
