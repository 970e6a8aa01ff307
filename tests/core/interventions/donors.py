"""Sentences by name, each with a target, of which the tests of interventions take values."""

import torch

from core.activations.record import edit
from core.activations.trace import Trace, trace
from core.interventions.changes import Changes, bind
from tests.core.conftest import EOS

SOURCES = {
    "own": torch.tensor([5, 9, 13, 4, 7, EOS]),
    "donor": torch.tensor([6, 9, 11, 18, 3, EOS]),
    "short": torch.tensor([6, 9, EOS]),
}
TARGETS = {
    "own": torch.tensor([8, 4, 17, 12, EOS]),
    "donor": torch.tensor([10, 16, 3, 5, EOS]),
    "short": torch.tensor([10, EOS]),
}


def traces_of(model):
    """Where a model's interventions have their donors from."""
    return lambda name, sites: trace(model, SOURCES[name], TARGETS[name], *sites)


def bound(model, *interventions) -> Changes:
    """Interventions made ready, with the sentences above as donors."""
    return bind(model, interventions, traces_of(model))


def traced(model, *interventions, name: str = "own") -> Trace:
    """The trace of a sentence under interventions."""
    changes = bound(model, *interventions)
    changes.check(len(SOURCES[name]), len(TARGETS[name]))
    with edit(model, changes.edits):
        return trace(model, SOURCES[name], TARGETS[name])


def changeable(model) -> list[str]:
    """Every site whose numbers can be changed."""
    return [site.name for site in model.sites() if site.editable and site.operation != "mask"]
