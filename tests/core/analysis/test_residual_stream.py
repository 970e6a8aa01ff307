"""The residual stream: its points in order, its lengths recomputed, and what an untrained model has before training."""

import threading
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.activations.record import record
from core.activations.sites import sublayers
from core.analysis.residual_stream import (
    residual_stream,
    stream_sites,
    untrained_model,
    untrained_pair,
    untrained_streams,
)
from core.errors import CaptureError, InputError, UnknownSite
from core.model.transformer import Transformer
from tests.core.conftest import BOS, TINY, random_model
from tests.optional import unwrap

VARIANTS = {
    "post": TINY,
    "pre": replace(TINY, norm_position="pre"),
    "final norm": replace(TINY, final_norm=True),
    "bfloat16": replace(TINY, dtype="bfloat16"),
}
by_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)
both_stacks = pytest.mark.parametrize("stack", ["encoder", "decoder"])


def length(values):
    return np.sqrt((values.double().numpy() ** 2).sum(axis=-1))


@by_variant
@both_stacks
def test_the_lengths_are_those_of_the_recorded_vectors(config, stack, src, tgt_in):
    model = random_model(config)
    with record(model, *stream_sites(config, stack)) as activations:
        model(src, tgt_in)
    points = residual_stream(config, activations, stack, batch=1)
    assert len(points) == 1 + len(sublayers(config, stack)) + config.has_final_norm
    for point in points:
        np.testing.assert_allclose(point.size.numpy(), length(activations[point.site][1]), rtol=1e-12)
        if point.added is not None:
            np.testing.assert_allclose(
                point.added.numpy(), length(activations[f"{point.part}.output"][1]), rtol=1e-12
            )


@pytest.mark.sweep
@by_variant
@both_stacks
def test_what_is_added_and_where_the_stream_goes_on_is_what_the_catalogue_says(config, stack):
    catalogue = {site.name: site for site in random_model(config).sites()}
    model = random_model(config)
    ids = torch.tensor([[5, 6, 7, 2]])
    with record(model) as activations:
        model(ids, torch.tensor([[BOS, 6, 7, 2]]))
    points = residual_stream(config, activations, stack)
    before = points[0].site
    for point in points[1:]:
        if point.added is None:
            assert catalogue[point.site.replace(".output", ".mean")].inputs == (before,)
        else:
            summed = point.site if config.norm_position == "pre" else point.site.replace(".output", ".sum")
            assert catalogue[summed].inputs == (before, f"{point.part}.output")
            np.testing.assert_allclose(
                unwrap(point.summed).numpy(), length(activations[summed][0]), rtol=1e-12
            )
        before = point.site
    assert catalogue[f"{stack}.output"].inputs == (before,)


def test_an_untrained_model_is_what_the_seed_alone_would_give():
    torch.manual_seed(3)
    expected = Transformer(TINY)
    made = untrained_model(TINY, seed=3)
    for (name, one), (_, other) in zip(expected.named_parameters(), made.named_parameters(), strict=True):
        assert torch.equal(one, other), name
    assert any(
        not torch.equal(*pair)
        for pair in zip(made.parameters(), untrained_model(TINY, 4).parameters(), strict=True)
    )


def test_making_one_draws_no_number_of_anybody_else_and_nobody_disturbs_it():
    before = torch.get_rng_state()
    expected = untrained_model(TINY)
    assert torch.equal(before, torch.get_rng_state())
    stop = threading.Event()

    def draw():
        while not stop.is_set():
            torch.rand(100)

    drawing = threading.Thread(target=draw)
    drawing.start()
    try:
        made = [untrained_model(TINY) for _ in range(5)]
    finally:
        stop.set()
        drawing.join()
    for model in made:
        assert all(torch.equal(*pair) for pair in zip(expected.parameters(), model.parameters(), strict=True))


@pytest.mark.sweep
@pytest.mark.parametrize("config", [TINY, VARIANTS["pre"], VARIANTS["final norm"]])
@both_stacks
def test_untrained_streams_are_those_of_two_seeded_models(config, stack):
    src, tgt_in = torch.tensor([5, 6, 7, 8, 2]), torch.tensor([1, 9, 10])
    streams = untrained_streams(untrained_pair(config, seed=7), src, tgt_in, stack)
    for position, points in streams.items():
        torch.manual_seed(7)
        placed = replace(config, norm_position=position, final_norm=None)
        model = Transformer(placed).eval()
        with record(model, *stream_sites(placed, stack)) as activations, torch.no_grad():
            model(src[None], tgt_in[None])
        expected = residual_stream(placed, activations, stack)
        assert [point.site for point in points] == [point.site for point in expected]
        for one, other in zip(points, expected, strict=True):
            torch.testing.assert_close(one.size, other.size, rtol=0, atol=0)
    # γ = 1 and β = 0: a fresh norm makes every vector √d_model long, but for ε.
    for point in streams["post"][1:]:
        torch.testing.assert_close(point.size, torch.full_like(point.size, 24**0.5), rtol=1e-4, atol=0)
    assert streams["pre"][-2].size.mean() > streams["pre"][0].size.mean()


def test_impossible_questions_are_refused_with_a_sentence(tiny_model, src, tgt_in):
    with record(tiny_model, "encoder.output") as activations:
        tiny_model(src, tgt_in)
    with pytest.raises(UnknownSite, match="was not recorded"):
        residual_stream(TINY, activations, "encoder")
    with record(tiny_model, *stream_sites(TINY, "encoder")) as activations:
        tiny_model(src, tgt_in)
    with pytest.raises(CaptureError, match="outside"):
        residual_stream(TINY, activations, "encoder", batch=2)
    nothing = torch.empty(0, dtype=torch.int64)
    with pytest.raises(InputError, match="at least one"):
        untrained_streams(untrained_pair(TINY), nothing, torch.tensor([1]), "encoder")
