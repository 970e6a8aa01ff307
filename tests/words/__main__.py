"""`python -m tests.words` lists every visible sentence; with `--check` it prints those that break a rule instead."""

import sys

from tests.words.rules import faults
from tests.words.texts import sentences


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        found = faults()
        for fault in found:
            print(f"{fault.where}: {fault.rule.says}: {fault.text}")
        return 1 if found else 0
    file = ""
    for each in sentences():
        if each.file != file:
            file = each.file
            print(f"\n## {file}")
        print(f"{each.line}: {each.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
