"""How a view becomes a worksheet: a picture with questions and room to answer; behind it answers and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explorer.look.pieces import Piece
from explorer.worksheets.document import (
    Block,
    Heading,
    PageBreak,
    Paragraph,
    Picture,
    Question,
    Table,
)

MOST_PICTURES = 1
"""Pictures beside the questions, the last ones; all others stand with the numbers."""


def question(asked: Iterable[str | Piece], answer: Iterable[str | Piece]) -> Question:
    """A question with its answer; plain words may be plain texts."""
    return Question(_pieces(asked), _pieces(answer))


def _pieces(parts: Iterable[str | Piece]) -> tuple[Piece, ...]:
    return tuple(Piece(part) if isinstance(part, str) else part for part in parts)


def arranged(contents: Iterable[Block]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """What stands in front, the picture and the questions, and what stands behind them: the answers and the rest.

    A view without a picture has its first table in front; one without a question is all behind, as it is.
    """
    blocks = tuple(contents)
    questions = [each for each in blocks if isinstance(each, Question)]
    rest = [each for each in blocks if not isinstance(each, Question)]
    if not questions:
        return (), tuple(rest)
    shown = _shown(rest)
    behind = [each for each in rest if not any(each is one for one in shown)]
    numbered = [_numbered(number, each) for number, each in enumerate(questions, 1)]
    answers = (Paragraph(each.answer) for each in numbered)
    return (*shown, *numbered), (PageBreak(), Heading("Answers"), *answers, *behind)


def _shown(blocks: Sequence[Block]) -> list[Block]:
    pictures: list[Block] = [each for each in blocks if isinstance(each, Picture)]
    tables: list[Block] = [each for each in blocks if isinstance(each, Table)]
    return pictures[-MOST_PICTURES:] or tables[:1]


def _numbered(number: int, each: Question) -> Question:
    first = Piece(f"{number}. ", "number")
    return Question((first, *each.asked), (first, *each.answer))
