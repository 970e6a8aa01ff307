"""Real processes that are killed, stopped, starved of disk and run side by side."""

import itertools
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from pathlib import Path

import pytest

from core import train
from core.data.tasks import get_task
from core.run import load_run
from core.run_description import read_description
from core.training import reporting
from core.training.checkpoint_files import checkpoints
from core.training.run_store import RunStore
from tests.conftest import TRAINING_PATIENCE
from tests.core.training.test_session import figures, same_files
from tests.marks import proofs

ROOT = Path(__file__).parents[3]
SMALL = [
    "--task", "copy", "--d-model", "16", "--n-heads", "2", "--d-ff", "32", "--layers", "1", "--batch-size", "8",
    "--steps", "120", "--warmup-steps", "12", "--dropout", "0.1", "--n-train", "300", "--n-validation", "20",
    "--n-test", "20", "--validate-every", "27", "--checkpoint-every", "15", "--quiet",
]  # fmt: skip


class Training:
    """The command in a child of this process, which has imported torch already."""

    def __init__(
        self, *arguments: object, most_bytes: int | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start it.

        Args:
            arguments: Arguments of the command line.
            most_bytes: Size of the largest file that it can write, as on a full disk.
            environment: Variables of its environment, besides those of this process.
        """
        options = [str(each) for each in arguments]
        (option,) = {"--out", "--resume"} & set(options)
        self.folder = Path(options[options.index(option) + 1])
        said, name = tempfile.mkstemp()
        self._said = Path(name)
        self._code: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                os.dup2(said, 2)
                sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                if most_bytes is not None:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
                os.environ.update(environment or {})
                code = train.main(options)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(said)

    def poll(self) -> int | None:
        """Return its exit code, minus a signal that ended it; None while it runs."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait_for_checkpoint(self, updates: int) -> None:
        until = time.monotonic() + TRAINING_PATIENCE
        while newest(self.folder) < updates:
            assert self.poll() is None, self.finish()
            assert time.monotonic() < until, "no checkpoint appeared"
            time.sleep(0.002)

    def finish(self) -> tuple[int, str]:
        """Return its exit code, and what it said but validations; it is waited for as long as checkpoints come."""
        made, until = newest(self.folder), time.monotonic() + TRAINING_PATIENCE
        while (code := self.poll()) is None:
            if made != (made := newest(self.folder)):
                until = time.monotonic() + TRAINING_PATIENCE
            assert time.monotonic() < until, "it makes no updates any more"
            time.sleep(0.01)
        said = self._said.read_text(encoding="utf-8").splitlines(keepends=True)
        self._said.unlink()
        return code, "".join(line for line in said if not VALIDATION.match(line))


VALIDATION = re.compile(r"after [\d,]+ updates: ")


def newest(folder: Path) -> int:
    """Return the number of updates of the newest checkpoint; -1 if there is none."""
    return max((int(path.stem) for path in checkpoints(folder)), default=-1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert Training(*SMALL, "--out", folder).finish() == (0, "")
    return folder


@pytest.mark.proof
def test_kills_at_any_moment_change_nothing(whole, tmp_path):
    folder = tmp_path / "run"
    moments = random.Random()
    process = Training(*SMALL, "--out", folder)
    for _ in range(2):
        process.wait_for_checkpoint(newest(folder) + moments.randint(1, 24))
        process.kill()
        assert process.finish()[0] == -signal.SIGKILL
        store = RunStore.read(folder)
        assert store.fact("state") == "training"
        store.close()
        if newest(folder) >= 84:
            break
        process = Training("--resume", folder, "--quiet")
    else:
        process.kill()
        process.finish()
    assert Training("--resume", folder, "--quiet").finish() == (0, "")
    assert figures(folder) == figures(whole)
    assert same_files(folder, whole)


@pytest.mark.proof
@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are made by fork")
@pytest.mark.parametrize("seed", [0, *proofs((1,), (2,), (3,))])
def test_death_at_any_write_or_validation_changes_nothing(seed, undisturbed, tmp_path):
    pairs, whole = undisturbed
    folder = tmp_path / "run"
    moments = random.Random(seed)
    deaths = [moments.randint(10, 220), *(moments.randint(2, 130) for _ in range(2))]
    code = in_a_child(["--pairs", str(pairs), "--out", str(folder), *OWN], dies_at=deaths[0])
    for death in deaths[1:]:
        if code == DEAD:
            code = in_a_child(["--resume", str(folder), "--quiet"], dies_at=death)
    if code == DEAD:
        code = in_a_child(["--resume", str(folder), "--quiet"])
    assert code == 0, deaths
    assert figures(folder) == figures(whole), deaths
    assert same_files(folder, whole), deaths
    assert list(folder.rglob("*.part")) == []


OWN = [
    "--d-model", "16", "--n-heads", "2", "--d-ff", "32", "--layers", "1", "--batch-size", "16", "--bucket-batches",
    "3", "--steps", "47", "--warmup-steps", "3", "--dropout", "0.2", "--attention-dropout", "0.1",
    "--validate-every", "7", "--checkpoint-every", "5", "--quiet",
]  # fmt: skip
DEAD = 9


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> tuple[Path, Path]:
    """Own pairs of unequal lengths, and a run of several epochs that learnt them in peace."""
    folder = tmp_path_factory.mktemp("own")
    verbs = ("runs", "sits", "eats well", "is very big today")
    lines = [
        f"{a} n{n} {v}\t{v} n{n} {a}" for a in ("the", "a", "this one") for n in range(12) for v in verbs
    ]
    pairs = folder / "mine.tsv"
    pairs.write_text("\n".join(lines), encoding="utf-8")
    assert in_a_child(["--pairs", str(pairs), "--out", str(folder / "run"), *OWN]) == 0
    return pairs, folder / "run"


def in_a_child(arguments: list[str], dies_at: int | None = None) -> int:
    """Exit code of the command in a forked child, which dies at the n-th write, rename, commit or validation."""
    child = os.fork()
    if child == 0:
        counted = itertools.count(1)

        def mortal(function):
            def call(*given, **named):
                for moment in ("before", "after"):
                    if next(counted) == dies_at:
                        os._exit(DEAD)
                    if moment == "before":
                        result = function(*given, **named)
                return result

            return call

        for owner, name in ((os, "fsync"), (Path, "replace"), (RunStore, "commit"), (reporting, "evaluate")):
            setattr(owner, name, mortal(getattr(owner, name)))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os._exit(train.main(arguments))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.proof
def test_signals_end_it_at_checkpoints(whole, tmp_path):
    folder = tmp_path / "run"
    process = Training(*SMALL, "--out", folder)
    for number in (signal.SIGTERM, signal.SIGINT):
        process.wait_for_checkpoint(newest(folder) + 15)
        process.send_signal(number)
        code, errors = process.finish()
        description = read_description(folder)
        assert code == 128 + number
        assert f"stopped at a checkpoint after {description.updates} of 120 updates" in errors
        assert f"--resume {folder}" in errors
        assert "Traceback" not in errors
        assert newest(folder) == description.updates
        assert load_run(folder).updates == description.updates
        process = Training("--resume", folder, "--quiet")
    assert process.finish() == (0, "")
    assert figures(folder) == figures(whole)
    assert same_files(folder, whole)


@pytest.mark.proof
def test_a_full_disk_ends_it_with_a_sentence_and_nothing_is_lost(whole, tmp_path):
    folder = tmp_path / "run"
    checkpoint_bytes = checkpoints(whole)[0].stat().st_size
    assert (whole / "model.safetensors").stat().st_size < 0.6 * checkpoint_bytes

    # Let it make a checkpoint first, which the full disk must then leave alone.
    process = Training(*SMALL, "--out", folder)
    process.wait_for_checkpoint(15)
    process.send_signal(signal.SIGTERM)
    process.finish()
    before = {path: path.read_bytes() for path in checkpoints(folder)}
    code, errors = Training("--resume", folder, "--quiet", most_bytes=int(0.7 * checkpoint_bytes)).finish()
    assert code == 2
    assert errors.count("\n") == 1
    assert "cannot be" in errors
    assert {path: path.read_bytes() for path in checkpoints(folder)} == before
    assert list(folder.rglob("*.part")) == []
    assert Training("--resume", folder, "--quiet").finish() == (0, "")
    assert figures(folder) == figures(whole)


@pytest.mark.proof
def test_two_trainings_do_not_share_a_folder(tmp_path):
    folder = tmp_path / "run"
    first = Training(*SMALL, "--out", folder)
    first.wait_for_checkpoint(15)
    # Held, so that it cannot end before the other one has looked.
    first.send_signal(signal.SIGSTOP)
    code, errors = Training("--resume", folder, "--quiet").finish()
    first.send_signal(signal.SIGCONT)
    assert (code, errors.count("\n")) == (2, 1)
    assert "another process" in errors
    assert first.finish() == (0, "")


@pytest.mark.proof
def test_a_complete_run_is_not_trained_again(whole):
    before = {path: path.read_bytes() for path in whole.rglob("*.safetensors")}
    code, errors = Training("--resume", whole).finish()
    assert (code, errors.strip()) == (0, "this run is complete; there is nothing to resume")
    assert {path: path.read_bytes() for path in whole.rglob("*.safetensors")} == before


# Rows of unequal lengths, gradients that are clipped, nothing dropped out; 13 rows leave one over, and the last batch
# of an epoch has a single row, so that the second process has none.
SHARED = [
    "--task", "copy", "--d-model", "16", "--n-heads", "2", "--d-ff", "32", "--layers", "1", "--dropout", "0",
    "--batch-size", "13", "--n-train", "53", "--n-validation", "10", "--n-test", "10", "--steps", "24",
    "--warmup-steps", "4", "--clip-norm", "0.5", "--peak-learning-rate", "0.002", "--validate-every", "12",
    "--checkpoint-every", "10", "--quiet",
]  # fmt: skip


def together(*arguments: object) -> list[tuple[int, str]]:
    """Return what becomes of the command in two processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    both = [
        Training(*arguments, environment={**variables, "RANK": rank, "LOCAL_RANK": rank}) for rank in "01"
    ]
    return [each.finish() for each in both]


@pytest.mark.proof
def test_processes_together_learn_what_one_learns_alone(tmp_path):
    assert in_a_child([*SHARED, "--out", str(tmp_path / "one")]) == 0
    # Dies after its first checkpoint beyond the beginning, and goes on in two processes.
    assert in_a_child([*SHARED, "--out", str(tmp_path / "resumed")], dies_at=60) == DEAD
    assert 10 <= newest(tmp_path / "resumed") < 24
    results = [
        together(*SHARED, "--out", tmp_path / "two"),
        together("--resume", tmp_path / "resumed", "--quiet"),
    ]
    one = figures(tmp_path / "one")
    assert max(step.grad_norm for step in one["steps"]) > 0.5
    for name, ended in zip(("two", "resumed"), results, strict=True):
        assert [code for code, _ in ended] == [0, 0], ended
        steps = figures(tmp_path / name)["steps"]
        assert len(one["steps"]) == len(steps) == 24
        for alone, shared in zip(one["steps"], steps, strict=True):
            assert shared.loss == pytest.approx(alone.loss, rel=2e-5)
            assert shared.grad_norm == pytest.approx(alone.grad_norm, rel=2e-4)
        weights = load_run(tmp_path / "one").model.state_dict()
        for part, value in load_run(tmp_path / name).model.state_dict().items():
            # A key's bias adds the same to all scores of a query: its gradient is 0, of which Adam sees the rounding.
            if not part.endswith("in_proj.bias"):
                assert (value - weights[part]).abs().max() < 2e-4, part
    assert "now 2" in results[1][0][1]


@pytest.mark.proof
def test_when_one_of_the_processes_cannot_begin_both_say_so(whole):
    result = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "-m", "core.train",
         *SHARED, "--out", str(whole)],
        cwd=ROOT, capture_output=True, text=True, timeout=TRAINING_PATIENCE, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert result.returncode != 0
    assert "holds a run already" in result.stderr
    assert "another process of this training cannot go on" in result.stderr
    assert "core/train.py" not in result.stderr  # no stack trace of ours


def test_the_task_of_these_tests_has_rows_of_unequal_lengths():
    splits = get_task("copy")
    assert len({len(splits.sample(random.Random(seed)).source) for seed in range(20)}) > 3
