"""Beam search for several sources at once: each as it is alone, by one call of the model a step."""

import itertools
from dataclasses import replace

import pytest
import torch

from core import edit
from core.config import BeamConfig
from core.decoding.beam import beam_search, beam_steps
from core.decoding.step import last_step
from core.model.transformer import Transformer
from tests.core.conftest import EOS, PAD, TINY, random_model

SHARP = replace(TINY, src_vocab_size=7, tgt_vocab_size=7, tie_embeddings=False)


@pytest.fixture
def model() -> Transformer:
    """Seven tokens and large logits: searches end early, and at different steps."""
    model = random_model(SHARP, seed=3)
    with torch.no_grad():
        model.generator.weight.mul_(2)
    return model


@pytest.fixture
def sources() -> torch.Tensor:
    """Five sources [5, 6] of different length."""
    ids = torch.randint(3, 7, (5, 6), generator=torch.Generator().manual_seed(9))
    for row, length in enumerate((6, 2, 4, 3, 5)):
        ids[row, length - 1] = EOS
        ids[row, length:] = PAD
    return ids


def alone(sources, row):
    return sources[row : row + 1, : int((sources[row] != PAD).sum())]


@pytest.mark.sweep
@pytest.mark.parametrize("use_cache", [True, False], ids=["cached", "uncached"])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_each_source_is_searched_as_it_is_alone(model, sources, width, use_cache):
    config = BeamConfig(width=width, n_best=min(2, width), max_length=9, use_cache=use_cache)
    together = list(beam_steps(model, sources, config))
    lengths = set()
    for row in range(5):
        own = [step.beams[0] for step in beam_steps(model, alone(sources, row), config)]
        lengths.add(len(own))
        for t, step in enumerate(together):
            # A search that is over stays at its last step.
            mine, other = step.beams[row], own[min(t, len(own) - 1)]
            for name in ("kept", "pruned", "finished", "n_best"):
                ours, theirs = getattr(mine, name), getattr(other, name)
                assert [h.ids for h in ours] == [h.ids for h in theirs]
                assert [h.parent for h in ours] == [h.parent for h in theirs]
                assert [h.score for h in ours] == pytest.approx([h.score for h in theirs], rel=0, abs=1e-12)
            assert mine.index == other.index
    assert len(together) == max(lengths)
    assert len(lengths) > 1


def test_the_model_is_called_once_a_step_for_those_that_go_on(model, sources):
    rows = []

    def count(logits):
        rows.append(len(logits))
        return logits

    config = BeamConfig(width=3, n_best=1, max_length=9)
    with edit(model, {"generator.logits": count}):
        steps = list(beam_steps(model, sources, config))
    own = [len(list(beam_steps(model, alone(sources, row), config))) for row in range(5)]
    assert rows[0] == 5
    assert rows[1:] == [3 * sum(length > t for length in own) for t in range(1, len(steps))]
    assert rows[-1] < rows[1]


def test_the_hypotheses_of_a_step_are_the_best_of_each_source_padded(model, sources):
    for step in beam_steps(model, sources, BeamConfig(width=3, max_length=9)):
        best = [beam.n_best[0] for beam in step.beams]
        assert step.hypotheses.shape == (5, max(len(h.ids) for h in best))
        for row, hypothesis in zip(step.hypotheses.tolist(), best, strict=True):
            padding = [PAD] * (step.hypotheses.shape[1] - len(hypothesis.ids))
            assert row == [*hypothesis.ids, *padding]
        assert step.finished.tolist() == [h.ended for h in best]


def test_the_last_step_has_what_beam_search_finds(model, sources):
    config = BeamConfig(width=4, max_length=7)
    last = last_step(beam_steps(model, sources, config))
    for row in range(5):
        answer = beam_search(model, alone(sources, row), config)
        assert [h.ids for h in last.beams[row].n_best] == [h.ids for h in answer]


def test_parents_cross_and_sources_leave_in_what_is_compared(model, sources):
    steps = list(beam_steps(model, sources, BeamConfig(width=3, max_length=9)))
    assert any(
        [h.parent for h in beam.kept] != list(range(3))
        for step in steps[1:]
        for beam in step.beams
        if beam.kept
    )
    assert len({beam.index for beam in steps[-1].beams}) > 1


def test_ties_at_the_edge_of_what_is_looked_at_go_to_the_smaller_ids():
    config = replace(TINY, src_vocab_size=60, tgt_vocab_size=60, tie_embeddings=False)
    model = random_model(config)
    model.generator.weight = torch.nn.Parameter(torch.zeros_like(model.generator.weight))
    source = torch.tensor([[5, 3, EOS]])
    for step in itertools.islice(beam_steps(model, source, BeamConfig(width=2, n_best=2)), 1):
        (beam,) = step.beams
        assert [h.ids for h in beam.finished] == [(EOS,)]
        assert [h.ids for h in beam.kept] == [(3,), (4,)]
        assert [h.ids for h in beam.pruned] == [(5,), (6,), (7,), (8,)]
