"""Plants each fault in a copy of the project and runs the tests that must see it: ``python -m tests.mutants``."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.copied import ROOT, copy_project
from tests.mutants.faults import FAULTS, Fault
from tests.mutants.runner import COPIED, Verdict, run_tests, verdict

NAME_WIDTH = max(len(fault.name) for fault in FAULTS)


def outdated(faults: tuple[Fault, ...]) -> list[str]:
    """A sentence for each fault whose place in the source is gone."""
    sentences = []
    for fault in faults:
        try:
            fault.planted(ROOT)
        except ValueError as error:
            sentences.append(str(error))
    return sentences


def red_before(copy: Path) -> str:
    """Why the copy without a fault is not green; empty when it is."""
    result = run_tests(copy, sorted({test for fault in FAULTS for test in fault.tests}))
    if result.green:
        return ""
    return f"nothing is planted yet, but the tests are not green: {', '.join(result.red) or result.last_line}"


def show(fault: str, outcome: str) -> None:
    """One line of the table, at once: the next takes seconds."""
    print(f"{fault:<{NAME_WIDTH}} | {outcome}", flush=True)


def main() -> int:
    """Print the table; 0 when every named test saw its fault."""
    problems = outdated(FAULTS)
    with TemporaryDirectory(prefix="mutants-") as folder:
        copy = copy_project(Path(folder), COPIED)
        if not problems and (reason := red_before(copy)):
            problems.append(reason)
        if problems:
            print(*problems, sep="\n", file=sys.stderr)
            return 1
        show("fault", "caught by")
        verdicts: list[Verdict] = []
        for fault in FAULTS:
            verdicts.append(verdict(fault, copy))
            show(fault.name, verdicts[-1].sentence)
    caught = sum(each.caught for each in verdicts)
    print(f"{caught} of {len(FAULTS)} faults caught")
    return 0 if caught == len(FAULTS) else 1


if __name__ == "__main__":
    sys.exit(main())
