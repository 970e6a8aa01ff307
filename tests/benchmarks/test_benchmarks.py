"""The benchmarks run, on a model so small that they take seconds, and keep their table where it belongs."""

import math
from dataclasses import replace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import interventions, machine, recording, training
from benchmarks.__main__ import format_table, replace_section
from benchmarks.compare import Row, choose_clock, measure_ratio, measure_speedup
from benchmarks.peers.torch_transformer import TorchTransformer
from benchmarks.sizes import BASE, SMALL, TINY, TOY
from core.model.parameters import count_parameters
from core.model.transformer import Transformer


@pytest.fixture(autouse=True)
def one_thread():
    """As the benchmarks ask for it."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def clock_of_works(seconds):
    """A clock that only these works move, and the works."""
    now = [0.0]

    def work(duration):
        def run():
            now[0] += duration

        return run

    return lambda: now[0], [work(duration) for duration in seconds]


def test_a_work_of_half_the_time_is_twice_as_fast():
    clock, (ours, peer) = clock_of_works((2.0, 4.0))
    assert measure_ratio(ours, peer, rounds=3, repeats=5, clock=clock) == 0.5
    assert measure_speedup(ours, peer, rounds=3, repeats=5, clock=clock) == 2.0


def test_peers_take_turns_in_reversed_order_and_the_first_round_does_not_count():
    order, now = [], [0.0]

    def ours():
        order.append("ours")
        now[0] += 1.0 if len(order) > 2 else 100.0

    def peer():
        order.append("peer")
        now[0] += 1.0

    assert measure_ratio(ours, peer, rounds=3, repeats=1, clock=lambda: now[0]) == 1.0
    assert order == ["peer", "ours", "ours", "peer", "peer", "ours", "ours", "peer"]


def test_the_cpu_is_timed_by_the_seconds_that_the_process_had_it():
    clock = choose_clock("cpu")
    before = clock()
    sum(range(1_000_000))
    assert 0 < clock() - before < 10


@pytest.mark.proof
@pytest.mark.parametrize("module", [training, recording, machine], ids=lambda module: module.__name__)
def test_every_measurement_gives_positive_numbers(module):
    rows = module.measure(rounds=1, sizes=(TINY,))
    assert len({row.what for row in rows}) == len(rows) >= 2
    assert all(row.size == "TINY" and math.isfinite(row.ratio) and row.ratio > 0 for row in rows)


@pytest.mark.proof
def test_sweeps_give_positive_numbers():
    rows = interventions.measure(rounds=1, n_sentences=2)
    assert len({row.what for row in rows}) == len(rows) == 3
    assert all(math.isfinite(row.ratio) and row.ratio > 0 for row in rows)


def test_decoding_gives_positive_numbers(monkeypatch):
    pytest.importorskip("transformers", reason="make bench installs the peer of the decoding benchmark")
    from benchmarks import decoding

    cases = [(TINY, 2, config, 1, 1.0, 1.0) for config in (decoding.GREEDY, decoding.BEAM)]
    monkeypatch.setattr(decoding, "CASES", cases)
    rows = decoding.measure(rounds=1)
    assert len(rows) == 2
    assert all(math.isfinite(row.ratio) and row.ratio > 0 for row in rows)


@pytest.mark.proof
def test_a_training_step_also_runs_in_bfloat16_and_changes_float32_weights():
    model = Transformer(TINY.make_config())
    before = model.src_embed.weight.detach().clone()
    src, tgt = TINY.draw_sources(), TINY.draw_targets()
    training.make_training_step(model, src, tgt, torch.bfloat16)()
    assert model.src_embed.weight.dtype == torch.float32
    assert not torch.equal(model.src_embed.weight, before)


@pytest.mark.sweep
@pytest.mark.parametrize("size", [TINY, TOY, replace(SMALL, batch=1), replace(BASE, batch=1)], ids=str)
def test_both_models_of_a_comparison_are_equally_large(size):
    # Torch's stacks end in one more norm each.
    extra = 2 * 2 * size.d_model
    peer = TorchTransformer(size, dropout=0.1)
    assert count_parameters(peer) == count_parameters(Transformer(size.make_config())) + extra


@pytest.mark.proof
def test_both_losses_of_a_comparison_are_one():
    logits, labels = torch.randn(TINY.batch, TINY.length, TINY.vocab), TINY.draw_targets()
    torch.testing.assert_close(training.our_loss(logits, labels), training.torch_loss(logits, labels))


@pytest.mark.proof
def test_multiply_adds_are_those_that_torch_counts_in_a_step():
    # The eager path, since the counter does not look into the fused kernel.
    model = Transformer(TINY.make_config(attention_backend="eager", dropout=0.0))
    src, tgt = TINY.draw_sources(), TINY.draw_targets()
    with FlopCounterMode(display=False) as counter:
        logits = model(src, tgt)
        forward = counter.get_total_flops()
        training.our_loss(logits, tgt).backward()
    assert forward == 2 * machine.count_multiply_adds(TINY)
    assert counter.get_total_flops() == 3 * forward


def test_the_table_says_what_each_row_was_to_reach():
    rows = [Row("TOY", "step", 1.234, at_least=1.2, aim=1.3), Row("BASE", "cost of taps", 1.0, at_most=1.03)]
    assert format_table(rows).splitlines()[2:] == [
        "| TOY | step | 1.23 | ≥ 1.2 | ≥ 1.3 |",
        "| BASE | cost of taps | 1.00 | ≤ 1.03 |  |",
    ]


def test_refreshing_replaces_only_what_stands_between_the_markers():
    page = (
        "# Speed\n<!-- cpu -->\nold\n<!-- end of cpu -->\nwords\n<!-- gpu -->\n\nold\n\n<!-- end of gpu -->\n"
    )
    new = replace_section(page, "cpu", "new")
    assert new == page.replace("-->\nold\n<!--", "-->\n\nnew\n\n<!--")
    assert replace_section(new, "cpu", "new") == new
    with pytest.raises(ValueError, match="end of learning"):
        replace_section(page, "learning", "new")
