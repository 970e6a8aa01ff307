"""Where a number comes from that is only passed on: under another name, as the mask lets it through, from a table."""

from core.activations.trace import Trace
from core.explanation.explanation import IDS
from core.model.parameters import find_parameter
from core.run import Run

Place = tuple[str, tuple[int, ...]]
"""A site or a parameter, and the index of a number in it."""


def origin(run: Run, trace: Trace, site: str, index: tuple[int, ...]) -> Place:
    """The cell on the way back where the number is computed or learned; what stands between says nothing of it.

    Args:
        run: Whose model made the trace.
        trace: With every site recorded.
        site: Of the number, as `explain` knows it.
        index: Of the number, counted from 0.
    """
    while (before := _passed_on(run, trace, site, index)) is not None:
        site, index = before
    return site, index


def _passed_on(run: Run, trace: Trace, name: str, index: tuple[int, ...]) -> Place | None:
    """The cell that this one is a copy of; None where it is none."""
    if name in IDS or name not in trace.activations:
        return None
    site = trace.activations.site(name)
    match site.operation:
        case "copy":
            return site.inputs[0], index
        case "add" if len(site.inputs) == 1:
            return site.inputs[0], index
        case "apply_mask":
            scores, mask = site.inputs
            batch, _, query, key = index
            return (scores, index) if trace.activations[mask][batch, query, key] else None
        case "position":
            table = f"{site.path}.positional.weight"
            return None if find_parameter(run.model, table) is None else (table, index[1:])
    return None
