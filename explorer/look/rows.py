"""What a row is called: its token, or of the decoder the token that its position reads and the one that it writes."""

from explorer.look.pieces import Piece
from explorer.look.token_text import told_apart, visible
from explorer.tensors import Axis


def row_text(axis: Axis, place: int) -> str:
    """A row where there is room: ``reads ne → writes dort``; its token alone where it writes none."""
    if not axis.labels:
        return str(place)
    token = visible(axis.labels[place])
    return f"reads {token} → writes {visible(axis.writes[place])}" if axis.writes else token


def row_texts(axis: Axis) -> tuple[str, ...]:
    """Return the names of all rows, of which no two are the same: ``3 a`` where a text stands twice."""
    return told_apart(row_text(axis, place) for place in range(axis.size))


def row_brief(axis: Axis, place: int) -> str:
    """A row where there is little room: ``step 4 (→ dort)``, or ``1 small`` where it writes none."""
    if axis.writes:
        return f"step {place} (→ {visible(axis.writes[place])})"
    return f"{place} {visible(axis.labels[place])}" if axis.labels else str(place)


def row_pieces(axis: Axis, place: int) -> tuple[Piece, ...]:
    """A row in a sentence: ``the position that reads ne (and will write dort)``, or its token."""
    reads = Piece(axis.labels[place], axis.side)
    if not axis.writes:
        return (reads,)
    writes = Piece(axis.writes[place], axis.side)
    return Piece("the position that reads "), reads, Piece(" (and will write "), writes, Piece(")")
