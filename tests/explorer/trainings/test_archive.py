"""A run as a zip file: there and back, and everything hostile that such a file can be."""

import io
import json
import os
import sqlite3
import stat
import struct
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load, save
from torch import nn

from core.config import MOST_LAYERS
from core.errors import RunError
from core.files import prepare_folder
from core.run import Run, load_run
from core.run_description import MAX_RUN_BYTES
from core.training.new_run import begin_run
from core.training.plan import dataset_of
from core.training.run_store import STORE_FILE, RunStore
from core.training.session import train_run
from explorer.trainings import archive, queue
from explorer.trainings.archive import MOST_ARCHIVE_BYTES, needed_bytes, pack
from explorer.trainings.figures import MOST_STORE_BYTES
from explorer.trainings.rules import Visitor
from explorer.trainings.run_folders import RunFolders
from tests.core.training.test_session import figures
from tests.explorer.trainings.conftest import small
from tests.hostile import TEXTS

MODEL, RUN = "model.safetensors", "run.json"


def unpack(uploaded, runs: Path, *, most_bytes: int = MOST_ARCHIVE_BYTES, title: str = "Uploaded run") -> str:
    prepare_folder(runs)
    folders = RunFolders(runs)
    with archive.unpacked(uploaded, folders, most_bytes=most_bytes) as place:
        return folders.publish(place, title)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "run"
    description = small(12)
    begin_run(folder, description, None)
    list(train_run(folder, description, dataset_of(folder, description)))
    return folder


@pytest.fixture(scope="module")
def packed(run_folder) -> bytes:
    return pack(run_folder)


@pytest.fixture
def runs(tmp_path) -> Path:
    return tmp_path / "runs"


def parts(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return file.getvalue()


def refused(uploaded, runs: Path, sentence: str, **limit: Any) -> None:
    with pytest.raises(RunError, match=sentence) as caught:
        unpack(uploaded, runs, **limit)
    assert "\n" not in str(caught.value)
    assert list(runs.glob("*")) + list(runs.glob(".*")) == []


def test_a_run_goes_there_and_back(run_folder, packed, runs):
    assert pack(run_folder) == packed
    assert set(parts(packed)) == {RUN, MODEL, STORE_FILE}
    run_id = unpack(packed, runs)
    assert {path.name for path in (runs / run_id).iterdir()} == {RUN, MODEL, STORE_FILE, "app.json"}
    again, before = load_run(runs / run_id), load_run(run_folder)
    assert again.to_dict() == before.to_dict()
    assert all(
        torch.equal(a, b) for a, b in zip(again.model.parameters(), before.model.parameters(), strict=True)
    )
    assert figures(runs / run_id) == figures(run_folder)
    with closing(RunStore.read(runs / run_id)) as store:
        assert store.fact("process") is None
    with open(runs / "upload.zip", "wb") as file:
        file.write(packed)
    with open(runs / "upload.zip", "rb") as file:
        assert load_run(runs / unpack(file, runs)).to_dict() == before.to_dict()


def test_figures_may_be_left_out(packed, runs):
    files = parts(packed)
    del files[STORE_FILE]
    run_id = unpack(zipped(files), runs)
    assert not (runs / run_id / STORE_FILE).exists()


def test_an_upload_is_a_finished_run_for_use_alone(packed, engines):
    engine = engines(most_at_once=0)
    status = engine.status(engine.add(packed, title="From\nelsewhere"))
    assert (status.state, status.title, status.updates, status.of) == ("finished", "From elsewhere", 12, 12)
    assert not status.can_resume
    engine.delete(status.run_id)


def test_what_an_upload_needs_is_told_by_its_list(packed, runs):
    content = {name: len(content) for name, content in parts(packed).items()}
    needed = needed_bytes(packed, MOST_ARCHIVE_BYTES)
    assert needed == sum(content.values()) + content[STORE_FILE]
    folders = RunFolders(runs)
    assert folders.bytes_of(unpack(packed, runs)) <= needed
    with pytest.raises(RunError, match="does not have"):
        needed_bytes(zipped({"evil.pkl": b""}), MOST_ARCHIVE_BYTES)


def test_an_upload_is_given_the_room_that_it_takes_and_no_more(packed, engines):
    # As much as the largest upload: only what this one really takes fits beside another run.
    engine = engines(most_at_once=0, most_bytes=MOST_ARCHIVE_BYTES, most_upload=MOST_ARCHIVE_BYTES)
    first = engine.add(packed)
    assert engine.status(engine.add(packed)).state == "finished"
    (engine.run_folder(first) / "ballast").touch()
    os.truncate(engine.run_folder(first) / "ballast", MOST_ARCHIVE_BYTES - 2**16)
    with pytest.raises(RunError, match="this one needs"):
        engine.add(packed)


def test_a_run_without_a_model_is_not_packed(run_folder, tmp_path):
    begin_run(tmp_path, small(), None)
    with pytest.raises(RunError, match="no model yet"):
        pack(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK", b"x" * 1000, b"\x80\x04\x95 not a zip" * 20])
def test_what_is_no_zip_is_refused(content, runs):
    refused(content, runs, "not a zip file")


@pytest.mark.parametrize(
    "name",
    [
        "../run.json",
        "/run.json",
        "a/../../x",
        "run.json/",
        "evil.pkl",
        "RUN.JSON",
        "x\x00run.json",
        "C:\\x",
    ],
)
def test_other_names_are_refused(packed, runs, name):
    files = parts(packed)
    del files[STORE_FILE]
    refused(zipped({**files, name: b"x"}), runs, "does not have|twice")


def test_too_many_or_missing_or_repeated_files_are_refused(packed, runs):
    files = parts(packed)
    refused(zipped({**files, **{f"{n}": b"" for n in range(10_000)}}), runs, "more than a run's files")
    for name in (RUN, MODEL):
        refused(zipped({other: files[other] for other in files if other != name}), runs, f"has no {name}")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        opened.writestr(RUN, files[RUN])
        opened.writestr(MODEL, files[MODEL])
        with pytest.warns(UserWarning, match="Duplicate"):
            opened.writestr(RUN, files[RUN])
    refused(file.getvalue(), runs, "twice")


def test_links_and_encrypted_files_are_refused(packed, runs):
    files = parts(packed)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        link = zipfile.ZipInfo(RUN)
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        opened.writestr(link, "/etc/passwd")
        opened.writestr(MODEL, files[MODEL])
    refused(file.getvalue(), runs, "is a link")
    encrypted = bytearray(zipped(files))
    place = encrypted.index(b"PK\x01\x02")
    encrypted[place + 8] |= 1
    refused(bytes(encrypted), runs, "encrypted")


def test_bombs_are_refused_by_what_they_say_and_by_what_they_are(packed, runs):
    files = parts(packed)
    bomb = zipped({**files, RUN: b" " * (MAX_RUN_BYTES + 1)})
    assert len(bomb) < 2**20
    refused(bomb, runs, "too large")
    # It says that it is small, in both of its headers.
    honest = bytearray(zipped({RUN: b" " * 10**6, MODEL: files[MODEL]}))
    for signature, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = honest.index(signature)
        honest[start + place : start + place + 4] = struct.pack("<L", 10)
    refused(bytes(honest), runs, "damaged|larger than it says|cannot be used")
    refused(packed, runs, "larger than", most_bytes=1000)


def test_lists_of_files_that_are_elsewhere_are_not_read(packed, runs, monkeypatch):
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it was opened"))
    end = packed[-22:]
    refused(packed + b"more", runs, "does not end as one")
    refused(packed[:-2] + b"\x04\x00" + b"more", runs, "does not end as one")
    refused(packed[:-22] + b"PK\x06\x07" + b"\x00" * 16 + end, runs, "more than a run's files")
    refused(packed[:-22] + end[:12] + struct.pack("<L", 2**31) + end[16:], runs, "more than a run's files")


@pytest.mark.parametrize("cut", [30, 100, 5000])
def test_damage_anywhere_is_told_in_a_sentence(packed, runs, cut):
    refused(packed[:cut], runs, "upload")
    damaged = bytearray(packed)
    damaged[cut : cut + 20] = b"\xff" * 20
    with pytest.raises(RunError, match="upload"):
        unpack(bytes(damaged), runs)


def lying_header(content: bytes) -> bytes:
    return struct.pack("<Q", 2**40) + content[8:]


def with_weights(change):
    def changed(content: bytes) -> bytes:
        tensors = load(content)
        change(tensors)
        return save(tensors)

    return changed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lying_header, "damaged"),
        (lambda content: content[:-100], "damaged"),
        (lambda content: b"\x80\x04\x95cos\nsystem\n(S'true'\ntR.", "damaged"),
        (with_weights(lambda t: t["src_embed.weight"].fill_(float("nan"))), "not finite"),
        (
            with_weights(lambda t: t.update({"src_embed.weight": t["src_embed.weight"].T.contiguous()})),
            "shape",
        ),
        (with_weights(lambda t: t.update({"src_embed.weight": t["src_embed.weight"].int()})), "bits is read"),
        (with_weights(lambda t: t.pop("src_embed.weight")), "holds .* weights"),
    ],
)
def test_weights_that_do_not_fit_are_refused(packed, runs, change, sentence):
    files = parts(packed)
    refused(zipped({**files, MODEL: change(files[MODEL])}), runs, sentence)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d.update(format=9), "format"),
        (lambda d: d["model"].update(d_model=10**9), "cannot be used"),
        (lambda d: d.pop("task"), "lacks task"),
        (lambda d: d["history"].append({"loss": "low"}), "must be a finite number"),
    ],
)
def test_descriptions_that_do_not_fit_are_refused(packed, runs, change, sentence):
    files = parts(packed)
    described = json.loads(files[RUN])
    change(described)
    refused(zipped({**files, RUN: json.dumps(described).encode()}), runs, sentence)
    refused(zipped({**files, RUN: b"[" * 10**6}), runs, "not JSON")


@pytest.mark.parametrize(
    "hostile",
    [
        "DROP TABLE steps; CREATE VIEW steps AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
        " SELECT i AS position, 1.0 AS loss, 1.0 AS learning_rate, 1.0 AS grad_norm, 1.0 AS tokens_per_second FROM n",
        "CREATE TRIGGER t AFTER INSERT ON steps BEGIN DELETE FROM steps; END",
        "CREATE TABLE more (x)",
        "DROP TABLE norms",
        "UPDATE steps SET loss = 'low'",
        "UPDATE steps SET loss = 9e999",
        "UPDATE steps SET position = position + 1000",
        "UPDATE probes SET output = printf('%.*c', 20000, 'x')",
        "UPDATE norms SET updates = 'after ' || updates",
        "UPDATE norms SET block = block || ''' || warn(1) || '''",
    ],
)
def test_figures_that_are_none_are_refused(packed, runs, tmp_path, hostile):
    files = parts(packed)
    path = tmp_path / "hostile.sqlite"
    path.write_bytes(files[STORE_FILE])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(hostile)
    refused(zipped({**files, STORE_FILE: path.read_bytes()}), runs, "figures are damaged")


def test_a_data_base_whose_pages_are_used_twice_is_refused(packed, runs, tmp_path):
    files = parts(packed)
    path = tmp_path / "twice.sqlite"
    path.write_bytes(files[STORE_FILE])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage ="
            " (SELECT rootpage FROM sqlite_schema WHERE name = 'steps') WHERE name = 'validations';"
        )
    refused(zipped({**files, STORE_FILE: path.read_bytes()}), runs, "figures are damaged")
    refused(
        zipped({**files, STORE_FILE: b"SQLite format 3\x00" + b"\xff" * 5000}), runs, "figures are damaged"
    )


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "/dev/zero",
        "CON",
        "run.json\u202egnp",
        "run\u200b.json",
        "ｒun.json",
        "./run.json",
        "run.json ",
        "r" * 60_000,
        *(text for text in TEXTS.values() if len(text) < 100 and text.isprintable()),
    ],
)
def test_a_file_may_not_have_any_hostile_name(packed, runs, name):
    files = parts(packed)
    del files[STORE_FILE]
    refused(zipped({**files, name: b"x"}), runs, "does not have|more than a run's files")


def test_a_small_file_that_unpacks_endlessly_is_given_up_at_its_limit(packed, runs):
    bomb = zipped({**parts(packed), STORE_FILE: b"\x00" * (MOST_STORE_BYTES + 1)})
    assert len(bomb) < 2**20
    refused(bomb, runs, "metrics.sqlite in the upload is too large")


def test_files_that_lie_upon_each_other_are_refused(packed, runs):
    """Both entries of the list point at the same bytes."""
    overlapping = bytearray(zipped(parts(packed), zipfile.ZIP_STORED))
    second = overlapping.index(b"PK\x01\x02", overlapping.index(b"PK\x01\x02") + 4)
    overlapping[second + 42 : second + 46] = struct.pack("<L", 0)
    refused(bytes(overlapping), runs, "damaged")


def with_header(header: bytes):
    return lambda content: struct.pack("<Q", len(header)) + header


@pytest.mark.parametrize(
    "header",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"__metadata__": {"a": ' + b'"' + b"x" * 10**6 + b'"}}',
        b'{"src_embed.weight": {"dtype": "F32", "shape": [1000000, 1000000], "data_offsets": [0, 4000000000000]}}',
        b'{"src_embed.weight": {"dtype": "F32", "shape": [18446744073709551615, 2], "data_offsets": [0, 8]}}',
        b'{"src_embed.weight": {"dtype": "F32", "shape": [-1], "data_offsets": [8, 0]}}',
        b'{"src_embed.weight": {"dtype": "C64", "shape": [0], "data_offsets": [0, 0]}}',
        b"{" + b" " * 10**6,
        b"\xff" * 100,
    ],
)
def test_a_hostile_list_of_weights_is_refused(packed, runs, header):
    files = parts(packed)
    refused(zipped({**files, MODEL: with_header(header)(files[MODEL])}), runs, "upload")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (with_weights(lambda t: t["src_embed.weight"].fill_(float("inf"))), "not finite"),
        (with_weights(lambda t: t["src_embed.weight"].fill_(-float("inf"))), "not finite"),
        (
            with_weights(lambda t: t.update({"src_embed.weight": t["src_embed.weight"].to(torch.complex64)})),
            "upload",
        ),
        (
            with_weights(lambda t: t.update({"src_embed.weight": t["src_embed.weight"].bool()})),
            "bits is read",
        ),
        (with_weights(lambda t: t.update({"src_embed.weight": t["src_embed.weight"][:-1].clone()})), "holds"),
        (with_weights(lambda t: t.update({"more": torch.zeros(1)})), "holds .* weights"),
    ],
)
def test_weights_of_another_kind_are_refused(packed, runs, change, sentence):
    files = parts(packed)
    refused(zipped({**files, MODEL: change(files[MODEL])}), runs, sentence)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(max_source_tokens=10**400),
        lambda d: d["evaluation"].update(exact_match=1e300),
        lambda d: d["evaluation"].update(exact_match=float("nan")),
        lambda d: d["model"].update(n_heads=True),
        lambda d: d["model"].update(d_model="16"),
        lambda d: d["training"].update(steps=-1),
        lambda d: d["training"].update(seed=10**30),
        lambda d: d.update(probes=[["a"]]),
        lambda d: d.update(probes=["\ud83d"]),
        lambda d: d.update(task="\ud83d"),
        lambda d: d.update(history=[[]] * 10),
        lambda d: d["source_tokenizer"].update(kind="pickle"),
        lambda d: d.update(source_tokenizer=[]),
        lambda d: d.update(model=None),
    ],
)
def test_a_hostile_description_is_refused(packed, runs, change):
    files = parts(packed)
    described = json.loads(files[RUN])
    change(described)
    # The file is named as it is in the archive.
    refused(
        zipped({**files, RUN: json.dumps(described).encode()}),
        runs,
        r"upload cannot be used: (?!\w+/run\.json)",
    )


@pytest.mark.parametrize("key", ["task", "probes", "evaluation"])
def test_a_description_may_nest_as_deep_as_it_likes(packed, runs, key):
    files = parts(packed)
    described = json.dumps({**json.loads(files[RUN]), key: "HERE"})
    for deep in ("[" * 900 + "]" * 900, "[" * 10**5 + "]" * 10**5, '{"a":' * 900 + "1" + "}" * 900):
        nested = described.replace('"HERE"', deep).encode()
        refused(zipped({**files, RUN: nested}), runs, "upload")


@pytest.mark.sweep
@pytest.mark.parametrize(
    "text", [text for text in TEXTS.values() if len(text) <= 100 and text != TEXTS["surrogate"]]
)
def test_a_run_of_any_title_and_task_is_text_on_disk(packed, runs, text):
    files = parts(packed)
    described = json.loads(files[RUN])
    described["task"] = text
    run_id = unpack(zipped({**files, RUN: json.dumps(described).encode()}), runs, title=text)
    assert {path.name for path in (runs / run_id).iterdir()} == {RUN, MODEL, STORE_FILE, "app.json"}
    title = RunFolders(runs).note(run_id).title
    assert title.isprintable()
    assert 0 < len(title) <= 80


def test_a_bomb_of_layers_is_refused_before_a_module_is_made_of_it(packed, runs, monkeypatch):
    """A few kilobytes that once became 1.35 GB: as many weights as described, under one name."""
    files = parts(packed)
    described = json.loads(files[RUN])
    described["model"].update(d_model=1, n_heads=1, d_ff=1, positional="none")
    built: list[nn.Module] = []
    monkeypatch.setattr(nn.Module, "__init__", lambda module, *_, **__: built.append(module))
    for layers, sentence in ((15_000, "n_encoder_layers must be at most"), (MOST_LAYERS, "lacks src_embed")):
        described["model"].update(n_encoder_layers=layers, n_decoder_layers=layers)
        count = sum(weights_of(described["model"]))
        weights = save({"bomb": torch.zeros(count, dtype=torch.float16)})
        bomb = zipped({RUN: json.dumps(described).encode(), MODEL: weights})
        assert len(bomb) < 8000
        refused(bomb, runs, sentence)
    assert built == []


def weights_of(model: dict) -> Iterator[int]:
    """What a model of width 1 with biases counts, part by part."""
    attention, feed_forward, norm = 4 + 4, 2 + 2, 2
    yield model["src_vocab_size"]
    yield model["n_encoder_layers"] * (attention + feed_forward + 2 * norm)
    yield model["n_decoder_layers"] * (2 * attention + feed_forward + 3 * norm)


def test_nobody_waits_while_an_upload_is_checked(packed, engines, monkeypatch):
    engine, checked = engines(most_at_once=0), []
    waiting = engine.begin(small(), title="before")
    monkeypatch.setattr(queue, "PATIENCE", 0.5)

    def check(folder: Path) -> Run:
        engine.rename(waiting, "meanwhile")
        checked.append(engine.begin(small()))
        assert len(engine.statuses()) == 2  # What is being checked is not there yet.
        return load_run(folder)

    monkeypatch.setattr("explorer.trainings.archive.load_run", check)
    run_id = engine.add(packed)
    assert engine.status(waiting).title == "meanwhile"
    assert {status.run_id for status in engine.statuses()} == {waiting, run_id, *checked}


def test_uploads_are_checked_one_after_the_other(packed, engines, monkeypatch):
    engine, at_once, most = engines(most_at_once=0), [], []

    def check(folder: Path) -> Run:
        at_once.append(folder)
        most.append(len(at_once))
        run = load_run(folder)
        at_once.remove(folder)
        return run

    monkeypatch.setattr("explorer.trainings.archive.load_run", check)
    with ThreadPoolExecutor(4) as visitors:
        added = list(visitors.map(engine.add, [packed] * 4))
    assert most == [1, 1, 1, 1]
    assert len(set(added)) == len(engine.statuses()) == 4


def test_an_upload_that_is_refused_makes_no_other_run_give_way(packed, engines):
    engine = engines(most_at_once=0, most_runs=1, is_public=True, admin_token="x" * 20)
    admin, pupil = Visitor(is_admin=True), Visitor(key="a pupil's secret")
    held = engine.begin(small(), by=pupil)
    engine.stop(held, by=pupil)
    files = parts(packed)
    with pytest.raises(RunError, match="cannot be used"):
        engine.add(zipped({**files, RUN: b"{}"}), by=admin)
    assert [status.run_id for status in engine.statuses()] == [held]
    added = engine.add(packed, by=admin)
    assert [status.run_id for status in engine.statuses()] == [added]


@pytest.mark.parametrize(
    ("text", "damaged"),
    [
        (b"tablenormsnorms", b"table\xff\xff\xff\xff\xffnorms"),
        (b"tablenormsnorms", b"tablenorms\xc3\x28\xa0\xa1\xff"),
        (b"CREATE TABLE norms", b"CREATE TABLE \xff\xfe\xff\xfe\xff"),
        (b"decoder.layers.0.self_attn", b"decoder.\xed\xa0\x80\xff\xffs.0.self_attn"),
    ],
)
def test_figures_whose_texts_are_no_utf_8_are_a_sentence_for_who_uploads_and_who_downloads(
    packed, run_folder, runs, tmp_path, text, damaged
):
    files = parts(packed)
    assert text in files[STORE_FILE]
    broken = files[STORE_FILE].replace(text, damaged)
    refused(zipped({**files, STORE_FILE: broken}), runs, "figures are damaged")
    folder = tmp_path / "broken"
    folder.mkdir()
    for name, content in {**files, STORE_FILE: broken}.items():
        (folder / name).write_bytes(content)
    with suppress(RunError):  # It may be packed as it is: who unpacks it is told.
        pack(folder)
    with (
        pytest.raises(RunError, match=r"metrics\.sqlite cannot be used"),
        closing(RunStore.read(folder)) as store,
    ):
        store.norms()
