"""Reporting: what a training leaves for whoever looks at it: figures, the best weights, moments, and how it ended."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace

from core.data.tasks import Pair
from core.errors import RunError
from core.evaluation.answers import evaluate
from core.evaluation.causes import frequency_loss, unknown_counts
from core.evaluation.figures import USUAL_BLEU_TOKENIZER, Evaluation, bleu_tokenizer
from core.evaluation.nearness import count_near
from core.files import write_whole
from core.model.transformer import Transformer
from core.run import Run, load_run, write_run
from core.run_description import MODEL_FILE, RUN_FILE
from core.training.checkpoint import Checkpoint
from core.training.history import discard_history_after, keep_moment
from core.training.job import TrainingJob
from core.training.lock import show_life
from core.training.norms import block_norms
from core.training.probes import translate_greedily
from core.training.progress import Progress
from core.training.records import Probe, TrainStep, Validation
from core.training.run_store import RunStore
from core.training.trainer import Trainer

HISTORY_POINTS = 100
"""About how many updates are kept in `run.json`, evenly spread, the first and the last among them."""
SECONDS_BETWEEN_SIGNS = 1.0


class Reporting:
    """What the first process writes of a training besides its checkpoints.

    Attributes:
        best: The validation of the weights that are kept as the run's model; None before the first.
        progress: What the validations have shown so far.
    """

    def __init__(self, job: TrainingJob, trainer: Trainer, store: RunStore, moments: Collection[int]) -> None:
        self.best: Validation | None = None
        self.progress = Progress()
        self._job, self._trainer, self._store = job, trainer, store
        self._moments = frozenset(moments)
        # What an earlier turn has measured is not true of the weights to come.
        self._description = replace(job.description, evaluation={}, progress={})
        self._config = job.description.train_config
        self._shown = 0.0

    def require_new(self) -> None:
        """Refuse to begin anew where something was trained already.

        Raises:
            RunError: then.
        """
        if (self._job.folder / MODEL_FILE).exists() or self._store.steps():
            raise RunError(
                f"the run {self._job.folder.name} holds a model for use, but no training checkpoint: nothing can "
                "go on from it"
            )

    def begin(self, read: Checkpoint | None) -> None:
        """Let the run be seen to train, without the figures that it makes again.

        Args:
            read: The checkpoint that it goes on from; None where it begins.
        """
        if read:
            self.best, self.progress = read.best, read.progress
        self._store.discard_after(self._trainer.updates)
        discard_history_after(self._job.folder, self._trainer.updates if read else -1)
        self._store.set_facts(state="training", process=os.getpid(), started=time.time(), reason="")

    def show_life(self) -> None:
        """Let it be seen that this process does not hang; it is asked for often, and does it once a second."""
        if time.monotonic() - self._shown > SECONDS_BETWEEN_SIGNS:
            self._shown = time.monotonic()
            show_life(self._job.folder)

    def set_state(self, state: str) -> None:
        """Let it be seen that the training has paused or goes on."""
        self._store.set_facts(state=state)

    def add_step(self, step: TrainStep, seconds: float | None, *, at_once: bool) -> None:
        """Add an update's figures.

        Args:
            step: The update.
            seconds: That an update takes; None while that is not known.
            at_once: Whether somebody waits for this one, so that it is not left to be seen with later figures.
        """
        self._store.add_step(step)
        if seconds is not None:
            self._store.note_fact("seconds_per_update", seconds)
        if at_once:
            self._store.commit()

    def snapshot(self) -> None:
        """Keep the weights if this is one of the moments, and the norms of the blocks at validations as well."""
        updates, model = self._trainer.updates, self._trainer.model
        # The end is one of them, also where nobody could know when it comes.
        is_moment = updates in self._moments or (
            bool(self._moments) and self.progress.is_exhausted(self._config)
        )
        if is_moment or self._config.is_time_for(self._config.validate_every, updates):
            grad_norm, clip_norm = self._trainer.grad_norm, self._config.clip_norm
            self._store.add_norms(block_norms(model, updates, grad_norm=grad_norm, clip_norm=clip_norm))
        self._job.place.require()
        if is_moment and not keep_moment(self._job.folder, updates, model):
            self._job.warn(f"weights after {updates:,} updates are too large to be kept in half precision")

    def validate(self) -> Validation:
        """Look at the validation pairs and the probes, and keep the weights if they are the best so far."""
        model = self._trainer.model.eval()
        figures = self._evaluate(model, self._job.dataset.splits.validation)
        validation = Validation(self._trainer.updates, figures)
        self.progress = self.progress.after(validation, self._config.warmup_steps)
        self._store.add_validation(validation)
        self._store.add_probes(self._probes(model))
        if self.best is None or validation.figures.rank > self.best.figures.rank:
            self.best = validation
            self._keep_weights()
        self._store.commit()
        return validation

    def commit(self) -> None:
        """Let every figure be on the disk."""
        self._job.place.require()
        self._store.commit()

    def end_early(self, reason: str) -> None:
        """Leave a run that can be used as it is, and say why it has ended before its last update."""
        self._job.place.require()
        if not (self._job.folder / MODEL_FILE).exists():
            self._keep_weights()
        self._write_history()
        # Set before the figures are computed, because the visitor who stopped the run waits for it.
        self._store.set_facts(state="stopped", reason=reason, ended=time.time())
        if self.best:
            # Before the first validation there is nothing to measure, and an untrained model takes long.
            self._write_figures({"stopped_after": self._trainer.updates})

    def finish(self) -> None:
        """Measure the best weights on the test pairs, once, and write the figures."""
        self._job.place.require()
        self._write_figures({})
        self._store.set_facts(state="finished", ended=time.time())

    def _write_figures(self, others: Mapping[str, float]) -> None:
        """Measure the best weights on the test pairs and write the figures, with others beside them."""
        best = load_run(self._job.folder, str(self._job.device))
        dataset, splits = self._job.dataset, self._job.dataset.splits
        train, test = dataset.encode(splits.train), dataset.encode(splits.test)
        figures = {**self._evaluate(best.model, splits.test).to_dict(), **others}
        figures["n_near"] = count_near(test.sources, train.sources)
        figures |= unknown_counts(test)
        if splits.unseen:
            unseen = self._evaluate(best.model, splits.unseen)
            figures |= {"n_unseen": unseen.n_pairs, "unseen_exact_match": unseen.exact_match}
        progress = {name: value for name, value in asdict(self.progress).items() if value is not None}
        progress["frequency_loss"] = frequency_loss(
            train.targets, dataset.encode(splits.validation).targets, len(dataset.tgt_tokenizer.vocabulary)
        )
        self._description = replace(
            self._description,
            best_after=best.best_after,
            evaluation=figures,
            bleu_tokenizer=self._bleu_tokenizer(figures),
            progress=progress,
        )
        self._write_history()

    def _evaluate(self, model: Transformer, pairs: tuple[Pair, ...]) -> Evaluation:
        dataset = self._job.dataset
        return evaluate(
            model,
            dataset.encode(pairs),
            max_length=self._description.output_limit,
            texts=dataset.target_texts(pairs),
            after_batch=self.show_life,
        )

    def _bleu_tokenizer(self, figures: Mapping[str, float]) -> str:
        """Return the name of the tokenizer that BLEU of the test pairs was computed with."""
        if "bleu" not in figures:
            return USUAL_BLEU_TOKENIZER
        return bleu_tokenizer([pair.target for pair in self._job.dataset.splits.test])

    def _probes(self, model: Transformer) -> list[Probe]:
        """What the weights as they are now make of the fixed sources."""
        texts, dataset = self._description.probes, self._job.dataset
        most = self._description.output_limit
        outputs = translate_greedily(model, dataset, texts, most) if texts else []
        return [
            Probe(self._trainer.updates, text, output) for text, output in zip(texts, outputs, strict=True)
        ]

    def _keep_weights(self) -> None:
        """Write the weights as they are now as the run's model."""
        self._description = replace(self._description, best_after=self._trainer.updates)
        self._job.place.require()
        run = Run(**vars(self._description), model=self._trainer.model.eval())
        write_run(run, self._job.folder)

    def _write_history(self) -> None:
        steps = self._store.steps()
        every = max(1, -(-len(steps) // HISTORY_POINTS))
        thinned = [step for step in steps if step.index % every == 0 or step is steps[-1]]
        points = [asdict(step) for step in thinned]
        for point in points:
            # The only figure that two runs of one seed do not share.
            del point["tokens_per_second"]
        self._description = replace(self._description, history=tuple(points))
        self._job.place.require()
        write_whole(self._job.folder / RUN_FILE, self._description.to_json())
