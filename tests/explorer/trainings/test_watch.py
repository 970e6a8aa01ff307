"""The thread that looks after trainings."""

from __future__ import annotations

import threading
from itertools import count

from explorer.trainings import watch
from explorer.trainings.watch import Watch


def test_watch_looks_again_when_asked_during_a_look(monkeypatch):
    monkeypatch.setattr(watch, "BETWEEN_LOOKS", 0.0)
    looks = count()
    done = threading.Event()

    def look() -> bool:
        if next(looks):
            done.set()
        else:
            # The training begins after this look has passed its folder.
            kept.keep()
        return False

    kept = Watch(look)
    kept.keep()
    assert done.wait(60)


def test_watch_ends_when_nothing_is_left_and_begins_again_when_asked(monkeypatch):
    monkeypatch.setattr(watch, "BETWEEN_LOOKS", 0.0)
    threads = []
    done = threading.Event()

    def look() -> bool:
        threads.append(threading.current_thread())
        done.set()
        return False

    kept = Watch(look)
    kept.keep()
    assert done.wait(60)
    threads[0].join(60)
    done.clear()
    kept.keep()
    assert done.wait(60)
    assert threads[0] is not threads[1]
