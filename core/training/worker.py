"""A training in a folder: pulls the updates, validates, keeps the best weights, writes checkpoints and figures.

A run's folder has `run.json` and `model.safetensors`, the run as it can be used (core/run.py); beside them
`metrics.sqlite` and `checkpoints/`, from which the training can be watched and gone on with; `history/`, the weights
at some moments; `control.sqlite`, what somebody wishes of it; and `pairs.tsv` where it learns somebody's own pairs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import Tensor

from core.config import DecodeConfig
from core.data.batching import collate
from core.data.dataset import Dataset
from core.data.tasks import Pair
from core.decoding.autoregressive import decode_steps
from core.decoding.step import last_step
from core.device import memory_of, resolve_device
from core.errors import ConfigError, ExplorerError, RunError
from core.files import prepare_folder, write_whole
from core.model.shapes import expected_parameters
from core.model.transformer import Transformer
from core.run import Run, load_run, write_run
from core.run_description import MODEL_FILE, RUN_FILE, RunDescription
from core.training.beginning import (
    first_trainer,
    generator_states,
    origin_of,
    set_generators,
    training_batches,
)
from core.training.checkpoint import (
    Checkpoint,
    Machine,
    checkpoints,
    load_checkpoint,
    save_checkpoint,
)
from core.training.control import CONTROL_FILES, LOOK_EVERY, Control
from core.training.evaluation import evaluate
from core.training.history import (
    discard_history_after,
    history_files,
    keep_moment,
    kept_updates,
    most_kept,
)
from core.training.lock import HeldFolder, show_life, training_lock
from core.training.norms import block_norms
from core.training.own_pairs import PAIRS, PAIRS_FILE
from core.training.pace import Pace
from core.training.plan import own_pairs_file
from core.training.processes import ALONE, Processes
from core.training.records import Evaluation, Probe, TrainStep, Validation
from core.training.run_store import STORE_FILE, RunStore

HISTORY_POINTS = 100
"""About how many updates are kept in `run.json`, evenly spread, the first and the last among them."""
MAX_PROBE_TOKENS = 50
SECONDS_BETWEEN_SIGNS = 1.0

Event = TrainStep | Validation
"""What a training yields."""


def begin_run(
    folder: Path, description: RunDescription, dataset: Dataset | None, *, overwrite: bool = False
) -> None:
    """Write the description of a run that is about to be trained, and its own pairs if it has any.

    Args:
        folder: Made where it does not exist.
        description: What will be trained, and how.
        dataset: Its pairs, of which a run of somebody's own keeps a copy; a task's need not be made yet.
        overwrite: Replace a run that is there already.

    Raises:
        ConfigError: when there is a run already and it may not be replaced, or its own pairs are not given.
        RunError: when the folder cannot be written, or a run in it is being trained.
    """
    if description.task == PAIRS and dataset is None:
        raise ConfigError("a run of somebody's own pairs needs them")
    prepare_folder(folder)
    with training_lock(folder):
        if not overwrite:
            _require_free(folder)
        _remove_run(folder)
        if description.task == PAIRS and dataset:
            write_whole(folder / PAIRS_FILE, own_pairs_file(dataset))
        _write_description(folder, description)


def train_run(
    folder: Path,
    description: RunDescription,
    dataset: Dataset,
    *,
    device: str = "cpu",
    processes: Processes = ALONE,
    should_stop: Callable[[], bool] = lambda: False,
    warn: Callable[[str], None] = lambda sentence: None,
    moments: Collection[int] | None = None,
    most_seconds: float | None = None,
) -> Iterator[Event]:
    """Train a run in its folder, from its newest checkpoint if it has one, and yield what happens.

    The training ends after its last update with the test pairs' figures in `run.json`, or at a checkpoint after
    the update during which `should_stop` became true or its time was up. Whoever stops pulling leaves it as a kill
    would: it goes on from its last checkpoint, bit for bit as if nothing had happened.

    Args:
        folder: Where `begin_run` has been.
        description: What it has written.
        dataset: The run's pairs.
        device: "cpu", "cuda" or "mps".
        processes: Those that train together; the first alone writes.
        should_stop: Asked after every update.
        warn: Told sentences about what is not as it should be, yet no reason to end.
        moments: After how many updates the weights are kept for `load_run_at`; None for those of `kept_updates`.
        most_seconds: That this turn of the training may take, pauses included; None for as long as it needs.

    Raises:
        RunError: when the folder cannot be written, its files are damaged, or another process trains there.
        InputError: when the loss is no longer finite.
    """
    target = resolve_device(device)
    with ExitStack() as stack:
        store, place = None, HeldFolder(folder)
        with processes.together(target):
            if processes.is_first:
                place = stack.enter_context(training_lock(folder))
                store = stack.enter_context(closing(RunStore.create(folder)))
        control = stack.enter_context(closing(Control(folder, warn))) if processes.is_first else None
        try:
            known = kept_updates(description.train_config.steps, most_kept(description.config))
            kept = known if moments is None else moments
            training = _Training(place, description, dataset, target, processes, store, control, warn, kept)
            training.turn = Turn(most_seconds)
            yield from training.go_on(should_stop)
        except Exception as error:
            first = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
            reason = error.sentence if isinstance(error, ExplorerError) else first
            # What cannot be told, as on a full disk, must not hide why.
            with suppress(RunError):
                _tell(store, state="failed", reason=reason, ended=time.time())
            raise


class Turn:
    """How long a training may go on before others have theirs."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds, self._began = seconds, time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether that time is up."""
        return self._seconds is not None and time.monotonic() - self._began >= self._seconds

    @property
    def reason(self) -> str:
        """A sentence for whoever wonders why the training has ended; empty while it may go on."""
        if not self.is_over or self._seconds is None:
            return ""
        minutes = f"{self._seconds / 60:,.3g} {'minute' if self._seconds == 60 else 'minutes'}"
        return f"its turn of {minutes} is over; resume goes on from here in another one"


class _Training:
    """The state of one training; only the first process has a store and writes."""

    def __init__(
        self,
        place: HeldFolder,
        description: RunDescription,
        dataset: Dataset,
        device: torch.device,
        processes: Processes,
        store: RunStore | None,
        control: Control | None,
        warn: Callable[[str], None],
        kept: Collection[int],
    ) -> None:
        self.place, self.folder = place, place.path
        self.description, self.dataset = description, dataset
        self.device, self.processes, self.store, self.warn = device, processes, store, warn
        self.control, self.pace, self.turn = control, Pace(), Turn(None)
        self.shown = 0.0
        self.config = description.train_config
        self.pairs = dataset.encode(dataset.splits.train)
        self.origin = origin_of(description, self.pairs)
        check_possible(description, dataset, device)
        self.trainer = first_trainer(description, device, processes)
        self.kept = frozenset(kept)
        self.best: Validation | None = None
        self.saved: int | None = None
        self.resume()

    @property
    def updates(self) -> int:
        return self.trainer.updates

    def resume(self) -> None:
        """Go back to the newest checkpoint that can be read, and begin with one where there is none."""
        held = None
        with self.processes.together(self.device):
            if self.store:
                held = self.newest_checkpoint(self.store)
        # The first alone has read it; all must begin the same way.
        resumed = self.processes.sums(float(held is not None), device=self.device)[0] > 0
        self.trainer.follow_first()
        self.share_generators(held.generators if held else [])
        if held:
            self.best = held.best
            self.warn_of_changes(held)
        if self.store:
            self.store.discard_after(self.updates)
            discard_history_after(self.folder, self.updates if resumed else -1)
            self.tell(state="training", process=os.getpid(), started=time.time(), reason="")
        self.saved = self.updates if resumed else None
        if not resumed:
            self.look_back()
        self.checkpoint()

    def newest_checkpoint(self, store: RunStore) -> Checkpoint | None:
        found = checkpoints(self.folder)
        for path in found:
            try:
                return load_checkpoint(path, self.trainer, self.origin)
            except RunError as error:
                if path == found[-1]:
                    raise
                self.warn(f"{error}; going on from the checkpoint before it")
        if (self.folder / MODEL_FILE).exists() or store.steps():
            raise RunError(
                f"the run {self.folder.name} holds a model for use, but no training checkpoint: nothing can go on "
                "from it"
            )
        return None

    def warn_of_changes(self, held: Checkpoint) -> None:
        changes = held.machine.changes(self.machine()) if held.machine else ()
        if changes:
            self.warn(
                f"the checkpoint was made with {'; '.join(changes)}: the last digits may come out otherwise"
            )

    def machine(self) -> Machine:
        return Machine.of(self.device, self.processes.count)

    def share_generators(self, states: list[dict[str, Tensor]]) -> None:
        """Set every process's generators to what the first has read for it.

        A process that was not there when the checkpoint was made keeps the generator of its own rank.
        """
        own = generator_states(self.device)
        for kind, state in own.items():
            known = [each[kind] for each in states if kind in each]
            fitting = known if all(each.shape == state.shape for each in known) else []
            count = int(self.processes.from_first(torch.tensor(len(fitting))))
            everyone = torch.stack(fitting) if fitting else state.new_zeros((count, *state.shape))
            if count:
                self.processes.from_first(everyone)
            if self.processes.rank < count:
                own[kind] = everyone[self.processes.rank].clone()
        set_generators(own, self.device)

    def go_on(self, should_stop: Callable[[], bool]) -> Iterator[Event]:
        stream = training_batches(self.pairs, self.config, self.updates)
        while self.updates < self.config.steps:
            if self.is_over(should_stop):
                return self.stop()
            step = self.trainer.update(next(stream))
            self.tell_of(step)
            yield step
            if self.is_time_for(self.config.validate_every) and self.store:
                yield self.validate(self.store)
            self.look_back()
            if self.is_time_for(self.config.checkpoint_every):
                self.checkpoint()
        self.checkpoint()
        with self.processes.together(self.device):
            if self.store:
                self.finish(self.store)
        return None

    def is_over(self, should_stop: Callable[[], bool]) -> bool:
        """Whether anybody wishes the end; while the first process is wished to pause, all of them wait.

        They meet at every look, so that a pause may last longer than one of them would wait for another.
        """
        while True:
            if self.control:
                self.look_for_wishes(self.control)
            self.show_life()
            # Where the run is gone all of them go on to `stop`, which says so.
            wished = should_stop() or bool(self.control and self.control.stopped)
            ends = wished or self.turn.is_over or self.place.is_gone
            waits = bool(self.control and self.control.waits)
            ending, waiting = self.processes.sums(float(ends), float(waits), device=self.device)
            if ending or not waiting:
                return ending > 0
            self.pace.rest()
            time.sleep(LOOK_EVERY)

    def show_life(self) -> None:
        """Let it be seen that this process does not hang; it is asked for often, and does it once a second."""
        if self.store and time.monotonic() - self.shown > SECONDS_BETWEEN_SIGNS:
            self.shown = time.monotonic()
            show_life(self.folder)

    def look_for_wishes(self, control: Control) -> None:
        was_paused = control.paused
        control.look()
        if control.paused != was_paused:
            self.tell(state="paused" if control.paused else "training")

    def tell_of(self, step: TrainStep) -> None:
        """Let whoever watches know of an update: at once where it is waited for, else with the next figures."""
        if not self.store or not self.control:
            return
        self.control.made_update()
        self.store.add_step(step)
        seconds = self.pace.after_update()
        if seconds is not None:
            self.store.note_fact("seconds_per_update", seconds)
        if self.control.paused or self.pace.updates == 1:
            self.store.commit()

    def look_back(self) -> None:
        """Keep the weights if this is one of the moments, and the norms of the blocks at validations as well."""
        if not self.store:
            return
        is_moment = self.updates in self.kept
        if is_moment or self.is_time_for(self.config.validate_every):
            model, (grad_norm, clip_norm) = (
                self.trainer.model,
                (self.trainer.grad_norm, self.config.clip_norm),
            )
            self.store.add_norms(block_norms(model, self.updates, grad_norm=grad_norm, clip_norm=clip_norm))
        self.place.require()
        if is_moment and not keep_moment(self.folder, self.updates, self.trainer.model):
            self.warn(f"weights after {self.updates:,} updates are too large to be kept in half precision")

    def is_time_for(self, every: int) -> bool:
        return self.updates % every == 0 or self.updates == self.config.steps

    def validate(self, store: RunStore) -> Validation:
        """Look at the validation pairs and the probes, and keep the weights if they are the best so far."""
        model = self.trainer.model.eval()
        validation = Validation(self.updates, self.evaluate(model, self.dataset.splits.validation))
        store.add_validation(validation)
        store.add_probes(self.probe(model))
        if self.best is None or validation.figures.rank > self.best.figures.rank:
            self.best = validation
            self.keep_weights()
        store.commit()
        return validation

    def evaluate(self, model: Transformer, pairs: tuple[Pair, ...]) -> Evaluation:
        texts_of = self.dataset.tgt_tokenizer if self.dataset.is_text else None
        return evaluate(model, self.dataset.encode(pairs), texts_of=texts_of, after_batch=self.show_life)

    def probe(self, model: Transformer) -> list[Probe]:
        """What the weights as they are now make of the fixed sources."""
        texts = self.description.probes
        if not texts:
            return []
        sources = [Pair(text, "", ()) for text in texts]
        src = collate(self.dataset.encode(sources)).src.to(self.device)
        steps = decode_steps(model, src, DecodeConfig(max_length=MAX_PROBE_TOKENS))
        rows = last_step(steps).hypotheses.tolist()
        outputs = [self.dataset.tgt_tokenizer.decode(row) for row in rows]
        return [Probe(self.updates, text, output) for text, output in zip(texts, outputs, strict=True)]

    def as_run(self) -> Run:
        known = {name: getattr(self.description, name) for name in self.description.__dataclass_fields__}
        return Run(**known, model=self.trainer.model.eval())

    def keep_weights(self) -> None:
        """Write the weights as they are now as the run's model."""
        self.description = replace(self.description, best_after=self.updates)
        self.place.require()
        write_run(self.as_run(), self.folder)

    def checkpoint(self) -> None:
        """Write everything from which the training goes on; figures first, since they are not made again."""
        if self.saved == self.updates:
            return
        generators = _gathered(generator_states(self.device), self.processes)
        if self.store:
            self.place.require()
            self.store.commit()
            held = Checkpoint(generators, self.best, self.machine())
            save_checkpoint(self.folder, self.trainer, held, self.origin)
        self.saved = self.updates

    def stop(self) -> None:
        self.checkpoint()
        if not self.store:
            return
        self.place.require()
        if not (self.folder / MODEL_FILE).exists():
            self.keep_weights()
        self.write_history(self.store)
        self.tell(state="stopped", reason=self.turn.reason, ended=time.time())

    def finish(self, store: RunStore) -> None:
        """Measure the best weights on the test pairs, once, and write the figures."""
        self.place.require()
        best = load_run(self.folder, str(self.device))
        splits = self.dataset.splits
        figures = self.evaluate(best.model, splits.test).to_dict()
        if splits.unseen:
            unseen = self.evaluate(best.model, splits.unseen)
            figures |= {"n_unseen": unseen.n_pairs, "unseen_exact_match": unseen.exact_match}
        self.description = replace(self.description, best_after=best.best_after, evaluation=figures)
        self.write_history(store)
        self.tell(state="finished", ended=time.time())

    def write_history(self, store: RunStore) -> None:
        steps = store.steps()
        every = max(1, -(-len(steps) // HISTORY_POINTS))
        thinned = [step for step in steps if step.index % every == 0 or step is steps[-1]]
        points = [asdict(step) for step in thinned]
        for point in points:
            # The only figure that two runs of one seed do not share.
            del point["tokens_per_second"]
        self.description = replace(self.description, history=tuple(points))
        self.place.require()
        _write_description(self.folder, self.description)

    def tell(self, **facts: object) -> None:
        _tell(self.store, **facts)


def check_possible(description: RunDescription, dataset: Dataset, device: torch.device) -> None:
    """Refuse what cannot be trained, before anything of it is made or anything else is overwritten.

    Raises:
        ConfigError: when weights, gradients and two moments, of four bytes each, are more than the device's
            memory; or when learned positions are fewer than the longest sequence needs.
    """
    config = description.config
    needed, memory = 16 * expected_parameters(config), memory_of(device)
    if memory is not None and needed > memory:
        raise ConfigError(
            f"training {expected_parameters(config):,} parameters takes {needed / 2**30:,.0f} GiB at least, but "
            f"{device} has {memory / 2**30:,.0f}; make the model smaller"
        )
    if config.positional == "learned":
        splits = dataset.splits
        pairs = dataset.encode([*splits.train, *splits.validation, *splits.test, *splits.unseen])
        longest = 1 + max(map(len, (*pairs.sources, *pairs.targets)))
        if longest > config.max_len:
            raise ConfigError(
                f"max_len {config.max_len} is too short: the longest sequence needs {longest} learned positions"
            )


def _tell(store: RunStore | None, **facts: object) -> None:
    """Let whoever watches know, all of it at once."""
    if store:
        for name, value in facts.items():
            store.note_fact(name, value)
        store.commit()


def _write_description(folder: Path, description: RunDescription) -> None:
    write_whole(folder / RUN_FILE, description.to_json())


def _files_of(folder: Path) -> list[Path]:
    """What a run in this folder consists of, and nothing else that lies in it."""
    stores = (STORE_FILE, f"{STORE_FILE}-wal", f"{STORE_FILE}-shm", *CONTROL_FILES)
    single = (folder / name for name in (RUN_FILE, MODEL_FILE, PAIRS_FILE, *stores))
    return [path for path in (*single, *checkpoints(folder), *history_files(folder)) if path.exists()]


def _require_free(folder: Path) -> None:
    found = _files_of(folder)
    if folder / RUN_FILE in found:
        raise ConfigError(
            f"{folder} holds a run already; choose another folder, add --overwrite, or go on with --resume"
        )
    if found:
        raise ConfigError(
            f"{folder} has a file {found[0].name}, which a run would replace; choose another folder"
        )


def _remove_run(folder: Path) -> None:
    try:
        for path in _files_of(folder):
            path.unlink(missing_ok=True)
        discard_history_after(folder, -1)
    except OSError as error:
        raise RunError(f"the run {folder.name} cannot be overwritten: {error.strerror}") from error


def _gathered(own: dict[str, Tensor], processes: Processes) -> list[dict[str, Tensor]]:
    """Every process's states, by rank."""
    columns = {device: processes.gather(state) for device, state in own.items()}
    return [{device: states[rank] for device, states in columns.items()} for rank in range(processes.count)]
