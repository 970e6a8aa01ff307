"""A table of numbers and tokens: text on the left, numbers on the right, everything shown as it is."""

from collections.abc import Mapping, Sequence

import streamlit as st

MAX_ROWS = 14
"""Rows that are seen at once; of a longer table the rest is scrolled to."""
MAX_HEIGHT = 500
"""Pixels of a longer table."""


def number_table(
    columns: Mapping[str, Sequence[str]], *, key: str, alt: str, texts: Sequence[str] = ()
) -> None:
    """Draw a table whose cells are ready to be read; the browser paints them as text, never as markup.

    Args:
        columns: Cells by the column's head.
        key: Of the table in the session.
        alt: What it shows, in one sentence.
        texts: Heads of the columns that hold words; the others hold numbers.
    """
    import pyarrow

    n_rows = max(map(len, columns.values()), default=0)
    # Of anything else Streamlit makes a data frame first, which takes ten times as long.
    cells_of = {head: pyarrow.array(list(cells), pyarrow.string()) for head, cells in columns.items()}
    st.dataframe(
        pyarrow.table(cells_of),
        hide_index=True,
        height="content" if n_rows <= MAX_ROWS else MAX_HEIGHT,
        column_config={
            head: st.column_config.TextColumn(head, alignment="left" if head in texts else "right")
            for head in columns
        },
        key=key,
        alt=alt,
    )
