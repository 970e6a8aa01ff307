"""A table of numbers and tokens: text on the left, numbers on the right, everything shown as it is."""

import re
from collections.abc import Mapping, Sequence

import pyarrow
import streamlit as st

MAX_ROWS = 14
"""Rows that are seen at once; of a longer table the rest is scrolled to."""
MAX_HEIGHT = 500
"""Pixels of a longer table."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_SIGNED = re.compile(r"[+-][0-9.,]*")


def shown_only(cell: str) -> str:
    """A cell that looks the same, but is no formula when somebody saves the table and opens it in a spreadsheet.

    The browser writes that file itself; a character without width is all that can be put before the cell.
    """
    is_formula = cell.startswith(FORMULA_STARTS) and not _SIGNED.fullmatch(cell)
    return f"\u200b{cell}" if is_formula else cell


def number_table(
    columns: Mapping[str, Sequence[str]],
    *,
    key: str,
    alt: str,
    texts: Sequence[str] = (),
    widths: Mapping[str, int] | None = None,
) -> None:
    """Draw a table whose cells are ready to be read; the browser paints them as text, never as markup.

    Args:
        columns: Cells by the column's head.
        key: Of the table in the session.
        alt: What it shows, in one sentence.
        texts: Heads of the columns that hold words; the others hold numbers.
        widths: Pixels of columns whose first cells are shorter than what follows; those alone are measured.
    """
    n_rows = max(map(len, columns.values()), default=0)
    # Of anything else Streamlit makes a data frame first, which takes ten times as long.
    cells_of = {
        shown_only(head): pyarrow.array(list(map(shown_only, cells)), pyarrow.string())
        for head, cells in columns.items()
    }
    st.dataframe(
        pyarrow.table(cells_of),
        hide_index=True,
        height="content" if n_rows <= MAX_ROWS else MAX_HEIGHT,
        column_config={
            shown_only(head): st.column_config.TextColumn(
                shown_only(head),
                alignment="left" if head in texts else "right",
                width=(widths or {}).get(head),
            )
            for head in columns
        },
        key=key,
        alt=alt,
    )
