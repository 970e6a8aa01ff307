"""Updates that are made again in the process of the tests, which a server leaves to a process of its own."""

import pytest

from core.training.replay import Order, replay


def make_updates_here(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let no process be started for an update; how many batches each order has brought so far is in the list."""
    brought: list[int] = []

    def make(folder, checkpoint, update, batches=(), on_progress=None, *, most_parameters=None):
        brought.append(len(batches))
        return replay(Order(str(folder), checkpoint, update, most_parameters=most_parameters))

    monkeypatch.setattr("explorer.views.update.cached.make_update_again", make)
    return brought
