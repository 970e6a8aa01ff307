"""Edges of recording and editing: several edits of a site, hooks before a tap, and what is nobody's to change."""

from dataclasses import replace

import pytest
import torch

from core.activations.record import edit, record
from core.model.cache import KeyValueCache
from tests.core.conftest import TINY, random_model

SITE = "encoder.layers.1.feed_forward.output"


def weights_and_tables(model) -> dict[str, torch.Tensor]:
    """Copies of everything that the model keeps between forward passes."""
    return {
        name: value.detach().clone() for name, value in (*model.named_parameters(), *model.named_buffers())
    }


def assert_unchanged(model, before) -> None:
    for name, value in weights_and_tables(model).items():
        assert torch.equal(value, before[name]), name


@pytest.mark.parametrize("doubled_first", [True, False])
def test_edits_of_one_site_act_in_the_order_given(doubled_first, tiny_model, src, tgt_in):
    with record(tiny_model, SITE) as plain:
        tiny_model(src, tgt_in)
    edits = {SITE: lambda x: 2 * x, "*.1.feed_forward.out*": lambda x: x + 3}
    if not doubled_first:
        edits = dict(reversed(edits.items()))
    with edit(tiny_model, edits), record(tiny_model, SITE) as seen:
        tiny_model(src, tgt_in)
    expected = 2 * plain[SITE] + 3 if doubled_first else 2 * (plain[SITE] + 3)
    assert torch.equal(seen[SITE], expected)


def test_edits_of_nested_blocks_all_act_the_outer_first(tiny_model, src, tgt_in):
    with record(tiny_model, SITE) as plain:
        tiny_model(src, tgt_in)
    with (
        edit(tiny_model, {SITE: lambda x: 2 * x}),
        edit(tiny_model, {SITE: lambda x: x + 3}),
        record(tiny_model, SITE) as seen,
    ):
        tiny_model(src, tgt_in)
    assert torch.equal(seen[SITE], 2 * plain[SITE] + 3)


@pytest.mark.sweep
@pytest.mark.parametrize("value", ["q", "scores", "mask", "weights", "context", "output"])
def test_a_pre_hook_on_a_tap_sees_the_value_and_may_replace_it(value, tiny_model, src, tgt_in):
    path = "decoder.layers.1.cross_attn"
    with record(tiny_model, f"{path}.{value}") as seen:
        before = tiny_model(src, tgt_in)
    tap, given = tiny_model.taps[f"{path}.{value}"], []
    looking = tap.register_forward_pre_hook(lambda _, args: given.append(args[0].clone()))
    torch.testing.assert_close(tiny_model(src, tgt_in), before, rtol=0, atol=1e-12)
    looking.remove()
    assert len(given) == 1
    # A hook makes its own attention eager, a recording all of them: the same but for the last digits.
    torch.testing.assert_close(given[0], seen[f"{path}.{value}"], rtol=0, atol=1e-12)

    changing = tap.register_forward_pre_hook(lambda _, args: (torch.zeros_like(args[0]),))
    changed = tiny_model(src, tgt_in)
    changing.remove()
    with edit(tiny_model, {f"{path}.{value}": torch.zeros_like}):
        edited = tiny_model(src, tgt_in)
    assert not torch.allclose(changed, before)
    torch.testing.assert_close(changed, edited, rtol=0, atol=1e-12)


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("positional", ["sinusoidal", "learned"])
def test_changing_recorded_positions_in_place_leaves_the_model_alone(positional, batch, src, tgt_in):
    model = random_model(replace(TINY, positional=positional))
    before = weights_and_tables(model)
    logits = model(src[:batch], tgt_in[:batch])
    with record(model, "*_embed.positions") as seen:
        model(src[:batch], tgt_in[:batch])
    for name in ("src_embed.positions", "tgt_embed.positions"):
        seen[name].add_(1)
    assert_unchanged(model, before)
    assert torch.equal(model(src[:batch], tgt_in[:batch]), logits)


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("positional", ["sinusoidal", "learned"])
def test_an_edit_in_place_leaves_the_model_alone(positional, batch, src, tgt_in):
    model = random_model(replace(TINY, positional=positional))
    before = weights_and_tables(model)
    logits = model(src[:batch], tgt_in[:batch])
    with edit(model, {"*_embed.positions": lambda x: x.zero_()}):
        edited = model(src[:batch], tgt_in[:batch])
    assert not torch.allclose(edited, logits)
    assert_unchanged(model, before)
    assert torch.equal(model(src[:batch], tgt_in[:batch]), logits)


@pytest.mark.sweep
@pytest.mark.parametrize("norm_position", ["post", "pre"])
def test_an_edit_in_place_of_any_site_changes_what_the_same_edit_of_a_copy_changes(
    norm_position, src, tgt_in
):
    model = random_model(replace(TINY, n_encoder_layers=1, n_decoder_layers=1, norm_position=norm_position))
    before = weights_and_tables(model)
    for site in model.sites():
        if not site.editable:
            continue
        with torch.no_grad(), edit(model, {site.name: torch.zeros_like}), record(model) as apart:
            model(src, tgt_in)
        with torch.no_grad(), edit(model, {site.name: lambda x: x.zero_()}), record(model) as in_place:
            model(src, tgt_in)
        for name in apart:
            assert torch.equal(apart[name], in_place[name]), (site.name, name)
    assert_unchanged(model, before)


@pytest.mark.parametrize(("dtype", "size"), [("float64", 8), ("float32", 4), ("bfloat16", 2)])
def test_a_cache_counts_the_bytes_of_its_filled_rows(dtype, size, src):
    model = random_model(replace(TINY, dtype=dtype))
    memory, mask = model.encode(src)
    cache = KeyValueCache.empty(3)
    assert cache.n_bytes == 0
    tgt_in = torch.randint(3, 19, (2, 41), generator=torch.Generator().manual_seed(8))
    for first, last in ((0, 5), (5, 6), (6, 41)):
        with torch.no_grad():
            model.decode(tgt_in[:, first:last], memory, mask, cache)
        # Keys and values, in 3 layers, of 2 rows with 4 heads of 6: of the target so far, and of 7 sources.
        assert cache.n_bytes == 2 * 3 * 2 * 4 * 6 * (last + 7) * size
