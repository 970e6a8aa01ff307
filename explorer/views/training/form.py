"""What somebody chooses on the page that starts a training, made into a run: its settings, pairs, size and problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from core.config import TrainConfig, TransformerConfig
from core.data.dataset import Dataset
from core.data.pairs import UPLOAD_LIMITS, Cutting, PairsFile, parse_pairs
from core.data.tasks import TASKS, get_task
from core.errors import InputError
from core.presets import NEAREST_TO_OWN_PAIRS, Preset, own_pairs_preset, preset
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS
from core.training.plan import describe_task, plan_pairs
from explorer.histories.words import duration
from explorer.server.limits import MOST_HANDED_OVER, OPEN, Limits

if TYPE_CHECKING:
    from core.training.expected_time import PartTimes

TASK_NAMES = (*TASKS, PAIRS)
"""What can be learnt: every task, and somebody's own pairs."""
TOKENIZERS: Mapping[str, str] = {
    "auto": "As suits them",
    "word": "Words",
    "bpe": "Byte pairs",
    "character": "Characters",
}
MOST_UPDATES = 20_000
"""A live view reads them all each second."""
MOST_PAIRS = 50_000
MOST_PASTED = 200_000
"""Characters; they travel with the page, a file does not."""
NO_PAIRS = f"Bring a file of pairs, or paste some, up to {MOST_PASTED:,} characters."
PASTED = "The pasted text"
"""What stands in remarks where a file would have its name."""
VALIDATIONS = 8
"""Fewest validations of a training from the form, so that there is something to watch; a preset has fewer."""
BETWEEN_VALIDATIONS = 25
"""Updates between validations are a multiple of this where a form begins."""
BYTES_PER_PARAMETER = 16
"""Weight, gradient and Adam's two moments, of four bytes each."""
MODEL_SETTINGS = (
    "d_model",
    "n_heads",
    "n_encoder_layers",
    "n_decoder_layers",
    "d_ff",
    "dropout",
    "norm_position",
    "positional",
    "activation",
    "tie_embeddings",
)
TRAINING_SETTINGS = (
    "steps",
    "batch_size",
    "n_train",
    "schedule",
    "peak_learning_rate",
    "warmup_steps",
    "label_smoothing",
    "validate_every",
    "patience",
    "seed",
)
_PIECES = {"word": "words", "character": "characters", "bpe": "byte pairs, which are parts of words"}
_OF_THE_PAIRS = ("n_train", "n_validation", "n_test", "seed")
"""Settings that somebody's own pairs were dealt out by."""


@dataclass(frozen=True)
class OwnPairs:
    """Somebody's own pairs, ready to be learnt.

    Attributes:
        description: Of a run with the usual settings.
        dataset: Its pairs.
        remarks: What was read, what was dropped and why, one sentence each.
        longest: Tokens of the longest source and of the longest target.
    """

    description: RunDescription
    dataset: Dataset
    remarks: tuple[str, ...]
    longest: tuple[int, int]


def title_of(task: str) -> str:
    """What a task is called where one is chosen."""
    return TASKS[task].title if task in TASKS else "Your own pairs"


def usual_settings(task: str) -> Preset:
    """The settings that a form begins with: the task's preset, validated often enough to watch it.

    Raises:
        ConfigError: when there is no such task.
    """
    if task == PAIRS:
        known = own_pairs_preset()
        training = replace(known.training, n_train=MOST_PAIRS)
    else:
        known = preset(task)
        training = known.training
    often = BETWEEN_VALIDATIONS * max(1, training.steps // VALIDATIONS // BETWEEN_VALIDATIONS)
    return Preset(known.model, replace(training, validate_every=min(training.validate_every, often)))


def first_values(task: str, limits: Limits = OPEN) -> dict[str, object]:
    """Every setting of a form as it stands before anything is chosen, within the limits of the server.

    Raises:
        ConfigError: when there is no such task.
    """
    usual = usual_settings(task)
    example = describe_task(
        get_task(NEAREST_TO_OWN_PAIRS if task == PAIRS else task), usual.training, usual.model
    )
    values = asdict(example.config) | asdict(usual.training)
    values["steps"] = min(usual.training.steps, limits.most_updates or usual.training.steps)
    return {name: values[name] for name in (*MODEL_SETTINGS, *TRAINING_SETTINGS)}


def describe(task: str, values: Mapping[str, object], own: OwnPairs | None = None) -> RunDescription:
    """The run that is chosen.

    Args:
        task: One of `TASK_NAMES`.
        values: The settings of a form, by their names in the configurations.
        own: The pairs of a run that learns somebody's own.

    Raises:
        ConfigError: when a setting is impossible, or does not go with another one.
        InputError: when it should learn somebody's own pairs, but there are none.
    """
    usual = usual_settings(task)
    model = {name: value for name, value in values.items() if name in MODEL_SETTINGS}
    chosen = {name: value for name, value in values.items() if name in TRAINING_SETTINGS}
    if task != PAIRS:
        training = _training(usual.training, chosen)
        return describe_task(get_task(task), training, {**usual.model, **model})
    if own is None:
        raise InputError(NO_PAIRS)
    known = own.description
    dealt = {name: getattr(known.train_config, name) for name in _OF_THE_PAIRS}
    return replace(
        known,
        config=TransformerConfig.from_dict(asdict(known.config) | model),
        train_config=_training(usual.training, chosen | dealt),
    )


def read_own_pairs(
    data: bytes, *, comma_separated: bool, pasted: bool = False, limits: Limits = OPEN
) -> PairsFile:
    """The pairs in a file that somebody brought, or in a text that was pasted, as many as the server takes.

    Args:
        data: All of it. A file's own name is not asked for: nothing that a visitor wrote has to be shown then.
        comma_separated: Whether it is a CSV file.
        pasted: Whether it is no file.
        limits: Of the server.

    Raises:
        InputError: when there is no pair in it that can be used, or it is too large.
    """
    if not data.strip():
        raise InputError(NO_PAIRS)
    if pasted and (length := len(data.decode())) > MOST_PASTED:
        # The browser has cut off what a field cannot send, and counts in units of UTF-16, perhaps one less.
        units = len(data.decode().encode("utf-16-le", "surrogatepass")) // 2
        least = "at least " if units >= MOST_HANDED_OVER - 1 else ""
        raise InputError(
            f"{PASTED} has {least}{length:,} characters, and {MOST_PASTED:,} can be pasted at most. "
            "Save it as a text file and bring that, or leave some pairs out."
        )
    most = replace(
        UPLOAD_LIMITS,
        max_bytes=min(UPLOAD_LIMITS.max_bytes, limits.most_upload),
        max_pairs=min(UPLOAD_LIMITS.max_pairs, limits.most_pairs or UPLOAD_LIMITS.max_pairs),
    )
    name = PASTED if pasted else "pairs.csv" if comma_separated else "pairs.tsv"
    return parse_pairs(data, name, most)


def prepare_own_pairs(found: PairsFile, *, tokenizer: str, seed: int) -> OwnPairs:
    """Cut somebody's pairs into tokens, and deal them out.

    Raises:
        ConfigError: when the tokenizer is unknown, or the pairs have too many or too few different tokens.
        InputError: when there are too few pairs.
    """
    usual = usual_settings(PAIRS)
    training = replace(usual.training, seed=seed)
    cutting = Cutting(tokenizer)
    description, dataset, remarks = plan_pairs(found.pairs, training, usual.model, cutting=cutting)
    splits, tokens = dataset.splits, description.src_tokenizer
    everything = dataset.encode([*splits.train, *splits.validation, *splits.test])
    counts = description.train_config
    return OwnPairs(
        replace(description, name="Own pairs"),
        dataset,
        (
            *found.report.sentences(),
            *remarks,
            f"{counts.n_train:,} pairs train the model, {counts.n_validation:,} choose its best weights, "
            f"{counts.n_test:,} test it in the end.",
            f"The vocabulary has {len(tokens.vocabulary):,} tokens: {_PIECES.get(tokens.kind, tokens.kind)}.",
        ),
        (max(map(len, everything.sources)), max(map(len, everything.targets))),
    )


def size_sentence(description: RunDescription) -> str:
    """How large a model will be, and what its training keeps in memory at least."""
    from core.model.shapes import expected_parameters

    count = expected_parameters(description.config)
    return (
        f"{count:,} parameters. Weights, gradients and Adam's two moments take "
        f"{_mebibytes(BYTES_PER_PARAMETER * count)} of memory; a batch comes on top."
    )


def time_sentence(times: PartTimes | None, training: TrainConfig) -> str:
    """How long a training will take; empty where nobody has measured its parts."""
    from core.training.expected_time import n_validations

    if times is None:
        return ""
    looks = n_validations(training)
    validations = "one validation" if looks == 1 else f"{looks:,} validations"
    most = "at most " if training.patience else ""
    early = (
        f" It ends earlier where {training.patience:,} validations in a row bring neither a lower loss nor more "
        "exact answers."
        if training.patience
        else ""
    )
    return (
        f"On a free core of this machine this takes {most}about {duration(times.of(training))}: "
        f"{duration(times.of_updates(training))} for the updates, {duration(times.of_validations(training))} for "
        f"{validations} and the test.{early}"
    )


def is_usual(task: str, values: Mapping[str, object]) -> bool:
    """Whether nothing but the seed was changed."""
    first = first_values(task)
    return all(values[name] == first[name] for name in values if name != "seed")


def _training(usual: TrainConfig, chosen: Mapping[str, object]) -> TrainConfig:
    return TrainConfig.from_dict({**asdict(usual), **chosen})


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB"
