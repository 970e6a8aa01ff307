"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_probability, format_signed
from explorer.look.token_text import told_apart, twin_place, visible
from explorer.models.decodings import translation_of
from explorer.models.patching_maps import map_of
from explorer.views.what_if.attributing import wrote
from explorer.views.what_if.borrowing import row_name
from explorer.views.what_if.compared import tokens_of
from explorer.views.what_if.data import Scenery, scenery
from explorer.worksheets.document import Block, Heading, Table, paragraph
from explorer.worksheets.questions import question


def blocks(scene: Scene) -> Iterator[Block]:
    """The outputs beside one another, what borrowed vectors bring along, and what wrote the step's token."""
    seen = scenery(scene.recorded.run, scene.state)
    step = seen.step if seen.deciding is None else seen.deciding
    yield from _questions(seen, step)
    yield Heading("What is written")
    yield _outputs(seen)
    if seen.deciding is not None:
        yield from _borrowed(seen, seen.deciding)
    yield from _wrote(seen, step)


def _questions(seen: Scenery, step: int) -> Iterator[Block]:
    if seen.deciding is not None:
        found = map_of(seen.trained.run, seen.trained.sentence, seen.donor, seen.deciding)
        shares = found.shares[0].tolist()
        best = max(range(len(shares)), key=lambda place: shares[place])
        yield question(
            (
                f"Which {seen.trained.run.source_unit} of the source decides between ",
                Piece(found.own, "target"),
                " and ",
                Piece(found.donor, "target"),
                "?",
            ),
            (
                Piece(found.source_tokens[best], "source"),
                f"{twin_place(found.source_tokens, best)}: its vector alone brings ",
                number(f"{shares[best]:.2f}"),
                " of the difference along.",
            ),
        )
    found_parts = wrote(seen.trained, step)
    largest = max(found_parts.bars, key=lambda each: sum(each.values))
    yield question(
        (
            "Which block writes most of the logit of ",
            Piece(seen.trained.outputs[step], "target"),
            f"{twin_place(seen.trained.outputs, step)}?",
        ),
        (f"{largest.name}: ", number(format_signed(sum(largest.values))), "."),
    )


def _outputs(seen: Scenery) -> Table:
    shown = [("As trained", translation_of(seen.trained.run, seen.trained.sentence))]
    if seen.changed is not seen.trained:
        shown.append(("Changed", translation_of(seen.changed.run, seen.changed.sentence)))
    if seen.other is not None:
        shown.append(("Second sentence", seen.other))
    rows = [
        (name, *(f"{visible(each.text)} {format_probability(each.prob)}" for each in tokens_of(output)))
        for name, output in shown
    ]
    width = max(map(len, rows))
    heads = ("", *(f"step {step}" for step in range(width - 1)))
    return Table(heads, tuple((*row, *[""] * (width - len(row))) for row in rows), tuple(range(width)))


def _borrowed(seen: Scenery, step: int) -> Iterator[Block]:
    found = map_of(seen.trained.run, seen.trained.sentence, seen.donor, step)
    yield Heading(f"Borrowed from: {seen.donor}")
    yield paragraph(
        f"Each number: the share of logit({found.donor}) − logit({found.own}) that one vector brings along.",
        quiet=True,
    )
    for side, tokens in (("source", found.source_tokens), ("target", ("<s>", *found.target_tokens[:-1]))):
        rows = [
            (row_name(site), *(f"{share:.2f}".replace("-", "\N{MINUS SIGN}") for share in shares.tolist()))
            for site, shares in zip(found.sites, found.shares, strict=True)
            if _side(seen, site) == side
        ]
        yield Table(
            ("vector", *told_apart(map(visible, tokens))),
            tuple(rows),
            (0,),
            f"Vectors at the {side}’s tokens",
        )


def _side(seen: Scenery, name: str) -> str:
    return seen.trained.trace.activations.site(name).rows_side


def _wrote(seen: Scenery, step: int) -> Iterator[Block]:
    found = wrote(seen.trained, step)
    outputs = seen.trained.outputs
    yield Heading(f"What wrote {visible(outputs[step])}{twin_place(outputs, step)}, as trained")
    rows = [(each.name, format_signed(sum(each.values))) for each in found.bars]
    yield Table(("part", "adds to the logit"), (*rows, ("logit", format_signed(found.value))), (0,))
