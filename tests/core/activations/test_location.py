"""The catalogue's reading of names: every site and parameter of every variant stands where its module stands."""

import pytest

from core.activations.location import LAYER, locate
from core.model.parameters import named_parameters
from tests.core.activations.test_sites import every_variant
from tests.core.conftest import random_model


@pytest.mark.sweep
@every_variant
def test_names_are_made_of_the_module_they_belong_to_and_a_value(config):
    model = random_model(config)
    for name in (*(site.name for site in model.sites()), *named_parameters(model)):
        where = locate(name)
        assert where.kind != "unknown"
        assert where.name == name
        assert where.learned == (name not in {site.name for site in model.sites()})
        assert model.get_submodule(where.path) is not None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("src", ("ids", "encoder", "", "src", None, "")),
        ("tgt_embed.positional.weight", ("embedding", "decoder", "tgt_embed", "positional.weight", None, "")),
        ("encoder.layers.3.self_attn.w_q",
         ("attention", "encoder", "encoder.layers.3.self_attn", "w_q", 3, "self_attn")),
        ("decoder.layers.10.cross_attn_add_norm.output",
         ("add_norm", "decoder", "decoder.layers.10.cross_attn_add_norm", "output", 10, "cross_attn")),
        ("decoder.feed_forward", ("feed_forward", "decoder", "decoder.feed_forward", "", None, "feed_forward")),
        ("encoder.final_norm.bias", ("final_norm", "encoder", "encoder.final_norm", "bias", None, "")),
        ("encoder.layers.1", ("layer", "encoder", "encoder.layers.1", "", 1, "")),
        ("decoder.output", ("stack", "decoder", "decoder", "output", None, "")),
        ("hypothesis.prob", ("hypothesis", "decoder", "hypothesis", "prob", None, "")),
        ("encoder.layers.x.self_attn", ("unknown", "decoder", "encoder.layers.x", "self_attn", None, "")),
        ("", ("unknown", "decoder", "", "", None, "")),
    ],
)  # fmt: skip
def test_a_name_says_what_it_is(name, expected):
    where = locate(name)
    assert (where.kind, where.stack, where.path, where.value, where.layer, where.sublayer) == expected
    assert where.name == name


def test_a_number_of_an_update_names_its_parameter():
    where = locate("update.gradient.encoder.layers.0.self_attn.w_q")
    assert (where.kind, where.value, where.parameter) == (
        "update",
        "gradient",
        "encoder.layers.0.self_attn.w_q",
    )
    assert locate("update.loss").parameter == ""


def test_sides_follow_what_an_attention_reads():
    crossing, masked, plain = map(locate, ("decoder.cross_attn", "decoder.self_attn", "encoder.self_attn"))
    assert [(each.side, each.key_side) for each in (crossing, masked, plain)] == [
        ("target", "source"),
        ("target", "target"),
        ("source", "source"),
    ]
    assert [each.causal for each in (crossing, masked, plain)] == [False, True, False]


def test_the_same_thing_in_another_layer_or_in_all():
    where = locate("encoder.layers.0.feed_forward_norm.mean")
    assert where.in_layer(2) == "encoder.layers.2.feed_forward_norm.mean"
    assert locate(where.in_layer(LAYER)).in_layer(5) == "encoder.layers.5.feed_forward_norm.mean"
    assert locate("decoder.feed_forward").in_layer(1) == "decoder.layers.1.feed_forward"
    assert locate("src_embed.output").in_layer(1) == "src_embed.output"
    assert where.sublayer_path == "encoder.layers.0.feed_forward"


@pytest.mark.parametrize(
    ("name", "title", "beside", "joins"),
    [
        ("encoder.layers.0.self_attn", "Self-attention", "Self-attention", False),
        ("decoder.layers.0.self_attn", "Masked self-attention", "Self-attention", False),
        ("decoder.layers.0.cross_attn_add_norm.output", "Add & norm", "Cross-attention", True),
        ("decoder.layers.0.feed_forward_norm", "Norm", "Feed-forward", False),
        ("encoder.layers.0.feed_forward_add", "Add", "Feed-forward", True),
        ("encoder.final_norm", "Final norm", "", False),
        ("generator", "", "", False),
    ],
)
def test_a_block_is_called_as_in_the_figure(name, title, beside, joins):
    where = locate(name)
    assert (where.title, where.sublayer_title, where.joins) == (title, beside, joins)
