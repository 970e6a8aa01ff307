"""What the page Runs says of every run: a row of a table, its settings beside those of others, its curves."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from core.config import TransformerConfig
from core.errors import RunError
from core.evaluation.exactness import explain_difference
from core.evaluation.figures import leading_exact
from core.run_description import MODEL_FILE, RunDescription, read_description
from core.training.kept import Kept
from core.training.run_store import STORE_FILE, RunStore
from explorer.histories.figures import thinned
from explorer.look.theme import format_count, format_share
from explorer.models.task_facts import run_title, title_of
from explorer.trainings.status import RunStatus

MOST_POINTS = 500
"""Most points of a curve; of a longer one points are left out evenly."""
MISSING = "—"
SHIPPED = "shipped"
"""What stands for the state of a run that came with the program."""

_SETTINGS = (
    "d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "d_ff", "dropout", "attention_dropout",
    "ffn_dropout", "norm_position", "final_norm", "positional", "activation", "tie_embeddings",
    "attention_bias", "scale_scores", "causal", "src_vocab_size", "tgt_vocab_size",
    "steps", "batch_size", "bucket_batches", "schedule", "peak_learning_rate", "warmup_steps",
    "label_smoothing", "clip_norm", "adam_beta1", "adam_beta2", "adam_eps", "dtype", "seed", "n_train",
    "n_validation", "n_test", "unseen_pairs", "validate_every", "patience", "history",
)  # fmt: skip
"""Settings of the model, then of its training, that runs are compared by."""


@dataclass(frozen=True)
class RunRow:
    """What is known of a run.

    Attributes:
        key: Names it; a folder's name.
        title: For people.
        task: Title of its task; empty where the run cannot be read.
        state: As the engine has it, or `SHIPPED`.
        updates: That were made, of those that are planned.
        planned: Updates in all.
        loss: Of the last update.
        exact_match: Share of the test pairs that came out exactly right; None before the end.
        parameters: Of its model; None where the run cannot be read.
        seed: Of its training.
        size: Bytes on disk.
        begun: In seconds since the epoch; None for a shipped run.
        problem: Why the pages cannot show it; empty where they can.
        is_by_token: Whether exact_match counts tokens alone, so that the texts may differ.
    """

    key: str
    title: str
    task: str
    state: str
    updates: int
    planned: int
    loss: float | None
    exact_match: float | None
    parameters: int | None
    seed: int | None
    size: int
    begun: float | None
    problem: str = ""
    is_by_token: bool = False

    @property
    def is_own(self) -> bool:
        """Whether it was trained or uploaded here, so that it may be renamed or deleted."""
        return self.state != SHIPPED

    @property
    def place(self) -> str:
        """Names it among all rows: a folder made in a terminal may be called as a shipped one."""
        return f"{'own' if self.is_own else SHIPPED}/{self.key}"


@dataclass(frozen=True)
class Curves:
    """How a training went.

    Attributes:
        losses: Updates that were made before, and the loss of the next one; of some updates, where there are many.
        exact_matches: Updates that were made, and the share of exact matches on the validation pairs.
        lowest: Loss of all updates that the run has kept; None where it has kept none.
        is_whole: Whether the run has kept every update that was made.
    """

    losses: tuple[tuple[int, float], ...]
    exact_matches: tuple[tuple[int, float], ...]
    lowest: float | None
    is_whole: bool


@dataclass(frozen=True)
class Setting:
    """One setting of several runs.

    Attributes:
        name: As in the configuration.
        values: Of each run, as text.
    """

    name: str
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether not all runs have the same."""
        return len(set(self.values)) > 1


def shipped_row(
    key: str, run: RunDescription, *, size: int, count: Callable[[TransformerConfig], int]
) -> RunRow:
    """The row of a shipped run; `count` tells a model's parameters."""
    return RunRow(
        key=key,
        title=run_title(key, run),
        task=title_of(run.task),
        state=SHIPPED,
        updates=run.updates,
        planned=run.train_config.steps,
        loss=float(run.history[-1]["loss"]) if run.history and "loss" in run.history[-1] else None,
        exact_match=_exact(run),
        is_by_token=_is_by_token(run),
        parameters=count(run.config),
        seed=run.train_config.seed,
        size=size,
        begun=None,
    )


def own_row(
    status: RunStatus,
    run: RunDescription | None,
    *,
    size: int,
    count: Callable[[TransformerConfig], int],
    problem: str = "",
) -> RunRow:
    """The row of a run of the runs folder.

    Args:
        status: How it stands.
        run: Its description; None where that cannot be read.
        size: Bytes on disk.
        count: Tells a model's parameters.
        problem: Why the pages cannot show it.
    """
    return RunRow(
        key=status.run_id,
        title=status.title,
        task=title_of(status.task) if status.task else "",
        state=status.state,
        updates=status.updates,
        planned=status.of,
        loss=status.loss,
        exact_match=_exact(run) if run else None,
        is_by_token=run is not None and _is_by_token(run),
        parameters=count(run.config) if run else None,
        seed=run.train_config.seed if run else None,
        size=size,
        begun=status.begun,
        problem=problem,
    )


def labels(rows: Sequence[RunRow]) -> dict[str, str]:
    """What each run is called where one is chosen, by its place: its title, and its key where others have the same."""
    titles = [row.title for row in rows]
    return {
        row.place: row.title
        if titles.count(row.title) == 1
        else f"{row.title} ({row.key if row.is_own else SHIPPED})"
        for row in rows
    }


def exact_of(run: RunDescription) -> str:
    """Format the share of test pairs that came out exactly right, and say where only the tokens are known to be."""
    return format_exact(_exact(run), is_by_token=_is_by_token(run))


def format_exact(share: float | None, *, is_by_token: bool) -> str:
    """Format a share of exactly right outputs.

    Args:
        share: The share; None where nothing was measured.
        is_by_token: Whether the texts were not compared, and may differ.
    """
    if share is None:
        return MISSING
    return f"{format_share(share)} by token" if is_by_token else format_share(share)


def _exact(run: RunDescription) -> float | None:
    return leading_exact(run.evaluation) if "exact_match" in run.evaluation else None


def _is_by_token(run: RunDescription) -> bool:
    return "string_match" not in run.evaluation and bool(explain_difference(run, run.evaluation))


def table_of(rows: Sequence[RunRow], zone: tzinfo) -> dict[str, list[str]]:
    """The columns of the table of runs, ready to be read, with dates of a time zone."""
    return {
        "Title": [row.title for row in rows],
        "Task": [row.task or MISSING for row in rows],
        "State": [row.state for row in rows],
        "Updates": [_updates(row) for row in rows],
        "Loss": [MISSING if row.loss is None else f"{row.loss:.3f}" for row in rows],
        "Exact match, test": [format_exact(row.exact_match, is_by_token=row.is_by_token) for row in rows],
        "Parameters": [MISSING if row.parameters is None else format_count(row.parameters) for row in rows],
        "Seed": [MISSING if row.seed is None else str(row.seed) for row in rows],
        "On disk": [disk_size(row.size) for row in rows],
        "Begun": [
            f"{datetime.fromtimestamp(row.begun, zone):%Y-%m-%d %H:%M}" if row.begun else MISSING
            for row in rows
        ],
    }


def disk_size(size: int) -> str:
    """Bytes as people read them."""
    if size < 1024:
        return f"{size:,} B"
    return f"{size / 1024:,.1f} KiB" if size < 2**20 else f"{size / 2**20:,.1f} MiB"


def kept_sentence(kept: Kept) -> str:
    """What a run keeps on the disk, by kind."""
    moments = f"{kept.n_moments} moments" if kept.n_moments != 1 else "1 moment"
    parts = [
        ("weights", kept.weights),
        (f"{moments} of its training", kept.moments),
        ("checkpoints", kept.checkpoints),
        ("figures, pairs and the rest", kept.rest),
    ]
    return "On disk: " + ", ".join(f"{name} {disk_size(size)}" for name, size in parts if size) + "."


def settings_of(runs: Sequence[RunDescription]) -> list[Setting]:
    """The settings of some runs side by side; those that differ come first."""
    found = [
        Setting("task", tuple(title_of(run.task) for run in runs)),
        Setting("trained on from", tuple(run.parent.name if run.parent else "" for run in runs)),
    ]
    configs = [asdict(run.config) | asdict(run.train_config) for run in runs]
    found += [Setting(name, tuple(_shown(config[name]) for config in configs)) for name in _SETTINGS]
    return sorted(found, key=lambda setting: not setting.differs)


def curves_of(folder: Path, run: RunDescription | None) -> Curves:
    """How a training went: from its run store, or where it has none, what its description keeps.

    Raises:
        RunError: when the run store is damaged.
    """
    if not (folder / STORE_FILE).is_file():
        history = run.history if run else ()
        losses = [(int(step["index"]), float(step["loss"])) for step in history if "loss" in step]
        return _curves(losses, [], is_whole=run is None or len(losses) == run.updates)
    with closing(RunStore.read(folder)) as store:
        losses = [(step.index, step.loss) for step in store.steps()]
        matches = [(found.updates, found.figures.leading_exact) for found in store.validations()]
    return _curves(losses, matches, is_whole=True)


def problem_of(key: str, folder: Path, shipped: Container[str], most: int) -> str:
    """Why the pages do not show an own run, in a sentence.

    Args:
        key: Of the run.
        folder: Where it lies.
        shipped: Names that are taken.
        most: Of the newest runs that the pages can show.
    """
    if key in shipped:
        return "Its folder has the name of a shipped model; give the folder another name to look inside."
    try:
        read_description(folder)
    except RunError as error:
        return f"It cannot be read: {error}."
    if not (folder / MODEL_FILE).is_file():
        return "It has no weights yet; they come with its first validation, or when it is stopped."
    return f"The pages show the newest {most} runs alone; delete some of those."


def _updates(row: RunRow) -> str:
    made = format_count(row.updates)
    # One whose patience has ended is as complete as it gets.
    is_whole = row.planned in (0, row.updates) or row.state == "finished"
    return made if is_whole else f"{made} of {format_count(row.planned)}"


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        format_count(value)
        if isinstance(value, int)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def _curves(
    losses: Sequence[tuple[int, float]], matches: Sequence[tuple[int, float]], *, is_whole: bool
) -> Curves:
    # The lowest is looked for before any update is left out.
    lowest = min((loss for _, loss in losses), default=None)
    return Curves(thinned(losses, MOST_POINTS), thinned(matches, MOST_POINTS), lowest, is_whole)
