"""The list of faults fits the sources and the tests that are there, so that `make mutants` cannot rot."""

import ast
from dataclasses import replace

import pytest

from tests.copied import ROOT
from tests.mutants import runner
from tests.mutants.faults import FAULTS
from tests.mutants.runner import Outcome, Verdict


def names(fault):
    return fault.name


@pytest.mark.parametrize("fault", FAULTS, ids=names)
def test_a_fault_changes_one_place_and_leaves_valid_python(fault):
    source = (ROOT / fault.file).read_text(encoding="utf-8")
    planted = fault.planted(ROOT)
    assert planted != source
    ast.parse(planted)


@pytest.mark.parametrize("fault", FAULTS, ids=names)
def test_the_tests_that_must_turn_red_exist(fault):
    assert fault.tests
    for test in fault.tests:
        file, _, function = test.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


def test_there_are_twelve_different_faults():
    assert (
        len({fault.name for fault in FAULTS}) == len({(f.file, f.wrong) for f in FAULTS}) == len(FAULTS) == 12
    )


@pytest.mark.parametrize(
    ("right", "file"), [("no such text", FAULTS[0].file), ("self", FAULTS[0].file), ("x", "core/gone.py")]
)
def test_a_text_that_is_not_there_exactly_once_is_refused_with_a_sentence(right, file):
    with pytest.raises(ValueError, match=r"occurs \d+ times in core/.* and not once; bring .* up to date"):
        replace(FAULTS[0], right=right, file=file).planted(ROOT)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (Outcome(False, ("t.py::a", "t.py::b"), ""), Verdict(True, "a, b")),
        (Outcome(False, ("t.py::a",), ""), Verdict(False, "SURVIVED: b stayed green")),
        (Outcome(True, (), ""), Verdict(False, "SURVIVED: a, b stayed green")),
        (Outcome(False, (), "1 error in 0.1s"), Verdict(False, "NOT TESTED: 1 error in 0.1s")),
    ],
)
def test_a_fault_is_caught_only_when_each_named_test_failed(run, expected, tmp_path, monkeypatch):
    fault = replace(FAULTS[0], file="model.py", right="right", wrong="wrong", tests=("t.py::a", "t.py::b"))
    (tmp_path / "model.py").write_text("right")
    seen = []

    def run_tests(root, tests):
        seen.append((root / "model.py").read_text())
        return run

    monkeypatch.setattr(runner, "run_tests", run_tests)
    assert runner.verdict(fault, tmp_path) == expected
    assert seen == ["wrong"]
    assert (tmp_path / "model.py").read_text() == "right"


@pytest.mark.proof
def test_failed_tests_are_read_from_pytests_own_words(tmp_path):
    (tmp_path / "test_sample.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('word', ['a b', 'c'])\n"
        "def test_red(word): assert False\n"
        "def test_green(): pass\n"
    )
    result = runner.run_tests(tmp_path, ("test_sample.py",))
    assert (result.green, result.red) == (False, ("test_sample.py::test_red",))
    missing = runner.run_tests(tmp_path, ("test_sample.py::test_gone",))
    assert (missing.green, missing.red) == (False, ())
