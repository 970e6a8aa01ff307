"""What is said of the cell that a visitor has chosen, before everything else that a view's words say."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from core.activations.location import locate
from core.errors import ExplorerError
from core.explanation.explain import explain
from core.explanation.explanation import Explanation
from explorer.explaining.marked import MarkedCell
from explorer.explaining.names import entry_of, tokens_at
from explorer.explaining.printing import WEIGHT_DECIMALS, printed, printed_probability, signed_form
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.explaining.sentence import sentence_of
from explorer.explaining.snippets import IDS
from explorer.explaining.terms import divisor_text
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_signed
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace
from explorer.view import View, Words
from explorer.visitor.state import ExplorerState


def scene_of(view: View, recorded: Recorded, state: ExplorerState, marked: MarkedCell | None) -> Scene:
    """What a view's words are about, with the number that is explained where it is one that the view shows.

    Args:
        view: Whose words they are.
        recorded: What the model computed.
        state: The visitor's choices.
        marked: The cell that the view marks; None where it has none.
    """
    cell = state.look.cell
    if cell is None or (marked is not None and marked.explained):
        return Scene(recorded, state, marked, cell)
    if not view.owns(locate(cell.site)):
        return Scene(recorded, state, marked)
    return Scene(recorded, state, _beyond_the_window(cell, recorded) or marked, cell)


def _beyond_the_window(cell: CellPlace, recorded: Recorded) -> MarkedCell | None:
    """A recorded number that the view has no room for, as if it marked it; None for what stands at no token."""
    entry = entry_of(cell.site, recorded)
    if entry is None or len(cell.index) != len(entry.axes):
        return None
    axes = recorded.axes(entry)
    if not all(0 <= place < axis.size for axis, place in zip(axes, cell.index[1:], strict=True)):
        return None
    numbers = {axis.name: place for axis, place in zip(axes, cell.index[1:], strict=True)}
    return MarkedCell(numbers, {axis.name: axis.side for axis in axes}, explained=True)


def numbers_of(words: Words, scene: Scene) -> Numbers:
    """The sentences of a view with numbers: about the chosen cell first, unless they speak of it anyway."""
    about = words.numbers(scene)
    own = None if scene.cell is None else _sentence(scene, scene.cell)
    if own is None:
        return about
    said, tokens = {piece.text for piece in about.pieces}, tokens_at_cell(scene)
    if own.shown.text in said and tokens <= said:
        return replace(about, shown=own.shown)
    return Numbers((*own.pieces, Piece(" "), *about.pieces), own.shown)


def tokens_at_cell(scene: Scene) -> set[str]:
    """The tokens that the chosen cell's index stands for."""
    assert scene.cell is not None
    return {token.text for token in tokens_at(scene.cell, scene.recorded).values()}


def _sentence(scene: Scene, cell: CellPlace) -> Numbers | None:
    """What the cell is, its value, and the sum that gives it; None for a cell that is not there."""
    recorded = scene.recorded
    try:
        explanation = explain(recorded.run, recorded.trace, cell.site, cell.index)
    except ExplorerError:
        return None
    cell = replace(cell, index=explanation.index)
    shown = _shown(cell, explanation.recorded)
    asks = locate(cell.site).value == "mask"
    words = sentence_of(cell, recorded)
    pieces = [Piece(word.text, word.role if word.role in ("source", "target") else "") for word in words]
    between = " " if asks else ": "
    return Numbers((*pieces, Piece(between), *_made_of(explanation), number(shown.text), Piece(".")), shown)


def _made_of(explanation: Explanation) -> Iterator[Piece]:
    """The sum that gives the number, and what it is divided by for that; nothing of a number that is no sum."""
    n, divisor, total = len(explanation.terms), explanation.divisor, explanation.total
    if not explanation.counted or n < 2 or (total is None) != (divisor is None):
        return
    kind = "products" if all(len(term.operands) > 1 for term in explanation.terms) else "terms"
    yield Piece(f"the sum of {n} {kind}, ")
    if total is not None:
        yield number(format_signed(total))
        yield Piece(f"; {divisor_text(explanation)} = ")


def _shown(cell: CellPlace, value: float) -> Shown:
    """The value as the view's readout writes it, and Python that prints it so."""
    where = locate(cell.site)
    if where.learned:
        return replace(
            printed(format_signed(value), cell.site, cell.index, value),
            lines=(
                "from core.model.parameters import find_parameter",
                f"value = find_parameter(run.model, {cell.site!r})[{cell.index!r}].item()",
                f'print(f"{{value:{signed_form(value)}}}")',
            ),
            needs_trace=False,
        )
    if cell.site in IDS:
        return Shown(f"{value:.0f}", (f"print(recorded.{cell.site}[{cell.index[-1]}].item())",))
    if cell.site == "hypothesis.prob":
        step, token_id = cell.index
        return printed_probability(step, token_id, value)
    if where.kind == "hypothesis":
        line = f"value = explain(run, recorded, {cell.site!r}, {cell.index!r}).recorded"
        return Shown(format_signed(value), (line, f'print(f"{{value:{signed_form(value)}}}")'), ("explain",))
    place = f"recorded.activations[{cell.site!r}][{cell.index!r}].item()"
    if where.value == "mask":
        return Shown("yes" if value else "no", (f'print("yes" if {place} else "no")',))
    if math.isinf(value):
        return Shown(format_signed(value), (f'print(str({place}).replace("inf", "∞"))',))
    if where.value == "weights":
        return Shown(f"{value:.{WEIGHT_DECIMALS}f}", (f'print(f"{{{place}:.{WEIGHT_DECIMALS}f}}")',))
    return printed(format_signed(value), cell.site, cell.index, value)
