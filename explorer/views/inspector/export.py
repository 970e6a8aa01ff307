"""Tensors as files: all of one as NPY, what is shown of it as CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import numpy as np

from explorer.look.number_table import FORMULA_STARTS

MASKED = "masked"
MAX_NAME = 120
"""Characters of a file's name without its ending."""

# What Excel and its relatives take for the beginning of a formula; East Asian input writes the wide ones.

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


def npy_bytes(values: np.ndarray, dtype: str = "float32") -> bytes:
    """The file that `numpy.load` reads, without any pickled object.

    Args:
        values: As they are shown, float32.
        dtype: That of the model; a mask is written as bool and ids as int64, all other numbers as float32.
    """
    kinds = {"bool": np.bool_, "int64": np.int64}
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(values.astype(kinds.get(dtype, np.float32))), allow_pickle=False)
    return buffer.getvalue()


def csv_bytes(
    values: np.ndarray,
    *,
    rows: Sequence[str | int],
    columns: Sequence[str | int],
    corner: str,
    hidden: np.ndarray | None = None,
) -> bytes:
    """A table with a line of column labels and a label before each row, as UTF-8.

    Numbers are written with as many digits as bring the same float32 back, texts in quotes; a text that a
    spreadsheet would calculate has an apostrophe before it.

    Args:
        values: [rows, columns].
        rows: Labels of the rows, tokens or numbers.
        columns: Labels of the columns.
        corner: What stands above the rows' labels.
        hidden: True where masked; such a cell says so.

    Raises:
        ValueError: when a label is missing or left over.
    """
    if values.shape != (len(rows), len(columns)):
        raise ValueError(f"{len(rows)} and {len(columns)} labels do not fit the shape {values.shape}")
    buffer = io.StringIO(newline="")
    # In quotes a semicolon begins no cell of its own either, where a spreadsheet separates by semicolons.
    writer = csv.writer(buffer, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([safe_text(corner), *map(_label, columns)])
    for at, label in enumerate(rows):
        masked = hidden[at] if hidden is not None else np.zeros(len(columns), bool)
        cells = (MASKED if hide else value for value, hide in zip(values[at], masked, strict=True))
        writer.writerow([_label(label), *cells])
    return buffer.getvalue().encode("utf-8", "backslashreplace")


def safe_text(text: str) -> str:
    """A text that a spreadsheet shows and does not calculate."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def file_name(*parts: str, ending: str) -> str:
    """A file's name of letters, digits, dots, hyphens and underscores, whatever the parts hold."""
    joined = "_".join(_NOT_IN_NAMES.sub("-", part).strip("-.") for part in parts if part)
    return f"{joined[:MAX_NAME].strip('.-_') or 'tensor'}.{ending}"


def _label(label: str | int) -> str | int:
    return safe_text(label) if isinstance(label, str) else label
