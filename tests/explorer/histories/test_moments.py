"""What a training's moments make of the fixed sources: what was recorded of these very weights, computed once."""

import io
import shutil

import numpy as np
import pytest
import torch

from core import trace
from core.errors import RunError
from core.training.history import history_path, load_run_at
from explorer.browser.message import pack_message
from explorer.browser.theatre import first_moments, pack_moments, probes_header
from explorer.histories import cached
from explorer.histories.moments import (
    MOST_TOKENS,
    ONE,
    make_moment,
    make_probe,
    moments_with_best,
    probe_sources,
)
from explorer.histories.recording import RECORDING_FILE, read_recording
from explorer.models.known import RECORDED, own_description, run_folder, shipped_runs
from explorer.models.task_facts import can_read
from tests.explorer.own_runs import train_pairs, train_tiny
from tests.optional import unwrap


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("runs"))


@pytest.fixture
def run(folder, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(folder.parent))
    return own_description("tiny0001")


@pytest.mark.proof
def test_a_moment_is_what_was_recorded_of_its_weights(folder, run):
    probes = [unwrap(make_probe("tiny0001", run, source)) for source in probe_sources(run)]
    assert [probe.text for probe in probes] == ["tap", "level", "banana", "keyboard"]
    loaded = load_run_at(folder, 15)
    moment = make_moment(loaded, 15, probes)
    for place, probe in enumerate(probes):
        answer = torch.tensor([*loaded.tgt_tokenizer.encode(probe.text), loaded.config.eos_id])
        found = trace(loaded.model, loaded.encode_source(probe.text), answer)
        weights = found.activations["decoder.layers.0.cross_attn.weights"][0]
        assert np.abs(moment.weights[0][place] / ONE - weights.numpy()).max() <= 0.5 / ONE + 1e-7
        led = found.logits.softmax(dim=-1)[torch.arange(len(answer)), answer]
        assert moment.probabilities[place].tolist() == pytest.approx(led.tolist())
        written = loaded.translate(probe.text)
        assert "".join(moment.outputs[place].tokens) == written or not moment.outputs[place].stopped
    assert probes[3].right == (*"keyboard", "</s>")
    assert probes[3].gold == tuple((place,) for place in range(8))


@pytest.mark.proof
def test_its_rows_and_columns_are_the_same_at_every_moment(folder, run):
    probes = [unwrap(make_probe("tiny0001", run, source)) for source in probe_sources(run)]
    shapes = {
        tuple(each.shape for each in make_moment(load_run_at(folder, updates), updates, probes).weights[0])
        for updates in (0, 20)
    }
    assert shapes == {((2, 4, 4), (2, 6, 6), (2, 7, 7), (2, 9, 9))}


@pytest.fixture
def made(run, monkeypatch):
    """Which moments were computed, in their order."""
    cached.MOMENTS.clear()
    found = []

    def noted(run, updates, probes):
        found.append(updates)
        return make_moment(run, updates, probes)

    monkeypatch.setattr(cached, "make_moment", noted)
    return found


@pytest.mark.proof
def test_a_moment_is_computed_once_for_all_and_again_where_it_was_made_again(made, folder, run):
    probes = cached.probes_of("tiny0001", run)
    assert [each.updates for each in cached.moments_of("tiny0001", [0, 5], probes)] == [0, 5]
    assert [each.updates for each in cached.moments_of("tiny0001", [0, 5, 20], probes)] == [0, 5, 20]
    assert made == [0, 5, 20]
    path = history_path(folder, 20)
    path.write_bytes(path.read_bytes())
    cached.moments_of("tiny0001", [0, 5, 20], probes)
    assert made == [0, 5, 20, 20]


def test_a_moment_that_cannot_be_read_is_left_out(folder, run, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path / "tiny0002")
    history_path(tmp_path / "tiny0002", 10).write_bytes(b"damaged")
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    probes = cached.probes_of("tiny0002", run)
    found = cached.moments_of("tiny0002", [0, 5, 10, 15], probes)
    assert [each.updates for each in found] == [0, 5, 15]


def test_the_best_weights_are_a_moment_where_none_was_kept_then():
    run = shipped_runs()["copy"]
    updates = moments_with_best(run_folder("copy"), run)
    assert updates == (run.best_after,)
    probes = cached.probes_of("copy", run)
    (moment,) = cached.moments_of("copy", updates, probes, best_after=run.best_after)
    assert ["".join(each.tokens) for each in moment.outputs] == ["tap", "level", "banana", "keyboard"]
    assert all(each.stopped for each in moment.outputs)


@pytest.mark.parametrize("name", sorted(shipped_runs()))
def test_every_task_has_probes_that_its_model_reads_and_a_right_answer_to_each(name):
    run = shipped_runs()[name]
    probes = cached.probes_of(name, run)
    assert len(probes) == 4
    assert all(can_read(run, probe.text) and probe.is_reference and probe.gold for probe in probes)
    assert all(len(probe.right) <= MOST_TOKENS and len(probe.source) <= MOST_TOKENS for probe in probes)


OWN = "\n".join(f"{a} word {n}\tone {a} more" for a in "abcdefgh" for n in range(6))


def test_own_pairs_are_looked_at_by_pairs_that_were_not_trained_on(tmp_path, monkeypatch):
    train_pairs(tmp_path, "ownpairs", text=OWN)
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    run = unwrap(own_description("ownpairs"))
    probes = cached.probes_of("ownpairs", run)
    assert probes
    assert [probe.text for probe in probes] == list(run.probes)
    assert all(probe.is_reference and probe.gold is None for probe in probes)


def test_an_answer_that_nobody_knows_is_what_the_best_weights_write(tmp_path, monkeypatch):
    folder = train_pairs(tmp_path, "ownpairs", text=OWN)
    (folder / "pairs.tsv").unlink()
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    run = unwrap(own_description("ownpairs"))
    probes = cached.probes_of("ownpairs", run)
    assert probes
    assert not any(probe.is_reference for probe in probes)
    assert all(probe.answer[-1] == run.config.eos_id for probe in probes)


def test_moments_are_packed_with_weights_of_two_bytes(folder, run):
    probes = [unwrap(make_probe("tiny0001", run, source)) for source in probe_sources(run)]
    moments = [make_moment(load_run_at(folder, updates), updates, probes) for updates in (0, 20)]
    packed = pack_moments(probes, moments, layer=0)
    coded = packed["w"]
    assert coded.shape == (2, 2 * 2 * (16 + 36 + 49 + 81))
    sent = np.frombuffer(coded[1].tobytes(), "<u2")
    assert sent[-81:].tolist() == moments[1].weights[0][3][1].ravel().tolist()
    assert packed["p"].shape == (2, 4 + 6 + 7 + 9)
    message = pack_message({**probes_header(probes, run), "run": packed})
    assert len(message) < 5_000


def test_a_message_has_as_many_moments_as_there_is_room_for(folder, run):
    probes = [unwrap(make_probe("tiny0001", run, source)) for source in probe_sources(run)]
    assert list(first_moments(probes, range(40), run.config.n_heads)) == list(range(40))
    few = first_moments(probes, range(40), run.config.n_heads, 10_000)
    assert 1 <= len(few) < 40
    packed = pack_moments(probes, [make_moment(load_run_at(folder, 20), 20, probes)] * len(few), layer=0)
    assert len(pack_message({"run": packed})) <= 10_000
    assert len(first_moments(probes, range(40), 32, 1)) == 1


def test_before_the_first_moment_there_is_nothing_to_send(run):
    probes = [unwrap(make_probe("tiny0001", run, source)) for source in probe_sources(run)]
    packed = pack_moments(probes, [], layer=0)
    assert packed["moments"] == []
    assert (packed["p"].size, packed["w"].size) == (0, 0)


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04", None], ids=["empty", "cut", "another file"])
def test_a_damaged_recording_is_a_sentence(tmp_path, damage):
    whole = run_folder(RECORDED) / RECORDING_FILE
    held = io.BytesIO()
    np.savez(held, told=np.zeros(2, np.uint8))
    (tmp_path / RECORDING_FILE).write_bytes(held.getvalue() if damage is None else damage)
    with pytest.raises(RunError, match=r"recording\.npz is damaged"):
        read_recording(tmp_path)
    (tmp_path / RECORDING_FILE).write_bytes(whole.read_bytes())
    assert len(read_recording(tmp_path).outputs) > 30
