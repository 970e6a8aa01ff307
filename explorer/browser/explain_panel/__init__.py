"""The panel “Explain this number”: one number in words, its formulas, its terms with links to their numbers, its check.

A message holds one explanation, or none while the panel is closed. The panel reports which link was followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from explorer.browser.assets import script, view_path
from explorer.browser.message import pack_json
from explorer.look.formula import mathml
from explorer.tensors import CellPlace
from explorer.visitor.reports import PANEL, Event, Explain, Payload, Refused, handlers

PATH = view_path(__file__, "panel")
"""Path of the TypeScript module among the views of the bundle."""

Role = Literal["", "source", "target", "q", "k", "v"]
Layout = Literal["none", "terms", "parts"]

MAX_CRUMBS = 4
"""Links of the way that are shown beside an ellipsis."""
LARGEST = 12
"""So many terms are shown at first, the largest, and the sum of the others."""
MAX_SENT = 1024
"""Terms that a message may hold; of more only the largest are sent."""


@dataclass(frozen=True)
class Words:
    """A piece of text, perhaps in the colour of a role."""

    text: str
    role: Role = ""


@dataclass(frozen=True)
class Column:
    """The head of a column of operands: a letter, what stands under it, and whose colour both have."""

    text: str
    under: str = ""
    role: Role = ""


@dataclass(frozen=True)
class Crumb:
    """A number of the way to this one; without a place it stands for those left out."""

    text: str
    place: int | None


@dataclass(frozen=True)
class ShownNumber:
    """An operand.

    Attributes:
        symbol: Its letter.
        text: Short.
        exact: With all digits of float32.
        role: Whose colour it has.
        cell: What is explained when it is followed: the number itself, or what that only passes on; None for a
            constant, which nothing explains.
        at: Where it stands itself.
    """

    symbol: str
    text: str
    exact: str
    role: Role = ""
    cell: CellPlace | None = None
    at: CellPlace | None = None


@dataclass(frozen=True)
class ShownTerm:
    """One term.

    Attributes:
        place: What tells it from the others: a number along the axis, or a word.
        token: The token that stands there, if one does.
        numbers: Its operands, in the order of the columns.
        value: Short; what the operands give.
        exact: With all digits.
        share: Its value divided by the largest size among all terms: the length of its bar, -1 to 1.
        rank: Place among the terms by size, from 0.
        own: Whether the number belongs to this very term, as the softmax of one score among all.
    """

    place: str
    token: Words
    numbers: tuple[ShownNumber, ...]
    value: str
    exact: str
    share: float
    rank: int
    own: bool = False


@dataclass(frozen=True)
class Use:
    """What reads this number: another number, or a site whose page shows it.

    Attributes:
        text: What it is called.
        cell: The number, where it is one.
        site: Otherwise the site, with a page that can be opened; empty where there is none.
        block: Key of the block whose page that is.
    """

    text: str
    cell: CellPlace | None
    site: str = ""
    block: str = ""


@dataclass(frozen=True)
class ExplanationData:
    """One explanation as it is shown.

    Attributes:
        key: Names the run and the way to the number; a report about another one is refused.
        crumbs: The way, the shown number last.
        problem: One sentence in place of all that follows, where there is no such number.
        words: What the number is.
        value: Short.
        exact: With all digits.
        site: Its name in the code.
        index: Its place in there.
        shape: Shape and dtype of the site, and where in the model it is.
        formula: LaTeX, with letters.
        numbers: LaTeX, with the numbers put in.
        note: A sentence on what is particular here.
        layout: Terms in columns, parts of a formula in lines, or neither.
        letter: What the places of the terms count.
        columns: Names of the operands' columns.
        value_name: Name of the column of the values.
        terms: All of them, or the largest.
        n_terms: How many there are.
        rests: For each number of largest terms, from 0: how many others there are, and their sum.
        total: Sum of all terms; empty where it is the result.
        factor: What the sum is multiplied by, as it is written; empty for nothing.
        result: Computed from the terms.
        selected_by: The id that picked the row of a table.
        recorded: The number itself, exactly.
        difference: Between result and recorded value; empty for none.
        agrees: Whether that is no more than rounding.
        used_by: What reads this number.
        page: Key of the block whose page shows it, where there is one.
        page_title: Its title.
        code: Python that prints this number; empty where there is none.
    """

    key: str
    crumbs: tuple[Crumb, ...]
    problem: str = ""
    words: tuple[Words, ...] = ()
    value: str = ""
    exact: str = ""
    site: str = ""
    index: str = ""
    shape: str = ""
    formula: str = ""
    numbers: str = ""
    note: str = ""
    layout: Layout = "none"
    letter: str = ""
    columns: tuple[Column, ...] = ()
    value_name: str = ""
    terms: tuple[ShownTerm, ...] = ()
    n_terms: int = 0
    rests: tuple[tuple[int, str], ...] = ()
    total: str = ""
    factor: str = ""
    result: str = ""
    selected_by: ShownNumber | None = None
    recorded: str = ""
    difference: str = ""
    agrees: bool = True
    used_by: tuple[Use, ...] = ()
    page: str = ""
    page_title: str = ""
    code: str = ""

    @property
    def links(self) -> frozenset[CellPlace]:
        """Every number that can be followed from here."""
        operands = [number.cell for term in self.terms for number in term.numbers]
        chosen = self.selected_by.cell if self.selected_by else None
        found = (*operands, chosen, *(use.cell for use in self.used_by))
        return frozenset(cell for cell in found if cell is not None)

    @property
    def pages(self) -> dict[str, str]:
        """Keys of the blocks whose pages are linked, by the sites that are looked at there."""
        found = {self.site: self.page, **{use.site: use.block for use in self.used_by}}
        return {site: block for site, block in found.items() if block}


@dataclass(frozen=True)
class Back:
    """Back to this place of the way; below 0 close the panel."""

    place: int


@dataclass(frozen=True)
class OpenPage:
    """Open the page of the block that a site belongs to."""

    site: str
    block: str


PanelReport = Explain | Back | OpenPage


def pack(data: ExplanationData | None) -> bytes:
    """Return the message. Its numbers are text already: nothing is computed in the browser.

    A term is a list in the order of `ShownTerm`, an operand one in the order of `ShownNumber`: hundreds of terms
    would be three times as long with names.

    Args:
        data: The explanation; None for a closed panel.
    """
    if data is None:
        return pack_json({})
    formulas = {
        name: each and mathml(each) for name, each in (("formula", data.formula), ("numbers", data.numbers))
    }
    return pack_json(
        {
            **vars(data),
            **formulas,
            "selected_by": None if data.selected_by is None else _packed_number(data.selected_by),
            "terms": [_packed_term(term) for term in data.terms],
            "largest": LARGEST,
        }
    )


def _packed_term(term: ShownTerm) -> list[object]:
    fields = vars(term) | {
        "token": [term.token.text, term.token.role],
        "numbers": [_packed_number(number) for number in term.numbers],
    }
    return list(fields.values())


def _packed_number(number: ShownNumber) -> list[object]:
    cell, at = (None if place is None else [place.site, *place.index] for place in (number.cell, number.at))
    return [number.symbol, number.text, number.exact, number.role, cell, None if at == cell else at]


def explain_panel(data: ExplanationData | None, *, key: str) -> None:
    """Draw the panel; None closes it."""
    _component(data=pack(data), key=key, **handlers(DONE.name))


def _read_report(payload: Payload, data: ExplanationData) -> PanelReport:
    match payload["kind"].value:
        case "back":
            place = payload["place"].whole()
            if place == -1 or any(place == crumb.place for crumb in data.crumbs[:-1]):
                return Back(place)
        case "open":
            site = payload["site"].one_of(data.pages)
            return OpenPage(site, data.pages[site])
        case "follow":
            index = tuple(each.whole() for each in payload["index"].items())
            cell = CellPlace(payload["site"].text(), index)
            if cell in data.links:
                return Explain(cell)
    raise Refused


DONE: Event[PanelReport, ExplanationData] = Event("report", _read_report, series=PANEL)
"""The visitor follows a number, goes back, or wants to see a page."""

_component = st.components.v2.component(
    "explain_panel",
    html='<div class="explain-panel" data-look="light"></div>',
    js=script(__file__, "panel"),
)
