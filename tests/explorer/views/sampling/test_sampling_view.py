"""The sampling views: the browser's columns are torch's, the message, and what is accepted back."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.config import DecodeConfig
from core.decoding.sampling import sampling_pipeline
from explorer.views.sampling import component as module
from explorer.views.sampling.component import (
    CHOICE,
    OutputRow,
    SamplesData,
    SamplingChoice,
    SamplingViewData,
    pack,
    samples_view,
    sampling_view,
)
from tests.explorer.mounting import asked_of, feed, mount
from tests.optional import unwrap
from tests.unpacked import unpacked

FOLDER = Path(module.__file__).parent
STEPS, SIZE = 4, 23  # each its own size: a swapped axis fails
NEVER = (0, 1)

ASK = """({ never, logits, settings }) => settings.map(([row, settings, uniform]) => {
  const columns = bundle.proven.samplingPipeline(Float32Array.from(logits[row]), settings, uniform, never);
  for (const name of ["scaled", "probs", "cumulative"]) columns[name] = Array.from(columns[name]);
  return { ...columns, bits: bundle.proven.entropyBits(columns.probs) };
})"""


def in_the_browser(browser, logits: np.ndarray, cases: list[tuple[int, dict, float]]) -> list[dict]:
    given = {
        "never": NEVER,
        "logits": logits.astype(float).tolist(),
        "settings": [list(case) for case in cases],
    }
    return asked_of(browser, ASK, given)


def tied_logits() -> np.ndarray:
    """Rows of random logits, of few distinct values, of one value, of very far and of very close ones."""
    rng = np.random.default_rng(5)
    rows = [
        *rng.normal(0, 3, (6, SIZE)),
        *rng.integers(-2, 3, (6, SIZE)),
        np.zeros(SIZE),
        rng.normal(0, 80, SIZE),
        1 + rng.normal(0, 1e-6, SIZE),
        np.where(np.arange(SIZE) == 7, 60.0, -60.0),
    ]
    return np.array(rows, dtype=np.float32)


SETTINGS: list[dict[str, Any]] = [
    {"temperature": temperature, "top_k": top_k, "top_p": top_p}
    for temperature in (0.05, 0.7, 1.0, 2.0)
    for top_k in (None, 1, 4, SIZE - 2, SIZE)
    for top_p in (0.05, 0.5, 0.9, 1.0)
]


@pytest.mark.browser
def test_the_browsers_columns_are_those_of_the_sampler(browser):
    logits = tied_logits()
    rng = np.random.default_rng(6)
    cases = [(row, settings, rng.random()) for row in range(len(logits)) for settings in SETTINGS]
    # The ends of [0, 1).
    cases += [(0, SETTINGS[0], 0.0), (6, SETTINGS[7], 0.0), (0, SETTINGS[3], 1 - 2**-53)]
    for (row, settings, uniform), found in zip(cases, in_the_browser(browser, logits, cases), strict=True):
        columns = sampling_pipeline(
            torch.from_numpy(logits[row : row + 1]),
            DecodeConfig(**settings),
            torch.tensor([uniform], dtype=torch.float64),
            never=NEVER,
        ).row(0)
        what = (row, settings, uniform)
        assert found["scaled"] == columns.scaled.tolist(), what
        assert found["allowed"] == columns.allowed.tolist(), what
        assert found["keptByTopK"] == columns.kept_by_top_k.tolist(), what
        assert found["keptByTopP"] == columns.kept_by_top_p.tolist(), what
        np.testing.assert_allclose(
            found["probs"], columns.probs.numpy(), rtol=1e-12, atol=0, err_msg=str(what)
        )
        np.testing.assert_allclose(
            found["cumulative"], columns.cumulative.numpy(), rtol=1e-12, err_msg=str(what)
        )
        assert found["drawn"] == columns.token_ids.item(), what


@pytest.mark.browser
def test_the_browsers_probabilities_are_torchs_softmax_of_the_filtered_logits(browser):
    logits = tied_logits()
    settings = {"temperature": 0.7, "top_k": 6, "top_p": 0.9}
    for row, found in enumerate(
        in_the_browser(browser, logits, [(row, settings, 0.5) for row in range(len(logits))])
    ):
        kept = torch.tensor(found["keptByTopP"])
        filtered = torch.from_numpy(logits[row]).double().masked_fill(~kept, -torch.inf)
        expected = (filtered / 0.7).softmax(-1)
        torch.testing.assert_close(
            torch.tensor(found["probs"], dtype=torch.float64), expected, rtol=1e-12, atol=0
        )
        assert found["bits"] == pytest.approx(
            torch.distributions.Categorical(probs=expected).entropy().item() / np.log(2), abs=1e-6
        )


@pytest.mark.browser
def test_without_temperature_the_browser_takes_the_most_probable_token(browser):
    logits = tied_logits()
    greedy = {"temperature": 0, "top_k": 5, "top_p": 0.5}
    for row, found in enumerate(
        in_the_browser(browser, logits, [(row, greedy, 0.99) for row in range(len(logits))])
    ):
        allowed = logits[row].copy()
        allowed[list(NEVER)] = -np.inf
        assert found["drawn"] == allowed.argmax()
        assert found["probs"] == [float(i == allowed.argmax()) for i in range(SIZE)]
        assert found["bits"] == 0


@pytest.mark.browser
@pytest.mark.parametrize("current", [None, 1, 33, 63, 348])
def test_top_k_can_be_set_to_what_a_link_says_and_off(browser, current):
    *stops, off = asked_of(browser, "current => bundle.proven.topKStops(349, current)", current)
    assert off is None
    assert stops == sorted(set(stops))
    assert set(range(1, 51)) <= set(stops)
    assert current is None or current in stops
    assert all(1 <= k < 349 for k in stops)


def view_data(**changes) -> SamplingViewData:
    rng = np.random.default_rng(0)
    data = SamplingViewData(
        key="lab-1",
        vocabulary=("<pad>", "<s>", "</s>", "<b>x</b>", " ", *(f"w{i}" for i in range(SIZE - 5))),
        never=NEVER,
        token_ids=(5, 6, 3, 2),
        n_forced=0,
        ended=True,
        logits=rng.normal(0, 2, (STEPS, SIZE)).astype(np.float32),
        uniform=(0.25, 0.5, 0.0, 0.999),
        text="w0 w1 <b>x</b>",
        greedy_text="w0 w1",
        step=1,
        temperature=1.0,
        top_k=None,
        top_p=1.0,
        seed=0,
    )
    return dataclasses.replace(data, **changes)


@pytest.mark.parametrize("key", ["k", "kk", "kkk", "kkkk"])
def test_the_message_holds_the_logits_bit_for_bit_and_the_rest_as_given(key):
    data = view_data(key=key)
    header, arrays, _ = unpacked(pack(data))
    np.testing.assert_array_equal(arrays["logits"], data.logits, strict=True)
    for field in dataclasses.fields(data):
        if field.name != "logits":
            assert header[field.name] == json.loads(json.dumps(getattr(data, field.name)))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"logits": np.zeros((SIZE, STEPS), np.float32)}, "logits must be"),
        ({"logits": np.full((STEPS, SIZE), np.nan, np.float32)}, "finite"),
        ({"token_ids": (), "logits": np.zeros((0, SIZE), np.float32)}, "at least one step"),
        ({"token_ids": (5, 6, 3, SIZE)}, "outside the vocabulary"),
        ({"uniform": (0.1, 0.2, 0.3)}, "uniform must hold"),
        ({"uniform": (0.1, 0.2, 0.3, 1.0)}, "uniform must hold"),
        ({"step": STEPS}, "step 4"),
        ({"n_forced": STEPS + 1}, "n_forced"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        pack(view_data(**changes))


def report(**changes) -> dict:
    settings = {"step": 2, "temperature": 0.7, "top_k": 5, "top_p": 0.9, "seed": 12}
    return {"trace": "lab-1", **settings, "report": 7} | changes


def parse(raw: object) -> SamplingChoice | None:
    return CHOICE.parse(raw, view_data())


@given(
    st.integers(0, 1000),
    st.integers(0, 500),
    st.none() | st.integers(1, SIZE),
    st.integers(1, 100),
    st.integers(0, 10**6 - 1),
)
def test_every_choice_in_range_is_accepted(step, temperature, top_k, top_p, seed):
    raw = report(step=step, temperature=temperature / 100, top_k=top_k, top_p=top_p / 100, seed=seed)
    expected = SamplingChoice(step, temperature / 100, top_k, top_p / 100, seed)
    assert parse(json.loads(json.dumps(raw))) == expected


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(json_values | st.fixed_dictionaries(dict.fromkeys(report(), json_values)))
def test_anything_else_is_none_and_never_an_error(raw):
    assert parse(raw) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"trace": "lab-0"},
        {"step": -1},
        {"step": 1001},
        {"step": True},
        {"temperature": -0.1},
        {"temperature": 5.1},
        {"temperature": float("nan")},
        {"temperature": "1"},
        {"top_k": 0},
        {"top_k": SIZE + 1},
        {"top_k": 2.0},
        {"top_p": 0},
        {"top_p": 1.01},
        {"top_p": None},
        {"seed": 10**6},
        {"seed": 0.5},
        {"report": None},
    ],
)
def test_one_wrong_part_spoils_the_whole_report(changes):
    assert parse(report()) is not None
    assert parse(report(**changes)) is None


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    """Mounts a view without Streamlit; ``window.feed`` hands it a message, ``window.reports`` hears it."""

    def show(message: bytes, path: str = sampling_view.path, root: str = "sampling-view"):
        page.set_viewport_size({"width": 1040, "height": 1000})
        mount(page, root, path, message)
        return page

    return show


def told(page, count: int) -> dict:
    page.wait_for_function("count => reports.length === count", arg=count)
    return page.evaluate("reports")[-1][1]


def columns_of(data: SamplingViewData, **settings):
    config = DecodeConfig(temperature=data.temperature, top_k=data.top_k, top_p=data.top_p)
    config = dataclasses.replace(config, **settings)
    logits, uniform = torch.from_numpy(data.logits[data.step]), torch.tensor([data.uniform[data.step]])
    return sampling_pipeline(logits[None], config, uniform, never=NEVER).row(0)


def shown(page, column: str) -> list[str]:
    return page.locator(f".columns tbody tr:not(.others) {column}").all_inner_texts()


@pytest.mark.browser
def test_a_filter_that_is_off_cuts_nothing(mounted):
    page = mounted(pack(view_data(key="k", top_k=3)))
    assert shown(page, "td:nth-child(4)") == ["kept"] * 3 + ["cut"] * 12
    assert shown(page, "td:nth-child(5)") == ["—"] * 15
    assert page.locator(".others .kept").all_inner_texts() == ["0 kept", "—"]
    head = page.locator(".pipeline header").inner_text()
    assert (
        f"step 1, 3 of {SIZE} tokens can be drawn, the most probable first; <pad> and <s> never are" in head
    )


@pytest.mark.browser
def test_at_temperature_0_the_filters_are_not_used(mounted):
    page = mounted(pack(view_data(key="greedy", temperature=0.0, top_k=3, top_p=0.5)))
    heads = page.locator(".columns thead .kept").all_inner_texts()
    assert heads == ["top-k not used: greedy", "top-p not used: greedy"]
    assert set(shown(page, "td.kept")) == {"—"}
    assert (
        f"the most probable of {SIZE} tokens is taken; <pad>" in page.locator(".pipeline header").inner_text()
    )


@pytest.mark.browser
def test_columns_follow_a_slider_at_once_and_python_hears_when_it_rests(mounted):
    data = view_data()
    page = mounted(pack(data))
    before = columns_of(data)
    order = before.probs.argsort(descending=True, stable=True)[:15]
    assert shown(page, "th") == [data.vocabulary[i].replace(" ", "␣") for i in order]
    page.get_by_label("Temperature").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    probs = columns_of(data, temperature=0.8).probs[order].tolist()
    assert page.get_by_label("Temperature").get_attribute("aria-valuetext") == "0.80"
    assert shown(page, "td:nth-child(7)") == [f"{p:.3f}" if p >= 0.1 else f"{p:.4f}" for p in probs]
    page.wait_for_function("reports.at(-1)?.[1].temperature === 0.8")
    count = len(page.evaluate("reports"))
    page.wait_for_timeout(600)
    report = told(page, count)
    assert report.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    assert report == {
        "trace": "lab-1", "step": 1, "temperature": 0.8, "top_k": None, "top_p": 1, "seed": 0
    }  # fmt: skip
    assert page.get_by_label("Temperature").evaluate("node => node === node.getRootNode().activeElement")


@pytest.mark.browser
def test_filters_cut_tokens_and_the_rest_is_summed(mounted):
    data = view_data(top_k=3)
    page = mounted(pack(data))
    assert shown(page, "td:nth-child(4)") == ["kept"] * 3 + ["cut"] * 12
    others = page.locator(".columns .others")
    assert others.locator("th").inner_text() == "6 others together"
    page.get_by_label("Top-k").focus()
    page.keyboard.press("End")
    left = 1 - columns_of(data, top_k=None).probs.sort(descending=True).values[:15].sum().item()
    assert others.locator(".number").inner_text() == f"{left:.4f}"
    page.get_by_role("button", name="All off").click()
    assert told(page, 1)["top_k"] is None


@pytest.mark.browser
def test_the_drawn_number_lights_the_part_that_it_hits(mounted):
    data = view_data(step=3)
    page = mounted(pack(data))
    drawn = data.vocabulary[columns_of(data).token_ids.item()]
    assert page.locator(".columns .drawn th").inner_text() == drawn
    shape = page.locator(".strip path.drawn").get_attribute("d")
    left, right = (
        float(number) / 1000 for number in unwrap(re.match(r"M([\d.]+) 0H([\d.]+)V", shape)).groups()
    )
    assert left <= data.uniform[3] < right + 0.001
    page.locator(".columns .drawn").hover()
    assert page.locator(".strip path.lit").get_attribute("d") == shape
    assert drawn in page.get_by_role("img").get_attribute("aria-label")


@pytest.mark.browser
def test_arrows_choose_the_step_and_the_focus_stays_on_it(mounted):
    page = mounted(pack(view_data()))
    page.get_by_role("radio", name="Step 1,").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("radio", checked=True).get_attribute("aria-label").startswith("Step 2, <b>x</b>")
    assert told(page, 1)["step"] == 2
    feed(page, pack(view_data(step=2, text="other", report=page.evaluate("reports")[0][1]["report"])))
    page.keyboard.press("Home")
    assert told(page, 2)["step"] == 0


@pytest.mark.browser
def test_a_message_is_followed_unless_it_knows_less_than_the_view_has_told(mounted):
    page = mounted(pack(view_data()))

    def hear(**changes) -> str:
        feed(page, pack(view_data(**changes)))
        return page.locator("output").first.inner_text()

    page.get_by_label("Temperature").focus()
    page.keyboard.press("ArrowRight")
    first = told(page, 1)["report"]
    page.keyboard.press("ArrowRight")
    assert hear(temperature=1.05, report=first) == "1.10", "its own report came back while the slider went on"
    second = told(page, 2)["report"]
    assert hear(temperature=1.05, report=first) == "1.10"
    assert hear(temperature=0.5, report=second) == "0.50", "the page itself chose another temperature"
    assert hear(temperature=0.0, report=second, key="lab-2") == "0, greedy"


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    data = view_data(vocabulary=(hostile,) * SIZE, text=hostile, greedy_text=hostile * 2, temperature=0.5)
    page = mounted(pack(data))
    assert page.locator(".chip .word").first.inner_text().startswith("<img")
    samples = SamplesData(9, 1, (OutputRow(hostile, 9, 0.5, -1.0, True),), 0, 0.5, 0, 5, 0.0, 0.0)
    page = mounted(samples_view.pack(samples), samples_view.path, "sampling-view samples-view")
    assert page.locator(".outputs th .text").inner_text().startswith("<img")
    assert page.locator("#host :is(img, script)").count() == 0
    assert page.evaluate("window.pwned") is None


@pytest.mark.browser
def test_a_seed_that_is_being_typed_is_not_taken_back_by_a_message(mounted):
    page = mounted(pack(view_data()))
    seed = page.get_by_label("Seed")
    seed.fill("12")
    feed(page, pack(view_data(report=1)))
    assert seed.input_value() == "12"
    seed.press("Enter")
    assert told(page, 1)["seed"] == 12
    feed(page, pack(view_data(seed=7, report=page.evaluate("reports")[0][1]["report"])))
    assert seed.input_value() == "7", "nothing is being typed any more"


@pytest.mark.browser
def test_the_seed_that_the_output_names_is_its_own_also_where_the_output_stays(mounted):
    page = mounted(pack(view_data()))
    page.get_by_role("button", name="Draw again").click()
    feed(page, pack(view_data(seed=1, report=told(page, 1)["report"])))
    assert "With these settings and seed 1 the model writes" in page.locator(".lead").inner_text()
    feed(page, pack(view_data(temperature=0.0, report=2**50)))
    assert page.locator(".lead").inner_text().startswith("Greedily the model writes")


@pytest.mark.browser
def test_a_row_is_lit_only_while_it_is_pointed_at(mounted):
    page = mounted(pack(view_data()))
    page.locator(".columns tbody tr").nth(2).hover()
    feed(page, pack(view_data(report=1)))
    assert page.locator(".columns .lit").count() == 1
    assert page.locator(".strip path.lit").get_attribute("d")
    page.mouse.move(0, 0)
    assert page.locator(".columns .lit").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "changes"), [("Temperature", {"temperature": 5.0}), ("Top-p", {"top_p": 0.01})]
)
def test_a_slider_keeps_its_range_while_it_is_moved(mounted, name, changes):
    page = mounted(pack(view_data(**changes)))
    slider = page.get_by_label(name, exact=True)
    ends = "input => [input.min, input.max]"
    before = slider.evaluate(ends)
    slider.press("ArrowLeft" if name == "Temperature" else "ArrowRight")
    assert slider.evaluate(ends) == before


@pytest.mark.browser
def test_what_is_chosen_while_other_weights_come_is_kept_and_told_about_them(mounted):
    """Such as while a training is played: the message was written before the choice was heard."""
    page = mounted(pack(view_data()))
    slider = page.get_by_label("Temperature")
    slider.press("ArrowRight")
    feed(page, pack(view_data(key="lab-2")))
    assert slider.evaluate("node => node === node.getRootNode().activeElement"), "it is under a hand"
    assert page.locator("output").first.inner_text() == "1.05"
    page.wait_for_function("reports.at(-1)?.[1].trace === 'lab-2'")
    assert page.evaluate("reports.at(-1)[1].temperature") == 1.05
    feed(page, pack(view_data(key="lab-3", temperature=0.5)))
    assert page.locator("output").first.inner_text() == "0.50", "the page itself chose another temperature"
