"""Tensors as files: every digit comes back, no cell is a formula, no name leads out of a folder."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.views.inspector.export import csv_bytes, file_name, npy_bytes, safe_text
from tests.hostile import TEXTS

HOSTILE = ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "\n=1", 'a"b', "a,b", "a\nb", "a;=1", "＝1", "")


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


@given(arrays(np.float32, (2, 3), elements=st.floats(width=32)))
def test_numbers_come_back_bit_for_bit(values):
    rows = read(csv_bytes(values, rows=("a", "b"), columns=(0, 1, 2), corner="x"))
    again = np.array([[np.float32(cell) for cell in row[1:]] for row in rows[1:]])
    np.testing.assert_array_equal(again, values)
    np.testing.assert_array_equal(np.load(io.BytesIO(npy_bytes(values)), allow_pickle=False), values)


def test_no_token_becomes_a_formula():
    data = csv_bytes(np.zeros((1, len(HOSTILE)), np.float32), rows=("=x",), columns=HOSTILE, corner="-")
    head, row = read(data)
    for label, cell in zip(("-", *HOSTILE), head, strict=True):
        assert cell == safe_text(label)
        assert cell.lstrip("'") == label.lstrip("'")
    assert row[0] == "'=x"
    assert not any(cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n", "＝") for cell in head)
    # Text stands in quotes, where no other separator cuts it; numbers do not.
    assert b'"a;=1"' in data
    assert b",0.0," in data


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_hostile_label_is_one_cell_of_text(text):
    data = csv_bytes(np.zeros((1, 2), np.float32), rows=(text,), columns=(text, "b"), corner=text)
    head, row = read(data)
    shown = safe_text(text).encode("utf-8", "backslashreplace").decode()
    assert (head, row) == ([shown, shown, "b"], [shown, "0.0", "0.0"])
    assert not shown.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert "/" not in file_name(text, text, ending="csv")


def test_negative_numbers_stay_numbers_and_masked_cells_say_so():
    values = np.array([[-0.5, -np.inf, 0.1]], np.float32)
    data = csv_bytes(
        values, rows=("",), columns=(4, 5, 6), corner="key", hidden=np.array([[False, True, False]])
    )
    assert data == b'"key",4,5,6\r\n"",-0.5,"masked",0.1\r\n'


def test_labels_must_fit():
    with pytest.raises(ValueError, match="1 and 2 labels do not fit"):
        csv_bytes(np.zeros((2, 2)), rows=("a",), columns=("b", "c"), corner="")


def test_half_a_character_can_be_written():
    assert b"ud83d" in csv_bytes(np.zeros((1, 1), np.float32), rows=("\ud83d",), columns=(0,), corner="")


@pytest.mark.parametrize(
    ("dtype", "kind"), [("bool", "b"), ("int64", "i"), ("float32", "f"), ("bfloat16", "f")]
)
def test_whole_tensors_keep_their_kind(dtype, kind):
    array = np.load(io.BytesIO(npy_bytes(np.array([[0, 1]], np.float32), dtype)), allow_pickle=False)
    assert (array.dtype.kind, array.tolist()) == (kind, [[0, 1]])


@given(st.lists(st.text()))
def test_a_name_is_a_plain_name(parts):
    name = file_name(*parts, ending="npy")
    assert name.endswith(".npy")
    assert not name.startswith((".", "-"))
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    assert 4 < len(name) <= 124


def test_a_name_says_what_it_is():
    assert file_name("en-fr", "decoder.output", "head-2", ending="csv") == "en-fr_decoder.output_head-2.csv"
    assert file_name("../../etc", "a b", ending="npy") == "etc_a-b.npy"
