"""How the values of this package look in a notebook: small tables, in which every text is escaped."""

from collections.abc import Sequence
from html import escape

Row = Sequence[object]


def html_table(title: str, rows: Sequence[Row], *, head: Row = ()) -> str:
    """A table with a title; every cell is text, whatever a stranger has written into it."""
    lines = [f"<caption style='text-align:left'>{escape(title)}</caption>"]
    if head:
        lines.append(
            "<thead><tr>" + "".join(f"<th>{escape(str(cell))}</th>" for cell in head) + "</tr></thead>"
        )
    lines.append("<tbody>")
    lines += ["<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows]
    return f"<table>{''.join(lines)}</tbody></table>"
