"""record and edit: what they promise, what they refuse, and that threads never mix."""

import copy
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import torch

from core.activations.record import edit, record, recording_bytes
from core.activations.tap import Tap
from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps
from core.errors import CaptureError, UnknownSite
from tests.core.conftest import BOS, TINY, random_model
from tests.optional import unwrap

CROSS = "decoder.layers.*.cross_attn.weights"


def test_recording_changes_no_bit_of_the_eager_path(src, tgt_in):
    for dtype in ("float32", "float64"):
        model = random_model(replace(TINY, dtype=dtype, attention_backend="eager"))
        alone = model(src, tgt_in)
        with record(model) as activations:
            recorded = model(src, tgt_in)
        assert torch.equal(alone, recorded)
        assert torch.equal(activations["generator.logits"], alone)


def test_a_pattern_records_its_sites_and_no_others(tiny_model, src, tgt_in):
    with record(tiny_model, CROSS) as activations:
        tiny_model(src, tgt_in)
    assert list(activations) == [f"decoder.layers.{i}.cross_attn.weights" for i in range(3)]
    with pytest.raises(UnknownSite, match=r"'encoder\.output' was not recorded"):
        activations["encoder.output"]


def test_a_pattern_without_a_match_names_near_sites(tiny_model):
    with (
        pytest.raises(UnknownSite, match=r"encoder\.layers\.0\.self_attn\.weights"),
        record(tiny_model, "encoder.layers.0.self_attn.weigths"),  # codespell:ignore weigths
    ):
        pass


def test_a_second_forward_in_one_block_is_refused(tiny_model, src, tgt_in):
    with record(tiny_model, CROSS):
        tiny_model(src, tgt_in)
        with pytest.raises(CaptureError, match="came up twice"):
            tiny_model(src, tgt_in)


def test_a_block_without_a_forward_is_refused(tiny_model):
    with pytest.raises(CaptureError, match="nothing was recorded"), record(tiny_model, CROSS):
        pass


def test_an_error_inside_the_block_is_not_hidden_and_ends_the_recording(tiny_model, src, tgt_in):
    with pytest.raises(RuntimeError, match="from inside"), record(tiny_model, CROSS):
        raise RuntimeError("from inside")
    assert not tiny_model.decoder.layers[0].cross_attn.weights.watched
    tiny_model(src, tgt_in)


def test_only_the_named_model_is_recorded(tiny_model, src, tgt_in):
    other = copy.deepcopy(tiny_model)
    with record(tiny_model, CROSS) as activations:
        other(src, tgt_in)
        assert not len(activations)
        tiny_model(src, tgt_in)
    assert len(activations) == 3


def test_a_copy_of_a_model_can_be_recorded_by_itself(tiny_model, src, tgt_in):
    twin = copy.deepcopy(tiny_model)
    with record(twin, CROSS) as activations:
        twin(src, tgt_in)
    assert len(activations) == 3


@pytest.mark.proof
def test_a_compiled_model_is_refused(tiny_model):
    compiled: Any = torch.compile(tiny_model, backend="eager")
    with pytest.raises(CaptureError, match="compiled model"), record(compiled, CROSS):
        pass


def test_recorded_values_keep_no_graph_and_no_model(tiny_model, src, tgt_in):
    with record(tiny_model) as activations:
        tiny_model(src, tgt_in)
    assert not any(value.requires_grad for value in activations.values())
    held = [value for value in vars(activations).values() if isinstance(value, torch.nn.Module)]
    assert held == []


@pytest.mark.sweep
@pytest.mark.parametrize(
    "patterns", [(), ("*.weights",), ("*.self_attn_add_norm.mean",), ("*.masked_scores",)]
)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_memory_of_a_recording_is_known_beforehand(patterns, dtype, src, tgt_in):
    model = random_model(replace(TINY, dtype=dtype))
    with record(model, *patterns) as activations:
        model(src, tgt_in)
    for value in activations.values():
        assert value.numel()
    held = sum(value.numel() * value.element_size() for value in activations._values.values())
    assert recording_bytes(model, *patterns, batch=2, src_length=7, tgt_length=5) == held


def test_a_recording_stops_before_it_takes_more_than_it_may(tiny_model, src, tgt_in):
    needed = recording_bytes(tiny_model, CROSS, batch=2, src_length=7, tgt_length=5)
    with record(tiny_model, CROSS, max_bytes=needed) as activations:
        tiny_model(src, tgt_in)
    assert len(activations) == 3
    limit = f"over the limit of {needed - 1:,}"
    with pytest.raises(CaptureError, match=limit), record(tiny_model, CROSS, max_bytes=needed - 1):
        tiny_model(src, tgt_in)


def test_select_fixes_axes_by_name(tiny_model, src, tgt_in):
    name = "decoder.layers.1.cross_attn.weights"
    with record(tiny_model, name) as activations:
        tiny_model(src, tgt_in)
    assert torch.equal(activations.select(name, head=2, batch=1), activations[name][1, 2])
    with pytest.raises(CaptureError, match="has the axes batch, head, query, key"):
        activations.select(name, position=0)
    with pytest.raises(CaptureError, match="head 4 is outside"):
        activations.select(name, head=4)


def test_an_edit_changes_what_flows_on_and_what_is_recorded(tiny_model, src, tgt_in):
    name = "decoder.layers.0.cross_attn.weights"
    before = tiny_model(src, tgt_in)
    with (
        edit(tiny_model, {name: torch.zeros_like}),
        record(tiny_model, name, "*.0.cross_attn.context") as seen,
    ):
        after = tiny_model(src, tgt_in)
    assert not torch.allclose(before, after)
    assert not seen[name].any()
    assert not seen["decoder.layers.0.cross_attn.context"].any()
    torch.testing.assert_close(tiny_model(src, tgt_in), before, rtol=0, atol=0)


def test_editing_the_mask_lets_queries_see_the_future(tiny_model, src, tgt_in):
    name = "decoder.layers.0.self_attn"
    with edit(tiny_model, {f"{name}.mask": torch.ones_like}), record(tiny_model, f"{name}.*") as seen:
        tiny_model(src, tgt_in)
    assert (seen[f"{name}.weights"] > 0).all()


def test_editing_a_derived_site_names_the_editable_one(tiny_model):
    with (
        pytest.raises(CaptureError, match=r"edit 'encoder\.layers\.0\.self_attn_add_norm\.sum' instead"),
        edit(tiny_model, {"encoder.layers.0.self_attn_add_norm.mean": torch.zeros_like}),
    ):
        pass


def test_an_edit_may_not_change_a_shape(tiny_model, src, tgt_in):
    with (
        pytest.raises(CaptureError, match="changed its shape"),
        edit(tiny_model, {"encoder.output": lambda x: x[:, :1]}),
    ):
        tiny_model(src, tgt_in)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda x: None, "must return a tensor, not NoneType"),
        (lambda x: 0.0, "must return a tensor, not float"),
        (lambda x: x.float(), "must stay torch.float64"),
    ],
)
def test_an_edit_must_return_a_value_of_the_same_kind(tiny_model, src, tgt_in, wrong, sentence):
    with pytest.raises(CaptureError, match=sentence), edit(tiny_model, {"encoder.output": wrong}):
        tiny_model(src, tgt_in)


def test_recording_the_encoder_in_decoding_steps_gives_it_in_the_first(tiny_model, src):
    config = DecodeConfig(max_length=3)
    first, *rest = decode_steps(tiny_model, src, config, record_sites=("encoder.output",))
    assert "encoder.output" in unwrap(first.activations)
    assert all(len(unwrap(step.activations)) == 0 for step in rest)


@pytest.mark.parametrize("name", ["scores", "mask", "context"])
def test_a_hook_on_any_tap_of_attention_is_called(tiny_model, src, tgt_in, name):
    seen = []
    tap = getattr(tiny_model.encoder.layers[0].self_attn, name)
    tap.register_forward_hook(lambda module, args, output: seen.append(output))
    tiny_model(src, tgt_in)
    assert len(seen) == 1


def test_a_backward_hook_on_a_tap_is_called(tiny_model, src, tgt_in):
    seen = []
    tiny_model.encoder.output.register_full_backward_hook(lambda module, grad_in, grad_out: seen.append(1))
    tiny_model(src, tgt_in).sum().backward()
    assert seen == [1]


@pytest.mark.proof
def test_a_compiled_part_is_refused(tiny_model):
    tiny_model.encoder.layers[0].compile(backend="eager")
    with pytest.raises(CaptureError, match="compiled model"), record(tiny_model, CROSS):
        pass


def test_an_ordinary_hook_on_a_tap_sees_the_weights(tiny_model, src, tgt_in):
    seen = []
    tap = tiny_model.decoder.layers[2].cross_attn.weights
    handle = tap.register_forward_hook(lambda module, args, output: seen.append(output))
    tiny_model(src, tgt_in)
    handle.remove()
    tiny_model(src, tgt_in)
    assert len(seen) == 1
    assert seen[0].shape == (2, 4, 5, 7)


def test_an_unwatched_tap_returns_the_very_same_object():
    value = torch.ones(2)
    assert Tap("batch")(value) is value


@pytest.mark.proof
def test_sixteen_threads_on_one_model_get_exactly_what_they_get_alone():
    model = random_model(replace(TINY, dtype="float32"))
    generator = torch.Generator().manual_seed(7)
    inputs = [
        (
            torch.randint(3, 19, (1, 4 + i % 5), generator=generator),
            torch.cat(
                (torch.tensor([[BOS]]), torch.randint(3, 19, (1, 1 + i % 3), generator=generator)), dim=1
            ),
        )
        for i in range(16)
    ]

    def run(pair):
        with torch.no_grad(), record(model) as activations:
            model(*pair)
        return {name: value.clone() for name, value in activations.items()}

    alone = [run(pair) for pair in inputs]
    together = threading.Barrier(16)

    def run_together(index):
        together.wait()
        return [run(inputs[index]) for _ in range(8)]

    with ThreadPoolExecutor(16) as pool:
        for index, results in enumerate(pool.map(run_together, range(16))):
            for result in results:
                assert result.keys() == alone[index].keys()
                assert all(torch.equal(result[name], alone[index][name]) for name in result)


def test_interleaved_decoders_never_see_each_other(src):
    first, second = random_model(TINY, seed=1), random_model(TINY, seed=2)
    config = DecodeConfig(max_length=5)

    def weights(step):
        return step.activations["decoder.layers.2.cross_attn.weights"]

    alone = [
        [weights(step) for step in decode_steps(model, src, config, record_sites=(CROSS,))]
        for model in (first, second)
    ]
    one = decode_steps(first, src, config, record_sites=(CROSS,))
    two = decode_steps(second, src, config, record_sites=(CROSS,))
    for index, (a, b) in enumerate(zip(one, two, strict=False)):
        assert torch.equal(weights(a), alone[0][index])
        assert torch.equal(weights(b), alone[1][index])


def test_a_decoder_can_be_resumed_in_another_thread(tiny_model, src):
    config = DecodeConfig(max_length=4)
    alone = [step.log_probs for step in decode_steps(tiny_model, src, config)]
    steps = decode_steps(tiny_model, src, config, record_sites=(CROSS,))
    begun = next(steps)
    with ThreadPoolExecutor(1) as pool:
        rest = pool.submit(list, steps).result()
    resumed = [begun.log_probs, *(step.log_probs for step in rest)]
    assert len(resumed) == len(alone)
    for a, b in zip(resumed, alone, strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-12)
    assert not tiny_model.decoder.layers[0].cross_attn.weights.watched
