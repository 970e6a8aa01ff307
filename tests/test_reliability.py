"""docs/reliability.md claims nothing that no test tries."""

import ast
import re
from pathlib import Path

from tests.optional import unwrap
from tests.source_rules import parsed

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "reliability.md").read_text()
_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def tables() -> dict[str, list[list[str]]]:
    """The cells of each section's table, by the section's title."""
    _, *parts = _SECTION.split(TEXT)
    return {
        title: [
            [cell.strip() for cell in line.strip("|").split(" | ")]
            for line in section.splitlines()
            if line.startswith("|")
        ]
        for title, section in zip(parts[::2], parts[1::2], strict=True)
    }


def test_every_section_is_a_table_of_what_is_tried_its_outcome_and_the_test():
    found = tables()
    assert list(found) == ["Inputs", "Faults"]
    for title, (head, rule, *rows) in found.items():
        assert head == ["what is tried", "outcome", "test"], title
        assert set(rule[0]) == {"-", "|"}
        assert rows
        for row in rows:
            assert len(row) == 3, row
            assert row[0], row
            assert row[1], row
            assert _TEST.fullmatch(row[2]), row
        assert len({row[0] for row in rows}) == len(rows), title


def test_each_named_test_exists():
    named = [unwrap(_TEST.fullmatch(row[2])).groups() for table in tables().values() for row in table[2:]]
    assert len(named) >= 40
    for file, test in named:
        functions = {node.name for node in ast.walk(parsed(ROOT / file)) if isinstance(node, ast.FunctionDef)}
        assert test in functions, f"{file} has no {test}"
