"""The engine with real processes: wishes, a queue, kills, restarts, several servers on one folder."""

import logging
import os
import shutil
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.config import TrainConfig
from core.data.pairs import parse_pairs
from core.errors import ConfigError, ExplorerError, RunError
from core.run import load_run
from core.training.control import CONTROL_FILE
from core.training.history import history
from core.training.lock import is_locked, training_lock
from core.training.new_run import begin_run
from core.training.own_pairs import PAIRS_FILE
from core.training.plan import dataset_of, plan_pairs
from core.training.session import train_run
from explorer.server.limits import limits_from
from explorer.trainings import stop, watch
from explorer.trainings.engine import NewRun, TrainingEngine
from explorer.trainings.processes import TICKET_FOLDER, Spare
from explorer.trainings.pulses import SILENT_AFTER
from explorer.trainings.rules import Visitor
from explorer.trainings.run_folders import LOG_FILE
from tests.another_python import said_by
from tests.core.training.test_session import figures, same_files
from tests.explorer.trainings.conftest import endless, is_in, process_of, small, wait_for, wait_until

ROOT = Path(__file__).parents[3]


@pytest.mark.proof
def test_a_training_is_paused_stepped_stopped_and_gone_on_with_from_two_servers(engines):
    engine, other = engines(), engines()
    run_id = engine.begin(endless(), title="  My\nfirst   run ")
    assert engine.status(run_id).state in ("starting", "training")
    begun = wait_for(other, run_id, lambda status: status.updates > 2)
    assert (begun.state, begun.title, begun.task, begun.of) == ("training", "My first run", "copy", 10**6)
    assert begun.loss is not None
    assert begun.seconds_left is not None
    assert begun.seconds_left > 0

    other.pause(run_id)
    paused = wait_for(engine, run_id, is_in("paused"))
    assert paused.seconds_left is None
    for asking in (engine, other):
        asking.step(run_id, 2)
    stepped = wait_for(engine, run_id, lambda status: status.updates == paused.updates + 4)
    assert stepped.state == "paused"
    engine.step(run_id)
    wait_for(other, run_id, lambda status: status.updates == paused.updates + 5)
    os.getpgid(process_of(engine, run_id))
    assert os.getpriority(os.PRIO_PROCESS, process_of(engine, run_id)) >= 10
    assert os.getpgid(process_of(engine, run_id)) != os.getpgid(0)

    # A server that knew the run is gone; the next one finds it and lets it go on.
    engine.close()
    del engine
    restarted = engines()
    assert restarted.status(run_id).state == "paused"
    restarted.go_on(run_id)
    wait_for(restarted, run_id, lambda status: status.updates > paused.updates + 5)
    with pytest.raises(RunError, match="stop it first"):
        restarted.delete(run_id)
    restarted.pause(run_id)
    restarted.stop(run_id)
    stopped = wait_for(restarted, run_id, is_in("stopped"))
    assert stopped.can_resume
    assert stopped.has_checkpoint
    assert load_run(restarted.run_folder(run_id)).updates == stopped.updates
    with pytest.raises(RunError, match="“My first run” does not train now; it is stopped"):
        restarted.pause(run_id)
    restarted.stop(run_id)  # Once more is no mistake.

    restarted.resume(run_id)
    wait_for(
        restarted, run_id, lambda status: status.state == "training" and status.updates > stopped.updates
    )
    assert (restarted.run_folder(run_id) / LOG_FILE).read_bytes() == b""
    restarted.stop(run_id)
    wait_for(restarted, run_id, is_in("stopped"))
    restarted.delete(run_id)
    assert restarted.statuses() == []
    wait_until(lambda: list((restarted.folder / TICKET_FOLDER).iterdir()) == [])
    assert sorted(path.name for path in restarted.folder.iterdir()) == [
        ".deciding",
        TICKET_FOLDER,
        ".queue.json",
    ]


@pytest.mark.proof
def test_a_killed_training_is_interrupted_and_goes_on_to_the_bit(engine, tmp_path):
    description = small(150)
    torch.set_num_threads(1)
    begin_run(tmp_path / "whole", description, None)
    list(train_run(tmp_path / "whole", description, dataset_of(tmp_path / "whole", description)))

    # First by the spare process, then by one of its own.
    for _ in range(3):
        engine.warm(description)
    assert tickets(engine) == 1
    run_id = engine.begin(description)
    assert tickets(engine) == 1
    wait_for(engine, run_id, lambda status: status.updates >= 25)
    engine.pause(run_id)
    wait_for(engine, run_id, is_in("paused"))
    os.kill(process_of(engine, run_id), signal.SIGKILL)
    interrupted = wait_for(engine, run_id, is_in("interrupted"))
    assert "last checkpoint" in interrupted.reason
    assert interrupted.can_resume
    engine.resume(run_id)
    finished = wait_for(engine, run_id, is_in("finished", "failed"))
    assert (finished.state, finished.updates, finished.can_resume) == ("finished", 150, False)
    folder = engine.run_folder(run_id)
    assert figures(folder) == figures(tmp_path / "whole")
    assert same_files(folder, tmp_path / "whole")
    assert len(history(folder)) > 20
    with pytest.raises(RunError, match="nothing to go on from"):
        engine.resume(run_id)


@pytest.mark.proof
def test_a_run_whose_folder_is_deleted_by_hand_ends_its_process_and_the_next_one_begins(engines):
    engine = engines(most_at_once=1)
    first, second = engine.begin(endless()), engine.begin(small(20))
    wait_for(engine, first, lambda status: status.updates > 0)
    folder = engine.run_folder(first)
    process = process_of(engine, first)

    def gone() -> bool:
        # As `rm -rf` does it; a file that is written just then takes a second try.
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()

    wait_until(gone)
    wait_until(lambda: not is_running(process))
    assert wait_for(engine, second, is_in("finished", "failed")).state == "finished"
    assert [status.run_id for status in engine.statuses()] == [second]
    assert not folder.exists()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.proof
def test_a_queue_of_three_is_trained_one_after_the_other(engines):
    engine = engines(most_at_once=1, most_waiting=2)
    first, second, third = (engine.begin(endless() if index == 0 else small(20)) for index in range(3))
    with pytest.raises(RunError, match="2 runs are waiting already"):
        engine.begin(small())
    restarted = engines(most_at_once=1)
    assert [restarted.status(run_id).place for run_id in (first, second, third)] == [None, 0, 1]
    assert restarted.status(third).state == "waiting"
    with pytest.raises(RunError, match="it is waiting"):
        restarted.pause(third)
    restarted.stop(second)
    left = restarted.status(second)
    assert (left.state, left.updates, left.can_resume, restarted.status(third).place) == (
        "stopped",
        0,
        True,
        0,
    )
    wait_for(engine, first, lambda status: status.updates)
    engine.stop(first)
    # Nobody has to look: the end of one process starts the next.
    wait_for(engine, third, is_in("finished"))
    states = {status.run_id: status.state for status in engine.statuses()}
    assert states == {first: "stopped", second: "stopped", third: "finished"}


def test_runs_that_are_begun_together_train_beside_each_other_and_the_next_waits_for_all_of_them(
    engines, monkeypatch
):
    living: set[str] = set()
    monkeypatch.setattr(TrainingEngine, "_start", lambda engine, run_id, folder: living.add(run_id))
    monkeypatch.setattr(TrainingEngine, "_is_alive", lambda engine, run_id: run_id in living)
    engine = engines(most_at_once=1, most_together=2)
    other = engine.begin(small())
    first, second, third = engine.begin_all([NewRun(small())] * 3)
    last = engine.begin(small())
    assert living == {other}
    living.clear()
    engine.statuses()
    # The third one has no place beside the two: it waits as anybody's run does.
    assert living == {first, second}
    living.remove(first)
    engine.statuses()
    assert living == {second, third}
    living.clear()
    engine.statuses()
    assert living == {last}


def test_limit_of_runs_is_kept_without_class_mode(tmp_path):
    limits = replace(limits_from({"EXPLORER_MOST_RUNS": "2"}), most_at_once=0)
    engine = TrainingEngine(tmp_path / "runs", limits)
    for _ in range(2):
        engine.begin(small())
    with pytest.raises(RunError, match="There are 2 runs already, which is the most"):
        engine.begin(small())


def test_limit_of_the_disk_is_kept_without_class_mode(tmp_path):
    engine = TrainingEngine(tmp_path / "runs", replace(limits_from({}), most_at_once=0, most_bytes=10**6))
    with pytest.raises(RunError, match="this one needs 5 MB, of 1 MB in all"):
        engine.begin(small())


def test_disk_limit_counts_waiting_runs_without_class_mode(tmp_path):
    engine = TrainingEngine(
        tmp_path / "runs", replace(limits_from({}), most_at_once=0, most_bytes=12 * 10**6)
    )
    for _ in range(2):
        engine.begin(small())
    with pytest.raises(RunError, match="The runs will take 9 MB and this one needs 5 MB, of 12 MB in all"):
        engine.begin(small())


def test_full_folder_names_a_run_to_delete(tmp_path):
    engine = TrainingEngine(tmp_path / "runs", replace(limits_from({}), most_at_once=0, most_runs=1))
    engine.begin(small())
    with pytest.raises(RunError, match="There is 1 run already, which is the most; delete one"):
        engine.begin(small())


def test_on_a_public_server_runs_that_are_begun_together_take_a_place_each(tmp_path, monkeypatch):
    living: set[str] = set()
    monkeypatch.setattr(TrainingEngine, "_start", lambda engine, run_id, folder: living.add(run_id))
    monkeypatch.setattr(TrainingEngine, "_is_alive", lambda engine, run_id: run_id in living)
    engine = TrainingEngine(tmp_path / "runs", limits_from({"EXPLORER_PUBLIC": "1"}))
    first, second = engine.begin_all([NewRun(small())] * 2, by=Visitor("a" * 64))
    assert living == {first}
    assert engine.status(second).place == 0


def test_a_waiting_run_is_deleted_with_its_place_and_one_that_was_stopped_waits_again(engines):
    engine = engines(most_at_once=0)
    first, second, third = engine.begin(small()), engine.begin(small()), engine.begin(small())
    engine.stop(first)
    left = engine.status(first)
    assert (left.state, left.can_resume, left.has_checkpoint) == ("stopped", True, False)
    engine.resume(first)
    assert [engine.status(run_id).place for run_id in (second, third, first)] == [0, 1, 2]
    engine.delete(second)
    assert {status.run_id: status.place for status in engine.statuses()} == {third: 0, first: 1}
    with pytest.raises(RunError, match="no such run"):
        engine.status(second)


def test_visitors_who_resume_at_once_wait_once(engines):
    engine, other = engines(most_at_once=0), engines(most_at_once=0)
    run_id, behind = engine.begin(small()), engine.begin(small())
    engine.stop(run_id)
    said: list[str] = []

    def visit(found: TrainingEngine) -> None:
        try:
            found.resume(run_id)
        except ExplorerError as error:
            said.append(str(error))

    threads = [threading.Thread(target=visit, args=(found,)) for found in (engine, other) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == []
    assert {status.run_id: status.place for status in other.statuses()} == {behind: 0, run_id: 1}
    engine.stop(run_id)
    assert other.status(run_id).state == "stopped", "it stood in the queue once"


@pytest.mark.proof
def test_make_stop_ends_everything_at_a_checkpoint_and_says_which(engine, monkeypatch, capsys):
    monkeypatch.setenv("EXPLORER_RUNS", str(engine.folder))
    first, second = engine.begin(endless(), title="First"), engine.begin(small(), title="Second")
    wait_for(engine, first, lambda status: status.updates > 3)
    engine.pause(first)
    assert stop.main() == 0
    said = capsys.readouterr().out
    stopped = engine.status(first)
    assert stopped.state == "stopped"
    assert f"{first} “First”: stopped after {stopped.updates:,} of 1,000,000 updates" in said
    assert f"{second} “Second”: removed from the queue" in said
    assert engine.status(second).state == "stopped"
    wait_until(lambda: stop.main() == 0 and "no training is running" in capsys.readouterr().out)


def test_a_training_that_cannot_be_reached_keeps_no_other_one_from_its_end(engines, monkeypatch, capsys):
    engine = engines(most_at_once=0)
    monkeypatch.setenv("EXPLORER_RUNS", str(engine.folder))
    monkeypatch.setattr(stop, "PATIENCE", 0.0)
    deaf, other = sorted((engine.begin(small(), title="Deaf"), engine.begin(small(), title="Other")))
    (engine.run_folder(deaf) / CONTROL_FILE).write_bytes(b"no data base" * 100)
    with training_lock(engine.run_folder(deaf)), training_lock(engine.run_folder(other)):
        asked, problems = engine.stop_all()
        assert asked == [other]
        assert list(problems) == [deaf]
        assert (engine.run_folder(other) / CONTROL_FILE).exists()
        assert stop.main() == 1
    said = capsys.readouterr().err
    assert f"{deaf} “{engine.status(deaf).title}”: {problems[deaf]}" in said
    assert f"{other} “{engine.status(other).title}”: still" in said


@pytest.mark.proof
def test_a_trainer_that_does_not_answer_is_shown_keeps_nobody_waiting_and_can_be_ended(engines):
    now = [0.0]
    engine = engines(watch=lambda: now[0])
    hung, waiting = engine.begin(endless()), engine.begin(endless())
    wait_for(engine, hung, lambda status: status.updates > 2)
    process = process_of(engine, hung)

    def looked_at_later() -> str:
        engine.status(hung)
        now[0] += SILENT_AFTER
        return engine.status(hung).state

    os.kill(process, signal.SIGSTOP)
    assert engine.status(hung).state == "training", "not at once"
    wait_until(lambda: looked_at_later() == "silent")
    assert engine.status(waiting).state == "waiting"
    engine.statuses()
    wait_for(engine, waiting, lambda status: status.updates > 2)
    with pytest.raises(RunError, match="stop it first"):
        engine.delete(hung)

    os.kill(process, signal.SIGCONT)
    wait_for(engine, hung, is_in("training"))
    os.kill(process, signal.SIGSTOP)
    wait_until(lambda: looked_at_later() == "silent")
    engine.stop(hung)
    assert wait_for(engine, hung, is_in("interrupted")).can_resume
    engine.resume(hung)
    wait_for(engine, hung, is_in("waiting", "training"))


@pytest.mark.proof
def test_a_run_whose_pairs_are_gone_fails_with_a_sentence(engines):
    engine = engines(most_at_once=0)
    pairs = parse_pairs("".join(f"a{n} b\tb a{n}\n" for n in range(40)).encode(), "pairs.tsv").pairs
    description, dataset, _ = plan_pairs(pairs, TrainConfig(steps=10, warmup_steps=1), {"d_model": 16})
    with pytest.raises(ConfigError, match="needs them"):
        engine.begin(description)
    assert engine.statuses() == []
    run_id = engine.begin(description, dataset)
    (engine.run_folder(run_id) / PAIRS_FILE).unlink()
    engine = engines(most_at_once=1)
    engine.statuses()
    failed = wait_for(engine, run_id, is_in("failed"))
    assert "pairs.tsv" in failed.reason
    assert failed.can_resume


def test_many_visitors_begin_at_once(engines):
    engine, other = (engines(most_at_once=0, most_waiting=5) for _ in range(2))
    begun, refused = [], []

    def visit(index: int) -> None:
        try:
            begun.append((engine, other)[index % 2].begin(small(), title=f"{index}"))
        except ExplorerError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=visit, args=(index,)) for index in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(begun), len(refused)) == (5, 7)
    assert all("waiting already" in sentence for sentence in refused)
    assert sorted(engine.status(run_id).place for run_id in begun) == [0, 1, 2, 3, 4]


def tickets(engine: TrainingEngine) -> int:
    folder = engine.folder / TICKET_FOLDER
    return len(list(folder.iterdir())) if folder.exists() else 0


def test_a_process_is_kept_for_each_of_those_that_are_begun_together_but_no_more_than_two(
    engines, tmp_path, monkeypatch
):
    kept: list[Spare] = []
    monkeypatch.setattr(Spare, "keep", lambda spare, order=None: kept.append(spare))
    public = TrainingEngine(tmp_path / "public", limits_from({"EXPLORER_PUBLIC": "1"}))
    for engine, together, count in ((engines(), 1, 1), (engines(), 2, 2), (engines(), 4, 2), (public, 4, 1)):
        kept.clear()
        engine.warm(together=together)
        assert len(set(kept)) == len(kept) == count


@pytest.mark.proof
def test_a_spare_is_given_up_when_nobody_asks(engines):
    engine = engines(spare_seconds=0.0)
    engine.warm()
    assert tickets(engine) == 1
    wait_until(lambda: tickets(engine) == 0)


@pytest.mark.proof
def test_a_spare_does_not_outlive_its_server(engine, tmp_path):
    program = f"""
from pathlib import Path
from explorer.server.limits import limits_from
from explorer.trainings.engine import NewRun, TrainingEngine
TrainingEngine(Path({str(engine.folder)!r})).warm()
"""
    said_by(program)
    (ticket,) = (engine.folder / TICKET_FOLDER).iterdir()
    wait_until(lambda: not is_locked(ticket))


def test_queue_moves_when_a_training_of_another_process_ends(engines, monkeypatch):
    monkeypatch.setattr(watch, "BETWEEN_LOOKS", 0.02)
    started: list[str] = []
    monkeypatch.setattr(TrainingEngine, "_start", lambda engine, run_id, folder: started.append(run_id))
    engine = engines()
    folder = engine.folder / "in-a-terminal"
    begin_run(folder, small(), None)
    with training_lock(folder):
        waiting = engine.begin(small())
        time.sleep(0.2)
        assert engine.status(waiting).state == "waiting"
        assert started == []
    # No page is open, and the process was not started by this server.
    wait_until(lambda: started == [waiting])


def test_queue_moves_after_a_restart_before_any_page_is_opened(engines, monkeypatch):
    monkeypatch.setattr(watch, "BETWEEN_LOOKS", 0.02)
    started: list[str] = []
    monkeypatch.setattr(TrainingEngine, "_start", lambda engine, run_id, folder: started.append(run_id))
    earlier = engines(most_at_once=0)
    waiting = earlier.begin(small())
    earlier.close()
    engines()
    wait_until(lambda: started == [waiting])


def test_each_start_end_and_failure_is_one_line_of_the_log(engines, monkeypatch, caplog):
    caplog.set_level(logging.INFO, "explorer.trainings")
    monkeypatch.setattr(watch, "BETWEEN_LOOKS", 0.02)
    engine = engines()

    def lines() -> list[tuple[str, str]]:
        found = [(record.levelname, record.getMessage()) for record in caplog.records]
        # Trainings of earlier tests may still be ending.
        return [line for line in found if "fails" in line[1] or "terminal" in line[1]]

    def fail(folder: Path, most: int | None = None) -> str:
        raise RunError("no process can be started")

    with monkeypatch.context() as broken:
        broken.setattr(engine._processes, "start", fail)
        failed = engine.begin(small(), title="One that fails")
    wait_until(lambda: len(lines()) == 1)
    assert lines() == [("WARNING", f"Training failed to start: {failed}: No process can be started.")]
    caplog.clear()
    # A process of a terminal: what ends without a word was interrupted.
    folder = engine.folder / "in-a-terminal"
    begin_run(folder, small(), None)
    with training_lock(folder):
        engine._watch.keep()
        wait_until(lambda: engine._living)
    wait_until(lines)
    assert lines() == [
        (
            "INFO",
            "Training ended: in-a-terminal “in-a-terminal”: stopped after 0 of 60 updates",
        )
    ]


@pytest.mark.proof
def test_a_training_is_logged_from_its_start_to_its_end(engine, caplog):
    caplog.set_level(logging.INFO, "explorer.trainings")
    run_id = engine.begin(small(), title="Mine")
    wait_for(engine, run_id, is_in("finished"))

    def lines() -> list[str]:
        # Trainings of earlier tests may still be ending.
        return [line for line in map(logging.LogRecord.getMessage, caplog.records) if f" {run_id} " in line]

    wait_until(lambda: len(lines()) == 2)
    assert lines() == [
        f"Training started: {run_id} “Mine”",
        f"Training ended: {run_id} “Mine”: finished after 60 of 60 updates",
    ]
