"""Ablation: what it takes away, what it leaves alone bit for bit, and what it refuses."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from core.activations.record import edit, record
from core.analysis.ablation import (
    ablate_head,
    ablate_neuron,
    ablation_effect,
    combine_edits,
    head_importance,
    mean_activation,
)
from core.errors import CaptureError, InputError, UnknownSite
from tests.conftest import PATIENCE
from tests.core.conftest import EOS, PAD, TINY, random_model

CROSS = "decoder.layers.1.cross_attn"
NETWORK = "encoder.layers.1.feed_forward"
ATTENTIONS = [f"encoder.layers.{i}.self_attn" for i in range(2)] + [
    f"decoder.layers.{i}.{attention}" for i in range(3) for attention in ("self_attn", "cross_attn")
]


@pytest.fixture
def tgt_out(tgt_in):
    """The labels of tgt_in [2, 5]: each next token, then eos; the second row is padded by one."""
    ids = torch.cat((tgt_in[:, 1:], torch.full((2, 1), EOS)), dim=1)
    ids[1, 3], ids[1, 4] = EOS, PAD
    return ids


def recorded(model, src, tgt_in, edits, *patterns):
    with torch.no_grad(), edit(model, edits), record(model, *patterns) as activations:
        model(src, tgt_in)
    return activations


@pytest.mark.parametrize("path", ATTENTIONS)
def test_without_all_its_heads_an_attention_gives_the_bias_of_w_o(tiny_model, src, tgt_in, path):
    every = combine_edits(*(ablate_head(path, head) for head in range(4)))
    output = recorded(tiny_model, src, tgt_in, every, f"{path}.output")[f"{path}.output"]
    bias = tiny_model.get_submodule(path).out_proj.bias
    assert bias.any()
    torch.testing.assert_close(output, bias.detach().expand_as(output), rtol=0, atol=1e-15)


def test_an_ablated_head_is_zero_and_all_before_it_is_bit_for_bit_as_it_was(tiny_model, src, tgt_in):
    before = recorded(tiny_model, src, tgt_in, {})
    after = recorded(tiny_model, src, tgt_in, ablate_head(CROSS, 2))
    order = [site.name for site in tiny_model.sites()]
    place = order.index(f"{CROSS}.context")
    assert all(torch.equal(before[name], after[name]) for name in order[:place])
    assert not after[f"{CROSS}.context"][:, 2].any()
    others = [0, 1, 3]
    assert torch.equal(after[f"{CROSS}.context"][:, others], before[f"{CROSS}.context"][:, others])
    assert not torch.allclose(after["generator.logits"], before["generator.logits"])


def test_an_ablated_head_takes_its_columns_of_w_o_out_of_the_output(tiny_model, src, tgt_in):
    names = (f"{CROSS}.context", f"{CROSS}.output")
    before = recorded(tiny_model, src, tgt_in, {}, *names)
    after = recorded(tiny_model, src, tgt_in, ablate_head(CROSS, 2), *names)
    w_o = tiny_model.get_submodule(CROSS).out_proj.weight.detach()
    share = before[names[0]][:, 2] @ w_o[:, 12:18].T  # d_head 6: head 2 owns columns 12 to 17
    torch.testing.assert_close(before[names[1]] - share, after[names[1]], rtol=0, atol=1e-12)


def test_an_ablated_neuron_takes_its_column_of_w_2_out_of_the_output(tiny_model, src, tgt_in):
    names = (f"{NETWORK}.hidden", f"{NETWORK}.output")
    before = recorded(tiny_model, src, tgt_in, {}, *names)
    neuron = int(before[names[0]].amax(dim=(0, 1)).argmax())
    after = recorded(tiny_model, src, tgt_in, ablate_neuron(NETWORK, neuron), *names)
    changed = (before[names[0]] != after[names[0]]).any(dim=0).any(dim=0)
    assert changed.nonzero().flatten().tolist() == [neuron]
    assert not after[names[0]][..., neuron].any()
    w_2 = tiny_model.get_submodule(NETWORK).linear2.weight.detach()
    share = before[names[0]][..., neuron, None] * w_2[:, neuron]
    torch.testing.assert_close(before[names[1]] - share, after[names[1]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("edits", [{}, {f"{CROSS}.context": lambda context: context}], ids=["none", "same"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_ablating_nothing_changes_no_bit(src, tgt_in, tgt_out, dtype, edits):
    effect = ablation_effect(random_model(replace(TINY, dtype=dtype)), src, tgt_in, tgt_out, edits)
    assert effect.loss_before == effect.loss_after
    assert effect.loss_change == 0.0
    assert not effect.log_prob_change.any()
    assert not effect.changed.any()


@pytest.mark.parametrize("edits", [ablate_head(CROSS, 1), ablate_neuron(CROSS, 1)], ids=["head", "neuron"])
def test_an_edit_leaves_the_tensor_that_it_was_given_alone(edits):
    (function,) = edits.values()
    value = torch.ones(2, 4, 5)
    assert not torch.equal(function(value), value)
    assert torch.equal(value, torch.ones(2, 4, 5))


@pytest.mark.parametrize("norm_position", ["post", "pre"])
def test_an_effect_is_the_cross_entropy_before_and_after(src, tgt_in, tgt_out, norm_position):
    model = random_model(replace(TINY, norm_position=norm_position))
    edits = ablate_head(CROSS, 1)
    effect = ablation_effect(model, src, tgt_in, tgt_out, edits)
    with torch.no_grad():
        before = model(src, tgt_in)
        with edit(model, edits):
            after = model(src, tgt_in)
    for logits, loss in ((before, effect.loss_before), (after, effect.loss_after)):
        expected = F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten(), ignore_index=PAD)
        assert loss == pytest.approx(expected.item(), abs=1e-12)
    counts = tgt_out != PAD
    assert effect.log_prob_change.shape == effect.changed.shape == (2, 5)
    assert not effect.log_prob_change[~counts].any()
    assert (effect.log_prob_change[counts] != 0).all()
    assert effect.loss_change == pytest.approx(-effect.log_prob_change[counts].mean().item(), abs=1e-12)
    assert torch.equal(effect.changed, (before.argmax(-1) != after.argmax(-1)) & counts)


def test_a_changed_answer_is_marked_where_it_changed_but_never_at_padding(tiny_model, src, tgt_in, tgt_out):
    def favour_token_three(logits):
        edited = logits.clone()
        edited[..., 3] += 100
        return edited

    effect = ablation_effect(tiny_model, src, tgt_in, tgt_out, {"generator.logits": favour_token_three})
    with torch.no_grad():
        expected = (tiny_model(src, tgt_in).argmax(-1) != 3) & (tgt_out != PAD)
    assert expected.any()
    assert torch.equal(effect.changed, expected)


def test_all_heads_are_measured_once_each_in_the_order_of_the_computation(tiny_model, src, tgt_in, tgt_out):
    table = head_importance(tiny_model, src, tgt_in, tgt_out)
    assert [(row.attention, row.head) for row in table] == [
        (path, head) for path in ATTENTIONS for head in range(4)
    ]
    assert len({row.effect.loss_before for row in table}) == 1
    for row in table[::5]:
        alone = ablation_effect(tiny_model, src, tgt_in, tgt_out, ablate_head(row.attention, row.head))
        assert row.effect.loss_after == alone.loss_after
        assert torch.equal(row.effect.log_prob_change, alone.log_prob_change)


def test_a_head_that_w_o_ignores_has_no_importance(tiny_model, src, tgt_in, tgt_out):
    with torch.no_grad():
        tiny_model.get_submodule(CROSS).out_proj.weight[:, 12:18] = 0
    silent = {
        (row.attention, row.head)
        for row in head_importance(tiny_model, src, tgt_in, tgt_out)
        if abs(row.effect.loss_change) < 1e-12
    }
    assert silent == {(CROSS, 2)}


def test_a_pattern_ablates_the_same_head_of_every_layer(tiny_model, src, tgt_in):
    edits = ablate_head("decoder.layers.*.cross_attn", 3)
    after = recorded(tiny_model, src, tgt_in, edits, "decoder.layers.*.context")
    for i in range(3):
        assert not after[f"decoder.layers.{i}.cross_attn.context"][:, 3].any()
        assert after[f"decoder.layers.{i}.self_attn.context"][:, 3].all()


def test_combined_edits_act_in_their_order():
    combined = combine_edits({"a": lambda x: x + 1}, {"a": lambda x: x * 10, "b": lambda x: -x})
    assert combined["a"](torch.tensor(2)) == 30
    assert combined["b"](torch.tensor(2)) == -2
    assert combine_edits() == {}


def test_nothing_stays_on_the_model(tiny_model, src, tgt_in, tgt_out):
    weights = {name: value.clone() for name, value in tiny_model.state_dict().items()}
    before = tiny_model(src, tgt_in)
    head_importance(tiny_model, src, tgt_in, tgt_out)
    with pytest.raises(CaptureError):
        ablation_effect(tiny_model, src, tgt_in, tgt_out, ablate_head(CROSS, 4))
    assert not any(tap.watched for tap in tiny_model.taps.values())
    assert all(torch.equal(value, weights[name]) for name, value in tiny_model.state_dict().items())
    assert torch.equal(tiny_model(src, tgt_in), before)


def test_another_thread_of_the_same_model_notices_nothing(tiny_model, src, tgt_in, tgt_out):
    alone = tiny_model(src, tgt_in)
    inside, done = threading.Event(), threading.Event()

    def wait_inside(context):
        inside.set()
        assert done.wait(PATIENCE)
        return torch.zeros_like(context)

    with ThreadPoolExecutor(1) as pool:
        effect = pool.submit(
            ablation_effect, tiny_model, src, tgt_in, tgt_out, {f"{CROSS}.context": wait_inside}
        )
        assert inside.wait(PATIENCE)
        meanwhile = tiny_model(src, tgt_in)
        done.set()
        assert effect.result().loss_change != 0
    assert torch.equal(meanwhile, alone)


def test_an_edit_around_the_call_acts_before_and_after(tiny_model, src, tgt_in, tgt_out):
    with edit(tiny_model, ablate_head(CROSS, 0)):
        effect = ablation_effect(tiny_model, src, tgt_in, tgt_out, ablate_head(CROSS, 1))
    both = combine_edits(ablate_head(CROSS, 0), ablate_head(CROSS, 1))
    first = ablation_effect(tiny_model, src, tgt_in, tgt_out, ablate_head(CROSS, 0))
    assert effect.loss_before == first.loss_after
    assert effect.loss_after == ablation_effect(tiny_model, src, tgt_in, tgt_out, both).loss_after


@pytest.mark.parametrize("path", ["encoder.layers.0.self_attn", CROSS])
def test_a_mean_is_taken_over_positions_that_are_no_padding(tiny_model, src, tgt_in, path):
    name = f"{path}.context"
    context = recorded(tiny_model, src, tgt_in, {}, name)[name]
    first, second = (7, 5) if path.startswith("encoder") else (5, 4)
    rows = torch.cat((context[0, :, :first], context[1, :, :second]), dim=1)
    mean = mean_activation(tiny_model, name, src, tgt_in)
    torch.testing.assert_close(mean, rows.mean(dim=1), rtol=0, atol=1e-12)


def test_mean_ablation_puts_the_mean_at_every_position(tiny_model, src, tgt_in):
    name, hidden = f"{CROSS}.context", f"{NETWORK}.hidden"
    heads = mean_activation(tiny_model, name, src, tgt_in)
    units = mean_activation(tiny_model, hidden, src, tgt_in)
    edits = combine_edits(ablate_head(CROSS, 1, mean=heads), ablate_neuron(NETWORK, 35, mean=units))
    after = recorded(tiny_model, src, tgt_in, edits, name, hidden)
    assert torch.equal(after[name][:, 1], heads[1].expand(2, 5, 6))
    assert torch.equal(after[hidden][..., 35], units[35].expand(2, 7))
    assert not torch.equal(after[name][0, 0, 0], after[name][0, 0, 1])


@pytest.mark.parametrize(
    ("edits", "sentence"),
    [
        (lambda: ablate_head(CROSS, 4), rf"head 4 is outside of '{CROSS}\.context', which has 4"),
        (lambda: ablate_head(CROSS, -1), "from 0; -1 is below it"),
        (lambda: ablate_neuron(NETWORK, 36), rf"neuron 36 is outside of '{NETWORK}\.hidden', which has 36"),
        (lambda: ablate_neuron(NETWORK, -2), "from 0; -2 is below it"),
        (lambda: ablate_head(CROSS, 0, mean=torch.zeros(6)), r"shape \[4, 6\], not \[6\]"),
        (lambda: ablate_neuron(NETWORK, 0, mean=torch.zeros(35)), r"shape \[36\], not \[35\]"),
    ],
)
def test_indices_and_means_that_do_not_fit_are_refused(tiny_model, src, tgt_in, tgt_out, edits, sentence):
    with pytest.raises(CaptureError, match=sentence):
        ablation_effect(tiny_model, src, tgt_in, tgt_out, edits())


def test_a_path_that_the_model_lacks_is_refused(tiny_model, src, tgt_in, tgt_out):
    with pytest.raises(UnknownSite, match=r"decoder\.layers\.7"):
        ablation_effect(tiny_model, src, tgt_in, tgt_out, ablate_head("decoder.layers.7.cross_attn", 0))


def test_means_of_other_or_of_several_sites_are_refused(tiny_model, src, tgt_in):
    for name in ("decoder.output", "*.hidden"):
        with pytest.raises(CaptureError, match=r"one ….context or ….hidden site, not"):
            mean_activation(tiny_model, name, src, tgt_in)


def test_labels_that_do_not_fit_are_refused(tiny_model, src, tgt_in, tgt_out):
    for labels, sentence in (
        (tgt_out[:, 1:], r"\[2, 4\] must have the shape of the target ids \[2, 5\]"),
        (torch.full_like(tgt_out, PAD), "padding alone"),
        (tgt_out.clamp(max=18).index_fill(1, torch.tensor([0]), 19), "label 19 is outside"),
    ):
        with pytest.raises(InputError, match=sentence):
            ablation_effect(tiny_model, src, tgt_in, labels, {})
        with pytest.raises(InputError, match=sentence):
            head_importance(tiny_model, src, tgt_in, labels)


def test_a_model_in_training_mode_is_refused(tiny_model, src, tgt_in, tgt_out):
    tiny_model.train()
    for ask in (
        lambda: ablation_effect(tiny_model, src, tgt_in, tgt_out, {}),
        lambda: head_importance(tiny_model, src, tgt_in, tgt_out),
        lambda: mean_activation(tiny_model, f"{CROSS}.context", src, tgt_in),
    ):
        with pytest.raises(InputError, match=r"call model\.eval\(\)"):
            ask()
