"""What the logit lens shows equals what the model says, for a shipped model; and the browser shows just that."""

import dataclasses

import numpy as np
import pytest
import torch

from core.activations.record import edit
from core.activations.trace import trace
from core.analysis.logit_lens import lens_sites
from core.errors import UnknownSite
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.translation import translate
from explorer.views.decoding.component import pack
from explorer.views.decoding.component.internals import LensData
from explorer.views.decoding.lens import SHOWN_TOKENS, lens_data, point_name
from tests.explorer.views.decoding.test_decode_view import STEPS, unpack, view_data

SENTENCE = "the small cats do not sleep"
POINTS = 7


@pytest.fixture(scope="module")
def run():
    return load_run(CHECKPOINTS / "en-fr")


@pytest.fixture(scope="module")
def output(run):
    return torch.tensor(translate(run, SENTENCE).output_ids)


@pytest.fixture(scope="module")
def lens(run, output):
    return lens_data(run, trace(run.model, run.encode_source(SENTENCE), output, *lens_sites(run.config)))


def test_the_last_point_says_what_the_candidates_say(run, lens):
    result = translate(run, SENTENCE)
    chosen = result.candidate_probs[np.arange(len(result.chosen)), list(result.chosen)]
    np.testing.assert_array_equal(lens.probs[:, -1], chosen)
    np.testing.assert_array_equal(lens.top_probs[:, -1], result.candidate_probs[:, :SHOWN_TOKENS])
    best = [run.tgt_tokenizer.vocabulary.token(token_id) for token_id in result.candidate_ids[:, 0].tolist()]
    assert [lens.tokens[place] for place in lens.top[:, -1, 0]] == best


def test_each_point_is_the_answer_of_a_decoder_that_stops_there(run, lens, output):
    silent = ("1.self_attn_add_norm", "1.cross_attn_add_norm", "1.feed_forward_add_norm")
    stopped: dict[str, torch.Tensor] = {}

    def keep(x):
        return stopped.setdefault("x", x)

    def keep_still(x):
        return stopped["x"]

    later = {f"decoder.layers.{norm}.output": keep_still for norm in silent}
    src = run.encode_source(SENTENCE)
    tgt_in = torch.cat((torch.tensor([run.config.bos_id]), output[:-1]))
    with torch.no_grad(), edit(run.model, {"decoder.layers.0.feed_forward_add_norm.output": keep} | later):
        probs = run.model(src[None], tgt_in[None])[0].double().softmax(-1)
    point = 3
    assert lens.names[point] == "feed-forward network, layer 0"
    for t, token_id in enumerate(output.tolist()):
        assert lens.probs[t, point] == pytest.approx(probs[t, token_id].item(), rel=1e-5)
        assert lens.ranks[t, point] == 1 + (probs[t] > probs[t, token_id]).sum()
        best = probs[t].topk(SHOWN_TOKENS)
        assert lens.top_probs[t, point] == pytest.approx(best.values.numpy(), rel=1e-5)
        shown = [lens.tokens[place] for place in lens.top[t, point]]
        assert shown == [run.tgt_tokenizer.vocabulary.token(token_id) for token_id in best.indices.tolist()]


def test_it_is_decided_where_every_later_point_has_rank_one(lens):
    for ranks, decided in zip(lens.ranks, lens.decided, strict=True):
        assert decided is not None, "greedy decoding takes the token of rank 1"
        assert (ranks[decided:] == 1).all()
        assert decided == 0 or ranks[decided - 1] > 1


def test_a_forced_token_may_never_be_decided(run):
    src = run.encode_source(SENTENCE)
    forced = torch.tensor([run.tgt_tokenizer.vocabulary.id(word) for word in ("le", "chat")])
    lens = lens_data(run, trace(run.model, src, forced, *lens_sites(run.config)))
    assert lens.decided[0] is None
    assert lens.ranks[0, -1] > 1


def test_points_have_names_in_words_and_in_two_lines(run, lens):
    assert lens.names[0] == "embedding and position"
    assert lens.names[5] == "cross-attention, layer 1"
    assert lens.labels[5] == ("cross-attn", "layer 1")
    unplaced = dataclasses.replace(run.config, positional="none")
    assert point_name(unplaced, "tgt_embed.output") == ("embedding", ("embedding", ""))
    pre = "decoder.layers.12.feed_forward_add.output"
    assert point_name(run.config, pre) == ("feed-forward network, layer 12", ("feed-fwd", "layer 12"))


def test_what_was_not_recorded_is_refused(run, output):
    recorded = trace(run.model, run.encode_source(SENTENCE), output, "tgt_embed.output")
    with pytest.raises(UnknownSite, match="was not recorded"):
        lens_data(run, recorded)


def test_shared_arrays_cannot_be_written_to(lens):
    for array in lens.arrays.values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def made_up_lens() -> LensData:
    """Step 0 is decided by the embedding, 1 by cross-attention, 2 and 3 never."""
    rng = np.random.default_rng(3)
    ranks = np.array([[1] * 7, [9, 1, 4, 2, 2, 1, 1], [5, 4, 3, 2, 1, 1, 2], [3] * 7])
    top_probs = np.sort(rng.random((STEPS, POINTS, 3), np.float32))[..., ::-1]
    return LensData(
        sites=tuple(f"site.{i}" for i in range(POINTS)),
        names=tuple(f"point {i}" for i in range(POINTS)),
        labels=tuple((f"upper {i}", f"lower {i}") for i in range(POINTS)),
        final_norm=True,
        tokens=("a", "<b>x</b>", " ", "d"),
        top=rng.integers(0, 4, (STEPS, POINTS, 3)),
        top_probs=top_probs,
        probs=rng.random((STEPS, POINTS), np.float32),
        ranks=ranks,
        decided=(0, 5, None, None),
    )


def test_the_lens_travels_whole():
    lens = made_up_lens()
    header, arrays = unpack(pack(view_data(lens=lens)))
    assert header["lens"]["decided"] == [0, 5, None, None]
    assert header["lens"]["tokens"] == list(lens.tokens)
    for name, array in lens.arrays.items():
        np.testing.assert_array_equal(arrays[f"lens.{name}"], array)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"probs": np.zeros((STEPS, POINTS - 1))}, "lens_probs does not fit"),
        ({"ranks": np.zeros((STEPS - 1, POINTS))}, "lens_ranks does not fit"),
        ({"top_probs": np.zeros((STEPS, POINTS, 2))}, "lens_top_probs does not fit"),
        ({"decided": (None,)}, "4 decisions"),
        ({"sites": ("one",)}, "7 sites"),
        ({"tokens": ("a", "b")}, "outside of its 2 tokens"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(changes, sentence):
    lens = dataclasses.replace(made_up_lens(), **changes)
    with pytest.raises(ValueError, match=sentence):
        pack(view_data(lens=lens))


def test_a_view_without_the_lens_carries_nothing_of_it():
    header, arrays = unpack(pack(view_data()))
    assert header["lens"] is None
    assert header["cache"] is None
    assert not [name for name in arrays if name.startswith("lens")]


@pytest.mark.browser
def test_a_view_without_the_lens_has_no_card(mounted):
    page = mounted(view_data())
    assert page.locator(".internals").count() == 0


@pytest.mark.browser
def test_the_lens_moves_with_the_step_and_says_where_it_was_decided(mounted):
    lens = made_up_lens()
    page = mounted(view_data(step=1, lens=lens))
    card = page.get_by_role("region", name="Logit lens", exact=True)

    def foot():
        return card.locator(".foot").inner_text()

    assert "P of chats. Decided by point 5." in foot()
    assert card.locator(".point .rank").all_inner_texts() == [f"rank {rank}" for rank in lens.ranks[1]]
    assert card.locator(".point.decided").get_attribute("data-index") == "5"
    assert card.locator(".point.first").count() == 3
    page.locator(".decode-view").focus()
    page.keyboard.press("ArrowLeft")
    assert "It has rank 1 from the embedding on." in foot()
    page.keyboard.press("End")
    assert "Never decided: after the last sub-layer its rank is still 3." in foot()
    assert card.locator(".point.decided").count() == 0


@pytest.mark.browser
def test_points_are_read_by_pointer_and_by_keys_without_stepping(mounted):
    lens = made_up_lens()
    page = mounted(view_data(step=1, lens=lens))
    reading = page.locator(".reading")
    assert reading.inner_text().startswith("After point 5: "), "at rest it reads the deciding point"
    page.locator(".point").nth(2).hover()
    assert reading.inner_text().startswith("After point 2: ")
    slider = page.get_by_role("slider", name="Point of the logit lens")
    slider.focus()
    for key, point in (("Home", 0), ("ArrowRight", 1), ("End", 6), ("ArrowRight", 6), ("ArrowLeft", 5)):
        page.keyboard.press(key)
        assert slider.get_attribute("aria-valuenow") == str(point)
        assert slider.get_attribute("aria-valuetext").startswith(f"After point {point}: ")
    assert f"rank {lens.ranks[1, 5]}" in slider.get_attribute("aria-valuetext")
    assert page.locator(".place").inner_text().startswith("Step 1"), (
        "the arrows moved the point, not the step"
    )


@pytest.mark.browser
def test_the_table_has_the_numbers_and_tokens_are_text(mounted):
    lens = made_up_lens()
    page = mounted(view_data(step=1, lens=lens))
    card = page.get_by_role("region", name="Logit lens", exact=True)
    card.get_by_role("button", name="Table").click()
    rows = card.locator("tbody tr")
    assert rows.count() == POINTS
    shown = {"a": "a", "<b>x</b>": "<b>x</b>", " ": "␣", "d": "d"}
    for i in range(POINTS):
        cells = rows.nth(i).locator("td").all_inner_texts()
        assert cells[1] == str(lens.ranks[1, i])
        assert cells[2::2] == [shown[lens.tokens[place]] for place in lens.top[1, i]]
    page.locator(".decode-view").focus()
    page.keyboard.press("End")
    assert rows.nth(0).locator("td").nth(1).inner_text() == "3"


@pytest.mark.browser
def test_on_a_phone_the_table_is_the_lens(mounted, page):
    mounted(view_data(step=1, lens=made_up_lens()))
    page.set_viewport_size({"width": 390, "height": 844})
    card = page.get_by_role("region", name="Logit lens", exact=True)
    card.get_by_role("table").wait_for()
    assert not card.locator(".points").is_visible()
    assert not card.get_by_role("button", name="Table").is_visible()
    page.set_viewport_size({"width": 1040, "height": 1000})
    card.locator(".points").wait_for()
    assert not card.get_by_role("table").is_visible()
