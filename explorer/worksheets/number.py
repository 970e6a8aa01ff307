"""One number explained, on paper: its sentence, its formula with letters and with numbers, and its terms."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.browser.explain_panel import ExplanationData, Role
from explorer.look.pieces import Piece, Side
from explorer.look.token_text import visible
from explorer.worksheets.document import Block, Formula, Heading, Paragraph, Table, paragraph

MOST_TERMS = 60
"""Most terms that are printed, two pages of them; the panel has more."""


def explained_blocks(data: ExplanationData | None) -> Iterator[Block]:
    """The number that the panel explains; nothing where none is open."""
    if data is None:
        return
    yield Heading("One number explained")
    if data.problem:
        yield paragraph(data.problem)
        return
    yield Paragraph(tuple(Piece(word.text, _side(word.role)) for word in data.words))
    yield Paragraph((Piece(f"{data.site}{data.index} = "), Piece(data.value, "number")))
    for formula in (data.formula, data.numbers):
        if formula:
            yield Formula(formula)
    if data.terms:
        yield _terms(data)


def _terms(data: ExplanationData) -> Table:
    """An explanation's terms in the order of their places: what each is made of, and what it gives."""
    rows = (
        (
            " ".join(filter(None, (term.place, visible(term.token.text) if term.token.text else ""))),
            "  ·  ".join(f"{each.symbol} = {each.text}" for each in term.numbers),
            term.value,
        )
        for term in data.terms[:MOST_TERMS]
    )
    printed = min(len(data.terms), MOST_TERMS)
    count = f"{printed} of {data.n_terms}" if printed < data.n_terms else f"All {data.n_terms}"
    return Table(
        ("", "operands", data.value_name or "value"),
        tuple(rows),
        (0, 1),
        f"{count} terms; they give {data.result}, recorded is {data.recorded}",
    )


def _side(role: Role) -> Side:
    return role if role in ("source", "target") else ""
