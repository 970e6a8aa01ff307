"""The file of what was measured: read as it was written, refused when damaged."""

import re
from dataclasses import replace

import pytest
import torch

from core.device import describe_machine
from core.errors import RunError
from core.experiments import EXPERIMENTS, measure
from core.experiments.measured import ArmMeasured, figures_by_arm, read_measured, write_measured

ARM = ArmMeasured(
    settings="0123456789abcdef",
    machine="a processor, torch 2, 1 thread",
    seeds=(0, 1),
    parameters=100,
    updates=20,
    cpu_seconds=(1.5, 2.0),
    figures={"loss": (0.1, 0.2), "exact_match": (1.0, 0.0)},
)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "measured.json"
    write_measured({"one": {"control": ARM}}, path)
    assert read_measured(path) == {"one": {"control": ARM}}
    assert figures_by_arm({"control": ARM}) == {
        "control.loss": (0.1, 0.2),
        "control.exact_match": (1.0, 0.0),
    }


@pytest.mark.parametrize(
    "damage", ["", "[]", "{}", '{"experiments": 3}', '{"experiments": {"a": {"b": {}}}}']
)
def test_a_damaged_file_is_refused_with_what_to_do(tmp_path, damage):
    path = tmp_path / "measured.json"
    path.write_text(damage)
    with pytest.raises(RunError, match=r"run python -m core\.experiments\.measure"):
        read_measured(path)
    with pytest.raises(RunError, match="cannot be read"):
        read_measured(tmp_path / "none.json")


def tiny():
    """The copying experiment with models and trainings of next to nothing."""
    experiment = EXPERIMENTS["copy-without-positions"]
    training = replace(
        experiment.training, steps=6, warmup_steps=1, batch_size=4, n_train=50, n_validation=4, n_test=8,
        validate_every=6,
    )  # fmt: skip
    return replace(
        experiment, training=training, model={**experiment.model, "d_model": 8, "n_heads": 2, "d_ff": 8}
    )


@pytest.mark.proof
def test_an_arm_is_trained_with_every_seed_and_comes_out_the_same_again():
    experiment = tiny()
    found = measure.measure_arm(experiment, experiment.arms[1], (0, 1))
    assert (found.seeds, found.updates) == ((0, 1), 6)
    assert found.machine == describe_machine()
    assert torch.__version__ in found.machine
    assert list(found.figures) == list(experiment.figures)
    assert found.figures["loss"][0] != found.figures["loss"][1]
    _, again = measure.measure_seed(experiment, experiment.arms[1], 1)
    assert again["loss"] == pytest.approx(found.figures["loss"][1], abs=1e-5)


def test_only_what_is_named_is_measured_again(tmp_path, monkeypatch, capsys):
    path = tmp_path / "measured.json"
    write_measured({"longer-words": {"control": ARM}}, path)
    monkeypatch.setattr(measure, "MEASURED_FILE", path)
    monkeypatch.setattr(measure, "read_measured", lambda: read_measured(path))
    monkeypatch.setattr(measure, "write_measured", lambda measured: write_measured(measured, path))
    monkeypatch.setattr(measure, "measure_arm", lambda experiment, arm, seeds: ARM)
    monkeypatch.setattr("sys.argv", ["measure", "copy-without-positions"])
    measure.main()
    assert read_measured(path) == {
        "longer-words": {"control": ARM},
        "copy-without-positions": {"control": ARM, "none": ARM},
    }
    monkeypatch.setattr("sys.argv", ["measure", "nonsense"])
    with pytest.raises(SystemExit):
        measure.main()
    assert "choose from copy-without-positions" in capsys.readouterr().err


@pytest.mark.parametrize("seeds", ["0", "-1"])
def test_nothing_is_measured_with_no_seed(seeds, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["measure", "--seeds", seeds])
    monkeypatch.setattr(measure, "write_measured", lambda measured: pytest.fail("it was written"))
    with pytest.raises(SystemExit):
        measure.main()
    assert f"--seeds must be at least 1, not {seeds}" in capsys.readouterr().err


def test_all_committed_figures_come_from_one_named_machine():
    machines = {arm.machine for arms in read_measured().values() for arm in arms.values()}
    assert len(machines) == 1
    assert re.fullmatch(r".{3,}, torch \d+\.\d+\S*, 1 thread", machines.pop())
