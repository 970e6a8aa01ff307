"""What several seeds gave, as marks: one for each, told apart by colour and shape, this run's filled."""

import pytest

from explorer.look.theme import ROLES
from explorer.views.experiments.figure import MARKS, OWN, SEED, seed_rows, seed_spec


def test_every_seed_and_this_run_have_a_mark():
    seeds = {"exact": {"a": (0.1, 0.2), "b": (0.9,)}}
    assert seed_rows(seeds, {"exact": {"b": 0.8}}) == {
        "figure": ["exact"] * 4,
        "model": ["a", "a", "b", "b"],
        "what": [SEED, SEED, SEED, OWN],
        "value": [0.1, 0.2, 0.9, 0.8],
    }
    assert seed_rows({}, {}) == {"figure": [], "model": [], "what": [], "value": []}


def test_models_differ_in_colour_and_shape_and_only_this_run_is_filled():
    spec = seed_spec(["exact", "led"], ["a", "b"], "dark")
    assert spec["encoding"]["x"]["scale"]["domain"] == [0, 1]
    assert spec["encoding"]["y"]["sort"] == ["exact", "led"]
    seeds, own = spec["layer"]
    assert [layer["mark"]["filled"] for layer in (seeds, own)] == [False, True]
    assert SEED in seeds["transform"][0]["filter"]
    assert own["encoding"]["color"]["scale"]["range"] == [ROLES["dark"][role] for role, _ in MARKS[:2]]
    assert own["encoding"]["shape"]["scale"] == {"domain": ["a", "b"], "range": ["circle", "square"]}
    assert spec["height"] > seed_spec(["exact"], ["a", "b"], "dark")["height"]
    with pytest.raises(ValueError, match="at most 4 models"):
        seed_spec(["exact"], list("abcde"), "light")
