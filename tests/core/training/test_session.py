"""A whole training in a folder: what it trains on, is measured by, keeps, tells, and how it is gone on with."""

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from core.config import TrainConfig
from core.data.batching import EncodedPairs, batches, encode_pairs
from core.data.dataset import task_dataset
from core.data.targets import TargetTexts
from core.data.tasks import get_task
from core.errors import ConfigError, InputError, RunError
from core.evaluation.answers import evaluate
from core.evaluation.nearness import count_near
from core.model.transformer import Transformer
from core.run import Run, load_run
from core.run_description import MODEL_FILE, RunDescription, read_description
from core.training import beginning, new_run, reporting, session
from core.training.checkpoint_files import checkpoint_path, checkpoints
from core.training.control import ask
from core.training.history import history, history_files
from core.training.kept import kept_by, thin
from core.training.lock import LOCK_FILE, is_training, training_lock
from core.training.new_run import begin_run, check_possible
from core.training.plan import dataset_of, plan_task
from core.training.records import TrainStep, Validation
from core.training.reporting import HISTORY_POINTS, Reporting
from core.training.run_store import RunStore
from core.training.session import train_run
from core.training.trainer import Trainer
from tests.core.conftest import EOS, PAD
from tests.marks import proofs

COPY = get_task("copy")
MODEL = {
    "d_model": 8, "n_heads": 2, "d_ff": 12, "n_encoder_layers": 1, "n_decoder_layers": 1, "dropout": 0.2,
}  # fmt: skip
# Three batches of four are every training pair once.
TRAINING = TrainConfig(
    steps=6, warmup_steps=1, batch_size=4, n_train=12, n_validation=5, n_test=7, seed=3, validate_every=2,
    checkpoint_every=3,
)  # fmt: skip


def plan(training: TrainConfig = TRAINING):
    return plan_task(COPY, training, MODEL, name="small")


def begin(folder: Path, training: TrainConfig = TRAINING) -> None:
    begin_run(folder, *plan(training))


def begun(folder: Path):
    """What --resume reads back."""
    description = read_description(folder)
    return description, dataset_of(folder, description)


def go_on(folder: Path, **settings) -> list:
    return list(train_run(folder, *begun(folder), **settings))


def trained(folder: Path, training: TrainConfig = TRAINING) -> Run:
    begin(folder, training)
    go_on(folder)
    return load_run(folder)


def after(count: int) -> Callable[[], bool]:
    """A wish to stop that comes true after so many updates."""
    answers = iter([False] * count)
    return lambda: next(answers, True)


@dataclass
class Seen:
    """What went into the updates and into the evaluations."""

    sources: list[list[int]] = field(default_factory=list)
    evaluated: list[EncodedPairs] = field(default_factory=list)


@pytest.fixture
def seen(monkeypatch) -> Seen:
    seen, update, evaluate_as_it_is = Seen(), Trainer.update, evaluate

    def watched_update(trainer, batch):
        seen.sources += [[i for i in row if i not in (PAD, EOS)] for row in batch.src.tolist()]
        return update(trainer, batch)

    def watched_evaluate(model, pairs, **settings):
        seen.evaluated.append(pairs)
        return evaluate_as_it_is(model, pairs, **settings)

    monkeypatch.setattr(Trainer, "update", watched_update)
    monkeypatch.setattr(reporting, "evaluate", watched_evaluate)
    return seen


def splits():
    return task_dataset(COPY, TRAINING).splits


def encoded(pairs) -> EncodedPairs:
    return encode_pairs(pairs, *COPY.tokenizers())


def figures(folder: Path) -> dict:
    """Everything that the training wrote and that the clock has no part in."""
    store = RunStore.read(folder)
    steps = [replace(step, tokens_per_second=0) for step in store.steps()]
    found = {
        "steps": steps,
        "validations": store.validations(),
        "probes": store.probes(),
        "norms": store.norms(),
    }
    store.close()
    return found


@pytest.fixture
def last_checkpoint(monkeypatch):
    """Lets a finished run keep the checkpoint of its end, to be looked into."""
    monkeypatch.setattr(session, "drop_last_checkpoint", lambda folder: None)


def test_a_run_trains_on_its_training_pairs_in_the_order_of_its_seed(tmp_path, seen):
    trained(tmp_path)
    stream = batches(encoded(splits().train), 4, seed=3)
    rows = [
        [i for i in row if i not in (PAD, EOS)] for batch in islice(stream, 6) for row in batch.src.tolist()
    ]
    assert seen.sources == rows
    held_out = {*encoded(splits().validation).sources, *encoded(splits().test).sources}
    assert not {tuple(row) for row in rows} & held_out


def test_a_run_is_chosen_by_the_validation_pairs_and_measured_once_on_the_test_pairs(tmp_path, seen):
    run = trained(tmp_path)
    assert seen.evaluated == [encoded(splits().validation)] * 3 + [encoded(splits().test)]
    near = count_near(encoded(splits().test).sources, encoded(splits().train).sources)
    texts = TargetTexts.of(splits().test, run.tgt_tokenizer, is_text=False)
    found = evaluate(run.model, encoded(splits().test), texts=texts)
    assert run.evaluation == {**found.to_dict(), "n_near": near}
    assert found.string_match == found.exact_match
    assert run.evaluation["n_pairs"] == 7


@pytest.mark.proof
def test_events_are_the_updates_and_the_validations_after_them(tmp_path):
    begin(tmp_path)
    events = go_on(tmp_path)
    kinds = [
        event.index if isinstance(event, TrainStep) else f"validated {event.updates}" for event in events
    ]
    assert kinds == [0, 1, "validated 2", 2, 3, "validated 4", 4, 5, "validated 6"]
    steps = [event for event in events if isinstance(event, TrainStep)]
    # One update of warm-up, then from the peak to 0 after the sixth.
    assert [step.learning_rate for step in steps] == pytest.approx(
        [2e-3, *(2e-3 * n / 5 for n in range(5, 0, -1))]
    )
    store = RunStore.read(tmp_path)
    assert store.steps() == steps
    assert store.validations() == [event for event in events if isinstance(event, Validation)]
    assert store.fact("state") == "finished"


@pytest.mark.proof
def test_a_run_depends_on_its_seed_alone(tmp_path):
    torch.manual_seed(11)
    first = trained(tmp_path / "first")
    torch.manual_seed(12)
    trained(tmp_path / "second")
    assert figures(tmp_path / "first") == figures(tmp_path / "second")
    assert same_files(tmp_path / "first", tmp_path / "second")
    other = trained(tmp_path / "third", replace(TRAINING, seed=4))
    assert not torch.equal(other.model.src_embed.weight, first.model.src_embed.weight)


def same_files(one: Path, other: Path) -> bool:
    """Whether description, model and every kept moment are the same to the bit."""
    kept = [{path.name: path.read_bytes() for path in history_files(folder)} for folder in (one, other)]
    names = ("run.json", MODEL_FILE)
    return kept[0] == kept[1] and all(
        (one / name).read_bytes() == (other / name).read_bytes() for name in names
    )


@pytest.mark.usefixtures("last_checkpoint")
@pytest.mark.parametrize("stops", [(2, 1), *proofs(((0,),), ((3,),), ((1,),), ((4,),), ((1, 1, 1, 1, 1),))])
def test_a_stopped_training_goes_on_to_the_bit(tmp_path, stops):
    trained(tmp_path / "whole")
    begin(tmp_path / "parts")
    for count in stops:
        go_on(tmp_path / "parts", should_stop=after(count))
        store = RunStore.read(tmp_path / "parts")
        assert store.fact("state") == "stopped"
        store.close()
    go_on(tmp_path / "parts")
    assert figures(tmp_path / "whole") == figures(tmp_path / "parts")
    assert same_files(tmp_path / "whole", tmp_path / "parts")
    ends = [load_file(checkpoint_path(tmp_path / name, 6)) for name in ("whole", "parts")]
    assert ends[0].keys() == ends[1].keys()
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in ends[0])


@pytest.mark.proof
@pytest.mark.parametrize("pulled", [1, 4, *proofs((3,), (5,), (7,), (8,))])
def test_a_training_that_nobody_pulls_any_more_goes_on_from_its_last_checkpoint(tmp_path, pulled):
    trained(tmp_path / "whole")
    begin(tmp_path / "parts")
    events = train_run(tmp_path / "parts", *begun(tmp_path / "parts"))
    list(islice(events, pulled))
    events.close()
    assert not is_training(tmp_path / "parts")
    go_on(tmp_path / "parts")
    assert figures(tmp_path / "whole") == figures(tmp_path / "parts")
    assert same_files(tmp_path / "whole", tmp_path / "parts")


def test_a_stopped_run_can_be_used_and_says_how_far_it_came(tmp_path):
    begin(tmp_path)
    go_on(tmp_path, should_stop=after(1))
    run = load_run(tmp_path)
    assert (run.updates, run.best_after, run.evaluation) == (1, 1, {})
    assert isinstance(run.translate("cat"), str)


@pytest.mark.proof
def test_stopped_run_has_figures_of_its_best_weights(tmp_path):
    begin(tmp_path / "parts")
    go_on(tmp_path / "parts", should_stop=after(3))
    run = load_run(tmp_path / "parts")
    expected = evaluate(run.model, encoded(splits().test)).to_dict()
    assert {name: run.evaluation[name] for name in expected} == expected
    assert (run.is_complete, run.evaluation["stopped_after"], run.updates) == (False, 3, 3)
    # Measuring must not change what the resumed training does.
    go_on(tmp_path / "parts")
    whole = trained(tmp_path / "whole")
    assert load_run(tmp_path / "parts").evaluation == whole.evaluation
    assert same_files(tmp_path / "whole", tmp_path / "parts")


def test_the_best_weights_are_kept_and_not_the_last(tmp_path, monkeypatch):
    ranks = iter([0.2, 0.9, 0.3])

    def evaluate_with_rank(model, pairs, **settings):
        return replace(evaluate(model, pairs, **settings), exact_match=next(ranks, 0.1))

    monkeypatch.setattr(reporting, "evaluate", evaluate_with_rank)
    begin(tmp_path)
    weights = {}
    for event in train_run(tmp_path, *plan()):
        if isinstance(event, Validation):
            weights[event.updates] = load_run(tmp_path).model.src_embed.weight
    run = load_run(tmp_path)
    assert run.best_after == 4
    assert torch.equal(weights[6], weights[4])
    assert torch.equal(run.model.src_embed.weight, weights[4])
    assert not torch.equal(weights[2], weights[4])


def test_probes_are_translated_at_every_validation(tmp_path):
    run = trained(tmp_path)
    probes = figures(tmp_path)["probes"]
    assert [probe.updates for probe in probes] == [2] * 4 + [4] * 4 + [6] * 4
    assert [probe.source for probe in probes[:4]] == list(run.probes) == [e.source for e in COPY.examples[:4]]
    if run.best_after == 6:
        assert [run.translate(text) for text in run.probes] == [probe.output for probe in probes[8:]]


@pytest.mark.proof
def test_a_damaged_checkpoint_falls_back_to_the_one_before(tmp_path):
    trained(tmp_path / "whole")
    begin(tmp_path / "parts")
    go_on(tmp_path / "parts", should_stop=after(4))
    newest = checkpoints(tmp_path / "parts")[0]
    assert newest == checkpoint_path(tmp_path / "parts", 4)
    newest.write_bytes(newest.read_bytes()[:500])
    warnings: list[str] = []
    go_on(tmp_path / "parts", warn=warnings.append)
    assert len(warnings) == 1
    assert "damaged" in warnings[0]
    assert figures(tmp_path / "whole") == figures(tmp_path / "parts")
    assert same_files(tmp_path / "whole", tmp_path / "parts")


def test_when_no_checkpoint_can_be_read_nothing_is_overwritten(tmp_path):
    begin(tmp_path)
    go_on(tmp_path, should_stop=after(4))
    for path in checkpoints(tmp_path):
        path.write_bytes(b"damaged")
    with pytest.raises(RunError, match="damaged"):
        go_on(tmp_path)
    assert len(figures(tmp_path)["steps"]) == 4
    assert [path.read_bytes() for path in checkpoints(tmp_path)] == [b"damaged", b"damaged"]


def test_without_its_checkpoints_a_run_is_not_begun_anew(tmp_path):
    begin(tmp_path)
    go_on(tmp_path, should_stop=after(4))
    for path in checkpoints(tmp_path):
        path.unlink()
    before = {path: path.read_bytes() for path in (tmp_path / "run.json", tmp_path / MODEL_FILE)}
    with pytest.raises(RunError, match="nothing can go on from it"):
        go_on(tmp_path)
    assert len(figures(tmp_path)["steps"]) == 4
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.proof
def test_the_best_weights_survive_the_loss_of_all_figures(tmp_path, monkeypatch):
    trained(tmp_path / "whole")
    ranks = iter([0.9, 0.2, 0.1])

    def evaluate_with_rank(model, pairs, **settings):
        return replace(evaluate(model, pairs, **settings), exact_match=next(ranks, 0.0))

    monkeypatch.setattr(reporting, "evaluate", evaluate_with_rank)
    begin(tmp_path / "run")
    go_on(tmp_path / "run", should_stop=after(3))
    best = (tmp_path / "run" / MODEL_FILE).read_bytes()
    for path in (tmp_path / "run").glob("metrics.sqlite*"):
        path.unlink()
    go_on(tmp_path / "run")
    assert (tmp_path / "run" / MODEL_FILE).read_bytes() == best
    assert load_run(tmp_path / "run").best_after == 2


@pytest.mark.proof
def test_another_machine_is_told(tmp_path, monkeypatch):
    begin(tmp_path)
    go_on(tmp_path, should_stop=after(2))
    monkeypatch.setattr(torch, "get_num_threads", lambda: 7)
    warnings: list[str] = []
    go_on(tmp_path, warn=warnings.append)
    assert len(warnings) == 1
    assert "now 7" in warnings[0]


def test_a_checkpoint_of_other_settings_is_not_gone_on_from(tmp_path):
    begin(tmp_path)
    go_on(tmp_path, should_stop=after(4))
    with pytest.raises(RunError, match="other settings"):
        list(train_run(tmp_path, *plan(replace(TRAINING, peak_learning_rate=1e-3))))


@pytest.mark.proof
def test_only_one_process_trains_in_a_folder(tmp_path):
    begin(tmp_path)
    with training_lock(tmp_path):
        assert is_training(tmp_path)
        with pytest.raises(RunError, match="another process"):
            go_on(tmp_path)
        with pytest.raises(RunError, match="another process"):
            begin_run(tmp_path, *plan(), overwrite=True)
    assert not is_training(tmp_path)
    assert len(go_on(tmp_path)) == 9


def test_a_run_is_not_replaced_unasked_and_leaves_nothing_behind_when_it_is(tmp_path):
    trained(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "held_out.json").write_text("of the run that goes")
    with pytest.raises(ConfigError, match="add --overwrite"):
        begin(tmp_path)
    begin_run(tmp_path, *plan(), overwrite=True)
    assert {path.name for path in tmp_path.iterdir()} == {"run.json", "notes.txt", "checkpoints", ".training"}
    assert list((tmp_path / "checkpoints").iterdir()) == []


@pytest.mark.parametrize("name", ["pairs.tsv", MODEL_FILE, "checkpoints/000000003.safetensors"])
def test_files_of_somebody_else_are_not_replaced_unasked(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(ConfigError, match="which a run would replace"):
        begin(tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_what_a_kill_left_half_written_is_cleared_away(tmp_path):
    begin(tmp_path)
    (tmp_path / "checkpoints").mkdir()
    left = [tmp_path / f"run.json.{'a' * 32}.part", tmp_path / "checkpoints" / f"x.{'0' * 32}.part"]
    mine = tmp_path / "mine.part"
    for path in (*left, mine):
        path.touch()
    go_on(tmp_path)
    assert [path.exists() for path in (*left, mine)] == [False, False, True]


def test_learned_positions_must_reach_the_longest_sequence(tmp_path):
    description, dataset = plan_task(
        COPY, TRAINING, {**MODEL, "positional": "learned", "max_len": 5}, name="x"
    )
    with pytest.raises(ConfigError, match="learned positions"):
        check_possible(description, dataset, torch.device("cpu"))
    longer = plan_task(COPY, TRAINING, {**MODEL, "positional": "learned", "max_len": 11}, name="x")
    check_possible(*longer, torch.device("cpu"))
    assert checkpoints(tmp_path) == []


def test_a_loss_that_is_not_finite_ends_in_a_sentence_and_keeps_the_checkpoint(tmp_path, monkeypatch):
    begin(tmp_path)
    events = train_run(tmp_path, *plan())
    update = Trainer.update

    def broken(trainer, batch):
        if trainer.updates == 4:
            with torch.no_grad():
                trainer.model.generator.weight[5] = float("nan")
        return update(trainer, batch)

    monkeypatch.setattr(Trainer, "update", broken)
    with pytest.raises(InputError, match="lower the learning rate"):
        list(events)
    store = RunStore.read(tmp_path)
    assert store.fact("state") == "failed"
    assert "lower the learning rate" in store.fact("reason")
    assert [path.name for path in checkpoints(tmp_path)] == ["000000003.safetensors", "000000000.safetensors"]


def test_a_model_larger_than_the_memory_is_refused_before_it_is_made(tmp_path, monkeypatch):
    begin(tmp_path)
    monkeypatch.setattr(new_run, "memory_of", lambda device: 1000)
    monkeypatch.setattr(beginning, "Transformer", lambda *_: pytest.fail("it was made"))
    with pytest.raises(ConfigError, match="make the model smaller"):
        go_on(tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize("n_updates", [1, 100, 102, 305])
def test_a_long_history_keeps_the_first_and_the_last_update_and_even_steps_between(
    n_updates, tmp_path, monkeypatch
):
    def update(trainer, batch):
        trainer.updates += 1
        return TrainStep(
            trainer.updates - 1, loss=2.5, learning_rate=1e-3, grad_norm=0.5, tokens_per_second=1.0
        )

    monkeypatch.setattr(Trainer, "update", update)
    monkeypatch.setattr(Trainer, "state", lambda trainer: {"updates": torch.tensor(trainer.updates)})
    training = replace(
        TRAINING, steps=n_updates, warmup_steps=0, validate_every=10**5, checkpoint_every=10**5
    )
    run = trained(tmp_path, training)
    indices = [point["index"] for point in run.history]
    assert indices[0] == 0
    assert indices[-1] == n_updates - 1
    assert run.updates == n_updates
    assert min(n_updates, HISTORY_POINTS // 2) <= len(indices) <= HISTORY_POINTS + 1
    assert len({b - a for a, b in pairwise(indices[:-1])}) <= 1


def test_what_is_written_describes_the_run(tmp_path):
    run = trained(tmp_path)
    described = read_description(tmp_path)
    assert isinstance(described, RunDescription)
    assert json.loads((tmp_path / "run.json").read_text()) == run.to_dict()
    assert described.train_config == TRAINING
    assert described.best_after in (2, 4, 6)
    assert set(run.history[0]) == {"index", "loss", "learning_rate", "grad_norm"}


def removed(folder: Path) -> None:
    shutil.rmtree(folder)


def moved_away(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


def without_its_lock(folder: Path) -> None:
    (folder / LOCK_FILE).unlink()


@pytest.mark.sweep
@pytest.mark.parametrize("pulled", range(8))
def test_a_run_that_is_removed_by_hand_while_it_trains_ends_and_does_not_come_back(tmp_path, pulled):
    folder = tmp_path / "run"
    begin(folder)
    events = train_run(folder, *begun(folder))
    for _ in range(pulled):
        next(events)
    next(events)
    removed(folder)
    with pytest.raises(RunError, match="the run run was removed while it trained"):
        list(events)
    assert not folder.exists()


@pytest.mark.proof
@pytest.mark.parametrize("remove", [removed, moved_away, without_its_lock])
def test_who_trains_in_the_place_of_a_removed_run_trains_alone(tmp_path, remove):
    folder = tmp_path / "run"
    begin(folder)
    events = train_run(folder, *begun(folder))
    next(events)
    remove(folder)
    if not folder.exists():
        begin(folder)
    others = train_run(folder, *begun(folder))
    made = next(others)
    with pytest.raises(RunError, match="was removed while it trained"):
        list(events)
    assert isinstance(made, TrainStep)
    assert sum(isinstance(event, TrainStep) for event in others) + 1 == TRAINING.steps
    assert load_run(folder).updates == TRAINING.steps


def test_a_paused_training_ends_as_well_where_its_run_is_removed(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    begin(folder)
    events = train_run(folder, *begun(folder))
    next(events)
    ask(folder, "pause")
    monkeypatch.setattr(time, "sleep", lambda seconds: removed(folder))
    with pytest.raises(RunError, match="was removed while it trained"):
        list(events)
    assert not folder.exists()


def test_a_run_that_is_removed_during_a_validation_does_not_come_back(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    begin(folder)
    measure = evaluate

    def remove_meanwhile(*arguments, **settings):
        found = measure(*arguments, **settings)
        removed(folder)
        return found

    monkeypatch.setattr(reporting, "evaluate", remove_meanwhile)
    with pytest.raises(RunError, match="was removed while it trained"):
        go_on(folder)
    assert not folder.exists()


PATIENT = replace(TRAINING, steps=40, validate_every=2, patience=2)


@pytest.fixture
def losses(monkeypatch):
    """Lets the validation losses be these, by the number of updates."""

    def choose(*values: float) -> None:
        as_it_is = Reporting.validate

        def validate(reporting_):
            number = reporting_._trainer.updates // PATIENT.validate_every - 1

            def evaluate_as_chosen(model, pairs, **settings):
                return replace(evaluate(model, pairs, **settings), loss=values[number], exact_match=0.0)

            with monkeypatch.context() as patch:
                patch.setattr(reporting, "evaluate", evaluate_as_chosen)
                return as_it_is(reporting_)

        monkeypatch.setattr(Reporting, "validate", validate)

    return choose


@pytest.mark.proof
def test_a_training_ends_when_its_validations_have_brought_nothing_for_as_long_as_it_has_patience(
    tmp_path, losses
):
    losses(3.0, 2.0, 2.5, 1.0, 0.995, 1.2)
    run = trained(tmp_path, PATIENT)
    assert (run.updates, run.best_after) == (12, 10)
    assert run.evaluation["n_pairs"] == 7
    described = json.loads((tmp_path / "run.json").read_text())
    assert "ended after 12 of at most 40 updates, because 2 validations in a row" in described["outcome"]
    assert "got worse from update 8 on (1.000 became 1.200)" in described["outcome"]
    assert read_description(tmp_path).progress == described["progress"]
    store = RunStore.read(tmp_path)
    assert store.fact("state") == "finished"
    # Whoever looks back finds the weights of the end among those that are kept.
    assert max(int(path.stem) for path in history_files(tmp_path)) == 12
    # Nothing is left to go on with.
    before = same_bytes(tmp_path)
    go_on(tmp_path)
    assert same_bytes(tmp_path) == before


@pytest.fixture
def exact(monkeypatch):
    """Lets the shares of exact validation answers be these, of pairs as many as are given, one by one."""

    def choose(*values: float, n_pairs: int = 20) -> None:
        shares, evaluate_as_it_is = iter(values), evaluate

        def evaluate_as_chosen(model, pairs, **settings):
            found = evaluate_as_it_is(model, pairs, **settings)
            return replace(found, exact_match=next(shares, 1.0), n_pairs=n_pairs)

        monkeypatch.setattr(reporting, "evaluate", evaluate_as_chosen)

    return choose


PERFECT = {"steps": 14, "validate_every": 2, "patience": 10, "perfect_validations": 2}
RISING = (0.5, 1.0, 0.9, 1.0, 1.0, 1.0, 1.0)
"""Shares of exact answers of the seven validations of fourteen updates."""


@pytest.mark.proof
@pytest.mark.parametrize(
    ("settings", "n_pairs", "updates"),
    [
        ({}, 20, 10),
        *proofs(({"perfect_validations": 1}, 20, 4)),
        *proofs(({"perfect_validations": 0}, 20, 14)),
        *proofs(({"patience": 0}, 20, 14)),
        *proofs(({}, 9, 14)),
    ],
    ids=["two", "one", "never", "without patience", "of few pairs"],
)
def test_perfect_validations_in_a_row_end_a_training(tmp_path, exact, settings, n_pairs, updates):
    exact(*RISING, n_pairs=n_pairs)
    run = trained(tmp_path, replace(TRAINING, **{**PERFECT, **settings}))
    assert (run.updates, run.is_complete) == (updates, True)
    assert run.evaluation["n_pairs"] == n_pairs


def same_bytes(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "run.json").read_bytes(), (folder / MODEL_FILE).read_bytes()


@pytest.mark.proof
def test_the_warm_up_uses_no_patience_up(tmp_path, losses):
    losses(1.0, 2.0, 2.0, 2.0, 2.0, 2.0)
    assert trained(tmp_path, replace(PATIENT, warmup_steps=6)).updates == 10


@pytest.mark.proof
@pytest.mark.parametrize("stops", [(9, 1), *proofs(((3,),), ((10,),), ((11,),))])
def test_a_stopped_training_has_as_much_patience_left_as_it_had(tmp_path, losses, stops):
    losses(3.0, 2.0, 2.5, 1.0, 0.995, 1.2)
    trained(tmp_path / "whole", PATIENT)
    begin(tmp_path / "parts", PATIENT)
    for count in stops:
        go_on(tmp_path / "parts", should_stop=after(count))
    go_on(tmp_path / "parts")
    assert figures(tmp_path / "whole") == figures(tmp_path / "parts")
    assert same_files(tmp_path / "whole", tmp_path / "parts")


def test_settings_that_came_later_change_nothing_that_was_written_before(tmp_path):
    trained(tmp_path)
    training = json.loads((tmp_path / "run.json").read_text())["training"]
    assert "patience" not in training
    assert TrainConfig.from_dict(training) == TRAINING
    origin = beginning.origin_of(*described_and_encoded())
    earlier = hashlib.sha256(json.dumps([plan()[0].config.to_dict(), training], sort_keys=True).encode())
    assert origin.settings == earlier.hexdigest()[:16]


def described_and_encoded():
    description, dataset = plan()
    return description, dataset.encode(dataset.splits.train)


@pytest.mark.proof
def test_a_finished_run_keeps_no_checkpoint_of_its_end_and_the_one_before_to_be_looked_into(tmp_path):
    trained(tmp_path)
    assert checkpoints(tmp_path) == [checkpoint_path(tmp_path, 3)]


@pytest.mark.proof
@pytest.mark.parametrize(("most", "left"), [(3, 3), *proofs((0, 0), (2, 2), (1, 1), (99, None))])
def test_a_finished_run_is_thinned_to_some_moments_and_can_be_used_as_before(tmp_path, most, left):
    run = trained(tmp_path, replace(TRAINING, steps=30))
    moments = history(tmp_path)
    before = kept_by(tmp_path)
    assert before.n_moments == len(moments) > 3
    assert before.checkpoints > before.weights
    freed = thin(tmp_path, most)
    after_ = kept_by(tmp_path)
    assert after_.n_moments == (len(moments) if left is None else left)
    assert history(tmp_path)[-1:] == moments[-1:] * bool(most)
    assert history(tmp_path)[:1] == moments[:1] or most < 2
    assert (after_.checkpoints, after_.weights) == (0, before.weights)
    assert freed == before.checkpoints + before.moments - after_.moments
    assert load_run(tmp_path).fingerprint == load_run(tmp_path).fingerprint
    assert run.evaluation == load_run(tmp_path).evaluation


@pytest.mark.proof
def test_a_run_that_is_not_finished_is_not_thinned(tmp_path):
    begin(tmp_path)
    go_on(tmp_path, should_stop=after(4))
    with pytest.raises(RunError, match="is not finished"):
        thin(tmp_path, 0)
    go_on(tmp_path)


def test_a_training_that_is_stopped_at_once_keeps_its_first_weights_to_be_looked_at(tmp_path):
    begin(tmp_path)
    go_on(tmp_path, should_stop=after(0))
    run = load_run(tmp_path)
    assert (run.best_after, run.evaluation) == (0, {})
    torch.manual_seed(TRAINING.seed)
    first = Transformer(run.config)
    for name, weights in first.state_dict().items():
        torch.testing.assert_close(run.model.state_dict()[name], weights)
