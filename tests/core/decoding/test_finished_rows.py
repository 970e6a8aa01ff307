"""A batch whose rows end at different steps: what a finished row reports, and that no row sees another."""

from dataclasses import replace

import pytest
import torch

from core.activations.record import edit
from core.activations.trace import trace
from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps, generate
from core.model.transformer import Transformer
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model
from tests.optional import unwrap

ENDS = (5, 1, 3)
"""The step at which each row says eos."""
LENGTHS = (7, 4, 5)
CACHED = pytest.mark.parametrize("use_cache", [True, False], ids=["cached", "uncached"])


@pytest.fixture
def sources() -> torch.Tensor:
    """Three sources [3, 7] of different length."""
    ids = torch.randint(3, 19, (3, 7), generator=torch.Generator().manual_seed(6))
    for row, length in enumerate(LENGTHS):
        ids[row, length - 1] = EOS
        ids[row, length:] = PAD
    return ids


@pytest.fixture
def model(sources) -> Transformer:
    """A random model but for one row of its generator: that of eos is solved to win at ENDS, and to lose before."""
    model = random_model(replace(TINY, tie_embeddings=False))

    def never_end(logits):
        logits[..., EOS] = -1e4
        return logits

    with torch.no_grad():
        with edit(model, {"generator.logits": never_end}):
            words = generate(model, sources, max_length=max(ENDS))
        tgt_in = torch.cat((torch.full((3, 1), BOS), words), dim=1)
        decoded = model.decode(tgt_in, *model.encode(sources))  # [3, 6, d_model]
        logits = model.generator(decoded)
        logits[..., [PAD, BOS, EOS]] = -torch.inf
        best = logits.amax(dim=-1)
        wanted = [(row, t, 1 if t == end else -1) for row, end in enumerate(ENDS) for t in range(end + 1)]
        outputs = torch.stack([decoded[row, t] for row, t, _ in wanted])
        lead = torch.stack([best[row, t] + ahead for row, t, ahead in wanted])
        # 12 equations for 24 numbers.
        model.generator.weight[EOS] = torch.linalg.lstsq(outputs, lead[:, None]).solution[:, 0]
    return model


@CACHED
def test_a_finished_row_says_padding_with_log_probability_0_and_stays_finished(model, sources, use_cache):
    steps = list(decode_steps(model, sources, DecodeConfig(max_length=9, use_cache=use_cache)))
    assert len(steps) == max(ENDS) + 1
    for t, step in enumerate(steps):
        assert step.finished.tolist() == [t >= end for end in ENDS]
        for row, end in enumerate(ENDS):
            if t > end:
                assert step.chosen[row] == PAD
                assert step.log_prob[row] == 0
            else:
                assert (step.chosen[row] == EOS) == (t == end)
                assert step.log_prob[row] == step.log_probs[row, step.chosen[row]] < 0
            assert step.hypotheses[row, t] == step.chosen[row]


@CACHED
def test_rows_that_end_apart_say_what_they_say_alone(model, sources, use_cache):
    config = DecodeConfig(max_length=9, use_cache=use_cache)
    together = list(decode_steps(model, sources, config))
    for row, (end, length) in enumerate(zip(ENDS, LENGTHS, strict=True)):
        alone = list(decode_steps(model, sources[row : row + 1, :length], config))
        assert len(alone) == end + 1
        assert torch.equal(together[-1].hypotheses[row, : end + 1], alone[-1].hypotheses[0])
        assert not together[-1].hypotheses[row, end + 1 :].any()
        for mine, own in zip(together, alone, strict=False):
            torch.testing.assert_close(mine.log_probs[row], own.log_probs[0], rtol=0, atol=1e-12)
            torch.testing.assert_close(mine.log_prob[row], own.log_prob[0], rtol=0, atol=1e-12)


def test_candidates_are_those_of_the_row_asked_for(model, sources):
    first = next(decode_steps(model, sources))
    for row in range(3):
        alone = next(decode_steps(model, sources[row : row + 1]))
        ranked = sorted(enumerate(alone.log_probs[0].tolist()), key=lambda pair: -pair[1])[:4]
        candidates = first.candidates(4, row=row)
        assert [c.token_id for c in candidates] == [token for token, _ in ranked]
        assert [c.log_prob for c in candidates] == pytest.approx([log_prob for _, log_prob in ranked])
    assert len({first.candidates(4, row=row) for row in range(3)}) == 3
    assert first.candidates(4) == first.candidates(4, row=0)
    assert len(first.candidates(100, row=1)) == 19


def test_no_step_carries_a_graph(model, sources):
    assert all(parameter.requires_grad for parameter in model.parameters())
    with torch.enable_grad():
        for step in decode_steps(model, sources, record_sites=("*",)):
            for value in (step.log_prob, step.log_probs, *unwrap(step.activations).values()):
                assert not value.requires_grad
        assert torch.is_grad_enabled()


def test_no_trace_carries_a_graph(model, sources):
    with torch.enable_grad():
        traced = trace(model, sources[0], torch.tensor([4, 5, EOS]))
    for value in (traced.logits, *traced.activations.values()):
        assert not value.requires_grad
