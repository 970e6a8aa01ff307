"""What the key/value cache view shows equals what the real cache holds; and the browser shows just that."""

import dataclasses

import pytest
import torch

from core.analysis.cache_cost import cache_bytes, multiply_adds
from core.decoding.next_token import NextToken
from core.errors import InputError
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.translation import translate
from explorer.views.decoding.cache import cache_data
from explorer.views.decoding.component import pack
from explorer.views.decoding.component.internals import CacheData
from explorer.views.decoding.internals import compute_internals
from tests.explorer.mounting import feed
from tests.explorer.views.decoding.test_decode_view import STEPS, unpack, view_data
from tests.explorer.views.decoding.test_lens import made_up_lens
from tests.optional import unwrap

SENTENCE = "the small cats do not sleep"
SOURCE_LENGTH = 7


@pytest.fixture(scope="module")
def run():
    return load_run(CHECKPOINTS / "en-fr")


@pytest.fixture(scope="module")
def output(run):
    return translate(run, SENTENCE).output_ids


def test_shapes_and_bytes_are_those_of_the_real_cache(run, output):
    data = unwrap(cache_data(run, run.encode_source(SENTENCE), output))
    model = NextToken(run.model, run.encode_source(SENTENCE)[None], use_cache=True)
    with torch.no_grad():
        for step, token_id in enumerate(output):
            model.logits()
            kept = unwrap(model._cache)
            assert data.n_bytes[step] == kept.n_bytes
            own, cross = kept.layers[0].self_attn.keys, kept.layers[0].cross_attn.values
            assert unwrap(own).shape == (1, data.n_heads, step + 1, data.d_head)
            assert unwrap(cross).shape == (1, data.n_heads, data.source_length, data.d_head)
            assert unwrap(own).nbytes == (step + 1) * data.row_bytes
            assert unwrap(cross).nbytes == data.source_length * data.row_bytes
            assert f"torch.{data.dtype}" == str(unwrap(own).dtype)
            model.append(torch.tensor([token_id]))
    assert len(kept.layers) == data.n_layers


def test_costs_are_counted_for_each_step(run, output):
    data = unwrap(cache_data(run, run.encode_source(SENTENCE), output))
    for step in range(len(output)):
        for counts, use_cache in ((data.cached, True), (data.uncached, False)):
            expected = multiply_adds(run.config, SOURCE_LENGTH, step, use_cache=use_cache).total
            assert counts[step] == expected
    assert data.n_bytes[-1] == cache_bytes(run.config, SOURCE_LENGTH, len(output) - 1)


def test_both_ways_were_run_and_agree(run, output):
    data = unwrap(cache_data(run, run.encode_source(SENTENCE), output))
    assert data.same_tokens
    assert 0 < data.largest_difference < 1e-4


def test_a_model_that_no_cache_is_valid_for_has_none(run, output):
    config = dataclasses.replace(run.config, causal=False)
    assert cache_data(dataclasses.replace(run, config=config), run.encode_source(SENTENCE), output) is None


def test_the_inside_of_a_decoding_is_its_lens_and_its_cache(run, output):
    inside = compute_internals(run, SENTENCE, output)
    assert inside.cache == cache_data(run, run.encode_source(SENTENCE), output)
    assert inside.lens.probs.shape == (len(output), 7)
    assert inside.n_bytes == sum(array.nbytes for array in inside.lens.arrays.values()) > 1000
    with pytest.raises(InputError, match="at least one produced token"):
        compute_internals(run, SENTENCE, ())


def made_up_cache(**changes) -> CacheData:
    data = CacheData(
        n_layers=2,
        n_heads=3,
        d_head=8,
        source_length=5,
        dtype="float64",
        row_bytes=192,
        n_bytes=tuple(768 * (step + 6) for step in range(STEPS)),
        cached=(3_000_000_001, 1_000, 1_100, 1_200),
        uncached=(3_000_000_001, 5_000, 7_000, 9_000),
        encoder=123_456,
        same_tokens=True,
        largest_difference=3.14e-7,
    )
    return dataclasses.replace(data, **changes)


def test_counts_travel_exactly():
    header, _ = unpack(pack(view_data(cache=made_up_cache())))
    assert header["cache"]["cached"] == [3_000_000_001, 1_000, 1_100, 1_200]
    assert header["cache"]["largest_difference"] == 3.14e-7


@pytest.mark.parametrize("name", ["n_bytes", "cached", "uncached"])
def test_costs_of_another_number_of_steps_are_refused(name):
    with pytest.raises(ValueError, match="those of 4 steps"):
        pack(view_data(cache=made_up_cache(**{name: (1, 2, 3)})))


def squares(card, row: int) -> list[str]:
    """What the keys' squares of one attention block say."""
    cells = card.locator(".kept tbody tr").nth(row).locator("td").first.locator(".square")
    return [each.get_attribute("class").removeprefix("square ") for each in cells.all()]


def all_of_it(page):
    """The card with what stands behind its button, too."""
    card = page.get_by_role("region", name="Key/value cache", exact=True)
    card.get_by_role("button", name="More").click()
    return card


@pytest.mark.browser
def test_the_cache_moves_with_the_step(mounted):
    page = mounted(view_data(step=2, cache=made_up_cache()))
    card = page.get_by_role("region", name="Key/value cache", exact=True)
    assert "1,100 multiply-adds, 7,000 without it" in card.inner_text()
    assert not card.get_by_role("table", name="Multiply-adds with the cache and without").is_visible()
    all_of_it(page)
    assert squares(card, 0) == ["reused", "reused", "new", "later"]
    assert squares(card, 1) == ["once"] * 5
    shapes = card.locator(".kept .shape").all_inner_texts()
    assert shapes == ["1·3·3·8", "1·3·5·8", "1·3·3·8", "1·3·5·8"]
    assert card.locator(".kept small").all_inner_texts()[:2] == ["576 B", "960 B"]
    assert "All keys and values: 6,144 B in float64." in card.inner_text()
    assert card.locator(".costs td").all_inner_texts() == ["1,100", "7,000", "3,000,002,101", "3,000,012,001"]
    page.locator(".decode-view").focus()
    page.keyboard.press("Home")
    assert squares(card, 0) == ["new", "later", "later", "later"]
    assert squares(card, 1) == ["once new"] * 5
    page.keyboard.press("End")
    assert squares(card, 2) == ["reused", "reused", "reused", "new"]
    assert card.locator(".kept .shape").all_inner_texts()[0] == "1·3·4·8"
    assert card.locator(".costs td").all_inner_texts()[:2] == ["1,200", "9,000"]


@pytest.mark.browser
def test_both_ways_are_said_to_agree_or_to_differ(mounted):
    page = mounted(view_data(cache=made_up_cache()))
    foot = page.locator(".cache .foot")
    said = "the same token at each step, largest difference of a log-probability 3.1 · 10⁻⁷."
    assert f"Both ways were run: {said}" in foot.inner_text()
    page = mounted(view_data(key="trace-2", cache=made_up_cache(same_tokens=False)))
    assert (
        "Both ways were run, and differ in a token: largest difference"
        in page.locator(".cache .foot").inner_text()
    )


@pytest.mark.browser
def test_the_curves_have_names_and_a_table_of_every_step(mounted):
    page = mounted(view_data(step=1, cache=made_up_cache()))
    card = all_of_it(page)
    names = [image.get_attribute("aria-label") for image in card.get_by_role("img").all()]
    assert names[0].startswith(
        "Multiply-adds each step: with the cache from 3,000,000,001 in step 0 to 1,200 in step 3"
    )
    assert names[1].startswith("Multiply-adds in total: ")
    card.get_by_role("button", name="Table").click()
    rows = card.get_by_role("region", name="Table of the cache's costs").locator("tbody tr")
    assert rows.count() == STEPS
    assert rows.nth(1).locator("td").all_inner_texts() == [
        "1,000",
        "5,000",
        "3,000,001,001",
        "3,000,005,001",
        "5,376",
    ]
    assert rows.nth(1).get_attribute("class") == "now"


@pytest.mark.browser
def test_tables_that_are_open_stay_open_with_another_decoding(mounted):
    page = mounted(view_data(step=3, lens=made_up_lens(), cache=made_up_cache()))
    all_of_it(page)
    for name in ("Cross-attention", "Logit lens", "Key/value cache"):
        card = page.get_by_role("region", name=name, exact=True)
        card.get_by_role("button", name="Table", exact=True).click()
    tables = [
        page.get_by_role("region", name=f"Table of the {name}")
        for name in ("weights", "logit lens", "cache's costs")
    ]
    assert [table.count() for table in tables] == [1, 1, 1]
    later = made_up_cache(n_bytes=(1, 2, 3, 4))
    feed(page, pack(view_data(key="other", step=1, lens=made_up_lens(), cache=later)))
    assert [table.count() for table in tables] == [1, 1, 1]
    assert tables[0].locator("tr:visible").count() == 3, "only up to the current step, and the head"
    assert tables[2].locator("tbody tr").nth(1).locator("td").last.inner_text() == "2"
    for button in page.get_by_role("button", name="Hide table").all()[::-1]:
        button.click()
    assert [table.count() for table in tables] == [0, 0, 0]


@pytest.mark.browser
def test_more_rows_than_fit_are_thinned_with_a_notice(mounted):
    page = mounted(view_data(step=2, cache=made_up_cache(source_length=50)))
    card = page.get_by_role("region", name="Key/value cache", exact=True)
    assert "Each square stands for 1 row of self-attention, 3 rows of cross-attention." in card.inner_text()
    assert len(squares(card, 1)) == 17
    assert card.locator(".kept .shape").all_inner_texts()[1] == "1·3·50·8"
