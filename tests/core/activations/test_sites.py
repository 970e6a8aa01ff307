"""The contract: a forward pass records exactly the catalogue's sites, with the declared axes."""

import pytest
import torch

from core.activations.record import record
from core.activations.sites import axis_sizes
from core.model.add_norm import LayerNorm
from tests.core.conftest import TINY, random_model
from tests.core.variants import EXACT

every_variant = pytest.mark.parametrize("config", EXACT.values(), ids=EXACT)


@pytest.mark.sweep
@every_variant
def test_a_run_records_exactly_the_catalogue_with_its_axes(config, src, tgt_in):
    model = random_model(config)
    with record(model) as activations:
        model(src, tgt_in)
    assert list(activations) == [site.name for site in model.sites()]
    sizes = {"batch": 2, "head": 4, "d_head": 6, "d_model": 24, "d_ff": 36, "vocab": 19}
    for site in model.sites():
        own = 7 if site.name.startswith(("src_embed", "encoder")) else 5
        lengths = {"position": own, "query": own, "key": 7 if "cross_attn" in site.name else own}
        expected = tuple((sizes | lengths)[axis] for axis in site.axes)
        assert tuple(activations[site.name].shape) == expected, site.name
        assert site.shape(axis_sizes(config, batch=2, src_length=7, tgt_length=5)) == expected, site.name


@pytest.mark.sweep
@every_variant
def test_every_tap_is_in_the_catalogue_with_the_same_axes(config):
    model = random_model(config)
    editable = {site.name: site.axes for site in model.sites() if site.editable}
    assert {name: tap.axes for name, tap in model.taps.items()} == editable


@pytest.mark.sweep
@every_variant
def test_derived_norm_statistics_belong_to_the_norm_they_are_named_after(config, src, tgt_in):
    model = random_model(config)
    with record(model) as activations:
        model(src, tgt_in)
    norms = [site.name.removesuffix(".mean") for site in model.sites() if site.value == "mean"]
    assert norms
    for path in norms:
        norm = model.get_submodule(path)
        assert isinstance(norm, LayerNorm)
        rebuilt = activations[f"{path}.normalized"] * norm.weight + norm.bias
        torch.testing.assert_close(rebuilt, activations[f"{path}.output"], rtol=0, atol=1e-12)


def test_every_site_says_what_it_means_in_one_sentence():
    for site in random_model(TINY).sites():
        assert site.meaning[0].isupper() or not site.meaning[0].isascii() or site.meaning[0] in "qx(γμσ", site
        assert site.meaning.endswith("."), site


@pytest.mark.sweep
@every_variant
def test_inputs_are_sites_that_come_earlier(config):
    seen = {"src", "tgt_in"}
    for site in random_model(config).sites():
        assert set(site.inputs) <= seen, site
        seen.add(site.name)
