"""The film's frames: the recorded weights of each kept moment, computed once and a few at a time."""

import shutil

import numpy as np
import pytest
import torch

from core import trace
from core.analysis.attention_statistics import attention_entropy
from core.errors import InputError
from core.training.history import history_path, load_run_at
from explorer.histories import cached as trainings
from explorer.histories import film as training_film
from explorer.histories.film import MOST_TOKENS, FilmFrame, axes_sentence, film_columns, make_frame
from tests.explorer.own_runs import train_tiny

SITE = "decoder.layers.0.cross_attn.weights"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("runs"))


@pytest.fixture
def made(folder, monkeypatch):
    """Which moments were computed, in their order."""
    monkeypatch.setenv("EXPLORER_RUNS", str(folder.parent))
    trainings._films.clear()
    moments = []
    original = training_film.make_frame

    def noted(folder, updates, *rest):
        moments.append(updates)
        return original(folder, updates, *rest)

    monkeypatch.setattr(training_film, "make_frame", noted)
    return moments


def test_a_frame_is_the_mean_over_the_heads_of_what_was_recorded(folder):
    frame = make_frame(folder, 5, "cat", "cat")
    run = load_run_at(folder, 5)
    answer = torch.tensor([*run.tgt_tokenizer.encode("cat"), run.config.eos_id])
    weights = trace(run.model, run.encode_source("cat"), answer, SITE).activations[SITE][0].mean(dim=0)
    assert frame.weights.tolist() == weights.tolist()
    assert (frame.source, frame.output) == (("c", "a", "t", "</s>"), ("c", "a", "t", "</s>"))
    assert frame.entropy == pytest.approx(attention_entropy(weights).mean().item())
    assert frame.strongest == pytest.approx(weights.max(dim=-1).values.mean().item())
    assert not frame.weights.flags.writeable


def test_without_an_answer_it_is_the_output_of_these_weights(folder):
    frame = make_frame(folder, 20, "cat", None)
    assert len(frame.output) >= 1
    assert frame.weights.shape == (min(len(frame.output), MOST_TOKENS), 4)
    with pytest.raises(InputError):
        make_frame(folder, 20, "cät", None)


def test_moments_are_computed_the_newest_first_and_once(made):
    def film(most_new: int) -> list[int]:
        frames = trainings.film_of("tiny0001", "cat", "cat", most_new=most_new)
        return [frame.updates for frame in frames]

    assert film(0) == []
    assert film(1) == [20]
    assert film(1) == [15, 20]
    assert film(100) == [0, 5, 10, 15, 20]
    assert film(1) == [0, 5, 10, 15, 20]
    assert made == [20, 15, 10, 5, 0]


def test_a_moment_that_was_made_again_is_computed_again(made, folder):
    trainings.film_of("tiny0001", "cat", "cat", most_new=100)
    path = history_path(folder, 20)
    path.write_bytes(path.read_bytes())
    trainings.film_of("tiny0001", "cat", "cat", most_new=100)
    assert made[-1] == 20
    assert len(made) == 6


def test_a_moment_that_cannot_be_read_is_left_out(made, folder, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path / "tiny0002")
    history_path(tmp_path / "tiny0002", 10).write_bytes(b"damaged")
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    frames = trainings.film_of("tiny0002", "cat", "cat", most_new=100)
    assert [frame.updates for frame in frames] == [0, 5, 15, 20]


def test_the_table_has_the_newest_moment_first(folder):
    table = film_columns([make_frame(folder, updates, "cat", "cat") for updates in (0, 20)])
    assert table["after updates"] == ["20", "0"]
    assert len(table["entropy, bits"]) == 2


@pytest.mark.parametrize(("source", "output"), [(30, 4), (4, 30), (30, 30), (4, 4)])
def test_only_what_is_cut_is_called_so(source, output):
    shape = min(output, MOST_TOKENS), min(source, MOST_TOKENS)
    frame = FilmFrame(5, ("s",) * source, ("t",) * output, np.zeros(shape, np.float32), 0.0, 1.0)
    rows, columns = axes_sentence(frame, led=True).split(". ")
    assert rows.endswith(", cut") == (output > MOST_TOKENS)
    assert columns.endswith(", cut.") == (source > MOST_TOKENS)
    assert rows.count("t ") >= shape[0] - 1
    assert "the output of these weights" in axes_sentence(frame, led=False)
