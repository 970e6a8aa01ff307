"""Replaying an update: bit for bit the one that the training made, from the seed and from a checkpoint."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from core.errors import InputError, RunError
from core.model.transformer import Transformer
from core.run import load_run, model_file
from core.training.beginning import INITIAL_FILE
from core.training.checkpoint import Machine
from core.training.checkpoint_files import checkpoint_path, checkpoints
from core.training.history import history_path
from core.training.new_run import begin_run
from core.training.plan import describe_on
from core.training.records import TrainStep
from core.training.replay import Order, order_line, replay
from core.training.replay_file import read_replayed, write_batches, write_replayed
from core.training.run_store import RunStore
from core.training.session import train_run
from tests.core.training.test_session import begin, begun

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """Six updates with dropout, checkpoints after the third and the last, validations between."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    begin(folder)
    list(train_run(folder, *begun(folder)))
    return folder


def steps(folder: Path) -> list[TrainStep]:
    return RunStore.read(folder).steps()


def same(step: TrainStep, other: TrainStep) -> bool:
    facts = ("index", "loss", "grad_norm", "learning_rate")
    return all(getattr(step, fact) == getattr(other, fact) for fact in facts)


@pytest.mark.parametrize("update", [0, 1, 5])
def test_an_update_from_the_seed_is_the_one_that_the_training_made(trained, update):
    replayed = replay(Order(str(trained), None, update, ""))
    assert same(replayed.update.step, steps(trained)[update])
    assert len(replayed.first_batches) == 6


def test_the_weights_after_the_last_update_are_those_that_history_keeps(trained):
    update = replay(Order(str(trained), None, 4, "")).update
    model = Transformer(update.config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            path, packed, leaf = name.rpartition(".in_proj.")
            names = [f"{path}.{leaf[0]}_{letter}" for letter in "qkv"] if packed else [name]
            parameter.copy_(torch.cat([update.of("after", each) for each in names]))
    assert model_file(model, torch.float16) == history_path(trained, 5).read_bytes()


def test_an_update_from_a_checkpoint_is_the_one_that_the_training_made(trained):
    assert checkpoint_path(trained, 3) in checkpoints(trained)
    replayed = replay(Order(str(trained), 3, 3, ""))
    assert same(replayed.update.step, steps(trained)[3])
    from_seed = replay(Order(str(trained), None, 3, "")).update
    assert all(
        torch.equal(from_seed.tensors[name], tensor) for name, tensor in replayed.update.tensors.items()
    )
    assert not replayed.changes


@pytest.mark.proof
def test_an_update_of_a_run_that_goes_on_from_another_begins_with_its_weights(trained, tmp_path):
    parent = load_run(trained)
    description = describe_on(parent, parent.train_config, name="on")
    begin_run(tmp_path / "on", description, None, parent=trained)
    list(train_run(tmp_path / "on", *begun(tmp_path / "on")))
    replayed = replay(Order(str(tmp_path / "on"), None, 1, ""))
    assert same(replayed.update.step, steps(tmp_path / "on")[1])
    first = replay(Order(str(tmp_path / "on"), None, 0, "")).update
    assert torch.equal(first.of("before", "src_embed.weight"), parent.model.src_embed.weight)
    (tmp_path / "on" / INITIAL_FILE).unlink()
    with pytest.raises(RunError, match=f"{INITIAL_FILE} cannot be read: there is no such file"):
        replay(Order(str(tmp_path / "on"), None, 0, ""))


def test_a_change_of_machine_is_told():
    here = Machine.of(torch.device("cpu"), 1)
    assert Machine("1.0", here.threads, "cuda", 2).changes(here) == (
        f"torch_version 1.0, now {here.torch_version}", "device cuda, now cpu", "processes 2, now 1",
    )  # fmt: skip


def test_a_run_without_any_of_its_batches_needs_no_pairs_once_they_are_known(trained, tmp_path, monkeypatch):
    first = replay(Order(str(trained), None, 0, "")).first_batches
    write_batches(first, tmp_path / "batches")
    monkeypatch.setattr("core.training.plan.dataset_of", lambda *_: pytest.fail("the pairs were made again"))
    again = replay(Order(str(trained), None, 2, "", str(tmp_path / "batches"))).update
    assert same(again.step, steps(trained)[2])


def test_an_update_travels_whole_through_a_file(trained, tmp_path):
    replayed = replay(Order(str(trained), None, 1, ""))
    write_replayed(replayed, tmp_path / "update")
    read = read_replayed(tmp_path / "update")
    assert read.update.step == replayed.update.step
    assert (read.update.config, read.update.training) == (replayed.update.config, replayed.update.training)
    assert read.update.uses == replayed.update.uses
    assert list(read.update.tensors) == list(replayed.update.tensors)
    assert all(
        torch.equal(read.update.tensors[name], value) for name, value in replayed.update.tensors.items()
    )
    assert torch.equal(read.update.batch.tgt_out, replayed.update.batch.tgt_out)
    assert len(read.first_batches) == len(replayed.first_batches)
    (tmp_path / "update").write_bytes(b"nothing")
    with pytest.raises(RunError):
        read_replayed(tmp_path / "update")


@pytest.mark.parametrize(("checkpoint", "update"), [(None, 6), (None, -1), (6, 6), (3, 4)])
def test_an_update_that_cannot_be_made_is_refused(trained, checkpoint, update):
    with pytest.raises(InputError, match="pdate"):
        replay(Order(str(trained), checkpoint, update, ""))


@pytest.mark.proof
def test_the_process_tells_what_it_does_and_leaves_the_update_in_a_file(trained, tmp_path):
    def told(order: Order) -> tuple[int, list[dict]]:
        done = subprocess.run(
            [sys.executable, "-m", "core.training.replay"],
            input=order_line(order), capture_output=True, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    code, lines = told(Order(str(trained), None, 2, str(tmp_path / "out")))
    assert code == 0
    assert [line["done"] for line in lines] == ["pairs", "update", "update", "update"]
    assert same(read_replayed(tmp_path / "out").update.step, steps(trained)[2])
    code, lines = told(Order(str(tmp_path / "no run"), None, 2, str(tmp_path / "out")))
    assert code == 2
    assert "run.json" in lines[-1]["sentence"]
