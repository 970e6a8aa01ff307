"""The sampling lab's numbers: what is shown of one output, and that drawn and exact frequencies agree."""

import dataclasses
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps, last_step
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.translation import translate
from explorer.views.sampling.data import (
    DrawnOutput,
    Samples,
    draw_outputs,
    draw_samples,
    output_probabilities,
    sample_output,
    samples_data,
    sampling_data,
)
from explorer.visitor.state import ExplorerState
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model
from tests.optional import unwrap

TEXT = "the small cat does not sleep"
GREEDY = DecodeConfig(max_length=50)
WARM = DecodeConfig(max_length=50, temperature=1.5, top_k=20, top_p=0.95, seed=3)


@pytest.fixture(scope="module")
def run():
    return load_run(CHECKPOINTS / "en-fr")


def test_without_temperature_the_output_is_the_greedy_one(run):
    output = sample_output(run, TEXT, GREEDY)
    assert output.text == run.translate(TEXT) == "le petit chat ne dort pas"
    assert list(output.token_ids) == output.logits.argmax(axis=1).tolist()
    assert output.ended


@pytest.mark.parametrize("prefix", [(), (5, 9)], ids=["free", "forced"])
def test_an_output_and_its_columns_are_those_of_the_decoder(run, prefix):
    output = sample_output(run, TEXT, WARM, prefix)
    steps = list(decode_steps(run.model, run.encode_source(TEXT)[None], WARM, prefix=prefix))
    assert list(output.token_ids) == steps[-1].hypotheses[0].tolist()
    assert output.n_forced == len(prefix)
    assert output.token_ids[: len(prefix)] == prefix
    for t, step in enumerate(steps):
        assert np.array_equal(output.logits[t], unwrap(step.sampling).logits[0].float().numpy())
        assert output.uniform[t] == unwrap(step.sampling).uniform[0].item()
        assert output.log_probs[t] == step.log_prob[0].item()


def test_shared_arrays_cannot_be_written_to(run):
    output = sample_output(run, TEXT, WARM)
    for array in (output.logits, output.log_probs):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_key_tells_sentence_and_prefix_apart_but_not_settings(run):
    outputs = [
        sample_output(run, TEXT, GREEDY),
        sample_output(run, TEXT, WARM),
        sample_output(run, "the cat sleeps", GREEDY),
        sample_output(run, TEXT, GREEDY, (5,)),
    ]
    keys = [output.key for output in outputs]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_the_view_opens_at_the_telling_step_of_the_greedy_output_and_else_where_the_link_says(run):
    output, greedy = sample_output(run, TEXT, WARM), translate(run, TEXT)
    state = ExplorerState(run="en-fr", sentence=TEXT)
    last = len(output.tokens) - 1
    assert sampling_data(run, output, greedy, state).step == min(greedy.telling_step, last)
    assert sampling_data(run, output, greedy, state).greedy_text == sample_output(run, TEXT, GREEDY).text
    for asked, shown in ((0, 0), (2, 2), (999, last)):
        state = dataclasses.replace(state, decoding=replace(state.decoding, step=asked))
        assert sampling_data(run, output, greedy, state).step == shown


def test_the_first_of_many_outputs_is_the_one_that_is_shown(run):
    batches = list(draw_outputs(run, TEXT, WARM, n=120))
    assert [len(batch) for batch in batches] == [50, 50, 20]
    assert batches[0][0] == sample_output(run, TEXT, WARM).token_ids


@pytest.mark.proof
def test_each_batch_is_drawn_anew_and_the_seed_repeats_them_all(run):
    hot = dataclasses.replace(WARM, temperature=2.0, top_k=None, top_p=1.0)
    first = list(draw_outputs(run, TEXT, hot, n=100))
    assert first[0] != first[1]
    assert first == list(draw_outputs(run, TEXT, hot, n=100))


@pytest.mark.proof
@pytest.mark.parametrize("prefix", [(), (5,)], ids=["free", "forced"])
def test_an_outputs_probability_is_the_product_of_the_probabilities_that_drew_it(run, prefix):
    samples = draw_samples(run, TEXT, WARM, prefix, n=60)
    assert sum(output.count for output in samples.outputs) == 60
    src = run.encode_source(TEXT)[None]
    for output in samples.outputs[:4]:
        assert output.token_ids[: len(prefix)] == prefix
        words = output.token_ids[:-1] if output.ended else output.token_ids
        steps = list(decode_steps(run.model, src, WARM, prefix=words))
        product, log_prob = 1.0, 0.0
        for t, token_id in enumerate(output.token_ids):
            product *= 1.0 if t < len(prefix) else unwrap(steps[t].sampling).probs[0, token_id].item()
            log_prob += steps[t].log_probs[0, token_id].item()
        assert output.probability == pytest.approx(product, rel=1e-4)
        assert output.log_prob == pytest.approx(log_prob, rel=1e-4)


CHI_SQUARE_999 = {4: 18.5, 5: 20.5, 6: 22.5, 7: 24.3, 8: 26.1, 9: 27.9, 10: 29.6, 11: 31.3, 12: 32.9}
"""The 99.9 % quantiles, by degrees of freedom."""


@pytest.fixture
def src() -> torch.Tensor:
    """One source [1, 7]."""
    ids = torch.randint(3, TINY.src_vocab_size, (1, 7), generator=torch.Generator().manual_seed(1))
    ids[0, 6] = EOS
    return ids


@pytest.mark.proof
def test_whole_outputs_are_as_frequent_as_their_exact_probabilities(src):
    """Every output of at most two tokens over a small vocabulary, each with its probability."""
    model, n = random_model(TINY), 20_000
    config = DecodeConfig(max_length=2, temperature=0.8, top_k=3, seed=11)
    words = [i for i in range(TINY.tgt_vocab_size) if i not in (PAD, BOS, EOS)]
    possible = [(EOS,), *itertools.product(words, [*words, EOS])]
    exact = dict(
        zip(possible, (p for p, _ in output_probabilities(model, src[0], possible, config)), strict=True)
    )
    assert math.fsum(exact.values()) == pytest.approx(1, abs=1e-9)
    rows = last_step(decode_steps(model, src.expand(n, -1), config)).hypotheses.tolist()
    drawn = [(EOS,) if row[0] == EOS else tuple(row) for row in rows]
    reachable = {output: n * p for output, p in exact.items() if p > 0}
    assert set(drawn) <= set(reachable)
    assert min(reachable.values()) > 5
    chi_square = sum((drawn.count(output) - mean) ** 2 / mean for output, mean in reachable.items())
    assert chi_square < CHI_SQUARE_999[len(reachable) - 1]


def test_probabilities_do_not_depend_on_what_is_scored_beside(src):
    model = random_model(TINY)
    config = DecodeConfig(temperature=1.3, top_p=0.9)
    outputs = [(5, EOS), (7, 8, 9, 4, EOS), (EOS,)]
    together = output_probabilities(model, src[0], outputs, config)
    for output, (probability, log_prob) in zip(outputs, together, strict=True):
        ((alone, alone_log),) = output_probabilities(model, src[0], [output], config)
        assert probability == pytest.approx(alone, rel=1e-9)
        assert log_prob == pytest.approx(alone_log, rel=1e-9)


@pytest.mark.proof
def test_progress_grows_to_the_end(run):
    heard: list[float] = []
    draw_samples(run, TEXT, WARM, n=120, on_progress=heard.append)
    assert heard == sorted(heard)
    assert len(set(heard)) > 3
    assert heard[-1] == pytest.approx(1)


def output_of(count: int, probability: float) -> DrawnOutput:
    return DrawnOutput((count, EOS), str(count), count, probability, -1.0, True)


def test_rows_and_others_add_up_to_everything():
    outputs = tuple(output_of(count, 0.05) for count in range(16, 4, -1))
    samples = Samples(sum(range(5, 17)), outputs)
    data = samples_data(samples)
    assert len(data.rows) == 10
    assert data.n_distinct == 12
    assert sum(row.count for row in data.rows) + data.others_count == data.n_drawn
    assert math.fsum(row.probability for row in data.rows) + data.others_probability == pytest.approx(1)


def test_the_distance_compares_only_outputs_that_are_bound_to_come_up():
    samples = Samples(100, (output_of(60, 0.5), output_of(39, 0.4), output_of(1, 0.001)))
    data = samples_data(samples)
    assert data.n_compared == 2
    # 0.60, 0.39 and 0.01 drawn; 0.5, 0.4 and 0.1 exact.
    assert data.distance == pytest.approx(0.5 * (0.10 + 0.01 + 0.09))
    spread = math.sqrt(0.25) + math.sqrt(0.24) + math.sqrt(0.09)
    assert data.chance == pytest.approx(0.5 * math.sqrt(2 / math.pi / 100) * spread)


@pytest.mark.proof
def test_drawn_and_exact_agree_for_the_shipped_model(run):
    config = dataclasses.replace(WARM, temperature=1.0, top_k=None, top_p=1.0)
    data = samples_data(draw_samples(run, TEXT, config, n=400))
    assert data.n_compared >= 1
    assert data.distance < 4 * data.chance
