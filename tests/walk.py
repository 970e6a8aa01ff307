"""The walk of a call through the house: which rooms it enters, and where it climbs back up the stairs.

`python -m tests.walk` walks with the click on a cell: what the browser reports, until the panel has its message.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from configparser import ConfigParser
from dataclasses import dataclass
from types import CodeType, FrameType

from tests.house import ROOT, room_of

SENTENCE = "the small cats do not sleep"


@dataclass(frozen=True)
class Walk:
    """A call on its way.

    Attributes:
        modules: Of the product in the order in which it enters them first.
        climbs: Calls from a module to one on a higher floor, each once.
    """

    modules: tuple[str, ...]
    climbs: tuple[tuple[str, str], ...]

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms of its modules, in their order."""
        return tuple(dict.fromkeys(map(room_of, self.modules)))


def floors() -> dict[str, int]:
    """The rooms that `.importlinter` has as floors, 0 the lowest."""
    contracts = ConfigParser()
    contracts.read(ROOT / ".importlinter")
    written = contracts["importlinter:contract:floors"]["layers"].split("\n")
    lines = [line for line in map(str.strip, written) if line]
    return {room.strip(): height for height, line in enumerate(reversed(lines)) for room in line.split("|")}


def walk_of(call: Callable[[], object]) -> Walk:
    """Make a call and follow it."""
    heights, modules, climbs = floors(), {}, {}
    names: dict[CodeType, str] = {}

    def name_of(frame: FrameType) -> str:
        """The module of the product that a frame runs; empty for all other code, made-up methods included."""
        code = frame.f_code
        if code not in names:
            inside = any(code.co_filename.startswith(f"{ROOT / part}/") for part in ("core", "explorer"))
            names[code] = frame.f_globals["__name__"] if inside else ""
        return names[code]

    def height(module: str) -> int:
        while module not in heights:
            module = module.rpartition(".")[0]
        return heights[module]

    def follow(frame: FrameType, event: str, arg: object) -> None:
        if event != "call" or not (here := name_of(frame)):
            return
        modules[here] = None
        before = frame.f_back
        while before is not None and not name_of(before):
            before = before.f_back
        if before is not None and height(here) > height(name_of(before)):
            climbs[name_of(before), here] = None

    was = sys.getprofile()
    sys.setprofile(follow)
    try:
        call()
    finally:
        sys.setprofile(was)
    return Walk(tuple(modules), tuple(climbs))


def clicked_cell() -> Callable[[], object]:
    """A click on a score of the cross-attention, of a model that is loaded and recorded already."""
    from explorer.app import REGISTRY
    from explorer.browser.explain_panel import pack
    from explorer.browser.tensors import ASK
    from explorer.explaining.explained import shown_explanation
    from explorer.models.decodings import recorded_of
    from explorer.models.known import loaded_run
    from explorer.visitor.state import ExplorerState, explain_cell

    state = ExplorerState(run="en-fr", sentence=SENTENCE)
    data = REGISTRY["cross-attention"].load().stages(recorded_of(loaded_run("en-fr"), SENTENCE), state)
    raw = {"key": data.key, "tensor": "scores", "index": [2, 4, 5], "layer": 1, "report": 1}

    def click() -> object:
        asked = ASK.parse(raw, data)
        shown = shown_explanation(explain_cell(state, asked.cell), REGISTRY)
        assert shown.numbers, "the click leads to an explanation"
        return pack(shown)

    click()
    return click


if __name__ == "__main__":
    walk = walk_of(clicked_cell())
    print(f"rooms of a clicked cell: {len(walk.rooms)}", *walk.rooms, sep="\n  ")
    print(f"modules: {len(walk.modules)}")
    print(f"calls back up: {len(walk.climbs)}", *map(" to ".join, walk.climbs), sep="\n  ")
