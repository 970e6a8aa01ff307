"""Effects of interventions on a batch, one by one and in sweeps: what is taken away, left alone, and refused."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from core.activations.record import edit, record
from core.errors import CaptureError, InputError, UnknownSite
from core.interventions.effect import intervention_effect
from core.interventions.intervention import (
    AttentionRow,
    MeanAblation,
    Patch,
    Scaling,
    Steering,
    Unmask,
    ZeroAblation,
)
from core.interventions.sweep import head_ablations, neuron_ablations, sweep
from tests.conftest import PATIENCE
from tests.core.conftest import EOS, PAD, TINY, random_model
from tests.core.interventions.donors import bound, traced, traces_of
from tests.core.variants import EXACT
from tests.marks import left_to_proofs, proofs

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


def head(path, index):
    return ZeroAblation(f"{path}.context", head=index)


def edits(model, *interventions):
    return bound(model, *interventions).edits


def recorded(model, src, tgt_in, changes, *patterns):
    with torch.no_grad(), edit(model, changes), record(model, *patterns) as activations:
        model(src, tgt_in)
    return activations


@pytest.mark.parametrize("path", ATTENTIONS)
def test_without_all_its_heads_an_attention_gives_the_bias_of_w_o(tiny_model, src, tgt_in, path):
    every = edits(tiny_model, *(head(path, index) for index in range(4)))
    output = recorded(tiny_model, src, tgt_in, every, f"{path}.output")[f"{path}.output"]
    bias = tiny_model.get_submodule(path).out_proj.bias
    assert bias.any()
    torch.testing.assert_close(output, bias.detach().expand_as(output), rtol=0, atol=1e-15)


def test_an_ablated_head_is_zero_and_all_before_it_is_bit_for_bit_as_it_was(tiny_model, src, tgt_in):
    before = recorded(tiny_model, src, tgt_in, {})
    after = recorded(tiny_model, src, tgt_in, edits(tiny_model, head(CROSS, 2)))
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
    after = recorded(tiny_model, src, tgt_in, edits(tiny_model, head(CROSS, 2)), *names)
    w_o = tiny_model.get_submodule(CROSS).out_proj.weight.detach()
    share = before[names[0]][:, 2] @ w_o[:, 12:18].T  # d_head 6: head 2 owns columns 12 to 17
    torch.testing.assert_close(before[names[1]] - share, after[names[1]], rtol=0, atol=1e-12)


def test_an_ablated_neuron_takes_its_column_of_w_2_out_of_the_output(tiny_model, src, tgt_in):
    names = (f"{NETWORK}.hidden", f"{NETWORK}.output")
    before = recorded(tiny_model, src, tgt_in, {}, *names)
    neuron = int(before[names[0]].amax(dim=(0, 1)).argmax())
    after = recorded(tiny_model, src, tgt_in, edits(tiny_model, ZeroAblation(names[0], unit=neuron)), *names)
    changed = (before[names[0]] != after[names[0]]).any(dim=0).any(dim=0)
    assert changed.nonzero().flatten().tolist() == [neuron]
    assert not after[names[0]][..., neuron].any()
    w_2 = tiny_model.get_submodule(NETWORK).linear2.weight.detach()
    share = before[names[0]][..., neuron, None] * w_2[:, neuron]
    torch.testing.assert_close(before[names[1]] - share, after[names[1]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("nothing", [{}, {f"{CROSS}.context": lambda context: context}], ids=["none", "same"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_changing_nothing_changes_no_bit(src, tgt_in, tgt_out, dtype, nothing):
    effect = intervention_effect(random_model(replace(TINY, dtype=dtype)), src, tgt_in, tgt_out, nothing)
    assert effect.loss_before == effect.loss_after
    assert effect.loss_change == 0.0
    assert not effect.log_prob_change.any()
    assert not effect.changed.any()


@pytest.mark.parametrize("norm_position", ["post", "pre"])
def test_an_effect_is_the_cross_entropy_before_and_after(src, tgt_in, tgt_out, norm_position):
    model = random_model(replace(TINY, norm_position=norm_position))
    changes = edits(model, head(CROSS, 1))
    effect = intervention_effect(model, src, tgt_in, tgt_out, changes)
    with torch.no_grad():
        before = model(src, tgt_in)
        with edit(model, changes):
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

    effect = intervention_effect(tiny_model, src, tgt_in, tgt_out, {"generator.logits": favour_token_three})
    with torch.no_grad():
        expected = (tiny_model(src, tgt_in).argmax(-1) != 3) & (tgt_out != PAD)
    assert expected.any()
    assert torch.equal(effect.changed, expected)


def assert_alike(found, alone):
    """Two effects, but for what a batch of another size rounds otherwise."""
    assert found.loss_before == pytest.approx(alone.loss_before, abs=1e-12)
    assert found.loss_after == pytest.approx(alone.loss_after, abs=1e-12)
    torch.testing.assert_close(found.log_prob_change, alone.log_prob_change, rtol=0, atol=1e-12)
    assert torch.equal(found.changed, alone.changed)


def test_all_heads_are_measured_once_each_in_the_order_of_the_computation(tiny_model, src, tgt_in, tgt_out):
    table = sweep(tiny_model, src, tgt_in, tgt_out, head_ablations(tiny_model))
    assert [row.intervention for row in table] == [
        head(path, index) for path in ATTENTIONS for index in range(4)
    ]
    assert len({row.effect.loss_before for row in table}) == 1


@pytest.mark.parametrize("name", left_to_proofs(EXACT, {"post", "pre-learned"}))
@pytest.mark.parametrize("max_bytes", [30_000, *proofs((1,), (2**24,))])
def test_a_sweep_is_the_loop_over_its_changes(name, max_bytes, src, tgt_in, tgt_out):
    config = EXACT[name]
    model = random_model(config)
    several = [
        *head_ablations(model)[::5],
        *neuron_ablations(model, "decoder.layers.0.feed_forward")[::9],
        *(Patch(f"{CROSS}.v", "donor", positions=(place,), donor_positions=(place,)) for place in range(3)),
        Patch("src_embed.output", "donor", positions=(1,), donor_positions=(4,)),
        MeanAblation("tgt_embed.output", ("own", "donor"), positions=(2,)),
        Scaling("generator.logits", 2.0),
        Unmask("padding"),
    ]
    swept = sweep(model, src, tgt_in, tgt_out, several, traces=traces_of(model), max_bytes=max_bytes)
    assert [row.intervention for row in swept] == several
    for row in swept:
        alone = intervention_effect(model, src, tgt_in, tgt_out, edits(model, row.intervention))
        assert_alike(row.effect, alone)
    assert sum(abs(row.effect.loss_change) > 1e-3 for row in swept) > 10


@pytest.mark.proof
def test_a_sweep_of_float32_is_the_loop_to_a_millionth(src, tgt_in, tgt_out):
    model = random_model(replace(TINY, dtype="float32"))
    for row in sweep(model, src, tgt_in, tgt_out, head_ablations(model)):
        alone = intervention_effect(model, src, tgt_in, tgt_out, edits(model, row.intervention))
        assert row.effect.loss_after == pytest.approx(alone.loss_after, abs=1e-6)


def test_a_sweep_says_how_far_it_is_and_stops_where_it_is_asked_to(tiny_model, src, tgt_in, tgt_out):
    seen = []
    several = [head(CROSS, 0), head("encoder.layers.0.self_attn", 1), head(CROSS, 3)]
    whole = sweep(
        tiny_model, src, tgt_in, tgt_out, several, progress=lambda *of: seen.append(of), max_bytes=1
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]
    answers = iter([False, False, True])
    part = sweep(tiny_model, src, tgt_in, tgt_out, several, stop=lambda: next(answers), max_bytes=1)
    # What the encoder computes anew comes first.
    assert [row.intervention for row in part] == [several[0], several[1]]
    for row, of_whole in zip(part, whole[:2], strict=True):
        assert_alike(row.effect, of_whole.effect)
    assert sweep(tiny_model, src, tgt_in, tgt_out, several, stop=lambda: True) == ()
    assert sweep(tiny_model, src, tgt_in, tgt_out, []) == ()


def test_a_sweep_refuses_a_change_that_asks_for_what_a_row_does_not_have(tiny_model, src, tgt_in, tgt_out):
    for change, sentence in (
        (ZeroAblation("src_embed.output", positions=(5,)), "at least 6 source tokens; this has 5"),
        (ZeroAblation("decoder.output", positions=(4,)), "at least 5 target tokens; this has 4"),
        (Patch("src_embed.output", "donor"), "a patch from “donor” needs 6 source tokens; this has"),
    ):
        with pytest.raises(CaptureError, match=sentence):
            sweep(tiny_model, src, tgt_in, tgt_out, [change], traces=traces_of(tiny_model))


def test_a_head_that_w_o_ignores_has_no_importance(tiny_model, src, tgt_in, tgt_out):
    with torch.no_grad():
        tiny_model.get_submodule(CROSS).out_proj.weight[:, 12:18] = 0
    silent = [
        row.intervention
        for row in sweep(tiny_model, src, tgt_in, tgt_out, head_ablations(tiny_model))
        if abs(row.effect.loss_change) < 1e-12
    ]
    assert silent == [head(CROSS, 2)]


def test_the_neurons_of_a_network_are_its_hidden_units(tiny_model):
    every = neuron_ablations(tiny_model, NETWORK)
    assert [each.unit for each in every] == list(range(36))
    assert {each.site for each in every} == {f"{NETWORK}.hidden"}
    with pytest.raises(UnknownSite, match="no site"):
        neuron_ablations(tiny_model, CROSS)


def test_a_pattern_ablates_the_same_head_of_every_layer(tiny_model, src, tgt_in):
    changes = edits(tiny_model, head("decoder.layers.*.cross_attn", 3))
    after = recorded(tiny_model, src, tgt_in, changes, "decoder.layers.*.context")
    for i in range(3):
        assert not after[f"decoder.layers.{i}.cross_attn.context"][:, 3].any()
        assert after[f"decoder.layers.{i}.self_attn.context"][:, 3].all()


def test_nothing_stays_on_the_model(tiny_model, src, tgt_in, tgt_out):
    weights = {name: value.clone() for name, value in tiny_model.state_dict().items()}
    before = tiny_model(src, tgt_in)
    sweep(tiny_model, src, tgt_in, tgt_out, head_ablations(tiny_model))
    with pytest.raises(CaptureError):
        intervention_effect(
            tiny_model, src, tgt_in, tgt_out, {f"{CROSS}.context": lambda context: context[:1]}
        )
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
            intervention_effect, tiny_model, src, tgt_in, tgt_out, {f"{CROSS}.context": wait_inside}
        )
        assert inside.wait(PATIENCE)
        meanwhile = tiny_model(src, tgt_in)
        done.set()
        assert effect.result().loss_change != 0
    assert torch.equal(meanwhile, alone)


def test_an_edit_around_the_call_acts_before_and_after(tiny_model, src, tgt_in, tgt_out):
    one, two = head(CROSS, 0), head(CROSS, 1)
    with edit(tiny_model, edits(tiny_model, one)):
        effect = intervention_effect(tiny_model, src, tgt_in, tgt_out, edits(tiny_model, two))
    first = intervention_effect(tiny_model, src, tgt_in, tgt_out, edits(tiny_model, one))
    both = intervention_effect(tiny_model, src, tgt_in, tgt_out, edits(tiny_model, one, two))
    assert effect.loss_before == first.loss_after
    assert effect.loss_after == both.loss_after


@pytest.mark.parametrize("path", ["encoder.layers.0.self_attn", CROSS])
def test_mean_ablation_puts_the_mean_over_all_positions_of_the_sentences_everywhere(tiny_model, path):
    name, hidden = f"{path}.context", f"{NETWORK}.hidden"
    rows = [traced(tiny_model, name=each).activations for each in ("donor", "short")]
    heads = torch.cat([each[name][0] for each in rows], dim=1).mean(dim=1)  # [head, d_head]
    units = torch.cat([each[hidden][0] for each in rows]).mean(dim=0)  # [d_ff]
    after = traced(
        tiny_model,
        MeanAblation(name, ("donor", "short"), head=1),
        MeanAblation(hidden, ("donor", "short"), unit=35, positions=(2,)),
    ).activations
    assert torch.equal(after[name][0, 1], heads[1].expand_as(after[name][0, 1]))
    assert not torch.equal(after[name][0, 2, 0], after[name][0, 2, 1])
    assert after[hidden][0, 2, 35] == units[35]
    assert after[hidden][0, 3, 35] == traced(tiny_model).activations[hidden][0, 3, 35]


def test_a_set_row_sums_to_one_and_other_rows_are_as_they_were(tiny_model):
    name = "decoder.layers.1.self_attn.weights"
    row = AttentionRow(name, (1.0, 0.0, 3.0), head=2, positions=(3,))
    before, after = (traced(tiny_model, *each).activations[name][0] for each in ((), (row,)))
    assert after[2, 3].tolist() == [0.25, 0, 0.75, 0, 0]
    after[2, 3] = before[2, 3]
    assert torch.equal(after, before)


def test_a_direction_is_added_where_it_is_asked_for(tiny_model):
    name = "encoder.layers.0.feed_forward.output"
    direction = tuple(float(place) for place in range(24))
    before = traced(tiny_model).activations[name][0]
    after = traced(tiny_model, Steering(name, direction, factor=-2.0, positions=(1, 4))).activations[name][0]
    assert torch.equal(after[[1, 4]], before[[1, 4]] - 2 * torch.arange(24.0, dtype=torch.float64))
    assert torch.equal(after[[0, 2, 3, 5]], before[[0, 2, 3, 5]])
    unit = traced(tiny_model, Steering(name, (5.0,), unit=7)).activations[name][0]
    assert torch.equal(unit[:, 7], before[:, 7] + 5)
    assert torch.equal(unit[:, :7], before[:, :7])


def test_a_patch_takes_what_it_is_aligned_with(tiny_model):
    name = f"{CROSS}.v"
    own, donor = (traced(tiny_model, name=each).activations[name][0] for each in ("own", "donor"))
    patch = Patch(name, "donor", head=1, positions=(0, 3), donor_positions=(4, 0))
    after = traced(tiny_model, patch).activations[name][0]
    assert torch.equal(after[1, [0, 3]], donor[1, [4, 0]])
    after[1, [0, 3]] = own[1, [0, 3]]
    assert torch.equal(after, own)


def test_labels_that_do_not_fit_are_refused(tiny_model, src, tgt_in, tgt_out):
    for labels, sentence in (
        (tgt_out[:, 1:], r"\[2, 4\] must have the shape of the target ids \[2, 5\]"),
        (torch.full_like(tgt_out, PAD), "padding alone"),
        (tgt_out.clamp(max=18).index_fill(1, torch.tensor([0]), 19), "label 19 is outside"),
    ):
        with pytest.raises(InputError, match=sentence):
            intervention_effect(tiny_model, src, tgt_in, labels, {})
        with pytest.raises(InputError, match=sentence):
            sweep(tiny_model, src, tgt_in, labels, [])


def test_a_model_in_training_mode_is_refused(tiny_model, src, tgt_in, tgt_out):
    tiny_model.train()
    for ask in (
        lambda: intervention_effect(tiny_model, src, tgt_in, tgt_out, {}),
        lambda: sweep(tiny_model, src, tgt_in, tgt_out, []),
    ):
        with pytest.raises(InputError, match=r"call model\.eval\(\)"):
            ask()
