"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.models.decodings import recorded_of
from explorer.models.padded_batch import OWN, default_titles, masked_batch, other_examples
from explorer.views.masks.data import masks_view
from explorer.views.masks.findings import findings
from explorer.worksheets.document import Block, paragraph
from explorer.worksheets.stages import stage_blocks


def blocks(scene: Scene) -> Iterator[Block]:
    """The batch that the page begins with, all masks on."""
    run = scene.recorded.run
    examples = other_examples(run, scene.state.sentence)
    others = [
        (title, recorded_of(run, examples[title])) for title in default_titles(run, scene.state.sentence)
    ]
    masked = masked_batch(run, [(OWN, scene.recorded), *others], None)
    data = masks_view(masked, scene.state, 0)
    chosen = {chooser.axis: chooser.value for chooser in data.choosers}
    for sentence in findings(masked, 0, chosen["layer"], chosen["head"]):
        yield paragraph(sentence)
    yield from stage_blocks(data)
