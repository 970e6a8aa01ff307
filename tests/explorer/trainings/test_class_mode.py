"""The engine in class mode: it enforces size, turns, ownership and the token itself, and clears away what is old."""

import json
import os
import re
import signal
import time

import pytest

from core.data.pairs import Cutting, parse_pairs
from core.errors import RunError
from core.training.expected_time import PartTimes
from core.training.new_run import begin_run
from core.training.plan import dataset_of
from core.training.session import train_run
from explorer.server.limits import OPEN, Limits
from explorer.trainings.archive import pack
from explorer.trainings.engine import NewRun
from explorer.trainings.expiry import Ended, expired, giving_way
from explorer.trainings.pulses import SILENT_AFTER
from explorer.trainings.room import needed_bytes
from explorer.trainings.rules import NOBODY, Rules, Visitor
from explorer.trainings.run_folders import NOTE_FILE
from explorer.trainings.status import RunStatus
from explorer.views.training.own_pairs import (
    NamedText,
    PairsRequest,
    UploadedPairs,
    prepare_own_pairs,
    read_uploaded,
)
from tests.explorer.trainings.conftest import endless, is_in, process_of, small, wait_for, wait_until

ANNA, BEN = Visitor("a" * 64), Visitor("b" * 64)
ADMIN = Visitor("c" * 64, is_admin=True)
CLASS = {"is_public": True, "most_at_once": 0}
"""Nothing starts: who may do what shows without a process."""
DAY = 86_400


@pytest.fixture
def public(engines):
    return engines(**CLASS, most_of_a_visitor=2)


def refused(act, *arguments, sentence: str, by=NOBODY) -> None:
    with pytest.raises(RunError, match=sentence):
        act(*arguments, by=by)


def test_only_who_began_a_run_and_the_admin_steer_it(public):
    run_id = public.begin(small(), by=ANNA)
    for stranger in (NOBODY, BEN, Visitor("A" * 64), Visitor(public._folders.note(run_id).owner)):
        assert not public.may_steer(run_id, stranger)
        for act in (public.pause, public.go_on, public.step, public.stop, public.resume):
            refused(act, run_id, by=stranger, sentence="Only the browser that began this training")
    assert public.status(run_id).state == "waiting"
    public.stop(run_id, by=ANNA)
    assert public.status(run_id).state == "stopped"
    public.resume(run_id, by=ANNA)
    public.stop(run_id, by=ADMIN)
    assert public.status(run_id).state == "stopped"
    assert public.may_steer(run_id, ADMIN)


def test_a_run_of_nobody_is_the_admins(public, engines):
    run_id = engines(most_at_once=0).begin(small())
    refused(public.stop, run_id, by=ANNA, sentence="Only the browser")
    public.stop(run_id, by=ADMIN)
    assert public.stop_all() == ([], {})


def test_only_the_admin_renames_deletes_and_adds(public):
    run_id = public.begin(small(), title="before", by=ANNA)
    public.stop(run_id, by=ANNA)
    for who in (NOBODY, ANNA, BEN):
        assert not public.may_manage(who)
        refused(public.rename, run_id, "after", by=who, sentence="renamed with the admin token alone")
        refused(public.delete, run_id, by=who, sentence="deleted with the admin token alone")
        refused(public.add, b"PK", by=who, sentence="added with the admin token alone")
    assert public.status(run_id).title == "before"
    refused(public.add, b"x" * 100, by=ADMIN, sentence="not a zip file")
    public.rename(run_id, "after", by=ADMIN)
    assert public.status(run_id).title == "after"
    public.delete(run_id, by=ADMIN)
    assert public.statuses() == []


def test_what_the_admin_uploads_is_bounded(engines):
    engine = engines(**CLASS, most_upload=2**20)
    refused(engine.add, b"x" * (2**20 + 1), by=ADMIN, sentence="larger than 1 MiB")


def test_the_secret_is_not_written_down_and_a_renamed_run_keeps_its_owner(public):
    run_id = public.begin(small(), by=ANNA)
    public.rename(run_id, "after", by=ADMIN)
    assert public.may_steer(run_id, ANNA)
    assert json.loads((public.run_folder(run_id) / NOTE_FILE).read_text())["owner"] == ANNA.mark
    for path in public.run_folder(run_id).rglob("*"):
        assert path.is_dir() or ANNA.key.encode() not in path.read_bytes(), path
    assert ANNA.key not in repr(ANNA)


@pytest.mark.parametrize("owner", ["", "x" * 64, "0" * 63, 7, None, [], ANNA.key])
def test_a_damaged_note_gives_nobody_a_run(public, owner):
    run_id = public.begin(small(), by=ANNA)
    note = public.run_folder(run_id) / NOTE_FILE
    note.write_text(json.dumps({**json.loads(note.read_text()), "owner": owner}))
    assert not any(public.may_steer(run_id, who) for who in (NOBODY, ANNA, BEN))


def test_a_visitor_has_so_many_runs_at_once_and_another_one_has_as_many(public):
    first = public.begin(small(), by=ANNA)
    public.begin(small(), by=ANNA)
    refused(public.begin, small(), by=ANNA, sentence="2 runs of yours train or wait, which is the most")
    assert len(public.statuses()) == 2
    public.begin(small(), by=BEN)
    public.stop(first, by=ANNA)
    third = public.begin(small(), by=ANNA)
    refused(public.resume, first, by=ANNA, sentence="2 runs of yours")
    assert public.status(third).state == "waiting"


def test_who_is_not_known_begins_nothing(public):
    refused(public.begin, small(), sentence="Your browser has not named itself yet")


def test_the_queue_is_bounded_for_all_together(engines):
    engine = engines(**CLASS, most_waiting=2)
    for visitor in (ANNA, BEN):
        engine.begin(small(), by=visitor)
    refused(engine.begin, small(), by=ADMIN, sentence="2 runs are waiting already, which is the most")


@pytest.mark.parametrize(
    ("limit", "change", "sentence"),
    [
        ({"most_updates": 10}, {"steps": 11}, "11 updates; this server takes 10: choose fewer updates"),
        ({"most_batch": 7}, {}, "8 pairs in a batch; this server takes 7: choose a smaller batch"),
        ({"most_pairs": 199}, {}, "200 training pairs; this server takes 199: choose fewer pairs"),
        (
            {"most_parameters": 1000},
            {},
            r"[\d,]+ parameters; this server takes 1,000: choose a smaller model",
        ),
        (
            {"most_tokens": 11},
            {},
            "12 tokens in its longest source; this server takes 11: choose shorter texts",
        ),
    ],
)
def test_a_training_that_is_too_large_is_refused_by_the_engine(engines, limit, change, sentence):
    engine = engines(**CLASS, **limit)
    for who in (ANNA, ADMIN):
        refused(engine.begin, small(**change), by=who, sentence=sentence)
    assert engine.statuses() == []
    engines(most_at_once=0, **limit).begin(small(**change))  # Not in class mode.


def test_own_pairs_are_as_many_and_as_long_as_the_server_takes():
    limits = Limits(is_public=True, most_pairs=20, most_tokens=30)
    text = "".join(f"a{n} b\tb a{n}\n" for n in range(40)).encode()
    found = read_uploaded(UploadedPairs((NamedText(text, "pairs.tsv"),)), limits)
    assert len(found.pairs) == 20
    assert any("20 beyond the most pairs that are taken" in said for said in found.report.sentences())
    long = "".join(f"{'ab' * 15}{n}\t{n}\n" for n in range(100, 140)).encode()
    own = prepare_own_pairs(
        PairsRequest(UploadedPairs((NamedText(long, "pairs.tsv"),)), cutting=Cutting("character"))
    )
    with pytest.raises(RunError, match="33 tokens in its longest source; this server takes 30"):
        Rules(limits).require_size(own.description)
    assert len(parse_pairs(text, "pairs.tsv").pairs) == 40


LIMITS = Limits(is_public=True, most_runs=4, most_bytes=100, run_seconds=10 * DAY, kept_seconds=60)
RUNS = [Ended("c", 300.0, 30), Ended("a", 100.0, 10), Ended("b", 200.0, 20)]


def test_the_oldest_expire_first_and_none_in_a_server_for_oneself():
    assert expired(RUNS, LIMITS, 200.0 + 10 * DAY + 1) == ["a", "b"]
    assert expired(RUNS, LIMITS, 100.0 + 10 * DAY) == []
    assert expired(RUNS, LIMITS, -1e9) == [], "a clock that was set back deletes nothing"
    assert expired(RUNS, OPEN, 1e12) == []


@pytest.mark.parametrize(
    ("room", "going"),
    [
        ({"runs": 3, "taken": 60, "needed": 40}, []),
        ({"runs": 4, "taken": 60, "needed": 40}, ["a"]),
        ({"runs": 3, "taken": 60, "needed": 65}, ["a", "b"]),
        ({"runs": 3, "taken": 60, "needed": 100}, ["a", "b", "c"]),
        ({"runs": 9, "taken": 60, "needed": 1}, []),
        ({"runs": 3, "taken": 60, "needed": 101}, []),
        ({"runs": 3, "new": 2, "taken": 60, "needed": 40}, ["a"]),
        ({"runs": 4, "new": 3, "taken": 60, "needed": 40}, ["a", "b", "c"]),
        ({"runs": 4, "new": 4, "taken": 60, "needed": 40}, []),
    ],
)
def test_no_more_give_way_than_needed_and_none_where_it_would_not_help(room, going):
    assert giving_way(RUNS, LIMITS, 1000.0, **{"new": 1, **room}) == going


def test_a_run_that_has_only_just_ended_does_not_give_way():
    assert giving_way(RUNS, LIMITS, 259.0, runs=4, new=1, taken=60, needed=1) == ["a"]
    assert giving_way(RUNS, LIMITS, 159.0, runs=4, new=1, taken=60, needed=1) == []


def aged(engine, run_id: str, at: float) -> None:
    """Let a run have changed last at a time."""
    for name in ("run.json", NOTE_FILE):
        os.utime(engine.run_folder(run_id) / name, (at, at))


def test_old_runs_of_visitors_go_and_waiting_ones_and_the_admins_own_stay(engines):
    now = [0.0]
    mine = engines(most_at_once=0).begin(small())
    engine = engines(**CLASS, run_seconds=DAY, clock=lambda: now[0])
    old, waiting, young = (engine.begin(small(), by=visitor) for visitor in (ANNA, BEN, ANNA))
    for run_id in (old, young):
        engine.stop(run_id, by=ADMIN)
    engine.stop(mine, by=ADMIN)
    for run_id in (mine, old, waiting):
        aged(engine, run_id, 1000.0)
    aged(engine, young, 2000.0)
    now[0] = 1500.0 + DAY
    # Another server on the same folder looks at once, and then now and then.
    engine = engines(**CLASS, run_seconds=DAY, clock=lambda: now[0])
    assert {status.run_id for status in engine.statuses()} == {mine, waiting, young}
    now[0] += DAY
    assert {status.run_id for status in engine.statuses()} == {mine, waiting, young}
    engine.begin(small(), by=BEN)
    assert young not in {status.run_id for status in engine.statuses()}


def test_the_oldest_gives_way_to_a_new_run_and_otherwise_it_is_refused(engines):
    engine = engines(**CLASS, most_runs=2, kept_seconds=60)
    first, second = (engine.begin(small(), by=ANNA) for _ in range(2))
    refused(engine.begin, small(), by=BEN, sentence="2 runs already, which is the most; try again later")
    for run_id in (first, second):
        engine.stop(run_id, by=ANNA)
    refused(engine.begin, small(), by=BEN, sentence="ask whoever runs this server")
    aged(engine, second, 0.0)
    third = engine.begin(small(), by=BEN)
    assert {status.run_id for status in engine.statuses()} == {first, third}


def test_runs_that_wait_have_their_room_already(engines):
    needed = needed_bytes(small())
    engine = engines(**CLASS, most_bytes=int(2.5 * needed))
    first = engine.begin(small(), by=ANNA)
    engine.begin(small(), by=ANNA)
    refused(engine.begin, small(), by=BEN, sentence=r"The runs will take .* MB in all; try again later")
    engine.stop(first, by=ANNA)
    engine.begin(small(), by=BEN)


def test_a_small_upload_removes_nothing_for_the_room_of_a_large_one(engines, tmp_path):
    folder = tmp_path / "made"
    description = small(6)
    begin_run(folder, description, None)
    list(train_run(folder, description, dataset_of(folder, description)))
    packed = pack(folder)
    # No more room in all than the largest upload may take.
    engine = engines(**CLASS, most_bytes=100 * 2**20, most_upload=100 * 2**20, kept_seconds=0)
    run_id = engine.begin(small(), by=ANNA)
    engine.stop(run_id, by=ANNA)
    aged(engine, run_id, 0.0)
    added = engine.add(packed, by=ADMIN)
    assert {status.run_id for status in engine.statuses()} == {run_id, added}
    (engine.run_folder(run_id) / "ballast").touch()
    os.truncate(engine.run_folder(run_id) / "ballast", 100 * 2**20)
    refused(engine.add, packed[:-1], by=ADMIN, sentence="does not end as one")
    assert run_id in {status.run_id for status in engine.statuses()}, "what is no run takes nobody's place"
    engine.add(packed, by=ADMIN)
    assert run_id not in {status.run_id for status in engine.statuses()}


def several(count: int) -> list[NewRun]:
    return [NewRun(small(), title=f"{number}") for number in range(count)]


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"most_of_a_visitor": 4}, "leave room for 3 more, of 4 for one visitor, and this begins 4"),
        ({"most_waiting": 4}, "The queue has room for 3 more, and this begins 4"),
        ({"most_runs": 4}, "There is room for 3 more, of 4 runs in all, and this begins 4"),
        ({"most_bytes": int(4.5 * needed_bytes(small()))}, r"and 4 more need \d+ MB"),
        ({"most_updates": 60}, "61 updates; this server takes 60"),
    ],
)
def test_runs_that_begin_together_are_refused_together_and_leave_nothing(engines, limits, sentence):
    engine = engines(**CLASS, **limits)
    before = engine.begin(small(), by=ANNA)
    more = [*several(3), NewRun(small(61 if "most_updates" in limits else 60))]
    for _ in range(2):
        refused(engine.begin_all, more, by=ANNA, sentence=sentence)
        assert [status.run_id for status in engine.statuses()] == [before]
    assert [path.name for path in engine.folder.iterdir() if path.name.startswith((".new", ".removed"))] == []
    if "most_updates" not in limits:
        engine.begin_all(more[:3], by=ANNA)


def test_runs_that_begin_together_wait_in_their_order(engines):
    engine = engines(**CLASS, most_of_a_visitor=4, most_waiting=4, most_runs=4)
    begun = engine.begin_all(several(4), by=ANNA)
    assert [(engine.status(run_id).place, engine.status(run_id).title) for run_id in begun] == [
        (0, "0"), (1, "1"), (2, "2"), (3, "3"),
    ]  # fmt: skip
    assert all(engine.may_steer(run_id, ANNA) for run_id in begun)


@pytest.mark.proof
def test_a_long_pause_gives_way_to_a_run_that_waits(engines):
    later = [0.0]
    engine = engines(is_public=True, paused_seconds=300, clock=lambda: time.time() + later[0])
    annas = engine.begin(endless(), by=ANNA)
    wait_for(engine, annas, is_in("training"))
    engine.pause(annas, by=ANNA)
    wait_for(engine, annas, is_in("paused"))
    later[0] = 400.0
    engine.statuses()
    assert engine.status(annas).state == "paused", "nobody waits"
    later[0] = 0.0
    bens = engine.begin(endless(), by=BEN)
    engine.statuses()
    assert (engine.status(annas).state, engine.status(bens).state) == ("paused", "waiting")
    later[0] = 400.0
    engine.statuses()
    assert wait_for(engine, annas, is_in("stopped")).can_resume
    later[0] = 0.0
    wait_for(engine, bens, lambda status: engine.statuses() and status.state == "training")


def test_a_training_that_would_take_hours_is_refused_and_what_was_measured_says_how_long(
    engines, monkeypatch
):
    engine = engines(**CLASS, most_seconds=20 * 60)
    times = PartTimes(update=0.1, validation=10.0, test=20.0)
    monkeypatch.setattr(engine, "part_times", lambda description, dataset=None: times)
    long = small(2000, validate_every=1)
    for who in (ANNA, ADMIN):
        refused(engine.begin, long, by=who, sentence="about 337 minutes on a free core; this server takes 20")
    assert engine.statuses() == []
    engine.begin(small(2000, validate_every=100), by=ANNA)
    engines(most_at_once=0).begin(long)  # Not in class mode.


def untimed(engine, monkeypatch) -> None:
    """Let what does not end by itself begin in class mode: nobody measures it."""
    monkeypatch.setattr(engine, "part_times", lambda description, dataset=None: None)


@pytest.mark.proof
def test_a_training_ends_at_a_checkpoint_when_its_turn_is_over_and_can_have_another_one(engines, monkeypatch):
    engine = engines(is_public=True, most_seconds=1)
    untimed(engine, monkeypatch)
    engine.warm()
    run_id = engine.begin(endless(), by=ANNA)
    # First by the spare process, then by one of its own.
    ended = wait_for(engine, run_id, is_in("stopped"))
    assert re.fullmatch(
        r"Its turn of [\d.]+ minutes is over; resume goes on from here in another one\.", ended.reason
    )
    assert ended.updates > 0
    assert ended.has_checkpoint
    engine.resume(run_id, by=ANNA)
    again = wait_for(engine, run_id, is_in("stopped"))
    assert again.updates > ended.updates
    assert again.reason == ended.reason


@pytest.mark.proof
def test_what_does_not_answer_is_ended_after_the_time_of_a_turn(engines, monkeypatch):
    now = [0.0]
    engine = engines(is_public=True, most_seconds=10**6, watch=lambda: now[0])
    untimed(engine, monkeypatch)
    run_id = engine.begin(endless(), by=ANNA)
    wait_for(engine, run_id, lambda status: status.updates > 2)
    os.kill(process_of(engine, run_id), signal.SIGSTOP)

    def later(seconds: float) -> RunStatus:
        engine.statuses()
        now[0] += seconds
        engine.statuses()
        return engine.status(run_id)

    wait_until(lambda: later(SILENT_AFTER).state == "silent")
    now[0] += 10**6 - SILENT_AFTER
    engine.statuses()
    assert wait_for(engine, run_id, is_in("interrupted")).can_resume
