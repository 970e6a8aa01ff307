"""The logit lens: its points, its last one, what each is a function of, and what it refuses."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from core.activations.record import edit, record
from core.activations.trace import trace
from core.analysis.logit_lens import LensPoint, deciding_points, lens_sites, logit_lens
from core.errors import CaptureError, InputError, UnknownSite
from tests.core.conftest import TINY, random_model

VARIANTS = [
    TINY,
    replace(TINY, norm_position="pre"),
    replace(TINY, final_norm=True),
    replace(TINY, tie_embeddings=False, tgt_vocab_size=23),
]
by_variant = pytest.mark.parametrize(
    "config", VARIANTS, ids=["post", "pre", "post with final norm", "untied"]
)


def lens_of(model, src, tgt_in, batch=0):
    with record(model, *lens_sites(model.config), "generator.log_probs") as activations:
        model(src, tgt_in)
    return logit_lens(model, activations, batch=batch), activations


@by_variant
def test_the_last_point_is_the_models_own_answer(config, src, tgt_in):
    for batch in (0, 1):
        points, activations = lens_of(random_model(config), src, tgt_in, batch)
        expected = activations["generator.log_probs"][batch]
        torch.testing.assert_close(points[-1].log_probs, expected, rtol=0, atol=1e-12)


@pytest.mark.sweep
@by_variant
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64"])
def test_the_last_point_of_a_trace_is_its_output_distribution_to_the_last_bit(config, dtype, src):
    model = random_model(replace(config, dtype=dtype))
    recorded = trace(model, src[0], torch.tensor([7, 3, 11, 5, 2]), *lens_sites(config))
    last = logit_lens(model, recorded.activations)[-1]
    assert torch.equal(last.log_probs, recorded.logits.double().log_softmax(dim=-1))


@by_variant
def test_the_points_are_the_residual_stream_in_the_order_of_the_computation(config, src, tgt_in):
    model = random_model(config)
    points, _ = lens_of(model, src, tgt_in)
    assert len(points) == 1 + 3 * 3
    assert [point.site for point in points] == list(lens_sites(config))
    order = [site.name for site in model.sites()]
    places = [order.index(point.site) for point in points]
    assert places == sorted(places)
    assert all(point.log_probs.shape == (5, config.tgt_vocab_size) for point in points)
    for before, after in pairwise(points):
        assert not torch.allclose(before.log_probs, after.log_probs)


@by_variant
def test_the_point_after_a_layer_is_the_answer_of_a_model_that_ends_there(config, src, tgt_in):
    model = random_model(config)
    points, _ = lens_of(model, src, tgt_in)
    with torch.no_grad():
        del model.decoder.layers[1:]
        answer = model(src, tgt_in).log_softmax(dim=-1)
    torch.testing.assert_close(points[3].log_probs, answer[0], rtol=0, atol=1e-12)


def test_a_pre_norm_point_is_the_answer_when_all_later_sublayers_are_silent(src, tgt_in):
    model = random_model(replace(TINY, norm_position="pre"))
    points, _ = lens_of(model, src, tgt_in)
    later = ("1.cross_attn", "1.feed_forward", "2.self_attn", "2.cross_attn", "2.feed_forward")
    rest = {f"decoder.layers.{sublayer}.output": torch.zeros_like for sublayer in later}
    with torch.no_grad(), edit(model, rest):
        answer = model(src, tgt_in).log_softmax(dim=-1)
    torch.testing.assert_close(points[4].log_probs, answer[0], rtol=0, atol=1e-12)


def test_the_lens_is_seen_and_edited_by_nobody(src, tgt_in):
    model = random_model(replace(TINY, final_norm=True))
    points, activations = lens_of(model, src, tgt_in)
    edits = {"generator.logits": torch.zeros_like, "decoder.final_norm.output": torch.zeros_like}
    with record(model, "generator.logits", "decoder.final_norm.output") as seen:
        model(src, tgt_in)
        with edit(model, edits):
            again = logit_lens(model, activations)
    for point, same in zip(points, again, strict=True):
        assert torch.equal(point.log_probs, same.log_probs)
    assert seen["generator.logits"].any()


def test_a_point_that_was_not_recorded_is_refused(tiny_model, src, tgt_in):
    with record(tiny_model, "decoder.layers.*.output") as activations:
        tiny_model(src, tgt_in)
    with pytest.raises(UnknownSite, match=r"'tgt_embed\.output' was not recorded"):
        logit_lens(tiny_model, activations)


def test_a_row_outside_of_the_batch_is_refused(tiny_model, src, tgt_in):
    with pytest.raises(CaptureError, match="batch 2 is outside"):
        lens_of(tiny_model, src, tgt_in, batch=2)


@pytest.fixture
def point():
    probabilities = torch.tensor([[0.5, 0.125, 0.25, 0.125], [0.1, 0.2, 0.3, 0.4]], dtype=torch.float64)
    return LensPoint("decoder.output", probabilities.log())


def test_ranks_count_from_one_and_equals_share_a_place(point):
    assert point.rank(0).tolist() == [1, 4]
    assert point.rank(1).tolist() == point.rank(torch.tensor(1)).tolist() == [3, 3]
    assert point.rank(3).tolist() == [3, 1]
    assert point.rank(torch.tensor([2, 0])).tolist() == [2, 4]


def test_top_gives_the_most_probable_first(point):
    best = point.top(1, 3)
    assert [candidate.token_id for candidate in best] == [3, 2, 1]
    assert best[0].log_prob == pytest.approx(-0.916290731874155, abs=1e-12)
    assert len(point.top(0, 10)) == 4


def test_a_token_is_decided_where_it_becomes_first_and_stays_so():
    # Token 1 at four positions: never first, first at the end, first with a break, first throughout.
    first = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]]
    points = [
        LensPoint("", torch.tensor([[0.3, 0.5] if is_first else [0.5, 0.3] for is_first in row]).log())
        for row in first
    ]
    assert deciding_points(points, 1) == (None, 2, 2, 0)
    assert deciding_points(points, torch.tensor([0, 0, 0, 1])) == (0, None, None, 0)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda p: p.rank(4), "id 4 is outside the vocabulary of 4 tokens"),
        (lambda p: p.rank(-1), "id -1 is outside"),
        (lambda p: p.rank(torch.tensor([0, 1, 2])), "one for each of 2 positions, not 3"),
        (lambda p: p.top(2), "position 2 is outside of 'decoder.output', which has 2"),
        (lambda p: p.top(-1), "position -1 is outside"),
        (lambda p: p.top(0, 0), "1 candidate or more, not 0"),
    ],
)
def test_impossible_questions_are_refused_with_a_sentence(point, ask, sentence):
    with pytest.raises((InputError, CaptureError), match=sentence):
        ask(point)
