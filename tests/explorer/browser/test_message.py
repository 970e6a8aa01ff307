"""A message is packed whole, or it is said what no message holds."""

import json
import math
import struct
from dataclasses import dataclass

import numpy as np
import pytest

from explorer.browser.message import pack_json, pack_message

ONE, OTHER = np.array([1.0, 2.0], np.float32), np.array([[3.0]], np.float32)


@dataclass(frozen=True, eq=False)
class Part:
    name: str
    values: np.ndarray


@dataclass(frozen=True)
class Token:
    text: str


def header_and_rest(message: bytes) -> tuple[dict[str, object], bytes]:
    (length,) = struct.unpack_from("<I", message)
    return json.loads(message[4 : 4 + length]), message[4 + -(-length // 4) * 4 :]


def test_arrays_are_found_in_objects_records_and_lists_of_them_also_behind_a_part_that_is_missing():
    header, rest = header_and_rest(
        pack_message({"parts": [None, Part("a", ONE)], "deep": {"er": Part("b", OTHER)}, "codes_of": (1, 2)})
    )
    assert header["arrays"] == [["parts.1.values", [2]], ["deep.er.values", [1, 1]]]
    assert header["parts"] == [None, {"name": "a"}]
    assert header["codes_of"] == [1, 2]
    assert np.frombuffer(rest, "<f4").tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"values": [ONE, OTHER]}, "no message holds ndarray here"),
        ({"size": np.float32(1)}, "no message holds float32 here"),
        ({"a.b": ONE, "a": {"b": OTHER}}, "two arrays of a message would lie at a.b"),
        ({"arrays": 3, "values": ONE}, "keeps its layout under arrays"),
        ({"codes": 3, "values": ONE}, "keeps its layout under codes"),
        ({"loss": math.nan}, "not JSON compliant"),
    ],
)
def test_what_would_be_lost_on_the_way_is_refused(message, said):
    with pytest.raises(ValueError, match=said):
        pack_message(message)


def test_a_message_of_json_alone_has_records_as_objects_and_halves_of_a_character_escaped():
    assert json.loads(pack_json({"part": Token("\ud800")})) == {"part": {"text": "\ud800"}}
    with pytest.raises(ValueError, match="no message holds set here"):
        pack_json({"part": {1}})
