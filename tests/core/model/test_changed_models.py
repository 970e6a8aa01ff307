"""What a user changes in a model counts: hooks, replaced parts, tied matrices, ids of another form."""

import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.activations.record import record
from core.activations.tap import Tap
from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps, generate
from core.errors import ConfigError, InputError
from core.model.transformer import Transformer
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model

CROSS_PROJECTION = "decoder.layers.0.cross_attn.in_proj"
SRC = torch.tensor([[5, 9, 4, 17, EOS]])
TGT_IN = torch.tensor([[BOS, 8, 6]])


class LowRank(nn.Module):
    """A linear map beside which a narrow one is learned, as adapters do."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.randn(2, linear.in_features, dtype=torch.float64))
        self.up = nn.Parameter(torch.randn(linear.out_features, 2, dtype=torch.float64))

    @property
    def bias(self) -> Tensor | None:
        """The bias of the linear map."""
        return self.linear.bias

    def forward(self, x: Tensor) -> Tensor:
        """Add the narrow map to the linear one."""
        return self.linear(x) + x @ self.down.T @ self.up.T


class RoundedLinear(nn.Module):
    """A linear map with weights of 8 bits, which `weight()` and `bias()` return, as in torch's quantized layers."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.scale = linear.weight.detach().abs().max() / 127
        self.rounded = (linear.weight.detach() / self.scale).round().to(torch.int8)
        self.shift = linear.bias.detach()

    def weight(self) -> Tensor:
        """The weights that the integers stand for."""
        return self.rounded.double() * self.scale

    def bias(self) -> Tensor:
        """The bias, which is not rounded."""
        return self.shift

    def forward(self, x: Tensor) -> Tensor:
        """Map with the rounded weights."""
        return nn.functional.linear(x, self.weight(), self.shift)


def test_forward_calls_every_module(tiny_model: Transformer) -> None:
    called = set()
    for name, module in tiny_model.named_modules():
        module.register_forward_hook(lambda *_, name=name: called.add(name))
    tiny_model(SRC, TGT_IN)
    silent = [name for name, m in tiny_model.named_modules() if not isinstance(m, (Tap, nn.ModuleList))]
    assert set(silent) <= called


def decoded_log_probs(model: Transformer, *, use_cache: bool) -> Tensor:
    """Decode six tokens greedily and return the log-probability of each."""
    config = DecodeConfig(max_length=6, use_cache=use_cache)
    return torch.stack([step.log_prob for step in decode_steps(model, SRC, config)])


@pytest.mark.parametrize("use_cache", [True, False])
def test_hook_on_any_projection_changes_decoding(use_cache: bool, tiny_model: Transformer) -> None:
    logits, log_probs = tiny_model(SRC, TGT_IN), decoded_log_probs(tiny_model, use_cache=use_cache)
    tiny_model.get_submodule(CROSS_PROJECTION).register_forward_hook(lambda *call: call[2] * 0)
    assert (tiny_model(SRC, TGT_IN) - logits).abs().max() > 0.1
    assert (decoded_log_probs(tiny_model, use_cache=use_cache) - log_probs).abs().min() > 1e-3


def test_hook_on_the_queries_alone_acts_in_cached_steps(tiny_model: Transformer) -> None:
    def doubled(module: nn.Module, inputs: object, output: Tensor) -> Tensor:
        """Double W_Q's third of the packed projection."""
        return torch.cat((2 * output[..., : TINY.d_model], output[..., TINY.d_model :]), dim=-1)

    plain = decoded_log_probs(tiny_model, use_cache=True)
    tiny_model.get_submodule(CROSS_PROJECTION).register_forward_hook(doubled)
    cached, uncached = (decoded_log_probs(tiny_model, use_cache=use) for use in (True, False))
    torch.testing.assert_close(cached, uncached, rtol=0, atol=1e-10)
    assert (cached - plain).abs().min() > 1e-6


def test_hook_without_effect_leaves_the_logits(tiny_model: Transformer) -> None:
    logits = tiny_model(SRC, TGT_IN)
    tiny_model.get_submodule(CROSS_PROJECTION).register_forward_hook(lambda *_: None)
    torch.testing.assert_close(tiny_model(SRC, TGT_IN), logits, rtol=0, atol=1e-12)


def test_adapter_around_any_projection_is_trained(tiny_model: Transformer) -> None:
    projection = tiny_model.get_submodule(CROSS_PROJECTION)
    assert isinstance(projection, nn.Linear)
    adapter = LowRank(projection)
    tiny_model.get_submodule(CROSS_PROJECTION.rpartition(".")[0]).in_proj = adapter
    tiny_model(SRC, TGT_IN).sum().backward()
    assert adapter.up.grad is not None
    assert adapter.up.grad.abs().max() > 0


@pytest.mark.parametrize("block", ["cross_attn", "self_attn"])
def test_quantized_projection_acts_in_cached_steps(block: str, tiny_model: Transformer) -> None:
    plain = decoded_log_probs(tiny_model, use_cache=True)
    attention = tiny_model.get_submodule(f"decoder.layers.0.{block}")
    projection = attention.get_submodule("in_proj")
    assert isinstance(projection, nn.Linear)
    attention.in_proj = RoundedLinear(projection)
    cached, uncached = (decoded_log_probs(tiny_model, use_cache=use) for use in (True, False))
    torch.testing.assert_close(cached, uncached, rtol=0, atol=1e-10)
    assert (cached - plain).abs().min() > 1e-9


@pytest.mark.parametrize("method", ["attend", "split_heads"])
def test_method_replaced_on_an_instance_changes_cached_steps(method: str, tiny_model: Transformer) -> None:
    block = tiny_model.get_submodule("decoder.layers.1.self_attn")
    original = getattr(block, method)

    def doubled(*args: object, **options: object) -> object:
        found = original(*args, **options)
        return tuple(2 * part for part in found) if isinstance(found, tuple) else 2 * found

    setattr(block, method, doubled)
    cached, uncached = (decoded_log_probs(tiny_model, use_cache=use) for use in (True, False))
    torch.testing.assert_close(cached, uncached, rtol=0, atol=1e-10)


def assign_clones(model: Transformer) -> Transformer:
    """Load a clone of the model's own weights in place of its parameters."""
    state = {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(state, assign=True)
    return model


def build_on_meta(model: Transformer) -> Transformer:
    """Build the model without memory, give it some, and load the weights."""
    empty = Transformer(TINY, device="meta").to_empty(device="cpu")
    empty.load_state_dict(model.state_dict())
    return empty.eval()


def convert_with_new_parameters(model: Transformer) -> Transformer:
    """Convert the model while torch replaces parameters instead of their data."""
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        return model.to(torch.float32).to(torch.float64)
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(False)


@pytest.mark.parametrize("change", [assign_clones, build_on_meta, convert_with_new_parameters])
def test_tied_matrices_stay_one(
    change: Callable[[Transformer], Transformer], tiny_model: Transformer
) -> None:
    logits = tiny_model(SRC, TGT_IN)
    changed = change(tiny_model)
    assert changed.generator.weight is changed.src_embed.weight is changed.tgt_embed.weight
    torch.testing.assert_close(changed(SRC, TGT_IN), logits, rtol=0, atol=1e-5)


@pytest.mark.parametrize("part", ["tgt_embed", "generator"])
def test_different_tied_matrices_are_rejected(part: str, tiny_model: Transformer) -> None:
    state = {name: value.clone() for name, value in tiny_model.state_dict().items()}
    state[f"{part}.weight"][4, 3] += 1
    with pytest.raises(ConfigError, match="tie_embeddings is on, but"):
        tiny_model.load_state_dict(state)


def test_tied_matrices_may_hold_broken_numbers(tiny_model: Transformer) -> None:
    with torch.no_grad():
        tiny_model.src_embed.weight[4, 3] = torch.nan
    state = {name: value.clone() for name, value in tiny_model.state_dict().items()}
    tiny_model.load_state_dict(state)
    assert tiny_model.generator.weight is tiny_model.src_embed.weight


def test_model_can_be_pickled(tiny_model: Transformer) -> None:
    copied = pickle.loads(pickle.dumps(tiny_model))
    assert copied.generator.weight is copied.src_embed.weight
    torch.testing.assert_close(copied(SRC, TGT_IN), tiny_model(SRC, TGT_IN))


@pytest.mark.parametrize(
    ("src", "tgt_in", "sentence"),
    [
        ([[PAD, PAD, 5, EOS]], [[BOS, 8]], "pad the source ids on the right"),
        ([[5, PAD, 6, EOS]], [[BOS, 8]], "pad the source ids on the right"),
        ([[5, 6, EOS]], [[BOS, PAD, 8]], "pad the target ids on the right"),
        ([[5, 6, EOS]], [[8, 9]], "begin each row of target ids with the id 1"),
        ([[5, 6, EOS]], [[BOS, 8], [PAD, 9]], "begin each row of target ids with the id 1"),
        ([[5, 6, EOS]], [[BOS, 8]] * 3, "give as many rows of target ids as of source ids: 3 for 1"),
        ([[5, 6, EOS]] * 3, [[BOS, 8]] * 2, "give as many rows of target ids as of source ids: 2 for 3"),
    ],
)
def test_ids_of_another_form_are_rejected(
    src: list[list[int]], tgt_in: list[list[int]], sentence: str, tiny_model: Transformer
) -> None:
    with pytest.raises(InputError, match=sentence):
        tiny_model(torch.tensor(src), torch.tensor(tgt_in))


@pytest.mark.parametrize("src", [[[5, 6]], [[5, EOS, 6]], [[5, EOS], [6, PAD]]])
def test_source_without_an_end_is_rejected_by_decoding(src: list[list[int]], tiny_model: Transformer) -> None:
    with pytest.raises(InputError, match="end each source with the id 2"):
        generate(tiny_model, torch.tensor(src), max_length=3)


@pytest.mark.parametrize("tgt_in", [[[99, 8]], [[-1, 8]], [[BOS, 99], [8, 9]]])
def test_id_outside_the_vocabulary_is_named_first(tgt_in: list[list[int]], tiny_model: Transformer) -> None:
    src = SRC[:, -3:].expand(len(tgt_in), -1)
    with pytest.raises(InputError, match="is outside the vocabulary of 19 tokens"):
        tiny_model(src, torch.tensor(tgt_in))


class Readings(TorchFunctionMode):
    """Count how often the host reads a number out of a tensor, for which it waits for the device."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_function__(
        self, func: Callable[..., object], types: object, args: tuple = (), kwargs: dict | None = None
    ) -> object:
        """Count a call that reads, and pass it on."""
        self.count += getattr(func, "__name__", "") in ("__bool__", "__int__", "__float__", "item", "tolist")
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize(("padding", "most"), [([], 2), ([PAD], 3)])
def test_forward_reads_its_checks_together(padding: list[int], most: int, tiny_model: Transformer) -> None:
    src = torch.tensor([[5, 9, EOS, *padding]])
    with Readings() as readings:
        tiny_model(src, TGT_IN)
    assert readings.count == most


def break_query_weights(model: Transformer) -> None:
    """Put NaN into one head's W_Q of the encoder."""
    model.get_parameter("encoder.layers.0.self_attn.in_proj.weight")[:6] = torch.nan


def break_key_bias(model: Transformer) -> None:
    """Put one NaN into the bias of a decoder's keys."""
    model.get_parameter("decoder.layers.0.self_attn.in_proj.bias")[30] = torch.nan


def break_memory_keys(model: Transformer) -> None:
    """Put one NaN into W_K of cross-attention."""
    model.get_parameter("decoder.layers.1.cross_attn.in_proj.weight")[40, 3] = torch.nan


def hook_queries(model: Transformer) -> None:
    """Let a hook return NaN for all queries."""

    def broken(module: nn.Module, inputs: object, output: Tensor) -> Tensor:
        """Put NaN into the first number of each query."""
        return output.index_fill(-1, torch.tensor([0]), torch.nan)

    model.get_submodule("decoder.layers.0.cross_attn.in_proj").register_forward_hook(broken)


@pytest.mark.parametrize("change", [break_query_weights, break_key_bias, break_memory_keys, hook_queries])
def test_broken_numbers_of_attention_reach_the_logits(change: Callable[[Transformer], None]) -> None:
    """In float32, where torch's kernel for CPUs gives zeros to a query all of whose scores are NaN."""
    model = random_model(replace(TINY, dtype="float32"))
    with torch.no_grad():
        change(model)
        with record(model):
            recorded = model(SRC, TGT_IN)
        assert not recorded.isfinite().any(dim=-1).all()
        assert torch.equal(model(SRC, TGT_IN).isnan(), recorded.isnan())
    with pytest.raises(InputError, match="logits are not finite"):
        generate(model, SRC)


@pytest.mark.parametrize(
    "register",
    [
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_full_backward_pre_hook",
    ],
)
def test_hook_of_any_kind_on_a_projection_is_called(register: str, tiny_model: Transformer) -> None:
    called = []
    getattr(tiny_model.get_submodule(CROSS_PROJECTION), register)(lambda *_: called.append(register))
    tiny_model(SRC, TGT_IN).sum().backward()
    assert called
