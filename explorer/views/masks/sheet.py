"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.look.pieces import number
from explorer.models.decodings import recorded_beside
from explorer.models.padded_batch import OWN, default_titles, masked_batch, other_examples
from explorer.views.masks.data import masks_view
from explorer.views.masks.findings import findings
from explorer.worksheets.document import Block, Question, paragraph
from explorer.worksheets.questions import question
from explorer.worksheets.stages import stage_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The batch that the page begins with, all masks on."""
    yield from _questions(scene)
    run = scene.recorded.run
    examples = other_examples(run, scene.state.sentence)
    others = recorded_beside(run, examples, default_titles(run, scene.state.sentence))
    masked = masked_batch(run, [(OWN, scene.recorded), *others], None)
    data = masks_view(masked, scene.state, 0)
    chosen = {chooser.axis: chooser.value for chooser in data.choosers}
    for sentence in findings(masked, 0, chosen["layer"], chosen["head"]):
        yield paragraph(sentence)
    yield from stage_blocks(data)


def _questions(scene: Scene) -> Iterator[Question]:
    n = len(scene.recorded.inputs)
    if scene.recorded.run.config.causal:
        yield question(
            (f"The output has {n} positions. How many of its {n} × {n} cells does the causal mask leave?",),
            (
                f"1 + 2 + … + {n} = ",
                number(str(n * (n + 1) // 2)),
                ": each position reads itself and those before it.",
            ),
        )
    yield question(
        ("A masked score is −∞. What is its weight, and what do the other weights of its row sum to?",),
        ("Exactly ", number("0"), ", since e to the power −∞ is 0; the others sum to ", number("1"), "."),
    )
