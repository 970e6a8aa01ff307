"""The one table of colours, what is generated from it, and the forms of numbers."""

import math
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.look.theme import (
    RAMPS,
    ROLES,
    ThemeType,
    component_tokens_css,
    format_count,
    format_log_prob,
    format_part,
    format_probability,
    format_share,
    format_signed,
    ramp_color,
)
from tests.optional import unwrap

CONFIG = tomllib.loads((Path(__file__).parents[3] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
THEMES: tuple[ThemeType, ...] = ("light", "dark")
CATEGORIES = ("source", "target", "k", "q", "v", "mute")


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def streamlit_theme(theme):
    """The colours that ``[theme.light]`` or ``[theme.dark]`` of ``.streamlit/config.toml`` must hold."""
    roles, ramps = ROLES[theme], RAMPS[theme]
    signed = [2 * i / 9 - 1 for i in range(10)]
    return {
        "primaryColor": roles["primary"],
        "backgroundColor": roles["bg"],
        "secondaryBackgroundColor": roles["side"],
        "textColor": roles["ink"],
        "linkColor": roles["link"],
        "borderColor": roles["line"],
        "chartCategoricalColors": [roles[name] for name in CATEGORIES],
        "chartSequentialColors": [ramp_color(ramps["weight"], i / 9) for i in range(10)],
        "chartDivergingColors": [ramp_color(ramps["minus" if v < 0 else "plus"], abs(v)) for v in signed],
    }


@pytest.mark.parametrize("theme", THEMES)
def test_streamlit_config_repeats_the_table(theme):
    assert {name: CONFIG["theme"][theme][name] for name in streamlit_theme(theme)} == streamlit_theme(theme)
    assert CONFIG["theme"][theme].keys() == streamlit_theme(theme).keys()


def test_the_server_stays_private_and_quick():
    assert CONFIG["runner"] == {"postScriptGC": False, "magicEnabled": False}
    assert CONFIG["server"]["address"] == "127.0.0.1"
    assert CONFIG["browser"]["gatherUsageStats"] is False


def test_both_themes_have_the_same_roles_and_ramps():
    assert ROLES["light"].keys() == ROLES["dark"].keys()
    assert RAMPS["light"].keys() == RAMPS["dark"].keys()
    colours = [c for t in THEMES for c in [*ROLES[t].values(), *(c for r in RAMPS[t].values() for c in r)]]
    assert all(re.fullmatch(r"#[0-9A-F]{6}", colour) for colour in colours)


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_is_written_once_into_the_tokens(theme):
    block = unwrap(re.search(rf'\[data-look="{theme}"\]\{{(.*?)\}}', component_tokens_css())).group(1)
    pairs = [entry.split(":") for entry in block.split(";")]
    tokens = dict(pairs)
    assert len(tokens) == len(pairs)
    assert {name: tokens[f"--{name}"] for name in ROLES[theme]} == dict(ROLES[theme])
    for name, stops in RAMPS[theme].items():
        assert tuple(tokens[f"--{name}-{i}"] for i in range(len(stops))) == stops


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("ink", "bg"),
        ("ink2", "bg"),
        ("mute", "bg"),
        ("mute", "well"),
        ("link", "bg"),
        ("source", "source-tint"),
        ("target", "target-tint"),
        ("on-target", "target"),
        ("on-primary", "primary"),
        ("negative", "bg"),
        ("positive", "bg"),
    ],
)
def test_text_can_be_read_on_its_ground(theme, text, ground):
    assert contrast(ROLES[theme][text], ROLES[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ramp", ["weight", "plus", "minus"])
def test_a_number_can_be_read_in_any_cell(theme, ramp):
    for i in range(256):
        cell = ramp_color(RAMPS[theme][ramp], i / 255)
        assert max(contrast(cell, "#000000"), contrast(cell, "#FFFFFF")) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_bigger_is_further_from_the_page(theme):
    page = ROLES[theme]["bg"]
    distance = [contrast(page, ramp_color(RAMPS[theme]["weight"], i / 50)) for i in range(51)]
    assert distance == sorted(distance)


def test_a_ramp_meets_its_stops_and_mixes_between_them():
    stops = ("#000000", "#102030", "#FFFFFF")
    assert [ramp_color(stops, p) for p in (-1, 0, 0.25, 0.5, 1, 2)] == [
        "#000000",
        "#000000",
        "#081018",
        "#102030",
        "#FFFFFF",
        "#FFFFFF",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.912, "0.912"),
        (0.031, "0.0310"),
        (0.1, "0.100"),
        (0.00009, "<0.0001"),
        (0.0, "0.0000"),
        (1.0, "1.000"),
    ],
)
def test_probability(value, text):
    assert format_probability(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.000"),
        (1999 / 2000, "0.9995"),
        (4999 / 5000, "0.9998"),
        (49_999 / 50_000, ">0.9999"),
        (0.9994, "0.999"),
        (0.5, "0.500"),
        (1 / 50_000, "<0.0001"),
        (0.0, "0.0000"),
    ],
)
def test_a_share_that_is_not_all_never_reads_as_all(value, text):
    assert format_share(value) == text


def test_a_part_of_counted_things_is_counted():
    assert format_part(4999 / 5000, 5000) == "4,999 of 5,000"
    assert format_part(1.0, 2000) == "2,000 of 2,000"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-1.339, "−1.339"),
        (2.4e-7, "2.4 · 10⁻⁷"),
        (-0.00012344, "−1.234 · 10⁻⁴"),
        (0.001, "0.001"),
        (9999.0, "9999.000"),
        (12340.0, "1.234 · 10⁴"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "NaN"),
    ],
)
def test_signed(value, text):
    assert format_signed(value) == text


def test_log_prob_has_two_decimals_in_lists_and_three_in_totals():
    assert format_log_prob(-3.4737) == "−3.47"
    assert format_log_prob(-0.1952, total=True) == "−0.195"
    assert format_log_prob(0.0) == "0.00"
    assert format_log_prob(-math.inf) == "−∞"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (127_744, "127,744"),
        (999_999, "999,999"),
        (1_000_000, "1.00 M"),
        (63_082_496, "63.1 M"),
        (999_999_999, "1.00 G"),
        (-1_500, "−1,500"),
    ],
)
def test_count(value, text):
    assert format_count(value) == text


@given(st.floats(0, 1))
def test_a_probability_reads_back_within_half_its_last_digit(value):
    text = format_probability(value)
    if text == "<0.0001":
        assert 0 < value < 0.0001
    else:
        assert abs(float(text) - value) <= 0.5001 * 10.0 ** -len(text.split(".")[1])


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e30, max_value=1e30))
def test_a_signed_value_shows_its_sign_and_four_digits(value):
    text = format_signed(value)
    assert text.startswith("−") == (value < 0)
    assert "-" not in text
    plain = text.replace("−", "-").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    shown = float(plain.replace(" · 10", "e"))
    assert math.isclose(shown, value, rel_tol=5.1e-4, abs_tol=5.1e-4 if "·" not in text else 0)
