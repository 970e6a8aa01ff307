"""Activations on disk and as a table: what was saved comes back, and whatever is damaged is refused with a sentence."""

import json
import struct

import pytest
import torch
from safetensors.torch import load, save

from core.activations.activations import METADATA, Activations
from core.activations.record import record
from core.errors import CaptureError, RunError
from core.safetensors_file import read_metadata


@pytest.fixture
def recorded(tiny_model, src, tgt_in) -> Activations:
    with record(tiny_model) as activations:
        tiny_model(src, tgt_in)
    return activations


def test_everything_that_was_recorded_comes_back(recorded, tmp_path):
    read_before = next(name for name in recorded if recorded.site(name).operation == "normalize")
    recorded[read_before]  # What was derived and looked at is derived again.
    recorded.save(tmp_path / "seen.safetensors")
    again = Activations.load(tmp_path / "seen.safetensors")
    assert list(again) == list(recorded)
    for name in recorded:
        assert again.site(name) == recorded.site(name)
        assert torch.equal(again[name], recorded[name])
        assert again[name].dtype == recorded[name].dtype


def test_some_sites_and_those_with_a_graph_come_back(tiny_model, src, tgt_in, tmp_path):
    with record(tiny_model, "decoder.layers.0.*.scores", "*.mean", with_graph=True) as activations:
        tiny_model(src, tgt_in)
    activations.save(tmp_path / "some")
    again = Activations.load(tmp_path / "some")
    assert list(again) == list(activations)
    for name in again:
        assert torch.equal(again[name], activations[name].detach())


def test_a_site_as_a_table_has_a_column_for_each_axis_and_the_values_in_place(recorded):
    name = "decoder.layers.1.cross_attn.weights"
    frame = recorded.to_frame(name, batch=0, head=2)
    values = recorded.select(name, batch=0, head=2)
    assert list(frame.columns) == ["query", "key", "value"]
    assert len(frame) == values.numel()
    for query, key, value in frame.itertuples(index=False):
        assert value == values[query, key]
    whole = recorded.to_frame(name)
    assert list(whole.columns) == ["batch", "head", "query", "key", "value"]
    assert recorded.to_frame(name, batch=0, head=1, query=2, key=3)["value"].tolist() == [
        recorded[name][0, 1, 2, 3].item()
    ]
    with pytest.raises(CaptureError, match="has the axes"):
        recorded.to_frame(name, layer=0)


def _changed(path, *, about=None, **tensors):
    stored = path.read_bytes()
    metadata = {METADATA: json.dumps(json.loads(read_metadata(stored)[METADATA]) | (about or {}))}
    return save(load(stored) | tensors, metadata=metadata)


def test_a_file_of_strangers_is_refused_with_a_sentence(recorded, tmp_path):
    path = tmp_path / "seen.safetensors"
    recorded.save(path)
    whole, weights = path.read_bytes(), "decoder.layers.1.cross_attn.weights"
    listed = b"{" + b" " * 2**20 + b"}"
    for stored, sentence in (
        (b"", "is damaged"),
        (whole[: len(whole) // 2], "is damaged"),
        (b"\x80\x04\x95 not safetensors", "is damaged"),
        (struct.pack("<Q", len(listed)) + listed, "list of weights is longer than"),
        (save({"x": torch.ones(2)}), "does not say what it holds"),
        (save({"x": torch.ones(2)}, metadata={METADATA: "[" * 100_000}), "does not say what it holds"),
        (_changed(path, about={"format": 2}), "not of format 1"),
        (_changed(path, about={"model": {}}), "holds no activations that can be used"),
        (_changed(path, about={"sites": 3}), "does not say what it holds"),
        (_changed(path, about={"sites": [[]]}), "does not say what it holds"),
        (_changed(path, about={"sites": ["no.site"]}), "its model has no site no.site"),
        (_changed(path, strange=torch.ones(1)), "strange is not one of its sites"),
        (_changed(path, **{weights: torch.ones(2, 3)}), "has 2 axes in place of 4"),
        (_changed(path, **{weights: torch.ones(2, 4, 5, 99)}), "has the shape"),
        (_changed(path, **{weights: recorded[weights] > 0}), "is of type torch.bool"),
    ):
        path.write_bytes(stored)
        with pytest.raises(RunError, match=r"seen\.safetensors .*") as refused:
            Activations.load(path)
        assert sentence in str(refused.value)
        path.write_bytes(whole)
    with pytest.raises(RunError, match="is larger than"):
        Activations.load(path, max_bytes=100)
    with pytest.raises(RunError, match="no such file"):
        Activations.load(tmp_path / "nothing")
