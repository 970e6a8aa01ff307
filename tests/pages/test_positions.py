"""The page Positions through the entry script: table, rotation, waves, and the three kinds compared."""

import json

import numpy as np
import pytest

from explorer.view import STOP
from tests.pages.opening import header_of, open_page, query_of, title_of

PAGE = "pages/model/positions.py"


SLIDERS = ("Positions shown", "Offset k of the rotation", "Pair of dimensions")


def words(app) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.caption))


def stage(header, key):
    return next(each for each in header["stages"] if each["key"] == key)


def slider(app, label):
    return next(each for each in app.slider if each.label == label)


def test_the_page_opens_with_the_recorded_positions_of_the_sentence():
    app = open_page(PAGE, sentence="the cat sleeps")
    header = header_of(app, STOP)
    assert title_of(app) == "Positions"
    table = header["tensors"]["table"]
    assert (table["site"], table["askable"]) == ("src_embed.positions", True)
    assert table["axes"][0]["labels"] == ["the", "cat", "sleeps", "</s>"]
    assert [each["key"] for each in header["stages"]] == [
        "table",
        "sum",
        "similarity",
        "rotation",
        "shifted",
        "learned",
    ]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("stage", "shown"),
    [
        ("", ""),
        *((each, each) for each in ("table", "sum", "similarity", "rotation", "shifted", "learned")),
        ("nowhere", ""),
    ],
)
def test_every_address_opens_the_stop_of_the_embedding_at_its_stage(stage, shown):
    header = header_of(open_page(PAGE, position="2", **({"stage": stage} if stage else {})), STOP)
    assert (header["picture"], header["here"], header["stage"]) == ("positions", "src_embed", shown)
    assert (header["row"], header["row_side"]) == (2, "source")


def test_the_table_always_has_the_rows_of_the_sentence():
    app = open_page(PAGE, position="6")
    length = slider(app, "Positions shown")
    length.set_value(length.min).run()
    table, header = header_of(app, STOP)["tensors"]["table"], header_of(app, STOP)
    assert table["axes"][0]["size"] == len(header["reads"]) == 7
    assert header["row"] == 6


def test_more_positions_than_training_had_are_marked():
    app = open_page(PAGE)
    slider(app, "Positions shown").set_value(128).run()
    axis = header_of(app, STOP)["tensors"]["table"]["axes"][0]
    assert axis["size"] == 128
    assert axis["labels"][24:26] == ["24", "25*"]
    assert axis["window"].startswith("* beyond the 25 positions")


def test_offset_and_pair_choose_the_rotation():
    app = open_page(PAGE, stage="rotation")
    slider(app, "Offset k of the rotation").set_value(9).run()
    slider(app, "Pair of dimensions").set_value(2).run()
    header = header_of(app, STOP)
    assert header["stage"] == "rotation"
    assert "k = 9" in stage(header, "rotation")["formula"]
    assert "pair 2" in stage(header, "rotation")["panels"][1]["title"]
    assert "PE(p + 9)" in stage(header, "shifted")["formula"]


def test_link_holds_slider_values():
    app = open_page(PAGE, positions="40", offset="3", dimensions="5")
    assert [slider(app, name).value for name in SLIDERS] == [40, 3, 5]
    slider(app, "Offset k of the rotation").set_value(4).run()
    assert {"positions": "40", "offset": "4", "dimensions": "5"}.items() <= query_of(app).items()


@pytest.mark.parametrize("asked", [("1", "65", "99999"), ("129", "-1", "x"), ("0", "64", "32")])
def test_link_values_are_clamped(asked):
    app = open_page(PAGE, **dict(zip(("positions", "offset", "dimensions"), asked, strict=True)))
    assert not app.exception
    for name in SLIDERS:
        assert slider(app, name).min <= slider(app, name).value <= slider(app, name).max


def test_waves_have_their_wavelengths_and_shade_what_training_never_saw():
    app = open_page(PAGE)
    figure = json.loads(app.get_by_key("wave_chart").proto.spec)
    named = [trace["name"] for trace in figure["data"] if trace["showlegend"]]
    expected = [2 * np.pi * 10000 ** (2 * pair / 64) for pair in (0, 4, 8, 31)]
    assert named[0] == f"pair 0, wavelength {expected[0]:.1f}"
    assert named[3] == f"pair 31, wavelength {expected[3]:,.0f}"
    assert figure["layout"]["shapes"][0]["x0"] == 24.5
    app.multiselect[0].set_value([1]).run()
    figure = json.loads(app.get_by_key("wave_chart").proto.spec)
    assert [trace["name"] for trace in figure["data"]] == [
        f"pair 1, wavelength {2 * np.pi * 10000 ** (2 / 64):.1f}"
    ] * 2


def test_the_three_kinds_stand_side_by_side_with_cores_own_refusal():
    said = words(open_page(PAGE))
    assert "**Sinusoids**, this model's" in said
    assert f"{2 * 64 * 64:,} parameters" in said
    assert "positions are learned up to length 64, but 65 are needed" in said
    assert "Order means nothing to it." in said
    assert said.count("order matters") == 2
    assert "they depend on the distance alone" in said


@pytest.mark.parametrize("model", ["copy", "dates"])
def test_every_other_kind_of_model_opens(model):
    app = open_page(PAGE, model=model)
    assert header_of(app, STOP)["tensors"]["table"]
    assert not app.error
