"""The theatre: which tensor somebody may pick in place of the attention."""

from types import SimpleNamespace
from typing import Any

import pytest

from explorer.views.training.theatre import PICK, Picked

SHOWN: Any = SimpleNamespace(key="run", probes=("cat", "at"), pickable={"decoder.layers.0.cross_attn.w_q"})


def picked(name: object) -> dict[str, object]:
    return {"key": "run", "report": 3, "name": name, "probe": 1}


@pytest.mark.parametrize("name", ["", "decoder.layers.0.cross_attn.w_q"])
def test_a_tensor_that_is_there_can_be_picked_or_the_attention(name):
    assert PICK.parse(picked(name), SHOWN) == Picked(name, 1)


@pytest.mark.parametrize("name", ["elsewhere", None, 1, ["decoder.layers.0.cross_attn.w_q"], {}])
def test_anything_else_is_no_tensor_and_no_error(name):
    assert PICK.parse(picked(name), SHOWN) is None
